"""Integers as strings of bits."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import dtypes, errors, shapes
from retrograd.graph.apply import apply
from retrograd.graph.definition import define, not_differentiable
from retrograd.graph.shapes import RawShape
from retrograd.graph.tensor import Tensor
from retrograd.ops import kinds, shape_rules
from retrograd.ops.elementwise import binary, unary


def _shift_distance(xp: Any, x: Any, y: Any) -> Any:
    """``y``, at least 0 and less than the number of bits of ``x``."""
    return xp.clip(y, 0, 8 * x.dtype.itemsize - 1).astype(x.dtype)


def _left_shift(xp: Any, x: Any, y: Any) -> Any:
    return xp.left_shift(x, _shift_distance(xp, x, y))


def _right_shift(xp: Any, x: Any, y: Any) -> Any:
    return xp.right_shift(x, _shift_distance(xp, x, y))


def _and(xp: Any, x: Any, y: Any) -> Any:
    return x & y


def _or(xp: Any, x: Any, y: Any) -> Any:
    return x | y


def _xor(xp: Any, x: Any, y: Any) -> Any:
    return x ^ y


BITWISE_AND = binary("BitwiseAnd", _and, not_differentiable, kinds.INTEGERS)
BITWISE_OR = binary("BitwiseOr", _or, not_differentiable, kinds.INTEGERS)
BITWISE_XOR = binary("BitwiseXor", _xor, not_differentiable, kinds.INTEGERS)
LEFT_SHIFT = binary("LeftShift", _left_shift, not_differentiable, kinds.INTEGERS)
RIGHT_SHIFT = binary("RightShift", _right_shift, not_differentiable, kinds.INTEGERS)
INVERT = unary("Invert", lambda xp, x: ~x, not_differentiable, kinds.INTEGERS)


def bitwise_and(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The bits set in both."""
    return apply(BITWISE_AND, x, y, name=name)


def bitwise_or(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The bits set in either."""
    return apply(BITWISE_OR, x, y, name=name)


def bitwise_xor(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The bits set in one but not the other."""
    return apply(BITWISE_XOR, x, y, name=name)


def left_shift(x: Any, y: Any, name: str | None = None) -> Tensor:
    """``x << y``, with ``y`` taken into [0, number of bits)."""
    return apply(LEFT_SHIFT, x, y, name=name)


def right_shift(x: Any, y: Any, name: str | None = None) -> Tensor:
    """``x >> y``, which keeps the sign, with ``y`` taken into [0, number of bits)."""
    return apply(RIGHT_SHIFT, x, y, name=name)


def invert(x: Any, name: str | None = None) -> Tensor:
    """Every bit flipped."""
    return apply(INVERT, x, name=name)


def _population_count(xp: Any, x: Any) -> Any:
    if xp is not np:
        from retrograd.ops.jax_start import lax

        return lax.population_count(x).astype(np.uint8)
    octets = np.ascontiguousarray(x)[..., np.newaxis].view(np.uint8)
    return np.unpackbits(octets, axis=-1).sum(-1, dtype=np.uint8).reshape(np.shape(x))


POPULATION_COUNT = define(
    "PopulationCount", "x: T", "y: uint8", types={"T": kinds.INTEGERS}, shape=shape_rules.same,
    kernel=_population_count, gradient=not_differentiable,
)  # fmt: skip


def population_count(x: Any, name: str | None = None) -> Tensor:
    """How many bits are set."""
    return apply(POPULATION_COUNT, x, name=name)


# -- comparisons packed into bits --------------------------------------------------------------


def _eighth(x: Tensor, threshold: Tensor) -> RawShape:
    shape_rules.with_rank(threshold, 0)
    dims = shape_rules.with_rank_at_least(x, 1)
    if dims is None:
        return None
    last = dims[-1]
    if last is not None and last % 8:
        raise ValueError(f"Dimension size must be evenly divisible by 8 but is {last}")
    return (*dims[:-1], None if last is None else last // 8)


def _compare_and_bitpack(xp: Any, x: Any, threshold: Any) -> Any:
    """Eight comparisons ``x > threshold`` to a byte, the first in its highest bit."""
    if np.ndim(threshold):
        where = shapes.shape_text(np.shape(threshold))
        raise errors.InvalidArgumentError(None, None, f"Compare must be a scalar, but saw shape: {where}")
    if not np.ndim(x):
        raise errors.InvalidArgumentError(None, None, "Input should be at least a vector, but saw a scalar.")
    if np.shape(x)[-1] % 8:
        raise errors.InvalidArgumentError(
            None, None,
            f"Inner dimension of input should be divisible by 8, but saw shape: {shapes.shape_text(np.shape(x))}",
        )  # fmt: skip
    return xp.packbits(x if x.dtype == bool else x > threshold, axis=-1)


_COMPARED = (
    dtypes.bool, dtypes.float16, dtypes.float32, dtypes.float64, dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64,
)  # fmt: skip
COMPARE_AND_BITPACK = define(
    "CompareAndBitpack", "input: T, threshold: T", "output: uint8",
    types={"T": _COMPARED},
    shape=_eighth, kernel=_compare_and_bitpack, gradient=not_differentiable,
)  # fmt: skip
