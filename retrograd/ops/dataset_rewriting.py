"""Pipelines rewritten before they are begun: as the options of a dataset say, with the same elements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from retrograd.ops.dataset_batches import batched
from retrograd.ops.dataset_branches import fastest_branch
from retrograd.ops.dataset_buffers import prefetched, shuffled, shuffled_and_repeated
from retrograd.ops.dataset_functions import filtered, interleaved, interleaved_by_threads
from retrograd.ops.dataset_maps import (
    Both,
    Then,
    chosen_by_last,
    mapped,
    mapped_and_batched,
    mapped_by_threads,
    mapped_rows,
    without_last,
)
from retrograd.ops.dataset_states import Dataset, Next, Scope, first_of, non_serializable, repeated, without_first

Rule = Callable[[Dataset], Dataset]  # the dataset that stands for one whose sources are rewritten

AUTOTUNE = -1


def rewritten(dataset: Dataset, names: Sequence[str], settings: Sequence[str] = ()) -> Dataset:
    """``dataset``, and what functions in it make, by the rules of these names; others change no element."""
    if "map_vectorization" in names and "map_vectorization:use_choose_fastest:true" not in settings:
        names = [*names, "map_vectorization_always"]
        names.remove("map_vectorization")
    passes = [[rules[name] for name in rules if name in names] for rules in (RULES, RULES_AT_LAST)]
    # within functions TensorFlow crashes with a shuffle that is repeated
    inside = [[rule for rule in rules if rule is not _shuffled_and_repeated] for rules in passes]
    whole = _applied(dataset, passes)

    def make(scope: Scope) -> Next:
        return whole.make(Scope(scope.memory, (lambda made: _applied(made, inside)) if any(inside) else None, scope))

    result = Dataset(make, whole.cardinality)
    result.is_still, result.made, result.expects = whole.is_still, whole.made, whole.expects
    return result


def _applied(dataset: Dataset, passes: Sequence[Sequence[Rule]]) -> Dataset:
    for rules in passes:
        dataset = _with_rules(dataset, rules, {}) if rules else dataset
    return dataset


def _with_rules(dataset: Dataset, rules: Sequence[Rule], known: dict[Dataset, Dataset]) -> Dataset:
    made = dataset.made
    if made is None or made.by is non_serializable:
        return dataset
    if dataset not in known:
        sources = made.sources
        new = [_with_rules(source, rules, known) for source in sources]
        result = made.again(new) if any(a is not b for a, b in zip(sources, new, strict=True)) else dataset
        for rule in rules:
            result = rule(result)
        known[dataset] = result
    return known[dataset]


def _is(dataset: Dataset, *transformations: Callable[..., Dataset]) -> bool:
    return dataset.made is not None and dataset.made.by in transformations


def _arguments(dataset: Dataset) -> tuple[Any, ...]:
    assert dataset.made is not None
    return dataset.made.arguments


def _without_what_does_nothing(dataset: Dataset) -> Dataset:
    for transformation, number in ((without_first, 0), (first_of, -1), (repeated, 1), (prefetched, 0)):
        if _is(dataset, transformation) and _arguments(dataset)[1] == number:
            source: Dataset = _arguments(dataset)[0]
            return source
    return dataset


def _following(
    dataset: Dataset, behind: Callable[..., Dataset], *before: Callable[..., Dataset]
) -> tuple[list[Any], list[Any]] | None:
    """The arguments of two transformations, one of ``before`` and ``behind``; the first of them is the source."""
    if not _is(dataset, behind) or not _is(_arguments(dataset)[0], *before):
        return None
    first, *others = _arguments(dataset)
    return list(_arguments(first)), others


def _shuffled_and_repeated(dataset: Dataset) -> Dataset:
    found = _following(dataset, repeated, shuffled)
    if found is None:
        return dataset
    (source, size, seed, seed2, anew), (count,) = found
    return shuffled_and_repeated(source, size, seed, seed2, count) if anew else dataset


def _as_one(transformation: Callable[..., Dataset], joined: Callable[[Any, Any], Any]) -> Rule:
    """Two of one transformation are one, of a function that does what both do."""

    def rule(dataset: Dataset) -> Dataset:
        found = _following(dataset, transformation, transformation)
        if found is None:
            return dataset
        (source, first), (second,) = found
        if first.has_captured or second.has_captured:
            return dataset
        return transformation(source, joined(first, second))

    return rule


def _filtered_while_mapped(dataset: Dataset) -> Dataset:
    """The map computes the predicate, too: so both are computed for many elements at once."""
    found = _following(dataset, filtered, mapped, mapped_by_threads)
    if found is None:
        return dataset
    (source, function, *others), (predicate,) = found
    if predicate.has_captured:
        return dataset
    again = mapped_by_threads if others else mapped
    return without_last(chosen_by_last(again(source, Then(function, predicate, keeps=True), *others)))


def _in_parallel(dataset: Dataset) -> Dataset:
    if not _is(dataset, mapped) or not _arguments(dataset)[1].computes_or_checks:
        return dataset
    return mapped_by_threads(*_arguments(dataset), AUTOTUNE)


def _mapped_and_batched(dataset: Dataset) -> Dataset:
    found = _following(dataset, batched, mapped, mapped_by_threads)
    if found is None:
        return dataset
    (source, function, *count), (size, drop) = found
    return mapped_and_batched(source, function, size, count[0] if count else 1, drop)


def _batched_first(dataset: Dataset) -> Callable[[Dataset], Dataset] | None:
    """What maps whole batches, of a source; None of a dataset that is no batch of a map that only computes."""
    if _is(dataset, mapped_and_batched):
        _, function, size, _, drop = _arguments(dataset)
        is_parallel, ahead = True, ()
    elif _is(dataset, batched):
        before, size, drop = _arguments(dataset)
        ahead = _arguments(before)[1:] if _is(before, prefetched) else ()
        before = _arguments(before)[0] if ahead else before
        if not _is(before, mapped, mapped_by_threads):
            return None
        function, is_parallel = _arguments(before)[1], _is(before, mapped_by_threads)
    else:
        return None
    if not function.computes or not function.has_known_shapes:
        return None

    def branch(source: Dataset) -> Dataset:
        result = mapped_rows(batched(source, size, drop), function, is_parallel)
        return prefetched(result, *ahead) if ahead else result

    return branch


def _source_of_map(dataset: Dataset) -> Dataset:
    before: Dataset = _arguments(dataset)[0]
    if _is(dataset, mapped_and_batched):
        return before
    return _source_of_map(before) if _is(before, prefetched) else _arguments(before)[0]  # type: ignore[no-any-return]


def _vectorized(dataset: Dataset) -> Dataset:
    branch = _batched_first(dataset)
    return dataset if branch is None else branch(_source_of_map(dataset))


def _vectorized_if_faster(dataset: Dataset) -> Dataset:
    branch = _batched_first(dataset)
    if branch is None:
        return dataset
    source = _source_of_map(dataset)
    size = _arguments(dataset)[2 if _is(dataset, mapped_and_batched) else 1]

    def as_it_is(other: Dataset) -> Dataset:
        return _with_source(dataset, source, other)

    return fastest_branch(source, [branch, as_it_is], size, 1, 10)


def _with_source(dataset: Dataset, source: Dataset, other: Dataset) -> Dataset:
    """``dataset`` made of ``other`` where it is made of ``source``."""
    if dataset is source:
        return other
    assert dataset.made is not None
    again: Dataset = dataset.made.again([_with_source(each, source, other) for each in dataset.made.sources])
    return again


def _out_of_order(dataset: Dataset) -> Dataset:
    if _is(dataset, mapped_by_threads):
        source, function, count, *_ = _arguments(dataset)
        return mapped_by_threads(source, function, count, True)
    if _is(dataset, interleaved_by_threads):
        return interleaved_by_threads(*_arguments(dataset)[:-1], True)
    return dataset


def _fetched_ahead(dataset: Dataset) -> Dataset:
    """A buffer behind what computes in parallel."""
    is_parallel = _is(dataset, mapped_by_threads, mapped_and_batched)
    if is_parallel or (_is(dataset, interleaved) and len(_arguments(dataset)) > 4):
        return prefetched(dataset, AUTOTUNE)
    return dataset


RULES: dict[str, Rule] = {
    "noop_elimination": _without_what_does_nothing,
    "shuffle_and_repeat_fusion": _shuffled_and_repeated,
    "map_fusion": _as_one(mapped, Then),
    "filter_fusion": _as_one(filtered, Both),
    "map_and_filter_fusion": _filtered_while_mapped,
    "map_parallelization": _in_parallel,
    "map_and_batch_fusion": _mapped_and_batched,
    "map_vectorization": _vectorized_if_faster,
    "map_vectorization_always": _vectorized,
    "make_sloppy": _out_of_order,
}
RULES_AT_LAST: dict[str, Rule] = {"inject_prefetch": _fetched_ahead}
