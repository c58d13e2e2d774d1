"""``tf.fingerprint``: each row of a tensor as eight bytes."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import errors
from retrograd.graph.apply import apply
from retrograd.graph.definition import Effect, define, not_differentiable
from retrograd.graph.shapes import RawShape
from retrograd.graph.tensor import Tensor
from retrograd.graph.text import as_text
from retrograd.ops import shape_rules
from retrograd.ops.hashing import farm


def _row(row: Any) -> int:
    """The hash of a row's bytes; of several texts that of their hashes."""
    if not isinstance(row, bytes) and row.dtype != object:
        return farm(row.tobytes())
    hashes = [farm(text) for text in np.ravel(np.asarray(row, object)).tolist()]
    return hashes[0] if len(hashes) == 1 else farm(np.array(hashes, "<u8").tobytes())


def _fingerprint(xp: Any, memory: Any, data: Any, method: Any) -> Any:
    chosen = as_text(np.asarray(method, object).item())
    if chosen != "farmhash64":
        raise errors.InvalidArgumentError(None, None, f"Unsupported fingerprint method: {chosen}")
    return np.array([_row(row) for row in data], "<u8").view(np.uint8).reshape(len(data), 8)


def _shape(data: Tensor, method: Tensor) -> RawShape:
    shape_rules.with_rank(method, 0)
    dims = shape_rules.with_rank_at_least(data, 1)
    return (None if dims is None else dims[0], 8)


FINGERPRINT = define(
    "Fingerprint", "data: T, method: string", "fingerprint: uint8", shape=_shape, kernel=_fingerprint,
    effect=Effect.HOST, gradient=not_differentiable,
)  # fmt: skip


def fingerprint(data: Any, method: str = "farmhash64", name: str | None = None) -> Tensor:
    """Eight bytes for each row of ``data`` along its first axis: FarmHash64 of the row, lowest byte first.

    Raises:
      InvalidArgumentError: in a run, for another ``method``.
    """
    result: Tensor = apply(FINGERPRINT, data, method, name=name)
    return result
