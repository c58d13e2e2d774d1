"""``AutoCastVariable``: a variable that layers of mixed precision read in another dtype than they keep it in."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from retrograd.eager.tensor import numpy_text
from retrograd.graph.dtypes import DType, as_dtype
from retrograd.graph.scopes import colocate_with, device
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.ops import casts
from retrograd.state.resource import BaseResourceVariable, is_resource_variable


class _Reading(threading.local):
    """The dtype that variables of this thread are read in; None for their own."""

    dtype: DType | None = None


_reading = _Reading()


@contextmanager
def variables_read_as(dtype: Any) -> Iterator[None]:
    """Let an ``AutoCastVariable`` be read in this dtype within the block; in its own if that is no float, or None."""
    before = _reading.dtype
    wanted = None if dtype is None else as_dtype(dtype)
    _reading.dtype = wanted if wanted is not None and wanted.is_floating else None
    try:
        yield
    finally:
        _reading.dtype = before


class AutoCastVariable(BaseResourceVariable):
    """A view of a variable of floats, whose values come in the dtype of ``variables_read_as``.

    What is assigned to it is in its own dtype, ``true_dtype``.

    Raises:
      ValueError: it is no resource variable, or one of other values than floats.
    """

    __slots__ = ("_variable",)  # beside the attributes, which are those of the variable

    def __init__(self, variable: Any) -> None:
        if not is_resource_variable(variable):
            raise ValueError(f"variable must be of type tf.ResourceVariable, but got: {variable}")
        if not variable.dtype.is_floating:
            raise ValueError(f"variable must be a floating point variable but has type: {variable.dtype.name}")
        self.__dict__ = variable.__dict__
        self._variable = variable

    @property
    def true_dtype(self) -> DType:
        """The dtype of the variable."""
        return self._dtype

    @property
    def dtype(self) -> DType:
        """The dtype that it is read in here."""
        return _reading.dtype or self._dtype

    def _cast(self, value: Tensor) -> Tensor:
        return value if self.dtype == self._dtype else casts.cast(value, self.dtype)  # type: ignore[no-any-return]

    def value(self) -> Tensor:
        value = super().value()
        if self.dtype == self._dtype:
            return value
        with colocate_with(None, ignore_existing=True), device(value.device):
            return self._cast(value)

    def read_value(self) -> Tensor:
        return self._cast(super().read_value())

    def sparse_read(self, indices: Any, name: str | None = None) -> Tensor:
        return self._cast(super().sparse_read(indices, name))

    def __repr__(self) -> str:
        text = f"<AutoCastVariable '{self.name}' shape={self.shape} dtype={self.dtype.name} true_dtype="
        if self._in_graph_mode or not default_graph().is_eager:
            return f"{text}{self.true_dtype.name}>"
        value = numpy_text(self.read_value(), is_repr=True)  # type: ignore[arg-type]
        return f"{text}{self.true_dtype.name}, numpy={value}>"
