"""Pairs of a word and one near it."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph.definition import Effect, define, not_differentiable
from retrograd.graph.errors import InvalidArgumentError
from retrograd.graph.shapes import RawShape
from retrograd.graph.tensor import Tensor
from retrograd.ops import shape_rules
from retrograd.ops.streams import Draws, Stream


def _candidates(
    xp: Any, stream: Stream, tokens: Any, min_skips: Any, max_skips: Any, start: Any, limit: Any, with_self: Any
) -> list[Any]:
    """Each token with all at most ``s`` places away, ``s`` drawn for it from ``[min_skips, max_skips]``."""
    least, most, begin, count = int(min_skips), int(max_skips), int(start), int(limit)
    if least < 0 or most < 0:
        raise InvalidArgumentError(None, None, "Both min_skips and max_skips must be >= 0.")
    if least > most:
        raise InvalidArgumentError(None, None, "min_skips must be <= max_skips.")
    if begin < 0:
        raise InvalidArgumentError(None, None, f"start must be >= 0, got {begin}")
    tokens = np.asarray(tokens)
    end = len(tokens) if count < 0 else min(begin + count, len(tokens))
    draws = Draws(stream, max(end - begin, 0) + 1)
    pairs = []
    for i in range(begin, end):
        skips = least + draws.evenly_below(most - least + 1)
        near = range(max(i - skips, begin), min(i + skips + 1, end))
        pairs += [(i, j) for j in near if j != i or with_self]
    places = np.array(pairs, np.int64).reshape(-1, 2)
    return [tokens[places[:, 0]], tokens[places[:, 1]]]


def _pairs(tokens: Tensor, *settings: Tensor) -> list[RawShape]:
    shape_rules.with_rank(tokens, 1)
    for setting in settings:
        shape_rules.with_rank(setting, 0)
    return [(None,), (None,)]


SKIP_GRAM_CANDIDATES = define(
    "SkipGramGenerateCandidates",
    "input_tensor: T, min_skips: int32, max_skips: int32, start: int32, limit: int32, emit_self_as_target: bool",
    "tokens: T, labels: T", attrs={"seed": 0, "seed2": 0},
    shape=_pairs, kernel=_candidates, effect=Effect.RANDOM, gradient=not_differentiable,
)  # fmt: skip
