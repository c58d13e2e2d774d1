"""Collections of outputs by name, as ``slim`` calls them: end points."""

from __future__ import annotations

from typing import Any

from retrograd.graph.scopes import add_to_collections, get_collection


def append_tensor_alias(tensor: Any, alias: str) -> Any:
    """Let a tensor have another name."""
    alias = alias.removesuffix("/")
    tensor.aliases = [*getattr(tensor, "aliases", []), alias]
    return tensor


def gather_tensors_aliases(tensors: Any) -> list[str]:
    """The other names of tensors."""
    return [alias for tensor in tensors for alias in get_tensor_aliases(tensor)]


def get_tensor_aliases(tensor: Any) -> list[str]:
    """The other names of a tensor, or its own."""
    found = getattr(tensor, "aliases", None)
    if found:
        return list(found)
    name = tensor.op.name
    return [name[:-1] if name.endswith("/") else name]


def collect_named_outputs(collections: Any, alias: str, outputs: Any) -> Any:
    """``outputs`` in the collections, under another name."""
    if collections:
        append_tensor_alias(outputs, alias)
        add_to_collections(collections, outputs)
    return outputs


def convert_collection_to_dict(collection: str, clear_collection: bool = False) -> dict[str, Any]:
    """The tensors of a collection by their other names."""
    from retrograd.graph.scopes import get_collection_ref

    found = {alias: t for t in get_collection(collection) for alias in get_tensor_aliases(t)}
    if clear_collection:
        get_collection_ref(collection).clear()
    return found
