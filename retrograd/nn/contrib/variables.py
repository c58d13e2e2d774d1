"""What layers as functions share: the model's variables, and collections of variables and outputs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.graph.scopes import add_to_collections, get_name_scope
from retrograd.nn.contrib.collecting import collect_named_outputs
from retrograd.nn.contrib.model_variables import model_variable
from retrograd.state.partitioned import PartitionedVariable
from retrograd.state.scopes import get_variable_scope

_PASSED_ON = (
    "shape", "dtype", "initializer", "regularizer", "trainable", "collections", "caching_device", "partitioner",
    "use_resource", "synchronization", "aggregation",
)  # fmt: skip


def renaming(**names: str) -> Callable[..., Any]:
    """A getter that gives variables these names, and lists them with the model's."""

    def getter(getter: Callable[..., Any], name: str, **arguments: Any) -> Any:
        *path, last = name.split("/")
        kept = {key: arguments[key] for key in _PASSED_ON if key in arguments}
        return model_variable("/".join([*path, names.get(last, last)]), custom_getter=getter, **kept)

    return getter


def collections_of(collections: Any, word: str) -> Any:
    """The collections for a variable: all variables have the same, or a dictionary says which has which."""
    return collections.get(word) if isinstance(collections, dict) else collections


def collect_variable(variable: Any, collections: Any, word: str) -> None:
    """List a variable, each part of a cut one, in its collections."""
    collections = collections_of(collections, word)
    if collections:
        for part in variable if isinstance(variable, PartitionedVariable) else [variable]:
            add_to_collections(collections, part)


def collected(collections: Any, outputs: Any, name: str | None = None) -> Any:
    """Outputs, listed by this name or that of the scope that is open."""
    return collect_named_outputs(collections, name or get_name_scope(), outputs)


def finished(outputs: Any, normalizer_fn: Any, normalizer_params: Any, activation_fn: Any, collections: Any) -> Any:
    """Outputs normalized and activated."""
    if normalizer_fn is not None:
        outputs = normalizer_fn(outputs, **(normalizer_params or {}))
    if activation_fn is not None:
        outputs = activation_fn(outputs)
    return collected(collections, outputs, get_variable_scope().name)
