"""Identities and shapes: reading a shape and changing it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from retrograd.graph import dtypes, shapes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import REQUIRED, define, no_derivative, not_differentiable
from retrograd.graph.deprecation import deprecated_argument_lookup
from retrograd.graph.errors import InvalidArgumentError
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import RawShape, TensorShape
from retrograd.graph.sparse import SparseTensor, SparseTensorValue
from retrograd.graph.static import partial_value, static_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import arithmetic, constants, kinds, reductions, shape_rules
from retrograd.ops.apart import apart

# -- identities --------------------------------------------------------------------------------


def _identity(xp: Any, x: Any) -> Any:
    return x


IDENTITY = define(
    "Identity", "input: T", "output: T", shape=shape_rules.same, kernel=_identity, gradient=lambda op, dy: [dy],
)  # fmt: skip


def identity(input: Any, name: str | None = None) -> Tensor:
    """A tensor with the value of ``input``, read when it runs: the place where a variable is sampled."""
    return apply(IDENTITY, input, name=name)


SNAPSHOT = define(
    "Snapshot", "input: T", "output: T", shape=shape_rules.same, kernel=_identity, gradient=lambda op, dy: [dy],
)  # fmt: skip


def snapshot(input: Any, name: str | None = None) -> Tensor:
    """A copy of ``input`` that no later write reaches."""
    return apply(SNAPSHOT, input, name=name)


REF_IDENTITY = define(
    "RefIdentity", "input: ref T", "output: ref T", shape=shape_rules.same, gradient=lambda op, dy: [dy],
)  # fmt: skip


def ref_identity(input: Any, name: str | None = None) -> Tensor:
    """The reference ``input`` to a variable under another name."""
    result: Tensor = apply(REF_IDENTITY, input, name=name)
    return result


def as_it_is(value: Any, name: str | None = None) -> Any:
    """``identity``, by which a reference stays one."""
    return (ref_identity if value.dtype.is_ref else identity)(value, name=name)


IDENTITY_N = define(
    "IdentityN", "input: *T", "output: *T", shape=lambda inputs: [x.dims for x in inputs],
    kernel=lambda xp, inputs: list(inputs), gradient=lambda op, *dys: list(dys),
)  # fmt: skip


def _stopped(xp: Any, x: Any) -> Any:
    """x; to JAX too it is a constant."""
    if xp is np:
        return x
    from retrograd.ops.jax_start import lax

    return lax.stop_gradient(x)


def identity_n(input: Any, name: str | None = None) -> list[Tensor]:
    """``identity`` of several tensors at once, one op whose gradient can be overridden as a whole."""
    return apply(IDENTITY_N, input, name=name)


STOP_GRADIENT = define(
    "StopGradient", "input: T", "output: T", shape=shape_rules.same, kernel=_stopped, gradient=not_differentiable,
)  # fmt: skip


def stop_gradient(input: Any, name: str | None = None) -> Tensor:
    """The value of ``input``, through which no derivative flows."""
    return apply(STOP_GRADIENT, input, name=name)


PREVENT_GRADIENT = define(
    "PreventGradient", "input: T", "output: T", attrs={"message": ""}, shape=shape_rules.same, kernel=_identity,
    gradient=lambda op, dy: _prevented(op, dy),
)  # fmt: skip


def _prevented(op: Any, dy: Any) -> Any:
    """An error, but behind the one op that TensorFlow itself puts a guard behind: here its rule goes on."""
    if op.inputs[0].op.type == "SparseSoftmaxCrossEntropyWithLogits":
        return dy
    raise LookupError(f"Gradient explicitly disabled. Reason: {op.get_attr('message')!r}")


def prevent_gradient(input: Any, message: str = "", name: str | None = None) -> Tensor:
    """The value of ``input``; asking for its gradient is an error that says ``message``."""
    return apply(PREVENT_GRADIENT, input, message=message, name=name)


# -- reading shapes ----------------------------------------------------------------------------

SHAPE = define(
    "Shape", "input: T", "output: out_type", attrs={"out_type": dtypes.int32}, types={"out_type": kinds.INDEX},
    shape=lambda x: (x.rank,),
    kernel=lambda xp, x, *, out_type: np.array(np.shape(x), out_type.np), gradient=not_differentiable,
)  # fmt: skip


def shape(input: Any, name: str | None = None, out_type: Any = dtypes.int32) -> Tensor:
    """The shape of ``input`` as an integer vector; a Const where it is fully known."""
    return shape_internal(input, name, optimize=True, out_type=out_type)


def shape_internal(input: Any, name: str | None = None, optimize: bool = True, out_type: Any = dtypes.int32) -> Tensor:
    """``shape``; without ``optimize``, a Shape op even where the shape is known."""
    with name_scope(name, "Shape", [input]) as name:
        if isinstance(input, SparseTensor | SparseTensorValue):
            return arithmetic.cast(input.dense_shape, out_type)
        tensor = as_tensor(input)
        if optimize and shapes.is_known(tensor.dims):
            return constants.constant(np.array(tensor.dims, dtypes.as_dtype(out_type).np), out_type, name=name)
        return apply(SHAPE, tensor, out_type=dtypes.as_dtype(out_type), name=name)


SHAPE_N = define(
    "ShapeN", "input: N*T", "output: N*out_type", attrs={"out_type": dtypes.int32}, types={"out_type": kinds.INDEX},
    shape=lambda inputs: [(x.rank,) for x in inputs],
    kernel=lambda xp, inputs, *, out_type: [np.array(np.shape(x), out_type.np) for x in inputs],
    gradient=not_differentiable,
)  # fmt: skip


def shape_n(input: Any, out_type: Any = dtypes.int32, name: str | None = None) -> list[Tensor]:
    """The shapes of several tensors."""
    return apply(SHAPE_N, input, out_type=dtypes.as_dtype(out_type), name=name)


SIZE = define(
    "Size", "input: T", "output: out_type", attrs={"out_type": dtypes.int32}, types={"out_type": kinds.INDEX},
    shape=shape_rules.scalar, kernel=lambda xp, x, *, out_type: np.asarray(np.size(x), out_type.np),
    gradient=not_differentiable,
)  # fmt: skip


def size(input: Any, name: str | None = None, out_type: Any = dtypes.int32) -> Tensor:
    """The number of elements of ``input``."""
    return size_internal(input, name, optimize=True, out_type=out_type)


def size_internal(input: Any, name: str | None = None, optimize: bool = True, out_type: Any = dtypes.int32) -> Tensor:
    """``size``; without ``optimize``, a Size op even where the shape is known."""
    with name_scope(name, "Size", [input]) as name:
        if isinstance(input, SparseTensor | SparseTensorValue):
            return reductions.reduce_prod(arithmetic.cast(input.dense_shape, out_type), 0, name=name)
        tensor = as_tensor(input)
        count = shapes.element_count(tensor.dims)
        if optimize and count is not None:
            return constants.constant(count, out_type, name=name)
        return apply(SIZE, tensor, out_type=dtypes.as_dtype(out_type), name=name)


RANK = define(
    "Rank", "input: T", "output: int32", shape=shape_rules.scalar,
    kernel=lambda xp, x: np.asarray(np.ndim(x), np.int32), gradient=not_differentiable,
)  # fmt: skip


def rank(input: Any, name: str | None = None) -> Tensor:
    """The number of dimensions of ``input``."""
    return rank_internal(input, name, optimize=True)


def rank_internal(input: Any, name: str | None = None, optimize: bool = True) -> Tensor:
    """``rank``; without ``optimize``, a Rank op even where the rank is known."""
    with name_scope(name, "Rank", [input]) as name:
        if isinstance(input, SparseTensor | SparseTensorValue):
            return apply(SIZE, input.dense_shape, name=name)
        tensor = as_tensor(input)
        if optimize and tensor.dims is not None:
            return constants.constant(tensor.rank, dtypes.int32, name=name)
        return apply(RANK, tensor, name=name)


# -- changing shapes ---------------------------------------------------------------------------


def _reshaped(tensor: Tensor, shape: Any) -> RawShape:
    """The wanted shape; its one -1 is what the number of elements leaves."""
    shape_rules.with_rank(shape, 1)
    wanted = partial_value(shape)
    if wanted is None:
        return None
    count = shapes.element_count(tensor.dims)
    dims = [None if n is None or n < 0 else n for n in wanted]
    if count is None:
        return tuple(dims)
    known = math.prod([n for n in dims if n is not None])
    holes = [i for i, n in enumerate(dims) if n is None]
    if len(holes) == 1 and known:
        if count % known:
            raise ValueError(f"Dimension size must be evenly divisible by {known} but is {count}")
        dims[holes[0]] = count // known
    elif not holes and count != known:
        raise ValueError(
            f"Cannot reshape a tensor with {count} elements to shape {shapes.shape_text(tuple(dims))} "
            f"({known} elements)"
        )
    return tuple(dims)


def _reshape(xp: Any, tensor: Any, shape: Any) -> Any:
    shape_rules.check_rank(shape, 1, "sizes input must be 1-D, not {}")
    dims = tuple(shape.tolist() if isinstance(shape, np.ndarray) else np.asarray(shape).tolist())
    if 0 in dims and -1 in dims:
        sizes, wanted = ([n for n in d if n > 0] for d in (np.shape(tensor), dims))
        rest = int(np.prod(sizes, dtype=np.int64)) // int(np.prod(wanted, dtype=np.int64))
        dims = tuple(rest if n == -1 else n for n in dims)
    try:
        if isinstance(tensor, np.ndarray):
            return tensor.reshape(dims)
        reshaped = xp.reshape(tensor, dims)
    except (TypeError, ValueError):
        raise _unfit(np.size(tensor), dims) from None
    return xp.reshape(apart(tensor), dims) if _flattens(tensor, reshaped) else reshaped


_MANY = 1 << 15  # elements


def _flattens(x: Any, reshaped: Any) -> bool:
    """Whether the channels of many pixels come to lie along one axis."""
    if x.ndim < 4 or x.size < _MANY or not reshaped.ndim:
        return False
    return bool(1 < x.shape[-1] < reshaped.shape[-1] and reshaped.shape[-1] % x.shape[-1] == 0)


def _unfit(count: int, dims: tuple[int, ...]) -> InvalidArgumentError:
    wanted = int(np.prod([n for n in dims if n >= 0], dtype=np.int64))
    if min(dims, default=0) >= 0:
        words = f"but the requested shape has {wanted}"
    elif dims.count(-1) > 1:
        first, second = [i for i, n in enumerate(dims) if n == -1][:2]
        return InvalidArgumentError(None, None, f"Only one input size may be -1, not both {first} and {second}")
    else:
        words = f"but the requested shape requires a multiple of {wanted}"
    return InvalidArgumentError(None, None, f"Input to reshape is a tensor with {count} values, {words}")


RESHAPE = define(
    "Reshape", "tensor: T, shape: Tshape", "output: T", attrs={"Tshape": dtypes.int32}, types={"Tshape": kinds.INDEX},
    static=("shape",), shape=_reshaped, kernel=_reshape,
    gradient=lambda op, dy: [_shaped_like_input(op, dy), None],
    remedy="a shape of as many elements as there are; one of its sizes may be -1, which takes what is left",
)  # fmt: skip


def _shaped_like_input(op: Any, dy: Any) -> Tensor:
    return reshape(dy, shape(op.inputs[0]))


def reshape(tensor: Any, shape: Any, name: str | None = None) -> Tensor:
    """``tensor`` with its elements in the same order in another ``shape``; one -1 is worked out."""
    return apply(RESHAPE, tensor, shape, name=name)


def _expanded(x: Tensor, axis: Any) -> RawShape:
    place = static_value(axis)
    if place is not None and place.size != 1:
        raise ValueError("'dim' input must be a tensor with a single value")
    if x.dims is None or place is None:
        return None
    at = int(place.ravel()[0])
    if not -len(x.dims) - 1 <= at <= len(x.dims):
        raise ValueError(f"dim {at} not in the interval [{-len(x.dims) - 1}, {len(x.dims)}].")
    at %= len(x.dims) + 1
    return (*x.dims[:at], 1, *x.dims[at:])


def _expand_dims(xp: Any, x: Any, dim: Any) -> Any:
    if np.size(dim) != 1:
        raise InvalidArgumentError(None, None, "'dim' must be a tensor with a single value")
    at, rank = dim.item(), np.ndim(x)
    if not -rank - 1 <= at <= rank:
        raise InvalidArgumentError(None, None, f"Tried to expand dim index {at} for tensor with {rank} dimensions.")
    if xp is not np:
        return xp.expand_dims(x, at)
    dims, at = np.shape(x), at % (rank + 1)
    return x.reshape((*dims[:at], 1, *dims[at:]))


EXPAND_DIMS = define(
    "ExpandDims", "input: T, dim: Tdim", "output: T", attrs={"Tdim": dtypes.int32}, types={"Tdim": kinds.INDEX},
    static=("dim",), shape=_expanded, kernel=_expand_dims,
    gradient=lambda op, dy: [_shaped_like_input(op, dy), None],
)  # fmt: skip


def expand_dims(input: Any, axis: Any = None, name: str | None = None, dim: Any = None) -> Tensor:
    """``input`` with a dimension of size 1 put in at ``axis``."""
    axis = deprecated_argument_lookup("axis", axis, "dim", dim)
    if axis is None:
        raise ValueError("Must specify an axis argument to tf.expand_dims()")
    return apply(EXPAND_DIMS, input, axis, name=name)


def _squeezed(x: Tensor, *, squeeze_dims: list[int]) -> RawShape:
    if x.dims is None:
        return None
    rank = len(x.dims)
    for i, axis in enumerate(squeeze_dims):
        if not -rank <= axis < rank:
            raise ValueError(f"squeeze_dims[{i}] not in [-{rank},{rank}).")
    gone = {axis % rank for axis in squeeze_dims}
    if not gone:
        return None if None in x.dims else tuple(n for n in x.dims if n != 1)
    for axis in gone:
        if x.dims[axis] not in (None, 1):
            raise ValueError(f"Can not squeeze dim[{axis}], expected a dimension of 1, got {x.dims[axis]}")
    return tuple(n for i, n in enumerate(x.dims) if i not in gone)


def _squeeze(xp: Any, x: Any, *, squeeze_dims: list[int]) -> Any:
    dims = np.shape(x)
    for axis in squeeze_dims:
        if dims[axis] != 1:
            raise InvalidArgumentError(
                None, None, f"Can not squeeze dim[{axis % len(dims)}], expected a dimension of 1, got {dims[axis]}"
            )
    return xp.squeeze(x, tuple(squeeze_dims) or None)


SQUEEZE = define(
    "Squeeze", "input: T", "output: T", attrs={"squeeze_dims": []}, shape=_squeezed, kernel=_squeeze,
    gradient=lambda op, dy: [_shaped_like_input(op, dy)],
)  # fmt: skip


def squeeze(input: Any, axis: Any = None, name: str | None = None, squeeze_dims: Any = None) -> Tensor:
    """``input`` without its dimensions of size 1, or without those of them in ``axis``."""
    axis = deprecated_argument_lookup("axis", axis, "squeeze_dims", squeeze_dims)
    axes: list[Any] = [] if axis is None else [axis] if np.isscalar(axis) else list(axis)
    return apply(SQUEEZE, input, squeeze_dims=[int(a) for a in axes], name=name)


ENSURE_SHAPE = define(
    "EnsureShape", "input: T", "output: T", attrs={"shape": REQUIRED},
    shape=lambda x, *, shape: shapes.merge(shape._raw, x.dims), kernel=lambda xp, x, *, shape: _ensured(x, shape),
    gradient=lambda op, dy: [dy],
)  # fmt: skip


def _ensured(x: Any, shape: TensorShape) -> Any:
    if not shapes.compatible(np.shape(x), shape._raw):
        raise InvalidArgumentError(
            None, None,
            f"Shape of tensor {{input}} {shapes.shape_text(np.shape(x))} is not compatible with expected shape "
            f"{shapes.shape_text(shape._raw)}.",
        )  # fmt: skip
    return x


def ensure_shape(x: Any, shape: Any, name: str | None = None) -> Tensor:
    """``x``, checked to have ``shape`` when it runs."""
    return apply(ENSURE_SHAPE, x, shape=TensorShape(shape), name=name)


def _guaranteed(xp: Any, x: Any, *, T: Any) -> Any:
    if dtypes.resource == T:
        raise InvalidArgumentError(None, None, "Input tensor cannot be a resource variable handle.")
    return x


GUARANTEE_CONST = define(
    "GuaranteeConst", "input: T", "output: T", shape=shape_rules.same, kernel=_guaranteed,
)  # fmt: skip


def guarantee_const(input: Any, name: str | None = None) -> Tensor:
    """``input``, which the program promises never to change."""
    return apply(GUARANTEE_CONST, input, name=name)


def _recast(x: Tensor, *, T: Any, type: Any) -> RawShape:
    if x.dims is None or T.size == type.size:
        return x.dims
    if T.size > type.size:
        return (*x.dims, T.size // type.size)
    if not x.dims or x.dims[-1] not in (None, type.size // T.size):
        raise ValueError(f"Cannot bitcast due to shape. {x.dims[-1] if x.dims else '[]'} != {type.size // T.size}")
    return x.dims[:-1]


def _bitcast(xp: Any, x: Any, *, T: Any, type: Any) -> Any:
    x = np.ascontiguousarray(x).reshape(np.shape(x))
    if T.size > type.size:
        return x.reshape((*x.shape, 1)).view(type.np)
    return x.view(type.np)[..., 0] if T.size < type.size else x.view(type.np)


BITCAST = define(
    "Bitcast", "input: T", "output: type", attrs={"type": REQUIRED},
    types={"T": kinds.BITCAST, "type": kinds.BITCAST}, shape=_recast, kernel=_bitcast, gradient=no_derivative,
)  # fmt: skip


def bitcast(input: Any, type: Any, name: str | None = None) -> Tensor:
    """The bits of ``input`` read as another ``type``; where its size differs, a last dimension comes or goes."""
    return apply(BITCAST, input, type=dtypes.as_dtype(type), name=name)
