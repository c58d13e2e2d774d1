"""Constants whose bytes lie in a file: ``ImmutableConst``."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.definition import REQUIRED, Effect, define, not_differentiable
from retrograd.graph.dtypes import DType
from retrograd.graph.errors import InternalError, NotFoundError, invalid
from retrograd.graph.shapes import RawShape, TensorShape
from retrograd.graph.text import as_text


def _constant_shape(*, shape: Any) -> RawShape:
    return TensorShape(shape)._raw


def _constant(xp: Any, memory: Any, *, dtype: DType, shape: Any, memory_region_name: Any) -> Any:
    """The first elements of the file."""
    if dtype in (dtypes.string, dtypes.resource, dtypes.variant):
        raise invalid(f"{dtype.name} values have no fixed number of bytes")
    path, dims = Path(as_text(memory_region_name)), [n or 0 for n in TensorShape(shape)._raw or ()]
    wanted = math.prod(dims) * dtype.np.itemsize
    try:
        size = path.stat().st_size
    except OSError:
        raise NotFoundError(None, None, f"{path}; No such file or directory") from None
    if size < wanted:
        words = f"Readonly memory region has wrong length ({size}) when allocating {wanted}"
        raise InternalError(None, None, words)
    with path.open("rb") as file:
        return np.frombuffer(file.read(wanted), dtype.np).reshape(dims)


IMMUTABLE_CONST = define(
    "ImmutableConst", "", "tensor: dtype", attrs={"dtype": REQUIRED, "shape": REQUIRED, "memory_region_name": REQUIRED},
    shape=_constant_shape, kernel=_constant, effect=Effect.HOST, gradient=not_differentiable,
)  # fmt: skip
