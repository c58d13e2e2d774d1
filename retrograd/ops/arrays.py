"""Shapes and views: reading a shape, changing it, joining and cutting tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import dtypes, shapes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor, register_tensor_conversion_function
from retrograd.graph.definition import REQUIRED, define, not_differentiable
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import RawShape
from retrograd.graph.sparse import IndexedSlices, SparseTensor
from retrograd.graph.static import partial_value, static_value
from retrograd.graph.tensor import Tensor, TensorLike
from retrograd.ops import arithmetic, constants, kinds, reductions, shape_rules

# -- identities --------------------------------------------------------------------------------


def _identity(xp: Any, x: Any) -> Any:
    return x


IDENTITY = define(
    "Identity", "input: T", "output: T", shape=shape_rules.same, kernel=_identity, gradient=lambda op, dy: [dy],
)  # fmt: skip


def identity(input: Any, name: str | None = None) -> Any:
    """A tensor with the value of ``input``, read when it runs: the place where a variable is sampled."""
    if isinstance(input, IndexedSlices):
        return IndexedSlices(identity(input.values, name), identity(input.indices), input.dense_shape)
    if isinstance(input, SparseTensor):
        return SparseTensor(identity(input.indices), identity(input.values), identity(input.dense_shape))
    return apply(IDENTITY, input, name=name)


IDENTITY_N = define(
    "IdentityN", "input: *T", "output: *T", shape=lambda inputs: [x.dims for x in inputs],
    kernel=lambda xp, inputs: list(inputs), gradient=lambda op, *dys: list(dys),
)  # fmt: skip


def identity_n(input: Any, name: str | None = None) -> list[Tensor]:
    """``identity`` of several tensors at once, one op whose gradient can be overridden as a whole."""
    return apply(IDENTITY_N, input, name=name)


STOP_GRADIENT = define(
    "StopGradient", "input: T", "output: T", shape=shape_rules.same, kernel=_identity, gradient=not_differentiable,
)  # fmt: skip


def stop_gradient(input: Any, name: str | None = None) -> Tensor:
    """The value of ``input``, through which no derivative flows."""
    return apply(STOP_GRADIENT, input, name=name)


PREVENT_GRADIENT = define(
    "PreventGradient", "input: T", "output: T", attrs={"message": ""}, shape=shape_rules.same, kernel=_identity,
    gradient=lambda op, dy: _no_gradient_allowed(op),
)  # fmt: skip


def _no_gradient_allowed(op: Any) -> None:
    message = op.attrs["message"]
    raise LookupError(f"Gradient explicitly disabled. Reason: {message.encode()!r}")


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


def shape_internal(
    input: Any, name: str | None = None, optimize: bool = True, out_type: Any = dtypes.int32
) -> Tensor:
    """``shape``; without ``optimize``, a Shape op even where the shape is known."""
    with name_scope(name, "Shape", [input]) as name:
        if isinstance(input, SparseTensor):
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
        if isinstance(input, SparseTensor):
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
        if isinstance(input, SparseTensor):
            return size_internal(input.dense_shape, name=name)
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
    known = np.prod([n for n in wanted if n is not None and n >= 0], dtype=np.int64).item()
    holes = [i for i, n in enumerate(wanted) if n is None or n < 0]
    dims = [None if n is None or n < 0 else n for n in wanted]
    if None in wanted or count is None:
        return tuple(dims)
    if len(holes) == 1 and known:
        if count % known:
            raise ValueError(f"Dimension size must be evenly divisible by {known} but is {count}")
        dims[holes[0]] = count // known
    elif not holes and count != known:
        raise ValueError(
            f"Cannot reshape a tensor with {count} elements to shape {shapes.shape_text(tuple(dims))} ({known} elements)"
        )
    return tuple(dims)


def _reshape(xp: Any, tensor: Any, shape: Any) -> Any:
    return xp.reshape(tensor, tuple(np.asarray(shape).tolist()))


RESHAPE = define(
    "Reshape", "tensor: T, shape: Tshape", "output: T", attrs={"Tshape": dtypes.int32}, types={"Tshape": kinds.INDEX},
    static=("shape",), shape=_reshaped, kernel=_reshape,
    gradient=lambda op, dy: [reshape(dy, shape_internal(op.inputs[0], optimize=True)), None],
)  # fmt: skip


def reshape(tensor: Any, shape: Any, name: str | None = None) -> Tensor:
    """``tensor`` with its elements in the same order in another ``shape``; one -1 is worked out."""
    return apply(RESHAPE, tensor, shape, name=name)


def _expanded(x: Tensor, axis: Any) -> RawShape:
    place = static_value(axis)
    if x.dims is None or place is None:
        return None
    at = int(place.ravel()[0])
    if not -len(x.dims) - 1 <= at <= len(x.dims):
        raise ValueError(f"dim {at} not in the interval [{-len(x.dims) - 1}, {len(x.dims)}].")
    at %= len(x.dims) + 1
    return (*x.dims[:at], 1, *x.dims[at:])


EXPAND_DIMS = define(
    "ExpandDims", "input: T, dim: Tdim", "output: T", attrs={"Tdim": dtypes.int32}, types={"Tdim": kinds.INDEX},
    static=("dim",), shape=_expanded, kernel=lambda xp, x, dim: xp.expand_dims(x, int(np.ravel(dim)[0])),
    gradient=lambda op, dy: [reshape(dy, shape(op.inputs[0])), None],
)  # fmt: skip


def expand_dims(input: Any, axis: Any = None, name: str | None = None, dim: Any = None) -> Tensor:
    """``input`` with a dimension of size 1 put in at ``axis``."""
    axis = argument("axis", axis, "dim", dim)
    if axis is None:
        raise ValueError("Must specify an axis argument to tf.expand_dims()")
    return apply(EXPAND_DIMS, input, axis, name=name)


def argument(new_name: str, new: Any, old_name: str, old: Any) -> Any:
    """The value of an argument that also has an older name.

    Raises:
      ValueError: both are given.
    """
    if old is None:
        return new
    if new is not None:
        raise ValueError(f"Cannot specify both '{old_name}' and '{new_name}'")
    return old


# -- joining -----------------------------------------------------------------------------------


def _packed(values: list[Tensor], *, axis: int) -> RawShape:
    dims: RawShape = None
    for value in values:
        dims = shapes.merge(dims, value.dims)
    if dims is None:
        return None
    at = shape_rules.axis_index(axis, len(dims) + 1)
    return (*dims[:at], len(values), *dims[at:])


PACK = define(
    "Pack", "values: N*T", "output: T", attrs={"axis": 0}, shape=_packed,
    kernel=lambda xp, values, *, axis: xp.stack(values, axis),
    gradient=lambda op, dy: unstack(dy, num=op.attrs["N"], axis=op.attrs["axis"]),
)  # fmt: skip


def stack(values: Any, axis: int = 0, name: str = "stack") -> Tensor:
    """Tensors of one shape along a new dimension ``axis``."""
    if axis == 0:
        try:
            return as_tensor(values, name=name)
        except (TypeError, ValueError):
            pass  # the op says what is wrong with them
    dims = as_tensor(values[0], name=name).dims
    if dims is not None and not -len(dims) - 1 <= axis <= len(dims):
        raise ValueError(f"axis = {axis} not in [{-len(dims) - 1}, {len(dims) + 1})")
    return apply(PACK, values, axis=axis, name=name)


def _packed_list(values: Any, dtype: Any = None, name: str | None = None, as_ref: bool = False) -> Any:
    """Lists that hold tensors become Pack ops; other lists are left to ``constant``."""
    found = None if as_ref else _dtype_within(values)
    if found is None:
        return NotImplemented
    return _pack_nested(values, dtype or found, name or "packed")


def _dtype_within(values: Any) -> Any:
    if isinstance(values, list | tuple):
        return next((d for d in map(_dtype_within, values) if d is not None), None)
    return values.dtype.base_dtype if isinstance(values, TensorLike) else None


def _pack_nested(values: Any, dtype: Any, name: str) -> Any:
    with name_scope(name) as scope:
        parts: list[Any] = []
        for i, part in enumerate(values):
            if isinstance(part, TensorLike):
                if dtype is not None and part.dtype.base_dtype != dtype:
                    raise TypeError(
                        f"Cannot convert a list containing a tensor of dtype {part.dtype} to {dtype} (Tensor is: {part!r})"
                    )
                parts.append(part)
            else:
                parts.append(_pack_nested(part, dtype, str(i)) if isinstance(part, list | tuple) else part)
        if not any(isinstance(p, TensorLike) for p in parts):
            return parts
        tensors = [
            p if isinstance(p, TensorLike) else constants.constant(p, dtype, name=str(i)) for i, p in enumerate(parts)
        ]
        return apply(PACK, tensors, axis=0, name=scope)


register_tensor_conversion_function((list, tuple), _packed_list, 99)


def _unpacked(value: Tensor, *, num: int, axis: int) -> list[RawShape]:
    if value.dims is None:
        return [None] * num
    at = shape_rules.axis_index(axis, len(value.dims))
    shapes.merge_dim(value.dims[at], num)
    return [(*value.dims[:at], *value.dims[at + 1 :])] * num


UNPACK = define(
    "Unpack", "value: T", "output: num*T", attrs={"num": REQUIRED, "axis": 0}, shape=_unpacked,
    kernel=lambda xp, value, *, axis: [xp.squeeze(v, axis) for v in xp.split(value, value.shape[axis], axis)],
    gradient=lambda op, *dys: [stack(list(dys), axis=op.attrs["axis"])],
)  # fmt: skip


def unstack(value: Any, num: int | None = None, axis: int = 0, name: str = "unstack") -> list[Tensor]:
    """The slices of ``value`` along ``axis``, each with one dimension less.

    Raises:
      ValueError: ``num`` is not given and cannot be told from the shape.
    """
    if num is None:
        value = as_tensor(value)
        dims = value.dims
        if dims is not None:
            if not -len(dims) <= axis < len(dims):
                raise ValueError(f"axis = {axis} not in [{-len(dims)}, {len(dims)})")
            num = dims[axis]
    if num is None:
        raise ValueError(f"Cannot infer num from shape {value.shape}")
    return apply(UNPACK, value, num=num, axis=axis, name=name)


# -- repeating ---------------------------------------------------------------------------------


def _tiled(x: Tensor, multiples: Any) -> RawShape:
    counts = partial_value(multiples)
    if counts is None or x.dims is None:
        return None if x.dims is None else (None,) * len(x.dims)
    shape_rules.with_rank(x, len(counts))
    return tuple([None if n is None or c is None else n * c for n, c in zip(x.dims, counts, strict=True)])


def _tile_gradient(op: Any, dy: Any) -> list[Any]:
    """dx = dy summed over its copies: dy seen as [c0, n0, c1, n1, ...] and summed along the even axes."""
    x, multiples = op.inputs
    split_shape = reshape(transpose(stack([multiples, shape(x)])), [-1])
    axes = constants.range_(0, size(split_shape), 2)
    dx = reductions.reduce_sum(reshape(dy, split_shape), axes)
    dx.set_shape(x.dims)
    return [dx, None]


TILE = define(
    "Tile", "input: T, multiples: Tmultiples", "output: T", attrs={"Tmultiples": dtypes.int32},
    types={"Tmultiples": kinds.INDEX}, static=("multiples",), shape=_tiled,
    kernel=lambda xp, x, multiples: xp.tile(x, tuple(np.asarray(multiples).tolist())), gradient=_tile_gradient,
)  # fmt: skip


def tile(input: Any, multiples: Any, name: str | None = None) -> Tensor:
    """``input`` repeated ``multiples[i]`` times along each dimension i."""
    return apply(TILE, input, multiples, name=name)
