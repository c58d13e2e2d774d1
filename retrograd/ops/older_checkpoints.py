"""Tensors by name to and from checkpoints, as TensorFlow 0.5 to 0.12 wrote it: one op for each tensor that is read."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph.definition import REQUIRED, Effect, define, not_differentiable
from retrograd.graph.dtypes import DType
from retrograd.graph.shapes import RawShape
from retrograd.graph.static import static_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import saving, shape_rules

_HOST: dict[str, Any] = {"effect": Effect.HOST, "gradient": not_differentiable}


def _save(xp: Any, memory: Any, path: Any, names: Any, tensors: list[Any]) -> list[Any]:
    assert saving.SAVE_SLICES.kernel is not None
    result: list[Any] = saving.SAVE_SLICES.kernel(xp, memory, path, names, [b""] * len(tensors), tensors)
    return result


define(
    "Save", "filename: string, tensor_names: string, data: *T", "", shape=lambda path, names, tensors: [],
    kernel=_save, **_HOST,
)  # fmt: skip


def _restored(pattern: Tensor, name: Tensor, spec: Tensor | None = None) -> RawShape:
    for text in (pattern, name) if spec is None else (pattern, name, spec):
        shape_rules.with_rank(text, 0)
    known = None if spec is None else static_value(spec)
    return None if known is None else saving.shape_of_spec(known)


def _restore(xp: Any, memory: Any, pattern: Any, name: Any, spec: Any = b"", *, dt: DType) -> Any:
    assert saving.RESTORE_V2.kernel is not None
    return saving.RESTORE_V2.kernel(xp, memory, pattern, np.reshape(name, 1), np.reshape(spec, 1), dtypes=[dt])[0]


_ATTRS = {"dt": REQUIRED, "preferred_shard": -1}
define(
    "Restore", "file_pattern: string, tensor_name: string", "tensor: dt", attrs=_ATTRS, shape=_restored,
    kernel=_restore, **_HOST,
)  # fmt: skip
define(
    "RestoreSlice", "file_pattern: string, tensor_name: string, shape_and_slice: string", "tensor: dt", attrs=_ATTRS,
    shape=_restored, kernel=_restore, **_HOST,
)  # fmt: skip
