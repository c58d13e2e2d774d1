"""Random tensors: TensorFlow's streams, by graph and op seed.

Each run of a random op goes on in its stream where the last run of the session stopped.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.graph import dtypes, errors
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import REQUIRED, Effect, OpDef, define, not_differentiable
from retrograd.graph.dtypes import DType, as_dtype
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import Dimension, RawShape
from retrograd.graph.stack import default_graph
from retrograd.graph.static import shape_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import arithmetic, kinds, philox, shape_rules

# -- seeds -------------------------------------------------------------------------------------


def set_random_seed(seed: int | None) -> None:
    """Set the default graph's seed: every random op built later then has a stream that repeats."""
    default_graph().seed = seed


def get_seed(op_seed: int | None) -> tuple[int, int] | tuple[None, None]:
    """The two seeds of an op built now; both None where neither the graph nor the op has one.

    >>> get_seed(1)
    (87654321, 1)
    """
    graph = default_graph()
    return philox.get_seed(graph.seed, op_seed, graph._last_id)


def seed_attrs(op_seed: int | None) -> dict[str, int]:
    """The seeds as attributes of a random op; 0, 0 lets each session draw its own."""
    seed, seed2 = get_seed(op_seed)
    return {"seed": seed or 0, "seed2": seed2 or 0}


_SEEDS = {"seed": 0, "seed2": 0}


# -- drawing into a shape ----------------------------------------------------------------------


def _of_shape(shape: Tensor, *parameters: Tensor) -> RawShape:
    shape_rules.with_rank(shape, 1)
    return shape_value(shape)


def _dims(shape: Any) -> tuple[int, ...]:
    """The wanted shape as a tuple."""
    dims = tuple(np.asarray(shape).tolist())
    for n in dims:
        if n < 0:
            raise errors.InvalidArgumentError(None, None, f"Dimension {n} must be >= 0")
    return dims


def _filling(name: str, draw: Callable[..., Any]) -> OpDef:
    """An op that fills ``shape`` with standard variates: ``draw(xp, key, counter, dims, dtype)``."""

    def kernel(xp: Any, stream: Any, shape: Any, *, dtype: DType) -> Any:
        dims = _dims(shape)
        key, counter = stream.take(xp, philox.blocks_per_fill(math.prod(dims)))
        return draw(xp, key, counter, dims, dtype.np)

    return define(
        name, "shape: T", "output: dtype", attrs={"dtype": REQUIRED, **_SEEDS},
        types={"T": kinds.INDEX, "dtype": kinds.FLOATING}, static=("shape",), shape=_of_shape, kernel=kernel,
        effect=Effect.RANDOM, gradient=not_differentiable,
    )  # fmt: skip


RANDOM_UNIFORM = _filling("RandomUniform", philox.uniform)
RANDOM_STANDARD_NORMAL = _filling("RandomStandardNormal", philox.normal)
TRUNCATED_NORMAL = _filling("TruncatedNormal", philox.truncated_normal)


def _of_shape_between(shape: Tensor, minval: Tensor, maxval: Tensor) -> RawShape:
    dims = _of_shape(shape)
    shape_rules.with_rank(minval, 0)
    shape_rules.with_rank(maxval, 0)
    return dims


def _checked_bounds(xp: Any, dims: tuple[int, ...], minval: Any, maxval: Any) -> None:
    if xp is np and math.prod(dims) and minval >= maxval:
        raise errors.InvalidArgumentError(None, None, f"Need minval < maxval, got {minval} >= {maxval}")


def _uniform_int(xp: Any, stream: Any, shape: Any, minval: Any, maxval: Any, *, Tout: DType) -> Any:
    dims = _dims(shape)
    _checked_bounds(xp, dims, minval, maxval)
    key, counter = stream.take(xp, philox.blocks_per_fill(math.prod(dims)))
    return philox.uniform_int(xp, key, counter, dims, Tout.np, minval, maxval)


RANDOM_UNIFORM_INT = define(
    "RandomUniformInt", "shape: T, minval: Tout, maxval: Tout", "output: Tout", attrs=_SEEDS,
    types={"T": kinds.INDEX, "Tout": kinds.INDEX}, static=("shape",), shape=_of_shape_between,
    kernel=_uniform_int, effect=Effect.RANDOM, gradient=not_differentiable,
)  # fmt: skip


def _shape_tensor(shape: Any) -> Tensor:
    """``shape`` as an integer vector; a list of Python integers is int32."""
    dtype = None
    if isinstance(shape, list | tuple):
        shape = tuple(n.value if isinstance(n, Dimension) else n for n in shape)
        if all(isinstance(n, int) for n in shape):
            dtype = dtypes.int32
    return as_tensor(shape, dtype, name="shape")


def _scaled(draws: Tensor, scale: Any, offset: Tensor, name: str) -> Tensor:
    """``draws * scale + offset``"""
    return arithmetic.add(draws * scale, offset, name=name)


_UNIFORM_DTYPES = (*kinds.FLOATING, *kinds.INDEX)


def random_uniform(
    shape: Any, minval: Any = 0, maxval: Any = None, dtype: Any = dtypes.float32, seed: int | None = None,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """Uniform numbers in [minval, maxval); floats are in [0, 1) by default.

    Integers are slightly biased unless ``maxval - minval`` is a power of two.

    Raises:
      ValueError: ``dtype`` is not a float type, int32 or int64; or it is an integer without a ``maxval``.
    """
    dtype = as_dtype(dtype)
    _check_uniform(dtype, maxval)
    with name_scope(name, "random_uniform", [shape, minval, maxval]) as name:
        shape = _shape_tensor(shape)
        minval = as_tensor(minval, dtype, name="min")
        maxval = as_tensor(1 if maxval is None else maxval, dtype, name="max")
        seeds = seed_attrs(seed)
        if dtype.is_integer:
            return apply(RANDOM_UNIFORM_INT, shape, minval, maxval, **seeds, name=name)
        draws = apply(RANDOM_UNIFORM, shape, dtype=dtype, **seeds)
        return _scaled(draws, maxval - minval, minval, name)


def _check_uniform(dtype: DType, maxval: Any) -> None:
    if dtype not in _UNIFORM_DTYPES:
        raise ValueError(f"Invalid dtype {dtype!r}")
    if dtype.is_integer and maxval is None:
        raise ValueError(f"Must specify maxval for integer dtype {dtype!r}")


def _normal(
    definition: OpDef, default_name: str, shape: Any, mean: Any, stddev: Any, dtype: Any, seed: int | None,
    name: str | None,
) -> Tensor:  # fmt: skip
    with name_scope(name, default_name, [shape, mean, stddev]) as name:
        shape = _shape_tensor(shape)
        mean = as_tensor(mean, dtype, name="mean")
        stddev = as_tensor(stddev, dtype, name="stddev")
        draws = apply(definition, shape, dtype=as_dtype(dtype), **seed_attrs(seed))
        return _scaled(draws, stddev, mean, name)


def random_normal(
    shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = dtypes.float32, seed: int | None = None,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """Normal numbers; ``mean`` and ``stddev`` broadcast over ``shape``."""
    return _normal(RANDOM_STANDARD_NORMAL, "random_normal", shape, mean, stddev, dtype, seed, name)


def truncated_normal(
    shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = dtypes.float32, seed: int | None = None,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """Normal numbers, drawn again while they are two or more deviations from the mean."""
    return _normal(TRUNCATED_NORMAL, "truncated_normal", shape, mean, stddev, dtype, seed, name)
