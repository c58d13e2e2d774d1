"""What a graph knows of the elements of lists of tensors, by the ops that the lists come from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from retrograd.graph import dtypes, shapes
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import REQUIRED
from retrograd.graph.dtypes import DType, type_word
from retrograd.graph.functions import stands_for
from retrograd.graph.operation import Operation
from retrograd.graph.shapes import Dimension, RawShape, TensorShape
from retrograd.graph.static import shape_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import kinds
from retrograd.ops.list_values import text, wrong

SHAPE_TYPE = {"shape_type": kinds.INDEX}
ELEMENT = {"element_dtype": REQUIRED}


class Element(NamedTuple):
    """What is known of the elements of a list."""

    dtype: DType
    shape: RawShape


_KNOWN: WeakKeyDictionary[Operation, Element | None] = WeakKeyDictionary()
PASSING = {"Identity", "Enter", "Exit", "NextIteration", "Switch", "ZerosLike", "StridedSlice"}
KNOWN_OF: dict[str, Callable[[Operation], Element]] = {}  # of ops that give a list, what is known of it


def element_of(handle: Tensor, calls: tuple[Operation, ...] = ()) -> Element | None:
    """What is known of the elements of a list; None if it comes from an op that does not say.

    ``calls`` are those whose functions the list is found in, innermost last.
    """
    op = handle.op
    if op.type == "TensorListPopBack" and handle.value_index:
        return None
    elsewhere = stands_for(handle, calls)
    if elsewhere is not None:
        return element_of(*elsewhere)
    if calls and op.type in PASSING:
        return element_of(op.inputs[0], calls)
    if op not in _KNOWN:
        if op.type in KNOWN_OF:
            _KNOWN[op] = KNOWN_OF[op.type](op)
        elif op.type in PASSING:
            _KNOWN[op] = element_of(op.inputs[0])
        elif op.type in ("Pack", "AddN"):
            found = [e for e in map(element_of, op.inputs) if e is not None]
            _KNOWN[op] = found[0] if found else None
        else:
            _KNOWN[op] = None
    return _KNOWN[op]


def wanted_shape(shape: Tensor) -> RawShape:
    """The shape that a tensor holds; a single -1 is an unknown one."""
    return None if shape.dims is None or shape.dims == () else shape_value(shape)


def checked_shape(handle: Tensor, element_dtype: DType, otherwise: str) -> RawShape:
    """What is known of the shape of the elements of a list.

    Raises:
      ValueError: they are of another dtype than the op takes; ``otherwise`` says so of ``{ours}`` and ``{theirs}``.
    """
    known = element_of(handle)
    if known is None:
        return None
    if known.dtype is not element_dtype:
        raise ValueError(otherwise.format(ours=type_word(known.dtype), theirs=type_word(element_dtype)))
    return known.shape


_BUT = "List has type {ours} but trying to push element with type {theirs}"
PUSHED = f"Trying to push to list with wrong element dtype. {_BUT}"
POPPED = f"Trying to read from list with wrong element dtype. {_BUT}"
READ = "Trying to read from list with wrong element dtype. List has type {ours} but expected type {theirs}"
EXPECTED = "Expected list with element dtype {theirs} but got list with element dtype {ours}"


def same_elements(op: Operation) -> Element:
    """The elements of the first input, a list, to which the op holds its own."""
    dtype = op.attrs["element_dtype"]
    known = element_of(op.inputs[0])
    return Element(dtype, None if known is None else known.shape)


def by_shape(at: int) -> Callable[[Operation], Element]:
    return lambda op: Element(op.attrs["element_dtype"], wanted_shape(op.inputs[at]))


def element_shape_of(shape: Any) -> RawShape:
    """The shape that the value of a tensor describes.

    Raises:
      InvalidArgumentError: it is a single number that is not -1.
    """
    if np.ndim(shape) == 0:
        if int(shape) != -1:
            raise wrong("The only valid scalar shape tensor is the fully unknown shape specified as -1.")
        return None
    return tuple(None if n < 0 else int(n) for n in shape)


def check_dtypes(listed: DType, of_op: DType) -> None:
    if listed is not of_op:
        raise wrong(f"Invalid data types; op elements {type_word(of_op)} but list elements {type_word(listed)}")


def full_shape(shape: RawShape, message: str, end: str = "") -> tuple[int, ...]:
    if not shapes.is_known(shape):
        raise wrong(message + text(shape) + end)
    return shape  # type: ignore[return-value]


def zeros_of(dtype: DType, shape: tuple[int, ...]) -> Any:
    if dtype is dtypes.variant:
        return np.zeros(shape, object)
    return np.full(shape, b"", object) if dtype is dtypes.string else np.zeros(shape, dtype.np)


def _build_element_shape(shape: Any) -> Any:
    """A shape as ops on lists take it: a tensor, or numbers with -1 for what is not known."""
    if isinstance(shape, Tensor):
        return shape
    if isinstance(shape, TensorShape):
        shape = shape.as_list() if shape else None
    if shape is None:
        return -1
    if not shape:
        return as_tensor(shape, dtype=dtypes.int32)

    def size(n: Any) -> Any:
        n = n.value if isinstance(n, Dimension) else n
        return -1 if n is None else n

    return [size(n) for n in shape]
