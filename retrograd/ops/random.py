"""Random tensors: TensorFlow's streams, by graph and op seed.

Each run of a random op goes on in its stream where the last run of the session stopped.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.graph import dtypes, errors, shapes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import REQUIRED, Effect, OpDef, define, not_differentiable
from retrograd.graph.dtypes import DType, as_dtype
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import Dimension, RawShape
from retrograd.graph.stack import default_graph
from retrograd.graph.static import shape_value, static_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import (
    arithmetic,
    arrays,
    asserts,
    control,
    draws,
    kinds,
    philox,
    reductions,
    shape_rules,
    slicing,
)
from retrograd.ops.requirements import require

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
    needed = op_seed is None and graph.seed is not None
    if needed:
        graph.notes["uses its seed"] = True
    return philox.get_seed(graph.seed, op_seed, graph._next_op_seed() if needed else 0)


def seed_attrs(op_seed: int | None) -> dict[str, Any]:
    """The seeds as attributes of a random op; 0, 0 lets each session draw its own."""
    seed, seed2 = get_seed(op_seed)
    return {"seed": seed or 0, "seed2": seed2 or 0}


SEEDS = {"seed": 0, "seed2": 0}


# -- drawing into a shape ----------------------------------------------------------------------


def of_shape(shape: Tensor, *parameters: Tensor) -> RawShape:
    shape_rules.with_rank(shape, 1)
    return shape_value(shape)


def wanted_dims(shape: Any) -> tuple[int, ...]:
    """The wanted shape as a tuple."""
    shape_rules.check_rank(shape, 1, "shape must be a vector of {{int32,int64}}, got shape {}")
    dims = tuple(np.asarray(shape).tolist())
    for n in dims:
        if n < 0:
            raise errors.InvalidArgumentError(None, None, f"Dimension {n} must be >= 0")
    return dims


def _filling(name: str, draw: Callable[..., Any]) -> OpDef:
    """An op that fills ``shape`` with standard variates: ``draw(xp, key, counter, dims, dtype)``."""

    def kernel(xp: Any, stream: Any, shape: Any, *, dtype: DType) -> Any:
        dims = wanted_dims(shape)
        key, counter = stream.take(xp, draws.blocks_per_fill(math.prod(dims)))
        return draw(xp, key, counter, dims, dtype.np)

    return define(
        name, "shape: T", "output: dtype", attrs={"dtype": REQUIRED, **SEEDS},
        types={"T": kinds.INDEX, "dtype": kinds.FLOATING}, static=("shape",), shape=of_shape, kernel=kernel,
        effect=Effect.RANDOM, gradient=not_differentiable,
    )  # fmt: skip


RANDOM_UNIFORM = _filling("RandomUniform", draws.uniform)
RANDOM_STANDARD_NORMAL = _filling("RandomStandardNormal", draws.normal)
TRUNCATED_NORMAL = _filling("TruncatedNormal", draws.truncated_normal)


def of_shape_between(shape: Tensor, minval: Tensor, maxval: Tensor) -> RawShape:
    dims = of_shape(shape)
    shape_rules.with_rank(minval, 0)
    shape_rules.with_rank(maxval, 0)
    return dims


def check_bounds(xp: Any, dims: tuple[int, ...], minval: Any, maxval: Any) -> None:
    if 0 in dims:
        return
    if xp is not np:
        require(minval < maxval)
    elif minval >= maxval:
        raise errors.InvalidArgumentError(None, None, f"Need minval < maxval, got {minval} >= {maxval}")


def _uniform_int(xp: Any, stream: Any, shape: Any, minval: Any, maxval: Any, *, Tout: DType) -> Any:
    dims = wanted_dims(shape)
    for word, bound in (("minval", minval), ("maxval", maxval)):
        shape_rules.check_rank(bound, 0, word + " must be 0-D, got shape {}")
    check_bounds(xp, dims, minval, maxval)
    key, counter = stream.take(xp, draws.blocks_per_fill(math.prod(dims)))
    return draws.uniform_int(xp, key, counter, dims, Tout.np, minval, maxval)


RANDOM_UNIFORM_INT = define(
    "RandomUniformInt", "shape: T, minval: Tout, maxval: Tout", "output: Tout", attrs=SEEDS,
    types={"T": kinds.INDEX, "Tout": kinds.INDEX}, static=("shape",), shape=of_shape_between,
    kernel=_uniform_int, effect=Effect.RANDOM, gradient=not_differentiable,
)  # fmt: skip


def shape_tensor(shape: Any) -> Tensor:
    """``shape`` as an integer vector; an empty list is int32."""
    dtype = None
    if isinstance(shape, list | tuple):
        shape = tuple(n.value if isinstance(n, Dimension) else n for n in shape)
        dtype = None if shape else dtypes.int32
    return as_tensor(shape, dtype, name="shape")


def scaled(draws: Tensor, scale: Any, offset: Tensor, name: str) -> Tensor:
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
    check_uniform(dtype, maxval)
    with name_scope(name, "random_uniform", [shape, minval, maxval]) as name:
        shape = shape_tensor(shape)
        minval = as_tensor(minval, dtype, name="min")
        maxval = as_tensor(1 if maxval is None else maxval, dtype, name="max")
        seeds = seed_attrs(seed)
        if dtype.is_integer:
            return apply(RANDOM_UNIFORM_INT, shape, minval, maxval, **seeds, name=name)
        draws = apply(RANDOM_UNIFORM, shape, dtype=dtype, **seeds)
        return scaled(draws, maxval - minval, minval, name)


def check_uniform(dtype: DType, maxval: Any) -> None:
    if dtype not in _UNIFORM_DTYPES:
        raise ValueError(f"Invalid dtype {dtype!r}")
    if dtype.is_integer and maxval is None:
        raise ValueError(f"Must specify maxval for integer dtype {dtype!r}")


def _normal(
    definition: OpDef, default_name: str, shape: Any, mean: Any, stddev: Any, dtype: Any, seed: int | None,
    name: str | None,
) -> Tensor:  # fmt: skip
    with name_scope(name, default_name, [shape, mean, stddev]) as name:
        shape = shape_tensor(shape)
        mean = as_tensor(mean, dtype, name="mean")
        stddev = as_tensor(stddev, dtype, name="stddev")
        draws = apply(definition, shape, dtype=as_dtype(dtype), **seed_attrs(seed))
        return scaled(draws, stddev, mean, name)


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


# -- drawing from what is there ----------------------------------------------------------------


def _shuffled(xp: Any, stream: Any, value: Any) -> Any:
    """Rows in another order; what has one row or no element draws nothing."""
    if not np.ndim(value) or np.size(value) <= 1 or len(value) <= 1:
        return value
    key, counter = stream.take(xp, draws.blocks_per_shuffle(len(value)))
    return value[draws.shuffled_rows(key, counter, len(value))]


RANDOM_SHUFFLE = define(
    "RandomShuffle", "value: T", "output: T", attrs=SEEDS, shape=shape_rules.same, kernel=_shuffled,
    effect=Effect.RANDOM,
)  # fmt: skip


def random_shuffle(value: Any, seed: int | None = None, name: str | None = None) -> Tensor:
    """The rows of ``value`` (entries of its first dimension) in random order."""
    return apply(RANDOM_SHUFFLE, value, **seed_attrs(seed), name=name)


def random_crop(value: Any, size: Any, seed: int | None = None, name: str | None = None) -> Tensor:
    """A slice of shape ``size`` from a random place of ``value``.

    A run fails if ``value`` is smaller than that.
    """
    with name_scope(name, "random_crop", [value, size]) as name:
        value = as_tensor(value, name="value")
        size = as_tensor(size, dtypes.int32, name="size")
        shape = arrays.shape(value)
        fits = asserts.Assert(
            reductions.reduce_all(shape >= size),
            ["Need value.shape >= size, got ", shape, size],
            summarize=1000,
        )
        shape = control.with_dependencies([fits], shape)
        n_places = shape - size + 1
        drawn = random_uniform(arrays.shape(shape), dtype=size.dtype, maxval=size.dtype.max, seed=seed)
        return slicing.slice_(value, drawn % n_places, size, name=name)


def of_samples(logits: Tensor, num_samples: Tensor, *seed: Tensor) -> RawShape:
    """One row of samples for each row of logits."""
    batch, _ = shape_rules.with_rank(logits, 2)
    shape_rules.with_rank(num_samples, 0)
    count = static_value(num_samples)
    return batch, None if count is None else int(count)


def check_samples(logits: Any, num_samples: Any) -> int:
    """The number of samples, if they can be drawn.

    Raises:
      InvalidArgumentError: ``logits`` is no matrix, or has rows of no class; or the number is negative.
    """
    dims, count = np.shape(logits), int(num_samples)
    if len(dims) != 2:
        wrong = f"logits should be a matrix, got shape {shapes.shape_text(dims)}"
    elif np.ndim(num_samples):
        wrong = f"num_samples should be a scalar, got shape {shapes.shape_text(np.shape(num_samples))}"
    elif count < 0:
        wrong = f"num_samples should be nonnegative, got {count}"
    elif not dims[1]:
        wrong = f"num_classes should be positive, got {dims[1]}"
    else:
        return count
    raise errors.InvalidArgumentError(None, None, wrong)


def _multinomial(xp: Any, stream: Any, logits: Any, num_samples: Any, *, output_dtype: DType) -> Any:
    count = check_samples(logits, num_samples)
    key, counter = stream.take(xp, draws.blocks_per_multinomial(len(logits), count))
    return draws.multinomial(xp, key, counter, logits, count, output_dtype.np)


MULTINOMIAL = define(
    "Multinomial", "logits: T, num_samples: int32", "output: output_dtype",
    attrs={**SEEDS, "output_dtype": dtypes.int64}, types={"T": kinds.REAL, "output_dtype": kinds.INDEX},
    static=("num_samples",), shape=of_samples, kernel=_multinomial, effect=Effect.RANDOM,
    gradient=not_differentiable,
)  # fmt: skip


def _samples(logits: Any, num_samples: Any, seed: int | None, dtype: Any) -> Tensor:
    dtype = dtypes.int64 if dtype is None else as_dtype(dtype)
    logits = as_tensor(logits, name="logits")
    return apply(MULTINOMIAL, logits, num_samples, **seed_attrs(seed), output_dtype=dtype)


def multinomial(
    logits: Any, num_samples: Any, seed: int | None = None, name: str | None = None, output_dtype: Any = None
) -> Tensor:
    """``num_samples`` classes for each row of ``logits``, which are unnormalised log probabilities."""
    with name_scope(name, "multinomial", [logits]):
        return _samples(logits, num_samples, seed, output_dtype)


def categorical(
    logits: Any, num_samples: Any, dtype: Any = None, seed: int | None = None, name: str | None = None
) -> Tensor:
    """``num_samples`` classes for each row of ``logits``, which are unnormalised log probabilities."""
    with name_scope(name, "categorical", [logits]):
        return _samples(logits, num_samples, seed, dtype)
