"""``TensorArray``: a list of tensors that grows while a graph runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

from retrograd.graph import dtypes, log
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.dtypes import DType, as_dtype
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import colocate_with, device, name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.stack import default_graph
from retrograd.graph.static import constant_value
from retrograd.graph.tensor import Tensor, TensorLike
from retrograd.ops import arithmetic, arrays, constants, tensor_arrays


@dataclass
class _Learned:
    """What the states of a list have learned of it together while building."""

    element_shape: TensorShape
    first_written: Operation | None = None


class TensorArray:
    """A list of tensors of one dtype, written and read by index, in loops above all.

    An object is one state of the list: a write gives another object, and whoever reads that one sees what was
    written.  Gradients flow from what is read to what was written.

    Args:
      dtype: of the elements.
      size: how many elements there are.
      dynamic_size: whether a write behind the end makes the list longer.
      clear_after_read: whether an element may be read only once (the default).
      tensor_array_name: what messages call it.
      handle, flow: those of a list that is there already, in the place of a size.
      infer_shape: whether all elements must have one shape.
      element_shape: what is known of it.
      colocate_with_first_write_call: whether writes stand on the device of what is written first.

    Raises:
      ValueError: of ``handle`` and ``size``, or what else describes a new list, both or neither are given.
      TypeError: ``handle`` is no tensor.
    """

    def __init__(
        self,
        dtype: Any,
        size: Any = None,
        dynamic_size: bool | None = None,
        clear_after_read: bool | None = None,
        tensor_array_name: str | None = None,
        handle: Tensor | None = None,
        flow: Tensor | None = None,
        infer_shape: bool = True,
        element_shape: Any = None,
        colocate_with_first_write_call: bool = True,
        name: str | None = None,
    ) -> None:
        _check_arguments(handle, size, dynamic_size, clear_after_read, tensor_array_name, element_shape)
        self._dtype = as_dtype(dtype).base_dtype
        self._dynamic_size = bool(dynamic_size)
        self._infer_shape = infer_shape
        self._is_colocated = colocate_with_first_write_call
        self._learned = _Learned(TensorShape(element_shape))
        with name_scope(name, "TensorArray", _tensors(handle, size, flow)) as scope:
            if handle is None:
                handle, flow = self._made(size, clear_after_read is not False, tensor_array_name or "", scope)
            elif flow is None:
                raise ValueError("flow must not be None if handle is not None.")
        self._handle: Tensor = handle
        self._flow: Tensor = flow

    def _made(self, size: Any, clears: bool, array_name: str, scope: str) -> list[Tensor]:
        with ExitStack() as anywhere:
            if self._is_colocated:
                anywhere.enter_context(device(None))
                anywhere.enter_context(colocate_with(None, ignore_existing=True))
            outputs: list[Tensor] = apply(
                tensor_arrays.TENSOR_ARRAY, size, dtype=self._dtype, element_shape=self.element_shape,
                identical_element_shapes=self._infer_shape, dynamic_size=self._dynamic_size,
                clear_after_read=clears, tensor_array_name=array_name, name=scope,
            )  # fmt: skip
            return outputs

    # -- what it is ----------------------------------------------------------------------------

    @property
    def flow(self) -> Tensor:
        """A number that depends on all that was written to this state."""
        return self._flow

    @property
    def handle(self) -> Tensor:
        """What names the list in a run."""
        return self._handle

    @property
    def dtype(self) -> DType:
        return self._dtype

    @property
    def element_shape(self) -> TensorShape:
        """What is known of the elements' shape."""
        return self._learned.element_shape

    @property
    def dynamic_size(self) -> bool:
        """Whether a write behind the end makes the list longer."""
        return self._dynamic_size

    def size(self, name: str | None = None) -> Tensor:
        """The number of elements."""
        result: Tensor = apply(tensor_arrays.TENSOR_ARRAY_SIZE, self._handle, self._flow, name=name)
        return result

    # -- reading -------------------------------------------------------------------------------

    def read(self, index: Any, name: str | None = None) -> Tensor:
        """The element at ``index``."""
        value: Tensor = apply(
            tensor_arrays.TENSOR_ARRAY_READ, self._handle, index, self._flow, dtype=self.dtype, name=name
        )
        value.set_shape(self.element_shape)
        return value

    def gather(self, indices: Any, name: str | None = None) -> Tensor:
        """The elements at ``indices``, which have one shape, along a new first dimension."""
        value: Tensor = apply(
            tensor_arrays.TENSOR_ARRAY_GATHER, self._handle, indices, self._flow, dtype=self.dtype,
            element_shape=self.element_shape, name=name,
        )  # fmt: skip
        if self.element_shape.dims is not None:
            value.set_shape([None, *self.element_shape.as_list()])
        return value

    def stack(self, name: str | None = None) -> Tensor:
        """All elements, which have one shape, along a new first dimension."""
        with colocate_with(self._handle), name_scope(name, "TensorArrayStack", [self._handle]):
            size = self.size()
            is_known = self.element_shape.is_fully_defined()
            if default_graph().is_eager and not is_known and constant_value(size) == 0:
                return constants.constant([], self.dtype)
            return self.gather(constants.range_(0, size), name=name)

    def concat(self, name: str | None = None) -> Tensor:
        """All elements, one behind the other along their first dimension."""
        value, _ = apply(
            tensor_arrays.TENSOR_ARRAY_CONCAT, self._handle, self._flow, dtype=self.dtype,
            element_shape_except0=self.element_shape[1:], name=name,
        )  # fmt: skip
        if self.element_shape.dims is not None:
            value.set_shape([None, *self.element_shape.as_list()[1:]])
        result: Tensor = value
        return result

    # -- writing -------------------------------------------------------------------------------

    def write(self, index: Any, value: Any, name: str | None = None) -> TensorArray:
        """The list with ``value`` as its element ``index``, which must not have been written before.

        Raises:
          ValueError: ``value`` has another shape than the other elements, and ``infer_shape`` is set.
        """
        with name_scope(name, "TensorArrayWrite", _tensors(self._handle, index, value)):
            value = self._converted(value)
            self._learn_shape(value.shape)
            with self._beside(value):
                flow = apply(tensor_arrays.TENSOR_ARRAY_WRITE, self._handle, index, value, self._flow, name=name)
            return self._with_flow(flow)

    def scatter(self, indices: Any, value: Any, name: str | None = None) -> TensorArray:
        """The list with the rows of ``value`` as its elements ``indices``.

        Raises:
          ValueError: the rows have another shape than the other elements, and ``infer_shape`` is set.
        """
        with name_scope(name, "TensorArrayScatter", _tensors(self._handle, value, indices)):
            value = self._converted(value)
            self._learn_shape(value.shape[1:])
            with self._beside(value):
                flow = apply(tensor_arrays.TENSOR_ARRAY_SCATTER, self._handle, indices, value, self._flow, name=name)
            return self._with_flow(flow)

    def unstack(self, value: Any, name: str | None = None) -> TensorArray:
        """The list with the rows of ``value`` as its first elements."""
        with name_scope(name, "TensorArrayUnstack", _tensors(self._handle, value)):
            count = arrays.shape(value)[0]
            return self.scatter(constants.range_(0, count), value, name=name)

    def split(self, value: Any, lengths: Any, name: str | None = None) -> TensorArray:
        """The list with pieces of ``value`` as its elements; ``lengths`` are their sizes along the first dimension."""
        with name_scope(name, "TensorArraySplit", _tensors(self._handle, value, lengths)):
            value = as_tensor(value, self.dtype, name="value")
            with self._beside(value):
                lengths = arithmetic.cast(lengths, dtypes.int64)
                known = constant_value(lengths)
                if value.dims is not None and known is not None and known.shape and known.max() == known.min():
                    self._learn_shape(TensorShape([known[0]]).concatenate(value.shape[1:]))
                flow = apply(tensor_arrays.TENSOR_ARRAY_SPLIT, self._handle, value, lengths, self._flow, name=name)
            return self._with_flow(flow)

    def _converted(self, value: Any) -> Tensor:
        tensor = as_tensor(value, name="value", preferred_dtype=self.dtype)
        if tensor.dtype.base_dtype is not self.dtype:
            log.error(
                f"Error: Input value {tensor} has dtype {tensor.dtype}, but expected dtype {self.dtype}.  "
                "This leads to undefined behavior and will be an error in future versions of TensorFlow."
            )
        return tensor

    def _learn_shape(self, shape: TensorShape) -> None:
        if not shape.is_compatible_with(self.element_shape):
            raise ValueError(f"Inconsistent shapes: saw {shape} but expected {self.element_shape} ")
        if self._infer_shape:
            self._learned.element_shape = self.element_shape.merge_with(shape)

    @contextmanager
    def _beside(self, value: Tensor) -> Iterator[None]:
        """Build the block's ops where the first value is that was written."""
        if not self._is_colocated:
            yield
            return
        self._learned.first_written = self._learned.first_written or value.op
        with colocate_with(self._learned.first_written):
            yield

    # -- the rest ------------------------------------------------------------------------------

    def identity(self) -> TensorArray:
        """The same list, whose readers wait for what the blocks around ask for."""
        return self._with_flow(arrays.identity(self._flow))

    def _with_flow(self, flow: Tensor) -> TensorArray:
        """The state that ``flow`` tells."""
        array = TensorArray(
            self._dtype, handle=self._handle, flow=flow, infer_shape=self._infer_shape,
            colocate_with_first_write_call=self._is_colocated,
        )  # fmt: skip
        array._dynamic_size, array._learned = self._dynamic_size, self._learned
        return array

    def grad(self, source: str, flow: Tensor | None = None, name: str | None = None) -> TensorArray:
        """The list of gradients with respect to the elements; what is written to one of its places is added up.

        Args:
          source: what tells the gradients of one purpose from those of another; all who name it share one list.
          flow: a state of the list; by default this one.
        """
        flow = self._flow if flow is None else flow
        handle, flow = tensor_arrays.gradient_array(self._handle, flow, tensor_arrays.ByHand(source), name)
        array = TensorArray(
            self._dtype, handle=handle, flow=flow, infer_shape=self._infer_shape, colocate_with_first_write_call=False
        )
        array._learned = self._learned
        return array

    def close(self, name: str | None = None) -> Operation:
        """An op that ends the use of the list in a run."""
        result: Operation = apply(tensor_arrays.TENSOR_ARRAY_CLOSE, self._handle, name=name)
        return result

    def mark_used(self) -> None:
        """Say that it is meant if nobody reads this state; nothing else is ever said of it."""


def build_ta_with_new_flow(old_ta: TensorArray, flow: Tensor) -> TensorArray:
    """Another state of the list of ``old_ta``: the one that ``flow`` tells."""
    return old_ta._with_flow(flow)


def _tensors(*values: Any) -> list[Any]:
    return [v for v in values if isinstance(v, TensorLike)]


def _check_arguments(
    handle: Any, size: Any, dynamic_size: Any, clear_after_read: Any, tensor_array_name: Any, element_shape: Any
) -> None:
    if handle is None:
        if size is None:
            raise ValueError("Size must be provided if handle is not provided")
        return
    if tensor_array_name:
        raise ValueError("Cannot construct with both handle and tensor_array_name")
    if not isinstance(handle, Tensor):
        raise TypeError("Handle must be a Tensor")
    settled = {
        "a handle and size": size, "a handle and element_shape": element_shape,
        "a handle and dynamic_size": dynamic_size, "a handle and clear_after_read": clear_after_read,
    }  # fmt: skip
    for both, value in settled.items():
        if value is not None:
            raise ValueError(f"Cannot provide both {both} at the same time")


__all__ = ["TensorArray", "build_ta_with_new_flow"]
