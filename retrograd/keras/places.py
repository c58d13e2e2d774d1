"""Tensors in the configuration of a model: by the layer, the call and the output that they are of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.shapes import TensorShape
from retrograd.graph.tensor import Tensor
from retrograd.keras import backend as K
from retrograd.nn.layers.nodes import history_of
from retrograd.state.variables import VariableV2


def by_key(structure: Any, entries: list[Any]) -> Any:
    """Entries of a configuration, in a dictionary where what they stand for is in one."""
    return dict(zip(sorted(structure), entries, strict=True)) if isinstance(structure, dict) else entries


def each_of(tensor: Callable[[Any], Any], places: Any) -> Any:
    """The tensors at places, in a dictionary if these are; one alone is itself."""
    if isinstance(places, dict):
        return {key: tensor(place) for key, place in places.items()}
    return single([tensor(place) for place in places])


def placed(value: Any, index: dict[tuple[int, int], int]) -> Any:
    """Arguments of a call for a configuration: tensors of layers by their places, others by their values."""
    if isinstance(value, dict):
        return {key: placed(v, index) for key, v in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(placed(v, index) for v in value) if type(value) in (list, tuple) else value
    history = history_of(value)
    if history is not None:
        layer, node_index, tensor_index = history
        return [layer.name, index.get((id(layer), node_index), 0), tensor_index]
    if isinstance(value, Tensor | VariableV2):
        value = K.get_value(value)
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else value


def _is_place(value: Any, made: dict[str, Any]) -> bool:
    return isinstance(value, list) and len(value) == 3 and isinstance(value[0], str) and value[0] in made


def places_in(value: Any, made: dict[str, Any]) -> list[Any]:
    """The places of tensors in the arguments of a call."""
    if _is_place(value, made):
        return [value]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return [place for part in parts for place in places_in(part, made)]


def with_tensors(value: Any, made: dict[str, Any], tensor: Callable[[Any], Any]) -> Any:
    """The arguments with the tensors in their places."""
    if _is_place(value, made):
        return tensor(value)
    if isinstance(value, dict):
        return {key: with_tensors(v, made, tensor) for key, v in value.items()}
    if type(value) in (list, tuple):
        return type(value)(with_tensors(v, made, tensor) for v in value)
    return value


def plain(value: Any) -> Any:
    if hasattr(value, "get_config"):
        return {"class_name": type(value).__name__, "config": value.get_config()}
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    if isinstance(value, TensorShape):
        return value.as_list()
    if isinstance(value, dtypes.DType):
        return value.name
    if isinstance(value, dict):  # one that stands before another
        return dict(value)
    if callable(value):
        return value.__name__
    raise TypeError("Not JSON Serializable:", value)


def single(values: Any) -> Any:
    return values[0] if isinstance(values, list) and len(values) == 1 else values
