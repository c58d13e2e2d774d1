"""Sampling of classes that stand for all the others, with how often each is expected in a sample.

As in TensorFlow a class that was drawn before is drawn again where ``unique`` is asked for, and of n tries
a class of probability p is expected ``1 - (1 - p)^n`` times; without ``unique``, ``p * n`` times.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from retrograd.graph.apply import apply_named
from retrograd.graph.definition import REQUIRED, Effect, OpDef, define, not_differentiable
from retrograd.graph.errors import InvalidArgumentError
from retrograd.graph.shapes import RawShape
from retrograd.graph.tensor import Tensor
from retrograd.ops import philox, shape_rules
from retrograd.ops.random import SEEDS, seed_attrs
from retrograd.ops.streams import Stream

# -- drawing -----------------------------------------------------------------------------------


def _words(stream: Stream, num_sampled: int, of_draw: int) -> Iterator[Any]:
    """The stream's 32-bit words, ``of_draw`` in a row, some rows at a time; 2048 words are reserved for each sample."""
    key, counter = stream.take(np, 512 * num_sampled)
    count = max(64, num_sampled)
    while True:
        yield philox.philox_blocks(np, key, counter, count).reshape(-1, of_draw)
        counter = philox.advance(np, counter, count)


def _sampled(
    draws: Iterator[Any], true_classes: Any, num_sampled: int, unique: bool, probability: Callable[[Any], Any]
) -> list[Any]:
    """The candidates, and how often the true classes and they are expected among as many draws."""
    chosen: list[int] = []
    tries = 0
    seen: set[int] = set()
    for value in (value for some in draws for value in some.tolist()):
        tries += 1
        if not unique or value not in seen:
            seen.add(value)
            chosen.append(value)
            if len(chosen) == num_sampled:
                break
    candidates = np.array(chosen, np.int64)
    return [candidates, *(_expected(probability(v), num_sampled, tries) for v in (true_classes, candidates))]


def _expected(p: Any, num_sampled: int, tries: int) -> Any:
    p = np.asarray(p).astype(np.float32)
    if tries == num_sampled:
        return p * np.float32(num_sampled)
    return -np.expm1(np.float32(tries) * np.log1p(-p))


def _wide(words: Any) -> Any:
    low, high = words.T.astype(np.uint64)
    return low | high << np.uint64(32)


def unit_doubles(words: Any) -> Any:
    """Numbers in [0, 1) of 52 bits."""
    high, low = words.T.astype(np.uint64)
    return ((high & np.uint64(0xFFFFF)) << np.uint64(32) | low) / 2.0**52


def _check_range(num_sampled: int, unique: bool, range_max: int) -> None:
    if unique and num_sampled > range_max:
        raise InvalidArgumentError(None, None, "Sampler's range is too small.")


def _uniform(
    xp: Any, stream: Stream, true_classes: Any, *, num_sampled: int, unique: bool, range_max: int
) -> list[Any]:
    """Every class is as likely."""
    _check_range(num_sampled, unique, range_max)
    draws = (_wide(words) % np.uint64(range_max) for words in _words(stream, num_sampled, 2))
    return _sampled(draws, true_classes, num_sampled, unique, lambda classes: np.full(np.shape(classes), 1 / range_max))


def _log_uniform(
    xp: Any, stream: Stream, true_classes: Any, *, num_sampled: int, unique: bool, range_max: int
) -> list[Any]:
    """P(k) = log((k + 2) / (k + 1)) / log(range + 1): Zipf's law, for classes in the order of their frequency."""
    _check_range(num_sampled, unique, range_max)
    scale = np.log1p(range_max)
    draws = (
        (np.exp(unit_doubles(words) * scale).astype(np.int64) - 1) % range_max
        for words in _words(stream, num_sampled, 2)
    )
    return _sampled(
        draws, true_classes, num_sampled, unique, lambda classes: np.log((classes + 2.0) / (classes + 1.0)) / scale
    )


def _learned(
    xp: Any, memory: dict[str, Any], true_classes: Any, *, num_sampled: int, unique: bool, range_max: int, seed: int,
    seed2: int,
) -> list[Any]:  # fmt: skip
    """P(k) is 1 + how often class k was a true class in earlier runs, over the sum of these."""
    _check_range(num_sampled, unique, range_max)
    stream = memory.setdefault("stream", Stream.of(seed, seed2))
    weights = memory.setdefault("weights", np.ones(range_max, np.int64))
    sums = np.cumsum(weights)
    draws = (np.searchsorted(sums, words[:, 0] % sums[-1], side="right") for words in _words(stream, num_sampled, 1))
    result = _sampled(
        draws, true_classes, num_sampled, unique,
        lambda classes: weights[classes].astype(np.float32) / np.float32(sums[-1]),
    )  # fmt: skip
    memory["weights"] = weights + np.bincount(np.ravel(true_classes), minlength=range_max)
    return result


@dataclass(frozen=True)
class _Table:
    """Weights of classes, and Walker's table for those of a shard."""

    weights: Any
    total: Any
    shares: Any
    others: Any


_tables: WeakKeyDictionary[Stream, _Table] = WeakKeyDictionary()  # a stream belongs to one op


def _fixed(
    xp: Any, stream: Stream, true_classes: Any, *, num_sampled: int, unique: bool, range_max: int, vocab_file: Any,
    distortion: float, num_reserved_ids: int, num_shards: int, shard: int, unigrams: Sequence[float],
) -> list[Any]:  # fmt: skip
    """P(k) is proportional to the k-th of the ``unigrams``, to the power of ``distortion``."""
    _check_range(num_sampled, unique, range_max)
    table = _tables.get(stream)
    if table is None:
        given = list(unigrams) if unigrams else _counts_in(vocab_file)
        weights = np.array([0.0] * num_reserved_ids + [float(w) ** distortion for w in given], np.float32)
        mine = weights[shard::num_shards]
        if len(weights) != range_max:
            raise InvalidArgumentError(None, None, f"range_max is {range_max} but there are {len(weights)} classes")
        total = np.cumsum(mine)[-1]  # one after the other, as TensorFlow adds them
        table = _tables[stream] = _Table(weights, total, *map(np.array, _alias_table(mine)))

    def drawn(words: Any) -> Any:
        parts, places = (words[:, 0] & 0x7FFFFF) / 2.0**23, words[:, 1] % len(table.shares)
        kept = np.where(parts < table.shares[places], places, table.others[places])
        return kept.astype(np.int64) * num_shards + shard

    def probability(classes: Any) -> Any:
        classes = np.asarray(classes)
        known = (classes >= 0) & (classes < len(table.weights))
        return np.where(known, table.weights[np.where(known, classes, 0)] / table.total, 0)

    return _sampled(
        map(drawn, _words(stream, num_sampled, 2)), true_classes, num_sampled, unique,
        probability,
    )  # fmt: skip


def _counts_in(vocab_file: Any) -> list[float]:
    """The last column of a file of comma-separated values."""
    with open(vocab_file, newline="") as file:
        return [float(row[-1]) for row in csv.reader(file) if row]


def _alias_table(weights: Any) -> tuple[list[float], list[int]]:
    """Walker's table: of ``n`` equally likely places, each keeps its share and leaves the rest to another."""
    shares = (weights.astype(np.float64) * len(weights) / weights.sum(dtype=np.float64)).tolist()
    others = list(range(len(shares)))
    low = [i for i, share in enumerate(shares) if share < 1]
    high = [i for i, share in enumerate(shares) if share >= 1]
    while low and high:
        small, large = low.pop(), high.pop()
        others[small] = large
        shares[large] -= 1 - shares[small]
        (low if shares[large] < 1 else high).append(large)
    for i in (*low, *high):  # what rounding left over
        shares[i] = 1.0
    return shares, others


def _all(xp: Any, stream: Stream, true_classes: Any, *, num_sampled: int) -> list[Any]:
    """Every class once."""
    ones = np.ones(num_sampled, np.float32)
    return [np.arange(num_sampled), np.ones(np.shape(true_classes), np.float32), ones]


# -- records -----------------------------------------------------------------------------------


def _candidate_shapes(true_classes: Tensor, *, num_true: int, num_sampled: int) -> list[RawShape]:
    if num_sampled < 1:
        raise ValueError("num_sampled must be >= 1")
    rows = shape_rules.with_rank(true_classes, 2)[0]
    return [(num_sampled,), (rows, num_true), (num_sampled,)]


_ATTRS = {"num_true": REQUIRED, "num_sampled": REQUIRED, "unique": REQUIRED}
_RANGE = {**_ATTRS, "range_max": REQUIRED}


def _sampler(name: str, kernel: Callable[..., Any], attrs: dict[str, Any], effect: Effect = Effect.RANDOM) -> OpDef:
    return define(
        f"{name}CandidateSampler", "true_classes: int64",
        "sampled_candidates: int64, true_expected_count: float32, sampled_expected_count: float32",
        attrs={**attrs, **SEEDS}, shape=_candidate_shapes, kernel=kernel, effect=effect, gradient=not_differentiable,
    )  # fmt: skip


UNIFORM_SAMPLER = _sampler("Uniform", _uniform, _RANGE)
LOG_UNIFORM_SAMPLER = _sampler("LogUniform", _log_uniform, _RANGE)
LEARNED_SAMPLER = _sampler("LearnedUnigram", _learned, _RANGE, Effect.HOST)
_sampler("ThreadUnsafeUnigram", _learned, _RANGE, Effect.HOST)
FIXED_SAMPLER = _sampler(
    "FixedUnigram", _fixed,
    {
        **_RANGE, "vocab_file": "", "distortion": 1.0, "num_reserved_ids": 0, "num_shards": 1, "shard": 0,
        "unigrams": [],
    },
)  # fmt: skip
ALL_SAMPLER = _sampler("All", _all, _ATTRS)


def _hits(xp: Any, true_classes: Any, sampled: Any) -> list[Any]:
    """For each true class that was sampled: its row, its place in the sample, and the lowest float32."""
    places = {value: place for place, value in enumerate(np.asarray(sampled).tolist())}
    found = [
        (row, places[value]) for row, values in enumerate(np.asarray(true_classes).tolist()) for value in values
        if value in places
    ]  # fmt: skip
    rows, ids = (np.array([pair[i] for pair in found], np.int64) for i in range(2))
    return [rows.astype(np.int32), ids, np.full(len(found), np.finfo(np.float32).min, np.float32)]


COMPUTE_ACCIDENTAL_HITS = define(
    "ComputeAccidentalHits", "true_classes: int64, sampled_candidates: int64",
    "indices: int32, ids: int64, weights: float32", attrs={"num_true": REQUIRED, **SEEDS},
    shape=lambda true_classes, sampled: [(None,)] * 3, kernel=_hits, effect=Effect.CHECK, gradient=not_differentiable,
)  # fmt: skip


# -- public functions --------------------------------------------------------------------------


def uniform_candidate_sampler(
    true_classes: Any, num_true: int, num_sampled: int, unique: bool, range_max: int, seed: int | None = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """``num_sampled`` of the classes below ``range_max``, each as likely."""
    return apply_named(
        UNIFORM_SAMPLER, true_classes, num_true=num_true, num_sampled=num_sampled, unique=unique,
        range_max=range_max, **seed_attrs(seed), name=name,
    )  # fmt: skip


def log_uniform_candidate_sampler(
    true_classes: Any, num_true: int, num_sampled: int, unique: bool, range_max: int, seed: int | None = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """``num_sampled`` of the classes below ``range_max``, by Zipf's law: 0 is the most frequent."""
    return apply_named(
        LOG_UNIFORM_SAMPLER, true_classes, num_true=num_true, num_sampled=num_sampled, unique=unique,
        range_max=range_max, **seed_attrs(seed), name=name,
    )  # fmt: skip


def learned_unigram_candidate_sampler(
    true_classes: Any, num_true: int, num_sampled: int, unique: bool, range_max: int, seed: int | None = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """``num_sampled`` of the classes below ``range_max``, by how often they were true in the session so far."""
    return apply_named(
        LEARNED_SAMPLER, true_classes, num_true=num_true, num_sampled=num_sampled, unique=unique,
        range_max=range_max, **seed_attrs(seed), name=name,
    )  # fmt: skip


def fixed_unigram_candidate_sampler(
    true_classes: Any,
    num_true: int,
    num_sampled: int,
    unique: bool,
    range_max: int,
    vocab_file: str = "",
    distortion: float = 1.0,
    num_reserved_ids: int = 0,
    num_shards: int = 1,
    shard: int = 0,
    unigrams: Sequence[float] = (),
    seed: int | None = None,
    name: str | None = None,
) -> Any:
    """``num_sampled`` classes, by weights that ``unigrams`` or the last column of ``vocab_file`` holds.

    The weights are raised to the power of ``distortion``; the first ``num_reserved_ids`` classes never occur.
    """
    return apply_named(
        FIXED_SAMPLER, true_classes, num_true=num_true, num_sampled=num_sampled, unique=unique, range_max=range_max,
        vocab_file=vocab_file, distortion=float(np.float32(distortion)), num_reserved_ids=num_reserved_ids,
        num_shards=num_shards, shard=shard, unigrams=[float(np.float32(u)) for u in unigrams], **seed_attrs(seed),
        name=name,
    )  # fmt: skip


def all_candidate_sampler(
    true_classes: Any, num_true: int, num_sampled: int, unique: bool, seed: int | None = None, name: str | None = None
) -> Any:
    """All ``num_sampled`` classes, each once."""
    return apply_named(
        ALL_SAMPLER, true_classes, num_true=num_true, num_sampled=num_sampled, unique=unique, **seed_attrs(seed),
        name=name,
    )  # fmt: skip


def compute_accidental_hits(
    true_classes: Any, sampled_candidates: Any, num_true: int, seed: int | None = None, name: str | None = None
) -> Any:
    """Where true classes are among the candidates: rows, places in the sample, and weights near minus infinity."""
    return apply_named(
        COMPUTE_ACCIDENTAL_HITS, true_classes, sampled_candidates, num_true=num_true, **seed_attrs(seed), name=name
    )  # fmt: skip
