"""h5py 3 as programs of h5py 2 know it: how files are opened, and attributes are read.

Source: "What's new in h5py 3.0" of h5py's documentation; values as h5py 2.10 gives them.
"""

from __future__ import annotations

import functools
import os

from retrograd.revival.putting import put, undo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any


def revive_h5py(h5py: ModuleType) -> None:
    """``File(name)`` writes, ``data.value`` is ``data[()]``, ``file.fid`` its id; bytes in attributes stay bytes."""
    put(h5py.Dataset, value=property(lambda data: data[()]))
    put(h5py.File, fid=property(lambda file: file.id))
    _instead(h5py.File, "__init__", _opening)
    _instead(h5py.AttributeManager, "__getitem__", functools.partial(_attribute, h5py))
    _instead(h5py.AttributeManager, "create", _creating)


def _instead(owner: Any, name: str, other: Callable[..., Any]) -> None:
    """Let ``other(first, ...)`` be called for the method ``first`` of that name."""
    first = getattr(owner, name)

    @functools.wraps(first)
    def method(*args: Any, **kwargs: Any) -> Any:
        return other(first, *args, **kwargs)

    setattr(owner, name, method)
    undo.append(lambda: setattr(owner, name, first))


def _opening(first: Any, file: Any, name: Any, mode: str | None = None, *args: Any, **kwargs: Any) -> None:
    if mode is None:
        is_path = isinstance(name, str | bytes | os.PathLike)
        mode = "r" if is_path and os.path.exists(name) and not os.access(name, os.W_OK) else "a"
    first(file, name, mode, *args, **kwargs)


def _attribute(h5py: Any, first: Any, attributes: Any, name: Any) -> Any:
    """Bytes that were written are read as bytes, where h5py 3 gives text."""
    value = first(attributes, name)
    kind = h5py.check_string_dtype(attributes.get_id(name).dtype)
    if kind is None or kind.length is not None or kind.encoding != "ascii":
        return value
    if isinstance(value, str):
        return value.encode("ascii", "surrogateescape")
    for i, text in enumerate(value.flat):
        value.flat[i] = text.encode("ascii", "surrogateescape")
    return value


def _creating(first: Any, attributes: Any, name: Any, data: Any, *args: Any, **kwargs: Any) -> Any:
    """A list of bytes has one length for all, where h5py 3 writes each with its own."""
    import numpy as np

    if isinstance(data, list) and data and all(isinstance(text, bytes) for text in data):
        data = np.asarray(data)
    return first(attributes, name, data, *args, **kwargs)
