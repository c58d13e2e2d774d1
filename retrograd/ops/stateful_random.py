"""Random tensors whose stream is a variable: three numbers, the counter (low half first) and the key of Philox.

An op reads from the variable's counter on and moves it by 256 blocks for each number that it draws.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.graph import dtypes, errors
from retrograd.graph.apply import apply
from retrograd.graph.definition import REQUIRED, Effect, OpDef, define, not_differentiable
from retrograd.graph.dtypes import DType
from retrograd.graph.shapes import RawShape, shape_text
from retrograd.graph.tensor import Tensor
from retrograd.ops import binomials, draws, kinds, philox, resources, shape_rules
from retrograd.ops.random import check_bounds, of_shape, wanted_dims

PHILOX = 1
_WORDS = (dtypes.int32, dtypes.uint32, dtypes.int64, dtypes.uint64)


def _taken(cell: Any, algorithm: Any, count: int) -> tuple[Any, Any]:
    """The key and the counter of a variable, which is moved on by ``count`` numbers."""
    return _moved_by(cell, algorithm, draws.blocks_per_fill(count))


def _moved_by(cell: Any, algorithm: Any, blocks: int) -> tuple[Any, Any]:
    if int(algorithm) != PHILOX:
        raise errors.InvalidArgumentError(None, None, f"Unsupported algorithm id: {int(algorithm)}")
    state = np.asarray(resources.value_of(cell))
    if state.dtype != np.int64 or state.ndim != 1 or state.size < 3:
        text = f"For Philox algorithm, the size of state must be at least 3; got {state.size}"
        raise errors.InvalidArgumentError(None, None, text)
    words = np.ascontiguousarray(state[:3]).view(np.uint32)
    moved = philox.advance(np, words[:4], blocks)
    cell.write(np.concatenate([np.ascontiguousarray(moved).view(np.int64), state[2:]]))
    return words[4:], words[:4]


def _shaped(resource: Tensor, algorithm: Tensor, shape: Tensor, *bounds: Tensor) -> RawShape:
    shape_rules.with_rank(resource, 0)
    shape_rules.with_rank(algorithm, 0)
    return of_shape(shape)


def _drawing(
    name: str, draw: Callable[..., Any], types: tuple[DType, ...], bounds: str = "", default: DType | None = None
) -> OpDef:
    """An op that fills ``shape``: ``draw(xp, key, counter, dims, dtype, *bounds)``."""

    def kernel(xp: Any, cell: Any, algorithm: Any, shape: Any, *ends: Any, dtype: DType) -> Any:
        dims = wanted_dims(shape)
        if ends:
            check_bounds(np, dims, *ends)
        return draw(np, *_taken(cell, algorithm, math.prod(dims)), dims, dtype.np, *ends)

    return define(
        name, f"resource: resource, algorithm: int64, shape: shape_dtype{bounds}", "output: dtype",
        attrs={"dtype": default or REQUIRED, "shape_dtype": dtypes.int64},
        types={"dtype": types, "shape_dtype": kinds.INDEX}, static=("algorithm", "shape"), shape=_shaped,
        kernel=kernel, effect=Effect.WRITE, gradient=not_differentiable,
    )  # fmt: skip


def _full(xp: Any, key: Any, counter: Any, dims: Any, dtype: Any) -> Any:
    """Words as integers: those of 64 bits from two, low first."""
    per_block = 16 // np.dtype(dtype).itemsize
    count = math.prod(dims)
    words = philox.philox_blocks(np, key, counter, -(-count // per_block))
    return words.reshape(-1).view(dtype)[:count].reshape(dims)


STATEFUL_UNIFORM = _drawing("StatefulUniform", draws.uniform, kinds.FLOATING, default=dtypes.float32)
STATEFUL_NORMAL = _drawing("StatefulStandardNormalV2", draws.normal, kinds.FLOATING, default=dtypes.float32)
STATEFUL_TRUNCATED = _drawing("StatefulTruncatedNormal", draws.truncated_normal, kinds.FLOATING, default=dtypes.float32)
STATEFUL_UNIFORM_INT = _drawing(
    "StatefulUniformInt", draws.uniform_int, _WORDS, ", minval: dtype, maxval: dtype", dtypes.int64
)
STATEFUL_FULL_INT = _drawing("StatefulUniformFullInt", _full, _WORDS, default=dtypes.uint64)


def _binomial(xp: Any, cell: Any, algorithm: Any, shape: Any, counts: Any, probs: Any, *, dtype: DType) -> Any:
    """One number behind the other; counts and probabilities are one for all, or one for each row of ``shape``.

    The variable is moved on by 256 times 50 blocks a number, counted by rows, of 100 numbers where all are alike, and
    three more in each.  TensorFlow works rows off in several threads, which begin at places of their own.
    """
    dims = wanted_dims(shape)
    size = math.prod(dims)
    for what, values in (("counts", counts), ("probs", probs)):
        if np.ndim(values) and np.shape(values)[0] not in (1, *dims[:1]):
            shown = shape_text(np.shape(values))
            raise errors.invalid(f"Input {what} should have length 1 or shape[0], got shape: {shown}")
    one_for_all = np.size(counts) == 1 and np.size(probs) == 1
    rows, per_row = (-(-size // 100), 100) if one_for_all else (dims[0], size // max(dims[0], 1))
    blocks = rows * 2 * 100 * (per_row + 3) // 4 * 256
    key, counter = _moved_by(cell, algorithm, blocks)
    each = [np.broadcast_to(np.reshape(v, (-1, *(1,) * (len(dims) - 1))), dims).ravel() for v in (counts, probs)]
    with np.errstate(invalid="ignore"):
        return binomials.binomial(key, counter, *each).reshape(dims).astype(dtype.np)


def _binomial_shape(resource: Tensor, algorithm: Tensor, shape: Tensor, counts: Tensor, probs: Tensor) -> RawShape:
    return _shaped(resource, algorithm, shape)


_NUMBERS = (dtypes.float16, dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64)
STATEFUL_BINOMIAL = define(
    "StatefulRandomBinomial", "resource: resource, algorithm: int64, shape: S, counts: T, probs: T", "output: dtype",
    attrs={"T": dtypes.float64, "dtype": dtypes.int64}, types={"S": kinds.INDEX, "T": _NUMBERS, "dtype": _NUMBERS},
    static=("algorithm", "shape"), shape=_binomial_shape, kernel=_binomial, effect=Effect.WRITE,
    gradient=not_differentiable,
)  # fmt: skip


def _skip(xp: Any, cell: Any, algorithm: Any, delta: Any) -> list[Any]:
    _taken(cell, algorithm, int(delta))
    return []


RNG_SKIP = define(
    "RngSkip", "resource: resource, algorithm: int64, delta: int64", "", static=("algorithm", "delta"),
    shape=lambda *_: [], kernel=_skip, effect=Effect.WRITE, gradient=not_differentiable,
)  # fmt: skip


def _arbitrary(xp: Any, host: Any, shape: Any, *, dtype: DType) -> Any:
    dims = wanted_dims(shape)
    data = secrets.token_bytes(math.prod(dims) * dtype.np.itemsize)
    return np.frombuffer(data, dtype.np).reshape(dims)


NON_DETERMINISTIC_INTS = define(
    "NonDeterministicInts", "shape: shape_dtype", "output: dtype",
    attrs={"dtype": dtypes.int64, "shape_dtype": dtypes.int64}, types={"dtype": _WORDS, "shape_dtype": kinds.INDEX},
    static=("shape",), shape=of_shape, kernel=_arbitrary, effect=Effect.HOST, gradient=not_differentiable,
)  # fmt: skip


def non_deterministic_ints(shape: Any, dtype: Any = dtypes.int64) -> Tensor:
    """Integers from the system's source of randomness, others in each run."""
    return apply(NON_DETERMINISTIC_INTS, shape, dtype=dtype)
