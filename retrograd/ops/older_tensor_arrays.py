"""Arrays of tensors as TensorFlow 0.8 to 1.0 wrote them: handles are texts, and references to texts before that.

They are the ops of today under other signatures; what carries the elements is the flow, here as there.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.definition import REQUIRED, Argument, OpDef, define, no_derivative, renamed
from retrograd.graph.shapes import RawShape, TensorShape
from retrograd.graph.tensor import Tensor
from retrograd.ops import tensor_arrays


def _with_texts(arguments: tuple[Argument, ...], is_ref: bool) -> tuple[Argument, ...]:
    """The arguments, with handles that are texts."""
    return tuple(
        replace(argument, dtype=dtypes.string, is_ref=is_ref) if argument.dtype is dtypes.resource else argument
        for argument in arguments
    )


def _first(function: Callable[..., Any] | None) -> Callable[..., Any]:
    """The handle alone: these ops give no flow beside it."""
    assert function is not None

    @functools.wraps(function)
    def first(*inputs: Any, **attrs: Any) -> Any:
        return function(*inputs, **attrs)[0]

    return first


def _make(
    xp: Any, size: Any, *, dtype: Any, dynamic_size: bool, clear_after_read: bool, tensor_array_name: Any,
    element_shape: TensorShape,
) -> Any:  # fmt: skip
    return _first(tensor_arrays.TENSOR_ARRAY.kernel)(
        xp, size, dtype=dtype, element_shape=element_shape, dynamic_size=dynamic_size,
        clear_after_read=clear_after_read, identical_element_shapes=False, tensor_array_name=tensor_array_name,
    )  # fmt: skip


_ATTRS = {
    "dtype": REQUIRED, "dynamic_size": False, "clear_after_read": True, "tensor_array_name": "",
    "element_shape": TensorShape(None),
}  # fmt: skip
_ATTRS_V2 = {"dtype": REQUIRED, "element_shape": TensorShape(None), **_ATTRS}  # as its bare function has them


def _older(definition: OpDef, suffix: str, removed: tuple[int, str] | None, **changes: Any) -> None:
    is_ref = not suffix
    renamed(
        definition, definition.name.removesuffix("V3") + suffix, removed,
        inputs=_with_texts(definition.inputs, is_ref and definition is not tensor_arrays.TENSOR_ARRAY_GRAD),
        outputs=_with_texts(definition.outputs, is_ref), gradient=no_derivative, **changes,
    )  # fmt: skip


for _suffix, _since in (("", 16), ("V2", 26)):
    _array = replace(tensor_arrays.TENSOR_ARRAY, outputs=tensor_arrays.TENSOR_ARRAY.outputs[:1])
    _older(
        _array, _suffix, (_since, "Use TensorArrayV3"), attrs=_ATTRS_V2 if _suffix else _ATTRS, kernel=_make,
        shape=_first(tensor_arrays.TENSOR_ARRAY.shape),
    )  # fmt: skip
    _gradient = tensor_arrays.TENSOR_ARRAY_GRAD
    renamed(
        _gradient, f"TensorArrayGrad{_suffix}", (_since, "Use TensorArrayGradV3"),
        inputs="handle: string, flow_in: float32", kernel=_first(_gradient.kernel), shape=_first(_gradient.shape),
        outputs="grad_handle: string" if _suffix else "grad_handle: ref string",
    )  # fmt: skip
    for _definition in (
        tensor_arrays.TENSOR_ARRAY_WRITE, tensor_arrays.TENSOR_ARRAY_READ, tensor_arrays.TENSOR_ARRAY_GATHER,
        tensor_arrays.TENSOR_ARRAY_SPLIT, tensor_arrays.TENSOR_ARRAY_SIZE, tensor_arrays.TENSOR_ARRAY_CLOSE,
    ):  # fmt: skip
        _older(_definition, _suffix, (_since, f"Use {_definition.name}"))
_older(tensor_arrays.TENSOR_ARRAY_SCATTER, "", (19, "Use TensorArrayGradV3"))
_older(tensor_arrays.TENSOR_ARRAY_SCATTER, "V2", (26, "Use TensorArrayScatterV3"))
_older(tensor_arrays.TENSOR_ARRAY_CONCAT, "", (16, "Use TensorArrayGradV3"))
_older(tensor_arrays.TENSOR_ARRAY_CONCAT, "V2", None)


def _all_places(xp: Any, array: Any, flow: Any) -> Any:
    assert tensor_arrays.TENSOR_ARRAY_SIZE.kernel is not None
    return np.arange(int(tensor_arrays.TENSOR_ARRAY_SIZE.kernel(xp, array, flow)), dtype=np.int32)


def _pack(xp: Any, array: Any, flow: Any, *, dtype: Any, element_shape: TensorShape) -> Any:
    """All elements in one tensor."""
    gather = tensor_arrays.TENSOR_ARRAY_GATHER.kernel
    assert gather is not None
    return gather(xp, array, _all_places(xp, array, flow), flow, dtype=dtype, element_shape=element_shape)


def _unpack(xp: Any, array: Any, value: Any, flow: Any, *, T: Any) -> Any:
    """The rows of a tensor as elements."""
    scatter = tensor_arrays.TENSOR_ARRAY_SCATTER.kernel
    assert scatter is not None
    return scatter(xp, array, np.arange(np.shape(value)[0], dtype=np.int32), value, flow, T=T)


def _packed(handle: Tensor, flow: Tensor, *, element_shape: TensorShape) -> RawShape:
    dims = element_shape._raw
    return None if dims is None else (None, *dims)


define(
    "TensorArrayPack", "handle: ref string, flow_in: float32", "value: dtype",
    attrs={"dtype": REQUIRED, "element_shape": TensorShape(None)}, shape=_packed, kernel=_pack,
    gradient=no_derivative, removed=(16, "Use TensorArrayGatherV3 with RangeOp"),
)  # fmt: skip
define(
    "TensorArrayUnpack", "handle: ref string, value: T, flow_in: float32", "flow_out: float32",
    shape=lambda handle, value, flow: (), kernel=_unpack, gradient=no_derivative,
    removed=(20, "Use TensorArrayScatterV3 with RangeOp"),
)  # fmt: skip
