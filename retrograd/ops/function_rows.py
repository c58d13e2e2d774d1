"""``MapDefun``: a function of the graph for each row of its arguments."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph.definition import REQUIRED, Effect, define, not_differentiable
from retrograd.graph.errors import invalid
from retrograd.ops.dataset_states import as_value, stacked


def _rows_of(arguments: list[Any]) -> int:
    for i, x in enumerate(arguments):
        if np.ndim(x) == 0:
            raise invalid(f"All inputs must have rank at least 1. Input {i} has a rank of 0.")
    counts = {len(x) for x in arguments}
    if len(counts) > 1:
        raise invalid("All inputs must have the same dimension 0.")
    return counts.pop() if counts else 0


def _mapped(
    xp: Any, memory: Any, arguments: list[Any], captured: list[Any], *, f: Any, output_types: Any, output_shapes: Any
) -> list[Any]:
    count = _rows_of(arguments)
    call = memory.call(f)
    rows = [call([*(as_value(x[i]) for x in arguments), *captured]) for i in range(count)]
    return [
        _together([row[k] for row in rows], dtype, shape)
        for k, (dtype, shape) in enumerate(zip(output_types, output_shapes, strict=True))
    ]


def _together(values: list[Any], dtype: Any, shape: Any) -> np.ndarray:
    dims = shape._raw
    if not values:
        return np.empty((0, *(n or 0 for n in dims or ())), dtype.np)
    first = np.shape(values[0]) if dims is None or None in dims else dims
    for value in values:
        if np.shape(value) != first:
            texts = (str([*s]) for s in (np.shape(value), first))
            raise invalid("Mismatch in function retval shape, {}, and expected output shape, {}.".format(*texts))
        if np.asarray(value).dtype != dtype.np:
            raise invalid(f"The function gives {np.asarray(value).dtype}, and the op is said to give {dtype.name}.")
    return stacked([np.asarray(value) for value in values])


def _mapped_shapes(arguments: list[Any], captured: list[Any], *, output_shapes: Any) -> list[Any]:
    rows: Any = None
    for i, x in enumerate(arguments):
        if x.dims == ():
            raise ValueError(f"Arguments must have rank at least 1. Input {i} has rank of 0.")
        if x.dims is None or x.dims[0] is None:
            continue
        if rows is not None and x.dims[0] != rows:
            raise ValueError("Arguments must have the same dimension 0.")
        rows = x.dims[0]
    return [None if s._raw is None else (rows, *s._raw) for s in output_shapes]


MAP_DEFUN = define(
    "MapDefun", "arguments: *Targuments, captured_inputs: *Tcaptured", "output: *output_types",
    attrs={"output_types": REQUIRED, "output_shapes": REQUIRED, "f": REQUIRED, "max_intra_op_parallelism": 1},
    shape=_mapped_shapes, kernel=_mapped, effect=Effect.HOST, gradient=not_differentiable,
)  # fmt: skip
