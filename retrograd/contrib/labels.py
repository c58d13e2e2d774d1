"""``tf.contrib.labeled_tensor``: tensors whose axes have names, and perhaps a label for each of their places.

An op that takes two brings equal axes together by name; an axis that one of them lacks is broadcast.  Source:
TensorFlow 1.15.5, ``contrib/labeled_tensor/python/ops/core.py``: names of nodes, messages.
"""

from __future__ import annotations

import numbers
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from retrograd.graph.convert import as_tensor, register_tensor_conversion_function
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import Dimension
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, permuting

_ORDER = "__axis_order"


class AxisOrderError(ValueError):
    """Axes that do not stand in the order that is asked for."""


class Axis:
    """The name of a dimension with its size, or with a label for each place.

    Args:
      value: a size, None where it is not known, or labels.

    Raises:
      TypeError: no name, or neither size nor labels.
      ValueError: a label stands twice.
    """

    def __init__(self, name: str, value: Any) -> None:
        if not isinstance(name, str):
            raise TypeError(f"Argument 'name' must be a string, got {name!r}")
        self._labels: tuple[Any, ...] | None = None
        if value is None or isinstance(value, int | Dimension):
            self._dimension = Dimension(value)
        elif isinstance(value, str) or not hasattr(value, "__len__"):
            raise TypeError(f"Argument 'value' must be a size or labels, got {value!r}")
        else:
            self._dimension, self._labels = Dimension(len(value)), tuple(value)
        if self._dimension.value == 0:
            self._labels = ()
        self._places = None if self._labels is None else {label: i for i, label in enumerate(self._labels)}
        if self._labels is not None and len(self._places or ()) != len(self._labels):
            raise ValueError(f"Tick labels must be unique, but got {self._labels}")
        self._name = name

    @property
    def name(self) -> str:
        """What it is called."""
        return self._name

    @property
    def dimension(self) -> Dimension:
        """Its size, as a dimension."""
        return self._dimension

    @property
    def size(self) -> int | None:
        """Its size; None if it is not known."""
        return self._dimension.value

    @property
    def labels(self) -> tuple[Any, ...] | None:
        """Its labels, if it has some."""
        return self._labels

    @property
    def value(self) -> Any:
        """Its labels, else its dimension."""
        return self._dimension if self._labels is None else self._labels

    def index(self, value: Any) -> int:
        """Where a label stands."""
        if self._places is None:
            raise ValueError("Axis does not have tick labels")
        return self._places[value]

    def __repr__(self) -> str:
        return f"{type(self).__name__}('{self.name}', {self.value!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Axis) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def _identity(self) -> tuple[Any, ...]:
        return self.name, self.size, self.labels

    def __len__(self) -> int:
        if self.size is None:
            raise ValueError(f"axis {self.name!r} has unknown length")
        return self.size


def as_axis(axis_data: Any) -> Axis:
    """An axis, of itself or of (name, size or labels)."""
    return axis_data if isinstance(axis_data, Axis) else Axis(*axis_data)


class Axes(Mapping[str, Axis]):
    """Axes in order, by name.

    Raises:
      ValueError: a name stands twice.
    """

    def __init__(self, axes: Iterable[Any]) -> None:
        self._axes: dict[str, Axis] = {}
        for axis in map(as_axis, axes):
            if axis.name in self._axes:
                raise ValueError(f"Duplicate axis name: {axis.name}")
            self._axes[axis.name] = axis

    def __iter__(self) -> Iterator[str]:
        return iter(self._axes)

    def __getitem__(self, name: str) -> Axis:
        if not isinstance(name, str):
            raise TypeError(f"Argument 'name' must be a string, got {name!r}")
        return self._axes[name]

    def __contains__(self, name: object) -> bool:
        return name in self._axes

    def __len__(self) -> int:
        return len(self._axes)

    def __hash__(self) -> int:
        return hash(tuple(self.items()))

    def __repr__(self) -> str:
        return _listed(f"{type(self).__name__}([", self) + "])"

    def remove(self, axis_name: str) -> Axes:
        """The axes without one."""
        if axis_name not in self:
            raise KeyError(axis_name)
        return Axes([axis for axis in self.values() if axis.name != axis_name])


def _listed(head: str, axes: Axes) -> str:
    """The axes, one below the other, behind a head."""
    lines = [f"('{axis.name}', {axis.value!r})" for axis in axes.values()]
    return head + (",\n" + " " * len(head)).join(lines)


class LabeledTensor:
    """A tensor with an axis for each of its dimensions.

    Args:
      axes: axes, (name, value), or names alone.

    Raises:
      TypeError: no tensor.
      ValueError: as many axes as the tensor has not dimensions, or of another size.
    """

    def __init__(self, tensor: Tensor, axes: Any) -> None:
        if not isinstance(tensor, Tensor):
            raise TypeError(f"Argument 'tensor' must be a tensor, got {tensor!r}")
        shape = tensor.get_shape()
        if not isinstance(axes, Axes):
            given = [(axis, shape[i]) if isinstance(axis, str) else axis for i, axis in enumerate(axes)]
            axes = Axes(given)
        if len(shape) != len(axes):
            raise ValueError(f"Tensor rank was not equal to the number of axes: {shape!r}, {axes!r}")
        for dimension, axis in zip(shape, axes.values(), strict=True):
            if None not in (dimension.value, axis.size) and dimension.value != axis.size:
                raise ValueError(
                    f"Provided axis size {axis.size} does not match tensor dimension size {dimension}in tensor "
                    f"{tensor!r}"
                )
        self._tensor, self._axes = tensor, axes

    @property
    def tensor(self) -> Tensor:
        """The tensor."""
        return self._tensor

    @property
    def axes(self) -> Axes:
        """Its axes."""
        return self._axes

    @property
    def dtype(self) -> Any:
        """The dtype of the tensor."""
        return self._tensor.dtype

    @property
    def shape(self) -> Any:
        """The shape of the tensor."""
        return self._tensor.shape

    @property
    def name(self) -> str:
        """The name of the tensor."""
        return self._tensor.name

    def get_shape(self) -> Any:
        """The shape of the tensor."""
        return self._tensor.get_shape()

    def _as_graph_element(self) -> Tensor:
        return self._tensor

    def __repr__(self) -> str:
        head = f"<{type(self).__name__} '{self.name}' shape={self.shape} dtype={self.dtype.name}\n"
        return head + _listed(" axes=[", self.axes) + "]>"

    def __getitem__(self, key: Any) -> LabeledTensor:
        key = key if isinstance(key, tuple) else (key,)
        if len(key) != len(self.axes):
            raise ValueError(f"indexer {key!r} must have the same length as the Tensor rank ({len(self.axes)!r})")
        return slice_(self, dict(zip(self.axes, key, strict=True)))

    def __pos__(self) -> LabeledTensor:
        return self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LabeledTensor) and self.tensor is other.tensor and self.axes == other.axes

    def __hash__(self) -> int:
        return hash((self.tensor, self.axes))


def _tensor_of(value: LabeledTensor, dtype: Any = None, name: str | None = None, as_ref: bool = False) -> Tensor:
    return as_tensor(value.tensor, dtype, name=name)


register_tensor_conversion_function(LabeledTensor, _tensor_of)


def convert_to_labeled_tensor(value: Any, dtype: Any = None, name: str | None = None) -> LabeledTensor:
    """A labeled tensor, of itself or of a single number or string.

    Raises:
      TypeError: a list, or anything else that is neither an array nor a tensor nor one value.
      ValueError: dimensions without names.
    """
    if not isinstance(value, LabeledTensor | Tensor | np.ndarray | np.generic | numbers.Number | bytes | str):
        raise TypeError(f"{value!r} of type {type(value)!r} is not an instance of the allowed types")
    axes = list(value.axes.values()) if isinstance(value, LabeledTensor) else []
    tensor = as_tensor(value.tensor if isinstance(value, LabeledTensor) else value, dtype, name=name)
    if len(tensor.get_shape()) != len(axes):
        raise ValueError(
            "cannot automatically convert unlabeled arrays or tensors with rank>0 into LabeledTensors: " + repr(value)
        )
    return LabeledTensor(tensor, axes)


def concat_axes(axes: Any) -> Axis:
    """Axes of one name behind each other: labeled where all are, of an unknown size where one is.

    Raises:
      TypeError: no axes.
      ValueError: none, or of several names.
    """
    if not axes:
        raise ValueError("axes must not be empty")
    for axis in axes:
        if not isinstance(axis, Axis):
            raise TypeError(f"Expected an Axis, but got {axis!r} of type {type(axis)!r}")
    names = {axis.name for axis in axes}
    if len(names) > 1:
        raise ValueError(f"axes do not all have the same name: {names!r}")
    if all(axis.labels is not None for axis in axes):
        return Axis(names.pop(), tuple(label for axis in axes for label in axis.labels))
    unknown = any(axis.size is None for axis in axes)
    return Axis(names.pop(), None if unknown else sum(len(axis) for axis in axes))


def identity(labeled_tensor: Any, name: str | None = None) -> LabeledTensor:
    """The same tensor, by another node."""
    with name_scope(name, "lt_identity", [labeled_tensor]) as scope:
        x = convert_to_labeled_tensor(labeled_tensor)
        return LabeledTensor(arrays.identity(x.tensor, name=scope), x.axes)


def slice_(labeled_tensor: Any, selection: Mapping[str, Any], name: str | None = None) -> LabeledTensor:
    """What stands at places: ``selection`` has an integer or a slice for the name of an axis."""
    with name_scope(name, "lt_slice", [labeled_tensor]) as scope:
        x = convert_to_labeled_tensor(labeled_tensor)
        places = [selection.get(axis, slice(None)) for axis in x.axes]
        part = x.tensor[tuple(places)]
        axes = [
            axis.name if axis.labels is None else (axis.name, axis.labels[place])
            for axis, place in zip(x.axes.values(), places, strict=True)
            if isinstance(place, slice)
        ]
        return LabeledTensor(arrays.identity(part, name=scope), axes)


def transpose(labeled_tensor: Any, axis_order: Any = None, name: str | None = None) -> LabeledTensor:
    """The axes in another order: by default the other way round.

    Raises:
      ValueError: not the names of the axes.
    """
    with name_scope(name, "lt_transpose", [labeled_tensor]) as scope:
        x = convert_to_labeled_tensor(labeled_tensor)
        names = list(x.axes)
        order = names[::-1] if axis_order is None else list(axis_order)
        if sorted(order) != sorted(names):
            raise ValueError(
                "The new axis order must have the same names as the original axes, but the new order is "
                f"{axis_order!r} while the original order is {names!r}"
            )
        turned = permuting.transpose(x.tensor, [names.index(n) for n in order], name=scope)
        return LabeledTensor(turned, [x.axes[n] for n in order])


def expand_dims(labeled_tensor: Any, axes: Any, name: str | None = None) -> LabeledTensor:
    """With further axes of size 1: ``axes`` lists the names of all, or (name, label) of new ones."""
    with name_scope(name, "lt_expand_dims", [labeled_tensor]) as scope:
        x = convert_to_labeled_tensor(labeled_tensor)
        check_axis_order(x, [a if isinstance(a, str) else a[0] for a in axes])
        made: list[Any] = []
        for axis in axes:
            if axis in x.axes:
                made.append(x.axes[axis])
            else:
                made.append(Axis(axis, 1) if isinstance(axis, str) else Axis(axis[0], (axis[1],)))
        shape = [-1 if axis.size is None else axis.size for axis in made]
        return LabeledTensor(arrays.reshape(x.tensor, shape, name=scope), made)


# -- orders of axes --------------------------------------------------------------------------------


def get_axis_order() -> list[str] | None:
    """The order of the innermost ``axis_order_scope``."""
    orders = default_graph().get_collection(_ORDER)
    return orders[0] if orders else None


@contextmanager
def axis_order_scope(axis_order: Any = None) -> Iterator[Any]:
    """Inside, axes of results stand in this order."""
    held = default_graph().get_collection_ref(_ORDER)
    before = held[:]
    held[:] = [axis_order]
    try:
        yield axis_order
    finally:
        held[:] = before


def _order_or_scope(axis_order: Any) -> Any:
    order = get_axis_order() if axis_order is None else axis_order
    if order is None:
        raise AxisOrderError(
            "an explicit axis order must be provided with the axis_order argument or by using an axis_order_scope"
        )
    return order


def check_axis_order(labeled_tensor: Any, axis_order: Any = None) -> None:
    """The axes stand in the order of ``axis_order``, by default of the scope.

    Raises:
      AxisOrderError: they do not, or one is not in it.
    """
    x = convert_to_labeled_tensor(labeled_tensor)
    order = _order_or_scope(axis_order)
    wanted = [name for name in order if name in x.axes]
    if len(wanted) < len(x.axes):
        raise AxisOrderError(f"not all axis names appear in the required axis order {order!r}: {x!r}")
    if wanted != list(x.axes):
        raise AxisOrderError(
            f"axes on a labeled tensor do not appear in the same order as the required axis order {order!r}: {x!r}"
        )


def impose_axis_order(labeled_tensor: Any, axis_order: Any = None, name: str | None = None) -> LabeledTensor:
    """The axes in the order of ``axis_order``, by default of the scope."""
    with name_scope(name, "lt_impose_axis_order", [labeled_tensor]) as scope:
        x = convert_to_labeled_tensor(labeled_tensor)
        return transpose(x, [n for n in _order_or_scope(axis_order) if n in x.axes], name=scope)


def _merged(a: list[str], b: list[str]) -> list[str] | None:
    """An order in which both stand as they do; None if there is none."""
    merged: list[str] = []
    a, b = a[:], b[:]
    while a and b:
        if a[0] == b[0]:
            merged.append(a.pop(0))
            b.pop(0)
        elif a[0] not in b:
            merged.append(a.pop(0))
        elif b[0] not in a:
            merged.append(b.pop(0))
        else:
            return None
    return merged + a + b


def align(
    labeled_tensor_0: Any, labeled_tensor_1: Any, name: str | None = None
) -> tuple[LabeledTensor, LabeledTensor, Axes]:
    """Both with all axes of both, of size 1 where one lacks it, and the axes of what they are broadcast to.

    Raises:
      ValueError: axes of one name that are not equal; as AxisOrderError, no common order.
    """
    with name_scope(name, "lt_align", [labeled_tensor_0, labeled_tensor_1]) as scope:
        x, y = convert_to_labeled_tensor(labeled_tensor_0), convert_to_labeled_tensor(labeled_tensor_1)
        for shared in [n for n in x.axes if n in y.axes]:
            if x.axes[shared] != y.axes[shared]:
                raise ValueError(
                    f"Mismatched {shared!r} axis on input tensors: {x.axes[shared]!r} and {y.axes[shared]!r}"
                )
        order: list[str] | None = get_axis_order()
        if order is not None:
            check_axis_order(x, order)
            check_axis_order(y, order)
            order = [n for n in order if n in x.axes or n in y.axes]
        else:
            order = _merged(list(x.axes), list(y.axes))
        if order is None:
            raise AxisOrderError(
                "No consistent axis order allows for aligning tensors with axis orders "
                f"{x.axes.keys()!r} and {y.axes.keys()!r} without copying data. Use transpose or impose_axis_order to "
                "reorder axes on one of more of the inputs."
            )
        wide = [expand_dims(each, order, name=f"{scope}{i}") for i, each in enumerate((x, y))]
        return wide[0], wide[1], Axes([x.axes[n] if n in x.axes else y.axes[n] for n in order])


# -- ops of one and of two -------------------------------------------------------------------------


def define_unary_op(op_name: str, elementwise_function: Callable[..., Any]) -> Callable[..., LabeledTensor]:
    """An op on a labeled tensor, of ``f(tensor, name)``."""

    def op(labeled_tensor: Any, name: str | None = None) -> LabeledTensor:
        with name_scope(name, f"lt_{op_name}", [labeled_tensor]) as scope:
            x = convert_to_labeled_tensor(labeled_tensor)
            return LabeledTensor(elementwise_function(x.tensor, name=scope), x.axes)

    op.__name__, op.__doc__ = op_name, f"``tf.{op_name}`` of each element."
    return op


def define_binary_op(op_name: str, elementwise_function: Callable[..., Any]) -> Callable[..., LabeledTensor]:
    """An op on two labeled tensors, which are aligned first, of ``f(tensor, tensor, name)``."""

    def op(labeled_tensor_0: Any, labeled_tensor_1: Any, name: str | None = None) -> LabeledTensor:
        with name_scope(name, f"lt_{op_name}", [labeled_tensor_0, labeled_tensor_1]) as scope:
            x, y, axes = align(labeled_tensor_0, labeled_tensor_1)
            return LabeledTensor(elementwise_function(x.tensor, y.tensor, name=scope), axes)

    op.__name__, op.__doc__ = op_name, f"``tf.{op_name}`` of each two elements."
    return op
