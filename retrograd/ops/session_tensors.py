"""Tensors that stay in a session between runs, under handles that other runs are fed."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import errors
from retrograd.graph.apply import apply, apply_op
from retrograd.graph.definition import REQUIRED, Effect, define, not_differentiable
from retrograd.graph.dtypes import DType, as_dtype, string
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import colocate_with, device
from retrograd.graph.tensor import Tensor
from retrograd.graph.text import as_text
from retrograd.ops.constants import placeholder

_DEVICE = "/job:localhost/replica:0/task:0/device:CPU:0"


class Kept:
    """The tensors of a session by their handles."""

    def __init__(self) -> None:
        self.values: dict[bytes, Any] = {}
        self.count = 0

    def get(self, handle: bytes) -> Any:
        """The tensor of a handle.

        Raises:
          InvalidArgumentError: it was deleted, or never was.
        """
        try:
            return self.values[bytes(handle)]
        except KeyError:
            raise errors.InvalidArgumentError(
                None, None, f"The tensor with handle '{as_text(bytes(handle))}' is not in the session store."
            ) from None

    def forget(self, handle: bytes) -> None:
        """Delete the tensor of a handle, which must be there."""
        self.get(handle)
        del self.values[bytes(handle)]


class TensorHandle(bytes):
    """A handle, as a run gives it: its text, and a way to its tensor, which goes with the last reference to it."""

    dtype: DType
    _kept: Kept
    _is_owner = True

    @classmethod
    def of(cls, kept: Kept, name: str, value: Any, dtype: DType) -> TensorHandle:
        """Keep ``value``, and give its handle."""
        self = cls(f"{name};{kept.count};{_DEVICE}".encode())
        kept.count += 1
        self._kept, self.dtype = kept, dtype
        kept.values[bytes(self)] = value
        return self

    def __del__(self) -> None:
        if self._is_owner and "_kept" in self.__dict__:
            self._kept.values.pop(bytes(self), None)

    def __str__(self) -> str:
        return self.handle

    @property
    def handle(self) -> str:
        """The text, which is fed."""
        return as_text(bytes(self))

    def eval(self) -> Any:
        """The tensor's value."""
        return self._kept.get(self)

    def to_numpy_array(self) -> Any:
        """The tensor's value."""
        return self.eval()

    def delete(self) -> None:
        """Forget the tensor now."""
        self._kept.forget(self)

    def get_raw_handle(self) -> str:
        """The text; the tensor then stays until it is deleted by an op."""
        self._is_owner = False
        return self.handle


def _kept(memory: Any) -> Kept:
    found: Kept = memory.resource("", "tensors under handles", Kept)
    return found


def _keep(xp: Any, memory: Any, value: Any, *, T: DType) -> TensorHandle:
    value = value.copy() if isinstance(value, np.ndarray) else value  # a variable's array may change
    return TensorHandle.of(_kept(memory), memory.op.name, value, T)


def _look_up(xp: Any, memory: Any, handle: Any, *, dtype: DType) -> Any:
    return _kept(memory).get(np.asarray(handle, object).item())


def _forget(xp: Any, memory: Any, handle: Any) -> list[Any]:
    _kept(memory).forget(np.asarray(handle, object).item())
    return []


_HOST: dict[str, Any] = {"effect": Effect.HOST, "gradient": not_differentiable}
GET_SESSION_HANDLE = define("GetSessionHandle", "value: T", "handle: string", shape=lambda v: (), kernel=_keep, **_HOST)
GET_SESSION_TENSOR = define(
    "GetSessionTensor", "handle: string", "value: dtype", attrs={"dtype": REQUIRED}, shape=lambda h: None,
    kernel=_look_up, **_HOST,
)  # fmt: skip
DELETE_SESSION_TENSOR = define("DeleteSessionTensor", "handle: string", "", shape=lambda h: [], kernel=_forget, **_HOST)


def get_session_handle(data: Any, name: str | None = None) -> Tensor:
    """A tensor whose value in a run is a ``TensorHandle``: the session keeps ``data`` as it is in that run.

    Raises:
      TypeError: ``data`` is no tensor.
    """
    if not isinstance(data, Tensor):
        raise TypeError("`data` must be of type Tensor.")
    with colocate_with(data.op):
        handle: Tensor = apply(GET_SESSION_HANDLE, data, name=name)
    return handle


def get_session_tensor(handle: Any, dtype: Any, name: str | None = None) -> tuple[Tensor, Tensor]:
    """A placeholder of a handle, and the tensor that the session keeps under what is fed."""
    with device(_place_of(handle)):
        holder = placeholder(string)
        tensor: Tensor = apply(GET_SESSION_TENSOR, holder, dtype=as_dtype(dtype), name=name)
    return holder, tensor


def delete_session_tensor(handle: Any, name: str | None = None) -> tuple[Tensor, Operation]:
    """A placeholder of a handle, and the op that deletes the session's tensor under what is fed."""
    with device(_place_of(handle)):
        holder = placeholder(string)
        return holder, apply_op(DELETE_SESSION_TENSOR, holder, name=name)


def _place_of(handle: Any) -> str:
    return as_text(bytes(handle) if isinstance(handle, TensorHandle) else handle).rpartition(";")[2]
