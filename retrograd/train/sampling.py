"""Elements chosen at random on their way into batches: ``tf.contrib.training``'s sampling by rejection and by rates.

Source: TensorFlow 1.15.5's names, order of nodes and messages.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from retrograd.flow.loops import while_loop
from retrograd.flow.tensor_array import TensorArray
from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import dimension_at_index
from retrograd.graph.tensor import Tensor
from retrograd.nn.moving_averages import assign_moving_average
from retrograd.ops import (
    arithmetic,
    arrays,
    asserts,
    casts,
    checks,
    comparison,
    constants,
    indexing,
    printing,
    random,
    reductions,
    rounding,
    variates,
)
from retrograd.ops.conditions import cond
from retrograd.ops.control import with_dependencies
from retrograd.state.scopes import get_local_variable, variable_scope
from retrograd.state.variables import VariableV1
from retrograd.train.input import batch, convert_to_tensor_or_sparse_tensor, maybe_batch


def rejection_sample(
    tensors: Sequence[Any],
    accept_prob_fn: Callable[[list[Any]], Any],
    batch_size: int,
    queue_threads: int = 1,
    enqueue_many: bool = False,
    prebatch_capacity: int = 16,
    prebatch_threads: int = 1,
    runtime_checks: bool = False,
    name: str | None = None,
) -> list[Any]:
    """Batches of the elements that are accepted, each with the probability that ``accept_prob_fn`` gives it."""
    with variable_scope(name, "rejection_sample", tensors):
        listed = [convert_to_tensor_or_sparse_tensor(t) for t in tensors]
        if enqueue_many:
            _check_sizes(listed, listed[0].shape.with_rank_at_least(1)[0])
            one = batch(
                listed, batch_size=1, num_threads=prebatch_threads, capacity=prebatch_capacity, enqueue_many=True
            )
            listed = [arrays.squeeze(x, [0]) for x in (one if isinstance(one, list | tuple) else [one])]
        probability = accept_prob_fn(listed)
        if runtime_checks:
            within = [
                checks.assert_less_equal(0.0, probability),
                checks.assert_less_equal(probability, 1.0),
            ]
            probability = arrays.identity(with_dependencies(within, probability), name="prob_with_checks")
        kept = maybe_batch(
            listed, keep_input=random.random_uniform([]) < probability, batch_size=batch_size,
            num_threads=queue_threads,
        )  # fmt: skip
        return [kept] if isinstance(kept, Tensor) else kept


def _check_sizes(tensors: list[Any], size: Any) -> None:
    """That all have as many rows as that."""
    for tensor in tensors:
        dimension_at_index(tensor.shape.with_rank_at_least(1), 0).assert_is_compatible_with(size)


# -- classes with given shares -------------------------------------------------------------------


def stratified_sample(
    tensors: Sequence[Any],
    labels: Any,
    target_probs: Any,
    batch_size: int,
    init_probs: Any = None,
    enqueue_many: bool = False,
    queue_capacity: int = 16,
    threads_per_queue: int = 1,
    name: str | None = None,
) -> tuple[list[Any], Any]:
    """Batches, and their labels, in which each class has the share that ``target_probs`` gives it.

    Args:
      init_probs: the shares in the data; by default those seen so far.

    Raises:
      ValueError: the shares are of differing lengths, or of unknown ones.
    """
    with name_scope(name, "stratified_sample", [*tensors, labels]):
        listed = [convert_to_tensor_or_sparse_tensor(t) for t in tensors]
        labels = as_tensor(labels)
        target = as_tensor(target_probs, dtype=dtypes.float32)
        if not enqueue_many:
            listed = [arrays.expand_dims(t, 0) for t in listed]
            labels = arrays.expand_dims(labels, 0)
        if init_probs is None:
            target.shape.assert_is_fully_defined()
            initial = _estimated_shares(labels, target.shape.num_elements())
        else:
            initial = as_tensor(init_probs, dtype=dtypes.float32)
        listed, labels, (initial, target) = _checked(listed, labels, [initial, target])
        possible = comparison.logical_or(comparison.not_equal(initial, 0), comparison.equal(target, 0))
        text = "All classes with zero initial probability must also have zero target probability: "
        initial = with_dependencies([asserts.Assert(reductions.reduce_all(possible), [text, initial, target])], initial)
        accepted = _acceptance(initial, target)
        rejected = reductions.reduce_sum((1 - accepted) * initial)
        accepted = cond(
            comparison.less(rejected, 0.5),
            lambda: accepted,
            lambda: printing.Print(
                accepted, [accepted], message="Proportion of examples rejected by sampler is high.", first_n=10
            ),
        )
        one = batch(
            [*listed, labels], batch_size=1, num_threads=threads_per_queue, capacity=queue_capacity, enqueue_many=True
        )
        values = [arrays.squeeze(x, [0]) for x in one[:-1]]
        label = arrays.squeeze(one[-1], [0])
        probability = indexing.gather(accepted, label)
        kept = maybe_batch(
            [*values, label], keep_input=random.random_uniform([]) < probability, batch_size=batch_size,
            num_threads=threads_per_queue,
        )  # fmt: skip
        return kept[:-1], kept[-1]


def _estimated_shares(labels: Any, num_classes: int | None, smoothing: int = 10) -> Any:
    """The part of each class among the labels so far, as if each had come ``smoothing`` times before."""
    seen: Any = VariableV1(
        initial_value=[smoothing] * (num_classes or 0), trainable=False, name="class_count", dtype=dtypes.int64
    )
    seen = seen.assign_add(reductions.reduce_sum(indexing.one_hot(labels, num_classes, dtype=dtypes.int64), 0))
    seen = seen + 0
    return casts.cast(arithmetic.truediv(seen, reductions.reduce_sum(seen)), dtypes.float32)


def _checked(tensors: list[Any], labels: Any, shares: list[Any]) -> tuple[list[Any], Any, list[Any]]:
    checked = []
    for share in shares:
        share.shape.assert_is_fully_defined()
        share.shape.assert_has_rank(1)
        tolerance = 1e-6
        total = reductions.reduce_sum(share)
        conditions = [
            checks.assert_non_negative(share),
            checks.assert_less(total, 1.0 + tolerance),
            checks.assert_less(1.0 - tolerance, total),
        ]
        checked.append(with_dependencies(conditions, share))
    count = checked[0].shape.num_elements()
    if any(share.shape.num_elements() != count for share in checked):
        raise ValueError("Probability parameters must have the same length.")
    labels.shape.assert_has_rank(1)
    _check_sizes(tensors, labels.shape[0])
    size = arrays.shape(labels)[0]
    some = checks.assert_positive(size)
    labels = with_dependencies([some], labels)
    tensors = [with_dependencies([some, checks.assert_equal(arrays.shape(x)[0], size)], x) for x in tensors]
    are_classes = [
        checks.assert_integer(labels),
        checks.assert_non_negative(labels),
        checks.assert_less(labels, casts.cast(count, labels.dtype)),
    ]
    return tensors, with_dependencies(are_classes, labels), checked


def _acceptance(initial: Any, target: Any) -> Any:
    """How often an element of each class is kept: ``target / initial``, so that the largest is 1."""
    ratio = target / initial
    ratio = comparison.where_v2(rounding.is_nan(ratio), constants.zeros_like(ratio), ratio)
    return ratio / reductions.reduce_max(ratio)


# -- rows taken several times, or not at all -----------------------------------------------------


def resample_at_rate(
    inputs: Sequence[Any], rates: Any, scope: str | None = None, seed: int | None = None, back_prop: bool = False
) -> list[Any]:
    """The rows of tensors, each as often as a Poisson variable of its rate says."""
    with name_scope(scope, "resample_at_rate", [*inputs, rates]):
        rates = as_tensor(rates, name="rates")
        counts = casts.cast(variates.random_poisson(rates, (), rates.dtype, seed=seed), dtypes.int32)
        rows = _repeat_range(counts)
        if not back_prop:
            rows = arrays.stop_gradient(rows)
        return [indexing.gather(x, rows) for x in inputs]


def _repeat_range(counts: Any, name: str | None = None) -> Any:
    """``[0, 1, ...]`` with the i-th ``counts[i]`` times."""
    with name_scope(name, "repeat_range", [counts]) as scope:
        counts = as_tensor(counts, name="counts")
        size = arrays.shape(counts)[0]
        start = TensorArray(dtype=dtypes.int32, size=size, infer_shape=False)

        def repeated(output: Any, i: Any) -> Any:
            return output.write(i, constants.fill(counts[i : i + 1], i)), i + 1

        made, written = while_loop(lambda _, i: i < size, repeated, loop_vars=[start, 0])
        return cond(written > 0, made.concat, lambda: constants.zeros(shape=[0], dtype=dtypes.int32), name=scope)


def weighted_resample(
    inputs: list[Any],
    weights: Any,
    overall_rate: Any,
    scope: str | None = None,
    mean_decay: float = 0.999,
    seed: int | None = None,
) -> tuple[list[Any], Any]:
    """Rows taken in proportion to their weights, ``overall_rate`` of them on average; and the rates of those taken."""
    with name_scope(scope, "weighted_resample", inputs) as opened:
        with variable_scope(scope, "estimate_mean", inputs):
            estimate = get_local_variable(
                "estimated_mean", initializer=casts.cast(0, weights.dtype), dtype=weights.dtype
            )
            mean = assign_moving_average(estimate, reductions.reduce_mean(weights), mean_decay)
        rates = weights * overall_rate / mean
        results = resample_at_rate([rates, *inputs], rates, scope=opened, seed=seed, back_prop=False)
        return results[1:], results[0]
