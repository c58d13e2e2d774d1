"""The ops of a ``TensorArray``: a handle (dtype ``resource``) names it, a flow (a number) tells its state.

At run time a handle is an ``Array`` and a flow a version of its ``Elements``; every op is a function of them.
The gradient of an op that reads writes what arrives into an array of gradients, which starts out empty; that of an
op that writes reads from it.  Both are ops of this module, so there are gradients of any order.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from retrograd.graph import dtypes, errors, shapes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import REQUIRED, Effect, define, not_differentiable
from retrograd.graph.dtypes import DType, type_word
from retrograd.graph.scopes import colocate_with, control_dependencies, name_scope
from retrograd.graph.shapes import RawShape, TensorShape
from retrograd.graph.stack import default_graph
from retrograd.graph.static import partial_value
from retrograd.graph.tensor import Tensor
from retrograd.graph.text import as_text
from retrograd.ops import arithmetic, arrays, shape_rules
from retrograd.ops.dense_elements import DenseArray
from retrograd.ops.elements import Array, Elements, element_shape_text, wrong

# -- arrays ------------------------------------------------------------------------------------


def _check(handle: Tensor, *scalars: Tensor) -> None:
    """A handle is a pair, and what goes with it are single numbers."""
    (pair,) = shape_rules.with_rank(handle, 1)
    if pair not in (None, 2):
        raise ValueError(f"Dimension must be 2 but is {pair}")
    for scalar in scalars:
        shape_rules.with_rank(scalar, 0)


_MAKERS = frozenset(("TensorArray", "TensorArrayV2", "TensorArrayV3"))


def _elements_of(handle: Tensor) -> tuple[bool, RawShape]:
    """(whether all elements of the array behind a handle have one shape, what is known of it)."""
    prefix: tuple[None, ...] = ()
    while handle.op.type not in _MAKERS:
        if handle.op.type == "TensorArrayGradWithShape":
            prefix += tuple(None for _ in partial_value(handle.op.inputs[2]) or ())
        if not handle.op.inputs:
            return False, None
        handle = handle.op.inputs[0]
    dims = handle.op.attrs["element_shape"]._raw
    if not handle.op.attrs.get("identical_element_shapes") and not shapes.is_known(dims):
        return False, None
    return True, None if dims is None else prefix + dims


def _made(size: Tensor) -> list[RawShape]:
    shape_rules.with_rank(size, 0)
    return [(2,), ()]


_count = itertools.count()


def _make(
    xp: Any,
    size: Any,
    *,
    dtype: DType,
    element_shape: TensorShape,
    dynamic_size: bool,
    clear_after_read: bool,
    identical_element_shapes: bool,
    tensor_array_name: str | bytes,
) -> list[Any]:
    if size < 0:
        raise wrong("Size should be >= 0.")
    name = f"{as_text(tensor_array_name) or '{input}'}_{next(_count)}"
    if xp is not np:
        dense = DenseArray(name, dtype, int(size), element_shape._raw, dynamic_size, identical_element_shapes)
        return [dense, dense.elements(None)]
    array = Array(
        name, dtype, int(size), element_shape._raw, dynamic_size, identical_element_shapes, clear_after_read,
        lasting=default_graph().is_eager,
    )  # fmt: skip
    return [array, Elements(int(size))]


TENSOR_ARRAY = define(
    "TensorArrayV3", "size: int32", "handle: resource, flow: float32",
    attrs={
        "dtype": REQUIRED, "element_shape": TensorShape(None), "dynamic_size": False, "clear_after_read": True,
        "identical_element_shapes": False, "tensor_array_name": "",
    },
    shape=_made, kernel=_make, static=("size",), effect=Effect.MAKE, gradient=not_differentiable,
)  # fmt: skip


def _grad_made(handle: Tensor, flow_in: Tensor, *more: Tensor) -> list[RawShape]:
    _check(handle)
    return [(2,), ()]


TENSOR_ARRAY_GRAD = define(
    "TensorArrayGradV3", "handle: resource, flow_in: float32", "grad_handle: resource, flow_out: float32",
    attrs={"source": REQUIRED}, shape=_grad_made, gradient=not_differentiable,
    kernel=lambda xp, array, flow, *, source: [_derivative(array, source), flow],
)  # fmt: skip


class ByHand(str):
    """A source that the program names itself."""


def _derivative(array: Any, source: str | bytes, before: tuple[int, ...] = ()) -> Any:
    """The array of gradients: one for all who name a source by hand."""
    return array.derivative(as_text(source), before, is_by_hand(source))


def is_by_hand(source: str | bytes) -> bool:
    """Whether the program names a source of gradients itself; a pass of gradients is told by its scope."""
    tokens = as_text(source).split("/")
    return isinstance(source, ByHand) or not any(token.startswith("gradients") for token in tokens)


def _make_grad_with_shape(xp: Any, array: Array, flow: Any, before: Any, *, source: str | bytes) -> list[Any]:
    return [_derivative(array, source, tuple(np.asarray(before).tolist())), flow]


TENSOR_ARRAY_GRAD_WITH_SHAPE = define(
    "TensorArrayGradWithShape", "handle: resource, flow_in: float32, shape_to_prepend: int32",
    "grad_handle: resource, flow_out: float32", attrs={"source": REQUIRED}, shape=_grad_made,
    kernel=_make_grad_with_shape, static=("shape_to_prepend",), gradient=not_differentiable,
)  # fmt: skip


def tensor_array_grad_with_shape(
    handle: Any, flow_in: Any, shape_to_prepend: Any, source: str, name: str | None = None
) -> list[Tensor]:
    """The array of gradients of an array, whose elements have more dimensions before theirs: (handle, flow)."""
    outputs: list[Tensor] = apply(
        TENSOR_ARRAY_GRAD_WITH_SHAPE, handle, flow_in, shape_to_prepend, source=source, name=name
    )
    return outputs


def _sized(handle: Tensor, flow_in: Tensor) -> RawShape:
    _check(handle)
    return ()


def _size(xp: Any, array: Any, flow: Any) -> Any:
    if isinstance(array, DenseArray):
        return array.size(flow)
    array.check_open()
    return np.int32(array.elements(flow).length)


TENSOR_ARRAY_SIZE = define(
    "TensorArraySizeV3", "handle: resource, flow_in: float32", "size: int32", shape=_sized, kernel=_size,
    gradient=not_differentiable,
)  # fmt: skip


def _closed(handle: Tensor) -> list[RawShape]:
    _check(handle)
    return []


def _close(xp: Any, array: Any) -> list[Any]:
    array.closed = True
    return []


TENSOR_ARRAY_CLOSE = define(
    "TensorArrayCloseV3", "handle: resource", "", shape=_closed, kernel=_close, effect=Effect.MAKE,
    gradient=not_differentiable,
)  # fmt: skip


# -- arrays of gradients -----------------------------------------------------------------------


def gradient_source(x: Any) -> str:
    """Which call of ``tf.gradients`` built ``x``: its scope.

    Raises:
      ValueError: none whose name starts with ``gradients`` did.
    """
    tokens = x.name.split("/")
    places = [i for i, token in enumerate(tokens) if token.startswith("gradients")]
    if not places:
        raise ValueError(
            f"Expected op/tensor name to start with gradients (excluding scope), got: {x.name}. This means that a "
            "tf.gradients op with this op in its dependency path has a custom name that does not start with "
            "'gradients'. Please make sure all calls to tf.gradients that have non-empty 'name' arguments use names "
            "that start with 'gradients'."
        )
    return "/".join(tokens[: places[-1] + 1])


def gradient_array(handle: Tensor, flow: Tensor, source: str, name: str | None = None) -> tuple[Tensor, Tensor]:
    """Handle and flow of the array of gradients with respect to the array of ``handle``.

    The flow tells of no gradients yet if ``flow`` is one of the array itself.
    """
    with name_scope(name, "TensorArrayGrad", [handle]), colocate_with(handle):
        grad_handle, _ = apply(TENSOR_ARRAY_GRAD, handle, flow, source=source, name=name)
        with control_dependencies([grad_handle]):
            return grad_handle, arrays.identity(flow, name="gradient_flow")


def _source(dy: Any) -> str:
    try:
        return gradient_source(dy)
    except ValueError:  # another name was given: the values flow all the same
        return f"gradients/{dy.name.split('/')[0]}"


def _begun(op: Any, flow: Tensor, dy: Any) -> tuple[Tensor, Tensor]:
    """The array of gradients for what an op has read: it is empty."""
    grad_handle, empty = gradient_array(op.inputs[0], flow, _source(dy))
    empty.graph.notes.setdefault("empty flows", set()).add(empty)
    return grad_handle, empty


def _continued(op: Any, dflow: Tensor) -> tuple[Tensor, Tensor]:
    """The array of gradients for what an op has written, with what was read of it."""
    return gradient_array(op.inputs[0], dflow, _source(dflow))


_CARRY = frozenset(("Identity", "Enter", "Switch", "LoopRecall", "LoopHistory"))


def _passed_on(flow: Tensor, dflow: Tensor) -> Tensor | None:
    """The gradient of the flow that an op writes to; what begins an array of gradients has none."""
    empty = flow.graph.notes.get("empty flows", ())
    while flow not in empty and flow.op.type in _CARRY:
        flow = flow.op.inputs[0]
    return None if flow in empty else dflow


# -- one element -------------------------------------------------------------------------------


def _check_type(array: Any, dtype: DType, what: str) -> None:
    if dtype is not array.dtype:
        raise wrong(f"TensorArray dtype is {type_word(array.dtype)} but Op {what} {type_word(dtype)}.")


def _write_checked(handle: Tensor, index: Tensor, value: Tensor, flow_in: Tensor) -> RawShape:
    _check(handle, index, flow_in)
    shapes.merge(_elements_of(handle)[1], value.dims)
    return ()


def _write(xp: Any, array: Any, index: Any, value: Any, flow: Any, *, T: DType) -> Any:
    _check_type(array, T, "is trying to write dtype")
    if isinstance(array, DenseArray):
        return array.written_at(flow, index, value)
    return array.written(flow, [(int(index), value)])


def _write_gradient(op: Any, dflow: Tensor) -> list[Any]:
    """What was written moves what is read at its place."""
    grad_handle, flow = _continued(op, dflow)
    dvalue = apply(TENSOR_ARRAY_READ, grad_handle, op.inputs[1], flow, dtype=op.attrs["T"])
    return [None, None, dvalue, _passed_on(op.inputs[3], dflow)]


TENSOR_ARRAY_WRITE = define(
    "TensorArrayWriteV3", "handle: resource, index: int32, value: T, flow_in: float32", "flow_out: float32",
    shape=_write_checked, kernel=_write, gradient=_write_gradient,
)  # fmt: skip


def _read_element(handle: Tensor, index: Tensor, flow_in: Tensor) -> RawShape:
    _check(handle, index, flow_in)
    return _elements_of(handle)[1]


def _read(xp: Any, array: Any, index: Any, flow: Any, *, dtype: DType) -> Any:
    _check_type(array, dtype, "requested dtype")
    if isinstance(array, DenseArray):
        return array.read_at(flow, index)
    return array.read(xp, flow, [int(index)])[0]


def _read_gradient(op: Any, dy: Any) -> list[Any]:
    """dy at the place that was read."""
    grad_handle, empty = _begun(op, op.inputs[2], dy)
    with name_scope("TensorArrayWrite"):
        value = as_tensor(dy, name="value")
        return [None, None, apply(TENSOR_ARRAY_WRITE, grad_handle, op.inputs[1], value, empty)]


TENSOR_ARRAY_READ = define(
    "TensorArrayReadV3", "handle: resource, index: int32, flow_in: float32", "value: dtype",
    attrs={"dtype": REQUIRED}, shape=_read_element, kernel=_read, gradient=_read_gradient,
)  # fmt: skip


# -- elements of one shape ---------------------------------------------------------------------


def _scatter_checked(handle: Tensor, indices: Tensor, value: Tensor, flow_in: Tensor) -> RawShape:
    _check(handle, flow_in)
    shape_rules.with_rank(indices, 1)
    dims = shape_rules.with_rank_at_least(value, 1)
    shapes.merge(_elements_of(handle)[1], None if dims is None else dims[1:])
    return ()


def _scatter(xp: Any, array: Any, indices: Any, value: Any, flow: Any, *, T: DType) -> Any:
    _check_type(array, T, "is trying to write dtype")
    if not np.shape(value):
        raise wrong("Input value for unpack must be at least a vector but received shape: []")
    count, rows = len(indices), np.shape(value)[0]
    if count != rows:
        raise wrong(f"Expected len(indices) == values.shape[0], but saw: {count} vs. {rows}")
    if isinstance(array, DenseArray):
        return array.scattered(flow, indices, value)
    places, length = np.asarray(indices).tolist(), array.elements(flow).length
    if places and not array.dynamic and max(places) >= length:
        raise wrong(f"Max scatter index must be < array size ({max(places)} vs. {length})")
    return array.written(flow, zip(places, value, strict=True))


def _scatter_gradient(op: Any, dflow: Tensor) -> list[Any]:
    """What was written moves what is read at its places."""
    grad_handle, flow = _continued(op, dflow)
    dvalue = apply(TENSOR_ARRAY_GATHER, grad_handle, op.inputs[1], flow, dtype=op.attrs["T"])
    return [None, None, dvalue, _passed_on(op.inputs[3], dflow)]


TENSOR_ARRAY_SCATTER = define(
    "TensorArrayScatterV3", "handle: resource, indices: int32, value: T, flow_in: float32", "flow_out: float32",
    shape=_scatter_checked, kernel=_scatter, gradient=_scatter_gradient,
)  # fmt: skip


def _gathered(handle: Tensor, indices: Tensor, flow_in: Tensor, *, element_shape: TensorShape) -> RawShape:
    _check(handle, flow_in)
    (count,) = shape_rules.with_rank(indices, 1)
    is_one, dims = _elements_of(handle)
    dims = dims if is_one else element_shape._raw
    return None if dims is None else (count, *dims)


def _joined(xp: Any, values: list[Any], dtype: DType) -> Any:
    return xp.stack(values if dtype is not dtypes.string else [np.asarray(v, object) for v in values])


def _gather(xp: Any, array: Any, indices: Any, flow: Any, *, dtype: DType, element_shape: TensorShape) -> Any:
    _check_type(array, dtype, "requested dtype")
    if not len(indices):
        return xp.zeros((0, *_known(element_shape, "element shape", "packing")), dtype.np)
    if isinstance(array, DenseArray):
        return array.gathered(flow, indices)
    values = array.read(xp, flow, np.asarray(indices).tolist(), together=True)
    first = np.shape(values[0])
    if not shapes.compatible(element_shape._raw, first):
        raise wrong(
            f"TensorArray was passed element_shape {element_shape_text(element_shape._raw)} which does not match the "
            f"Tensor at index 0: {shapes.shape_text(first)}"
        )
    for i, value in enumerate(values):
        if np.shape(value) != first:
            raise wrong(
                f"TensorArray has inconsistent shapes.  Index 0 has shape: {shapes.shape_text(first)} but index {i} "
                f"has shape: {shapes.shape_text(np.shape(value))}"
            )
    return _joined(xp, values, dtype)


def _known(shape: TensorShape, name: str, deed: str) -> Any:
    if not shape.is_fully_defined():
        raise errors.UnimplementedError(
            None, None,
            f"TensorArray has size zero, but {name} {element_shape_text(shape._raw)} is not fully defined. "
            f"Currently only static shapes are supported when {deed} zero-size TensorArrays.",
        )  # fmt: skip
    return shape._raw


def _gather_gradient(op: Any, dy: Any) -> list[Any]:
    """The rows of dy at the places that were read."""
    grad_handle, empty = _begun(op, op.inputs[2], dy)
    with name_scope("TensorArrayScatter"):
        value = as_tensor(dy, name="value")
        return [None, None, apply(TENSOR_ARRAY_SCATTER, grad_handle, op.inputs[1], value, empty)]


TENSOR_ARRAY_GATHER = define(
    "TensorArrayGatherV3", "handle: resource, indices: int32, flow_in: float32", "value: dtype",
    attrs={"dtype": REQUIRED, "element_shape": TensorShape(None)}, shape=_gathered, kernel=_gather,
    gradient=_gather_gradient,
)  # fmt: skip


# -- elements that differ in their first dimension ---------------------------------------------


def _split_checked(handle: Tensor, value: Tensor, lengths: Tensor, flow_in: Tensor) -> RawShape:
    _check(handle, flow_in)
    shape_rules.with_rank(lengths, 1)
    return ()


def _split(xp: Any, array: Any, value: Any, lengths: Any, flow: Any, *, T: DType) -> Any:
    _check_type(array, T, "is trying to write dtype")
    if np.ndim(lengths) != 1:
        raise wrong(f"Expected lengths to be a vector, received shape: {shapes.shape_text(np.shape(lengths))}")
    if not np.shape(value):
        raise wrong("Expected value to be at least a vector, but received shape: []")
    if isinstance(array, DenseArray):
        return array.split(flow, value, lengths)
    ends = np.cumsum(lengths).tolist()
    total = ends[-1] if ends else 0
    if total != np.shape(value)[0]:
        raise wrong(
            f"Expected sum of lengths to be equal to values.shape[0], but sum of lengths is {total} and value's "
            f"shape is: {shapes.shape_text(np.shape(value))}"
        )
    length = array.elements(flow).length
    if length != len(ends) and not array.dynamic:
        raise wrong(
            f"TensorArray's size is not equal to the size of lengths ({length} vs. {len(ends)}), and the TensorArray "
            "is not marked as dynamically resizeable"
        )
    array.pieces = len(ends)
    return array.written(flow, enumerate(value[start:end] for start, end in itertools.pairwise([0, *ends])))


def _split_gradient(op: Any, dflow: Tensor) -> list[Any]:
    """What was written moves what is read of its pieces."""
    grad_handle, flow = _continued(op, dflow)
    dvalue, _ = apply(TENSOR_ARRAY_CONCAT, grad_handle, flow, dtype=op.attrs["T"])
    return [None, dvalue, None, _passed_on(op.inputs[3], dflow)]


TENSOR_ARRAY_SPLIT = define(
    "TensorArraySplitV3", "handle: resource, value: T, lengths: int64, flow_in: float32", "flow_out: float32",
    shape=_split_checked, kernel=_split, static=("lengths",), gradient=_split_gradient,
)  # fmt: skip


def _concatenated(handle: Tensor, flow_in: Tensor) -> list[RawShape]:
    _check(handle, flow_in)
    return [None, (None,)]


def _concat(xp: Any, array: Any, flow: Any, *, dtype: DType, element_shape_except0: TensorShape) -> list[Any]:
    _check_type(array, dtype, "requested dtype")
    count = array.elements(flow).length
    if array.order and array.pieces is not None:
        count = array.pieces
    if not count:
        rest = _known(element_shape_except0, "element_shape_except0", "concatenating")
        return [xp.zeros((0, *rest), dtype.np), np.zeros(0, np.int64)]
    if isinstance(array, DenseArray):
        return array.joined(flow)
    values = array.read(xp, flow, list(range(count)), together=True)
    for i, value in enumerate(values):
        if not np.shape(value):
            raise wrong(
                f"Concat saw a scalar shape at index {i} but requires at least vectors.  Did you mean to call pack?"
            )
    first = np.shape(values[0])[1:]
    if not shapes.compatible(element_shape_except0._raw, first):
        raise wrong(
            f"TensorArray was passed element_shape_except0 {element_shape_text(element_shape_except0._raw)} but index "
            f"0 has (excepting dimension 0) shape: {shapes.shape_text(first)} which does not match."
        )
    for i, value in enumerate(values):
        if np.shape(value)[1:] != first:
            raise wrong(
                "TensorArray has inconsistent shapes.  Index 0 has (excepting dimension 0) shape: "
                f"{shapes.shape_text(first)} but index {i} has (excepting dimension 0) shape: "
                f"{shapes.shape_text(np.shape(value)[1:])}"
            )
    return [xp.concatenate(values), np.array([np.shape(v)[0] for v in values], np.int64)]


def _concat_gradient(op: Any, dy: Any, _: Any) -> list[Any]:
    """The pieces of dy at the places that were read."""
    grad_handle, empty = _begun(op, op.inputs[1], dy)
    with name_scope("TensorArraySplit"):
        value = as_tensor(dy, name="value")
        lengths = arithmetic.cast(op.outputs[1], dtypes.int64)
        return [None, apply(TENSOR_ARRAY_SPLIT, grad_handle, value, lengths, empty)]


TENSOR_ARRAY_CONCAT = define(
    "TensorArrayConcatV3", "handle: resource, flow_in: float32", "value: dtype, lengths: int64",
    attrs={"dtype": REQUIRED, "element_shape_except0": TensorShape(None)}, shape=_concatenated, kernel=_concat,
    gradient=_concat_gradient,
)  # fmt: skip

__all__ = ["gradient_source", "tensor_array_grad_with_shape"]
