"""Homes: buffers of the device in which variables and random streams live between compiled runs.

A call of an XLA computation costs about a microsecond for each array that it takes, so small values
share one buffer; slicing them out and joining them again costs less.  A large value has a buffer of its own.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from retrograd.ops.apart import copied
from retrograd.ops.kept import Kept

Dims = tuple[int, ...]

SMALL = 8192  # bytes of a value that shares a buffer


class Home:
    """One buffer with the values of ``members``, which have these shapes and one dtype.

    What was last written to a member since the buffer was made is ``pending`` until it is absorbed.
    """

    def __init__(self, members: Sequence[Kept], dims: Sequence[Dims], dtype: np.dtype, lock: threading.RLock) -> None:
        self.members = tuple(members)
        self.dims = tuple(dims)
        self.dtype = dtype
        self.lock = lock  # held while the buffer is handed to a computation that takes it over
        self.buffer: Any = None
        self.is_left = False  # whether its members live elsewhere by now
        self.pending: set[Kept] = set(members)
        self._places = {m: i for i, m in enumerate(members)}
        self._ends = np.cumsum([0, *(prod(d) for d in dims)]).tolist()
        self._arrays: dict[Kept, Any] = {}  # what was read of the buffer as it is now
        for member in members:
            member.home = self

    def dims_of(self, member: Kept) -> Dims:
        """The shape of the value of ``member``."""
        return self.dims[self._places[member]]

    def value_of(self, member: Kept) -> Any:
        """The value of ``member`` as an array of its own, which nobody may change."""
        with self.lock:
            if member in self.pending or self.is_left:
                return member._value
            array = self._arrays.get(member)
            if array is None:
                array = self._arrays[member] = self._part(np.asarray(self.buffer), self._places[member]).copy()
                array.flags.writeable = False
            return array

    def left(self, member: Kept, value: Any) -> None:
        """Take note that ``member`` has got ``value``; one that the buffer cannot hold ends the home."""
        with self.lock:
            if np.shape(value) == self.dims_of(member) and getattr(value, "dtype", None) == self.dtype:
                self.pending.add(member)
                self._arrays.pop(member, None)
            else:
                self._leave(member)

    def _leave(self, cause: Kept) -> None:
        values = {m: cause._value if m is cause else self.value_of(m) for m in self.members}
        self.is_left = True
        self.pending = set(self.members)
        for member, value in values.items():
            member._value = value
            member.home = None
        self.buffer = None
        self._arrays.clear()

    def absorb(self) -> None:
        """Let the buffer hold what is pending."""
        from retrograd.ops.jax_start import jnp

        if len(self.members) == 1:
            self.buffer = jnp.array(self.members[0]._value)
        else:
            whole = np.empty(self._ends[-1], self.dtype) if self.buffer is None else np.array(self.buffer)
            for member in self.pending:
                self._part(whole, self._places[member])[...] = member._value
            self.buffer = jnp.array(whole)
        for member in self.pending:
            member._value = None
        self.pending.clear()

    def take(self, buffer: Any) -> None:
        """Let ``buffer`` hold the values from now on."""
        self.buffer = buffer
        if self._arrays:
            self._arrays.clear()

    def shape(self) -> Dims:
        """The shape of the buffer."""
        return self.dims[0] if len(self.members) == 1 else (self._ends[-1],)

    def parts(self, buffer: Any) -> list[Any]:
        """The values in ``buffer``, which may be traced."""
        return [self._part(buffer, i) for i in range(len(self.members))]

    def copies(self, buffer: Any, members: Sequence[Kept]) -> list[Any]:
        """The values of ``members`` of a traced buffer, each computed by itself."""
        places = [self._places[m] for m in members]
        return copied(buffer, [(self._ends[i], self.dims[i]) for i in places])

    def joined(self, xp: Any, values: Sequence[Any]) -> Any:
        """A buffer with these values, in the order of the members."""
        if len(self.members) == 1:
            return values[0]
        return xp.concatenate([xp.ravel(v) for v in values])

    def _part(self, buffer: Any, i: int) -> Any:
        if len(self.members) == 1:
            return buffer
        return buffer[self._ends[i] : self._ends[i + 1]].reshape(self.dims[i])


def settle(members: Sequence[Kept], dtypes: Sequence[np.dtype], lock: threading.RLock) -> list[Home]:
    """The homes of ``members``, which hold arrays of these dtypes; those that have none yet get one.

    One thread at a time settles members of a session.
    """
    crowds: dict[np.dtype, list[Kept]] = {}
    for member, dtype in zip(members, dtypes, strict=True):
        if member.home is None:
            value = member.value
            if value.nbytes > SMALL:
                Home([member], [value.shape], dtype, lock)
            else:
                crowds.setdefault(dtype, []).append(member)
    for dtype, crowd in crowds.items():
        Home(crowd, [np.shape(m.value) for m in crowd], dtype, lock)
    return list(dict.fromkeys(m.home for m in members))  # type: ignore[misc]
