"""``EagerTensor``: a tensor that has its value.

For the library it is the output of a ``Const``, so all that is worked out of constants while a graph is
built (shapes, axes, branches) holds for it without further ado.  A handle to something that lasts, such as
a variable, is the output of the op that made it.  The program, as in TensorFlow, sees neither op nor graph.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from retrograd.eager.operation import EagerOperation
from retrograd.graph import shapes
from retrograd.graph.convert import symbolic_input
from retrograd.graph.definition import known
from retrograd.graph.dtypes import DType
from retrograd.graph.shapes import RawShape
from retrograd.graph.source import is_called_by_user
from retrograd.graph.tensor import Tensor
from retrograd.graph.uids import uid

if TYPE_CHECKING:
    from retrograd.graph.graph import Graph
    from retrograd.graph.operation import Operation

_ARRAYS = (np.ndarray, np.generic)
CPU = "/job:localhost/replica:0/task:0/device:CPU:0"


class EagerTensor(Tensor):
    """A value: an array that nobody changes, or what a handle stands for."""

    readers = ()  # type: ignore[assignment]
    variable: Any = None  # of the handle of a trainable variable, a weak reference to that
    holder: Any = None  # of the handle of any variable, the same
    producer: EagerOperation | None = None  # the op that made it, of a handle
    _number: int | None = None
    _known_shape = None

    def __init__(self, value: Any, dtype: DType) -> None:
        self.value_now = value
        self.dtype = dtype
        self.dims = value.shape if isinstance(value, _ARRAYS) else ()

    def set_shape(self, shape: Any) -> None:
        """Check that the shape of the value is compatible with ``shape``.

        Raises:
          ValueError: it is not.
        """
        if not shapes.compatible(self.dims, shapes.raw(shape)):
            raise ValueError(f"Tensor's shape {self.dims} is not compatible with supplied shape {shape}")

    # -- what it is to the library -------------------------------------------------------------

    @property
    def op(self) -> Operation:  # type: ignore[override]
        """What made it: a ``Const`` that holds its value, unless it is a handle."""
        if is_called_by_user():
            raise _meaningless("op")
        if self.producer is not None:
            return self.producer
        constant = known("Const")
        assert constant is not None
        return EagerOperation(constant, "Const", (), {"value": self.value_now, "dtype": self.dtype}, [self])

    @property
    def graph(self) -> Graph:
        """The graph that runs its ops at once."""
        if is_called_by_user():
            raise _meaningless("graph")
        from retrograd.eager.graph import eager_graph

        return eager_graph()

    @property
    def name(self) -> str:
        """That of the op that made it."""
        if is_called_by_user():
            raise _meaningless("name")
        return "Const:0" if self.producer is None else f"{self.producer.name}:0"

    @property
    def value_index(self) -> int:  # type: ignore[override]
        if is_called_by_user():
            raise _meaningless("value_index")
        return 0

    @property
    def _id(self) -> int:
        if self._number is None:
            self._number = uid()
        return self._number

    @property
    def device(self) -> str:
        return CPU

    @property
    def backing_device(self) -> str:
        """The device whose memory holds the value."""
        return CPU

    # -- its value -----------------------------------------------------------------------------

    def numpy(self) -> Any:
        """The value: an array of the caller's own, or a scalar.

        Raises:
          ValueError: it is a handle.
        """
        value = self._numpy()
        return value.copy() if isinstance(value, np.ndarray) else value

    def _numpy(self) -> Any:
        value = self.value_now
        if self.producer is not None or self.dtype.name in ("resource", "variant"):
            raise ValueError(f"Cannot convert a Tensor of dtype {self.dtype.name} to a NumPy array.")
        return value[()] if isinstance(value, np.ndarray) and not value.ndim else value

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.dims or ())

    def _num_elements(self) -> int:
        return int(np.size(self.value_now))

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        value = np.asarray(self._numpy() if self.dtype.name == "string" else self.value_now)
        return value.copy() if dtype is None else value.astype(dtype)

    def __bool__(self) -> bool:  # type: ignore[override]
        return bool(self._numpy())

    __nonzero__ = __bool__  # type: ignore[assignment]

    def __int__(self) -> int:
        return int(self._numpy())

    def __float__(self) -> float:
        return float(self._numpy())

    def __complex__(self) -> complex:
        return complex(self._numpy())

    def __index__(self) -> int:
        found = self._numpy()
        return int(found) if self.dtype.is_integer and not self.dims else found.__index__()

    def __round__(self, ndigits: int | None = None) -> Any:
        return round(self._numpy(), ndigits) if ndigits is not None else round(self._numpy())

    def __format__(self, format_spec: str) -> str:
        if self.dims:
            return format(self._numpy(), format_spec) if not format_spec else self.numpy().__format__(format_spec)
        return format(self._numpy(), format_spec)

    def __len__(self) -> int:  # type: ignore[override]
        if not self.dims:
            raise TypeError("Scalar tensor has no `len()`")
        return self.dims[0] or 0

    def __iter__(self) -> Iterator[Any]:  # type: ignore[override]
        if not self.dims:
            raise TypeError("Cannot iterate over a scalar tensor.")
        return iter([self[i] for i in range(self.dims[0] or 0)])

    def __reduce__(self) -> Any:
        return _restored, (np.asarray(self._numpy()), self.dtype)

    def __deepcopy__(self, memo: dict[int, Any]) -> EagerTensor:
        return self

    def cpu(self) -> EagerTensor:
        """This tensor, which is in the memory of the CPU."""
        return self

    def gpu(self, gpu_index: int = 0) -> NoReturn:
        """A copy in the memory of a GPU.

        Raises:
          RuntimeError: always, as no GPU is used.
        """
        raise RuntimeError(f"GPU:{gpu_index} unknown device.")

    def eval(self, feed_dict: Any = None, session: Any = None) -> NoReturn:
        """Nothing: there is no session.

        Raises:
          NotImplementedError: always.
        """
        raise NotImplementedError("eval is not supported when eager execution is enabled, is .numpy() what you're "
                                  "looking for?")  # fmt: skip

    def consumers(self) -> NoReturn:
        """Nothing: no op is kept.

        Raises:
          NotImplementedError: always.
        """
        raise NotImplementedError("Tensor.consumers is meaningless when eager execution is enabled.")

    def __str__(self) -> str:
        return f"tf.Tensor({numpy_text(self)}, shape={_tuple_text(self.dims)}, dtype={self.dtype.name})"

    def __repr__(self) -> str:
        text = numpy_text(self, is_repr=True)
        return f"<tf.Tensor: id={self._id}, shape={_tuple_text(self.dims)}, dtype={self.dtype.name}, numpy={text}>"

    __hash__ = object.__hash__
    __eq__ = object.__eq__


def _meaningless(attribute: str) -> AttributeError:
    return AttributeError(f"Tensor.{attribute} is meaningless when eager execution is enabled.")


def _restored(value: Any, dtype: DType) -> EagerTensor:
    return EagerTensor(value, dtype)


def _tuple_text(dims: RawShape) -> str:
    return str(tuple(int(n or 0) for n in dims or ()))


def refuse_symbolic(tensors: Iterable[Any]) -> None:
    """Raises ``TypeError`` if one of ``tensors`` belongs to a graph, and has no value."""
    for tensor in tensors:
        if not isinstance(tensor, EagerTensor):
            raise symbolic_input(tensor)


def numpy_text(tensor: EagerTensor, is_repr: bool = False) -> str:
    """The value as text; one of several lines starts on a line of its own."""
    if tensor.dtype.name in ("resource", "variant"):
        return "<unprintable>"
    value = tensor._numpy()
    if isinstance(value, np.generic):  # without the name of its type, which NumPy 2 writes
        text = str(value.item() if value.dtype.kind in "US" else value)
    else:
        text = repr(value) if is_repr else str(value)
    return f"\n{text}" if "\n" in text else text
