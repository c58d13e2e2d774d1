"""How the items of a collection are written to protocol buffers and read from them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple


class _Forms(NamedTuple):
    proto_type: Any
    to_proto: Callable[..., Any] | None
    from_proto: Callable[..., Any] | None


_registered: dict[Any, _Forms] = {}


def register_proto_function(
    collection_name: Any,
    proto_type: Any = None,
    to_proto: Callable[..., Any] | None = None,
    from_proto: Callable[..., Any] | None = None,
) -> None:
    """Let the items of a collection be written by ``to_proto(item, export_scope=)``, as ``proto_type``,
    and read by ``from_proto(proto, import_scope=)``.

    Raises:
      TypeError: one of the two cannot be called.
    """
    if to_proto and not callable(to_proto):
        raise TypeError("to_proto must be callable.")
    if from_proto and not callable(from_proto):
        raise TypeError("from_proto must be callable.")
    _registered[collection_name] = _Forms(proto_type, to_proto, from_proto)


def get_collection_proto_type(collection_name: Any) -> Any:
    """The message that holds an item of the collection, or None."""
    return _registered[collection_name].proto_type if collection_name in _registered else None


def get_to_proto_function(collection_name: Any) -> Any:
    """The function that writes an item of the collection, or None."""
    return _registered[collection_name].to_proto if collection_name in _registered else None


def get_from_proto_function(collection_name: Any) -> Any:
    """The function that reads an item of the collection, or None."""
    return _registered[collection_name].from_proto if collection_name in _registered else None
