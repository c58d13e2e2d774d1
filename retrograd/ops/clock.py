"""``Timestamp``: the time when a run reads it."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from retrograd.graph.apply import apply
from retrograd.graph.definition import Effect, define, not_differentiable
from retrograd.graph.tensor import Tensor
from retrograd.ops import shape_rules


def _now(xp: Any, memory: Any) -> Any:
    """Seconds since 1970."""
    return np.float64(time.time())


TIMESTAMP = define(
    "Timestamp", "", "ts: float64", shape=shape_rules.scalar, kernel=_now, gradient=not_differentiable,
    effect=Effect.HOST,
)  # fmt: skip


def timestamp(name: str | None = None) -> Tensor:
    """The seconds since 1970, read when the op runs."""
    return apply(TIMESTAMP, name=name)
