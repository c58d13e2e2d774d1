"""Resource variables as ops: a handle (dtype ``resource``) names the place; reads and writes are explicit.

At run time a handle is the variable's ``Cell``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.graph import dtypes, errors, shapes
from retrograd.graph.apply import apply
from retrograd.graph.definition import REQUIRED, Effect, OpDef, define, not_differentiable
from retrograd.graph.dtypes import as_dtype, type_word
from retrograd.graph.functions import stands_for
from retrograd.graph.operation import Operation
from retrograd.graph.shapes import RawShape, TensorShape
from retrograd.graph.sparse import IndexedSlices
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, constants, joining, kinds, scattering, shape_rules
from retrograd.ops.requirements import require

VAR_HANDLE_OP = define(
    "VarHandleOp", "", "resource: resource",
    attrs={"container": "", "shared_name": "", "dtype": REQUIRED, "shape": REQUIRED}, effect=Effect.READ,
    shape=lambda *, shape: (), gradient=not_differentiable,
)  # fmt: skip


def var_handle_op(
    dtype: Any, shape: Any, container: str = "", shared_name: str = "", name: str | None = None
) -> Tensor:
    """A handle to a variable of a session."""
    return apply(
        VAR_HANDLE_OP, dtype=as_dtype(dtype), shape=TensorShape(shape), container=container,
        shared_name=shared_name,
        name=name,
    )  # fmt: skip


def _origin(handle: Tensor) -> Operation | None:
    """The op that made a handle, if it can be told."""
    calls: tuple[Operation, ...] = ()
    while handle.op.type != "VarHandleOp":
        elsewhere = stands_for(handle, calls)
        if elsewhere is not None:
            handle, calls = elsewhere
        elif handle.op.type in ("Identity", "Switch", "Enter"):
            handle = handle.op.inputs[0]
        else:
            return None
    return handle.op


def shape_of(handle: Tensor) -> RawShape:
    """What is known of the shape of the variable behind a handle."""
    origin = _origin(handle)
    return None if origin is None else origin.attrs["shape"]._raw


def dtype_of(handle: Tensor) -> Any:
    """The dtype of the variable behind a handle, by the op that made it or by those that use it; None if none tells."""
    origin = _origin(handle)
    return _dtype_of_readers(handle) if origin is None else origin.attrs["dtype"]


_ON_VARIABLES = ("ReadVariable", "Assign", "ResourceGather", "ResourceScatter")  # not arrays of tensors, nor queues


def _dtype_of_readers(handle: Tensor) -> Any:
    """What is told by those that read the variable, also in functions that are given the handle."""
    for op in handle.readers:
        place = op.inputs.index(handle)
        if place == 0 and op.type.startswith(_ON_VARIABLES) and "dtype" in op.attrs:
            return op.attrs["dtype"]
        called = handle.graph._get_function(op.attrs["f"].name) if hasattr(op.attrs.get("f"), "name") else None
        if called is not None and len(called.body.inputs) == len(op.inputs):
            found = dtype_of(called.body.inputs[place])
            if found is not None:
                return found
    return None


def checked_shape_of(handle: Tensor, dtype: Any) -> RawShape:
    """The shape of a variable that an op takes for one of ``dtype``.

    Raises:
      ValueError: it is of another dtype.
    """
    known = dtype_of(handle)
    if known is not None and known != dtype:
        names = [type_word(d) for d in (known, dtype)]
        raise ValueError(f"Trying to read variable with wrong dtype. Expected {names[0]} got {names[1]}")
    return shape_of(handle)


def _absence(cell: Any) -> str:
    if cell.store.is_empty:
        return f"Container localhost does not exist. (Could not find resource: localhost/{cell.name})"
    return f"Resource localhost/{cell.name}/N10tensorflow3VarE does not exist."


def value_of(cell: Any) -> Any:
    """The value of a resource variable that an op changes or takes rows of.

    Raises:
      NotFoundError: it has none yet.
    """
    if not cell.is_initialized:
        raise errors.NotFoundError(None, None, _absence(cell))
    return cell.value


def _read(xp: Any, cell: Any) -> Any:
    if not cell.is_initialized:
        raise errors.FailedPreconditionError(
            None, None,
            f"Error while reading resource variable {cell.name} from Container: localhost. This could mean "
            "that the "
            f"variable was uninitialized. Not found: {_absence(cell)}",
        )  # fmt: skip
    return cell.value


READ_VARIABLE_OP = define(
    "ReadVariableOp", "resource: resource", "value: dtype", attrs={"dtype": REQUIRED}, shape=lambda resource,
    *, dtype: checked_shape_of(resource, dtype),
    kernel=_read, effect=Effect.READ, gradient=lambda op, dy: [dy],
)  # fmt: skip


def read_variable_op(resource: Tensor, dtype: Any, name: str | None = None) -> Tensor:
    """The value of a resource variable at the moment when this op runs."""
    return apply(READ_VARIABLE_OP, resource, dtype=dtype, name=name)


def _written(resource: Tensor, value: Tensor) -> list[RawShape]:
    shapes.merge(checked_shape_of(resource, value.dtype.base_dtype), value.dims)
    return []


def _assign(xp: Any, cell: Any, value: Any) -> list[Any]:
    cell.write(value)
    return []


ASSIGN_VARIABLE_OP = define(
    "AssignVariableOp", "resource: resource, value: dtype", "", shape=_written, kernel=_assign,
    effect=Effect.WRITE,
)  # fmt: skip


def assign_variable_op(resource: Tensor, value: Any, name: str | None = None, dtype: Any = None) -> Operation:
    """Let the variable be ``value``."""
    return apply(ASSIGN_VARIABLE_OP, resource, value, name=name, **({} if dtype is None else {"dtype": dtype}))


def _update(name: str, change: Callable[[Any, Any], Any]) -> OpDef:
    def kernel(xp: Any, cell: Any, value: Any) -> list[Any]:
        old = value_of(cell)
        if np.shape(old) != np.shape(value):
            texts = [str(list(np.shape(x))).replace(" ", "") for x in (old, value)]
            raise errors.InvalidArgumentError(
                None, None,
                f"Cannot update variable with shape {texts[0]} using a Tensor with shape {texts[1]}, "
                "shapes must be equal.",
            )  # fmt: skip
        cell.write(change(old, value))
        return []

    return define(
        name, "resource: resource, value: dtype", "", shape=_written, kernel=kernel, effect=Effect.WRITE
    )  # fmt: skip


ASSIGN_ADD_VARIABLE_OP = _update("AssignAddVariableOp", lambda old, value: old + value)
ASSIGN_SUB_VARIABLE_OP = _update("AssignSubVariableOp", lambda old, value: old - value)


def assign_add_variable_op(resource: Tensor, value: Any, name: str | None = None) -> Operation:
    """Add ``value`` to the variable."""
    return apply(ASSIGN_ADD_VARIABLE_OP, resource, value, name=name)


def assign_sub_variable_op(resource: Tensor, value: Any, name: str | None = None) -> Operation:
    """Take ``value`` from the variable."""
    return apply(ASSIGN_SUB_VARIABLE_OP, resource, value, name=name)


VAR_IS_INITIALIZED_OP = define(
    "VarIsInitializedOp", "resource: resource", "is_initialized: bool", shape=shape_rules.scalar,
    effect=Effect.READ,
    kernel=lambda xp, cell: np.bool_(cell.is_initialized), gradient=not_differentiable,
)  # fmt: skip


def var_is_initialized_op(resource: Tensor, name: str | None = None) -> Tensor:
    """Whether the variable has been given a value."""
    return apply(VAR_IS_INITIALIZED_OP, resource, name=name)


VARIABLE_SHAPE = define(
    "VariableShape", "input: resource", "output: out_type", attrs={"out_type": dtypes.int32},
    types={"out_type": kinds.INDEX}, effect=Effect.READ,
    shape=lambda r: (None if shape_of(r) is None else len(shape_of(r) or ()),),
    kernel=lambda xp, cell, *, out_type: np.array(np.shape(value_of(cell)), out_type.np),
    gradient=not_differentiable,
)  # fmt: skip


def variable_shape(handle: Tensor, out_type: Any = dtypes.int32) -> Tensor:
    """The shape of the variable; a Const where it is fully known, but not within a branch."""
    dims = None if handle.op.type == "Switch" else shape_of(handle)
    if dims is None or None in dims:
        return apply(VARIABLE_SHAPE, handle, out_type=out_type)
    return constants.constant(list(dims), out_type)


def _destroy(xp: Any, cell: Any, *, ignore_lookup_error: bool) -> list[Any]:
    if not ignore_lookup_error:
        value_of(cell)
    cell.write(None)
    return []


DESTROY_RESOURCE_OP = define(
    "DestroyResourceOp", "resource: resource", "", attrs={"ignore_lookup_error": True}, kernel=_destroy,
    effect=Effect.WRITE,
)  # fmt: skip


def destroy_resource_op(resource: Tensor, ignore_lookup_error: bool = True, name: str | None = None) -> Operation:
    """Take the variable's value away."""
    return apply(DESTROY_RESOURCE_OP, resource, ignore_lookup_error=ignore_lookup_error, name=name)


def _count(xp: Any, cell: Any, *, limit: int) -> Any:
    old = value_of(cell)
    if old >= limit:
        raise errors.OutOfRangeError(None, None, f"Reached limit of {limit}")
    cell.write(old + np.asarray(1, old.dtype))
    return old


COUNT_UP_TO = define(
    "ResourceCountUpTo", "resource: resource", "output: T", attrs={"limit": REQUIRED, "T": REQUIRED},
    types={"T": kinds.INDEX}, shape=shape_rules.scalar, kernel=_count, effect=Effect.WRITE,
    gradient=not_differentiable,
)  # fmt: skip


def count_up_to(resource: Tensor, limit: int, dtype: Any, name: str | None = None) -> Tensor:
    """The value before adding 1 to it; an ``OutOfRangeError`` once it has reached ``limit``."""
    return apply(COUNT_UP_TO, resource, limit=limit, T=dtype, name=name)


# -- taking rows -------------------------------------------------------------------------------


def _gathered(resource: Tensor, indices: Tensor, *, dtype: Any, batch_dims: int) -> RawShape:
    dims = checked_shape_of(resource, dtype)
    if dims is None or indices.dims is None:
        return None
    return dims[:batch_dims] + indices.dims[batch_dims:] + dims[batch_dims + 1 :]


def _gather(xp: Any, cell: Any, indices: Any, *, batch_dims: int) -> Any:
    """out = value[indices], along the first axis after ``batch_dims``."""
    value = value_of(cell)
    check_rows(xp, "indices", indices, np.shape(value)[batch_dims])
    if not batch_dims:
        return value[indices] if xp is np else xp.take(value, indices, 0, mode="clip")
    lead = np.ix_(*(np.arange(n) for n in np.shape(value)[:batch_dims]))
    rest = np.ndim(indices) - batch_dims
    return value[(*(x.reshape(x.shape + (1,) * rest) for x in lead), indices)]


def check_rows(xp: Any, name: str, indices: Any, count: int) -> None:
    """Raises ``InvalidArgumentError`` if one of ``indices`` is not in ``[0, count)``."""
    if xp is not np:
        require((indices >= 0) & (indices < count))
        return
    indices = np.asarray(indices)
    wrong = np.argwhere((indices < 0) | (indices >= count))
    if len(wrong):
        first = tuple(wrong[0].tolist())
        at = f"[{','.join(map(str, first))}]" if first else ""
        raise errors.InvalidArgumentError(None, None, f"{name}{at} = {indices[first]} is not in [0, {count})")


def _gather_gradient(op: Operation, dy: Any) -> list[Any]:
    """The rows of ``dy``, at ``indices``, as ``IndexedSlices``."""
    handle, indices = op.inputs
    params_shape = variable_shape(handle)
    size = arrays.expand_dims(arrays.size(indices), 0)
    values = arrays.reshape(dy, joining.concat([size, params_shape[1:]], 0))
    return [IndexedSlices(values, arrays.reshape(indices, size), params_shape), None]


RESOURCE_GATHER = define(
    "ResourceGather", "resource: resource, indices: Tindices", "output: dtype",
    attrs={"batch_dims": 0, "validate_indices": True, "dtype": REQUIRED}, types={"Tindices": kinds.INDEX},
    shape=_gathered, kernel=_gather, effect=Effect.READ, gradient=_gather_gradient,
)  # fmt: skip


def resource_gather(
    resource: Tensor,
    indices: Any,
    dtype: Any,
    batch_dims: int = 0,
    validate_indices: bool = True,
    name: str | None = None,
) -> Tensor:
    """Rows of a resource variable, without reading the others."""
    return apply(
        RESOURCE_GATHER,
        resource,
        indices,
        dtype=dtype,
        batch_dims=batch_dims,
        validate_indices=validate_indices,
        name=name,
    )


def _gathered_nd(resource: Tensor, indices: Tensor) -> RawShape:
    dims = shape_of(resource)
    if dims is None or indices.dims is None or indices.dims[-1] is None:
        return None
    return indices.dims[:-1] + dims[indices.dims[-1] :]


def _gather_nd(xp: Any, cell: Any, indices: Any) -> Any:
    value = value_of(cell)
    check_coordinates(xp, "flat indices", indices, np.shape(value))
    return value[tuple(xp.moveaxis(indices, -1, 0))]


def check_coordinates(xp: Any, name: str, indices: Any, shape: Any) -> None:
    """Raises ``InvalidArgumentError`` if one of the coordinates (the last axis) lies outside ``shape``."""
    bounds = np.asarray(shape[: indices.shape[-1]], np.int64)
    if xp is not np:
        require((indices >= 0) & (indices < bounds))
        return
    wrong = np.argwhere(((indices < 0) | (indices >= bounds)).any(-1))
    if len(wrong):
        first = tuple(wrong[0].tolist())
        at = ",".join(map(str, first)) if first else "0"
        values = ", ".join(map(str, indices[first].tolist()))
        texts = ",".join(map(str, shape))
        raise errors.InvalidArgumentError(None, None, f"{name}[{at}] = [{values}] does not index into shape [{texts}]")


def _gather_nd_gradient(op: Operation, dy: Any) -> list[Any]:
    """``dy`` at ``indices``: as ``IndexedSlices`` where they are plain row numbers, else scattered."""
    handle, indices = op.inputs
    shape = apply(VARIABLE_SHAPE, handle, out_type=indices.dtype)
    if indices.rank == 2 and indices.dims is not None and indices.dims[-1] == 1:
        return [IndexedSlices(dy, arrays.squeeze(indices, axis=-1), shape), None]
    return [scattering.scatter_nd(indices, dy, shape), None]


RESOURCE_GATHER_ND = define(
    "ResourceGatherNd", "resource: resource, indices: Tindices", "output: dtype", attrs={"dtype": REQUIRED},
    types={"Tindices": kinds.INDEX}, shape=_gathered_nd, kernel=_gather_nd, effect=Effect.READ,
    gradient=_gather_nd_gradient,
)  # fmt: skip


def resource_gather_nd(resource: Tensor, indices: Any, dtype: Any, name: str | None = None) -> Tensor:
    """Elements or slices of a resource variable, see ``tf.gather_nd``."""
    return apply(RESOURCE_GATHER_ND, resource, indices, dtype=dtype, name=name)
