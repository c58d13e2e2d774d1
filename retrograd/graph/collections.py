"""Named collections of a graph, and the names that the library itself uses."""

from __future__ import annotations

import re
from typing import Any


class GraphKeys:
    """Standard names of graph collections."""

    GLOBAL_VARIABLES = "variables"
    VARIABLES = "variables"
    LOCAL_VARIABLES = "local_variables"
    METRIC_VARIABLES = "metric_variables"
    MODEL_VARIABLES = "model_variables"
    TRAINABLE_VARIABLES = "trainable_variables"
    SUMMARIES = "summaries"
    QUEUE_RUNNERS = "queue_runners"
    TABLE_INITIALIZERS = "table_initializer"
    ASSET_FILEPATHS = "asset_filepaths"
    MOVING_AVERAGE_VARIABLES = "moving_average_variables"
    REGULARIZATION_LOSSES = "regularization_losses"
    CONCATENATED_VARIABLES = "concatenated_variables"
    SAVERS = "savers"
    WEIGHTS = "weights"
    BIASES = "biases"
    ACTIVATIONS = "activations"
    UPDATE_OPS = "update_ops"
    LOSSES = "losses"
    SAVEABLE_OBJECTS = "saveable_objects"
    RESOURCES = "resources"
    LOCAL_RESOURCES = "local_resources"
    TRAINABLE_RESOURCE_VARIABLES = "trainable_resource_variables"
    INIT_OP = "init_op"
    LOCAL_INIT_OP = "local_init_op"
    READY_OP = "ready_op"
    READY_FOR_LOCAL_INIT_OP = "ready_for_local_init_op"
    SUMMARY_OP = "summary_op"
    GLOBAL_STEP = "global_step"
    EVAL_STEP = "eval_step"
    TRAIN_OP = "train_op"
    COND_CONTEXT = "cond_context"
    WHILE_CONTEXT = "while_context"
    _SUMMARY_COLLECTION = "_SUMMARY_V2"
    _STREAMING_MODEL_PORTS = "streaming_model_ports"
    _VARIABLE_COLLECTIONS = (
        GLOBAL_VARIABLES,
        LOCAL_VARIABLES,
        METRIC_VARIABLES,
        MODEL_VARIABLES,
        TRAINABLE_VARIABLES,
        MOVING_AVERAGE_VARIABLES,
        CONCATENATED_VARIABLES,
        TRAINABLE_RESOURCE_VARIABLES,
    )


class Collections:
    """The part of ``Graph`` that holds its collections: names (any hashable) to lists."""

    def __init__(self) -> None:
        self._collections: dict[Any, list[Any]] = {}

    def _check_not_finalized(self) -> None:
        raise NotImplementedError

    def add_to_collection(self, name: Any, value: Any) -> None:
        """Append ``value`` to the collection ``name``."""
        self._check_not_finalized()
        self._collections.setdefault(name, []).append(value)

    def add_to_collections(self, names: Any, value: Any) -> None:
        """Append ``value`` to each collection of ``names``, once each."""
        names = (names,) if isinstance(names, str) else dict.fromkeys(names)
        for name in names:
            self.add_to_collection(name, value)

    def get_collection_ref(self, name: Any) -> list[Any]:
        """The collection itself, made empty if it is not there."""
        return self._collections.setdefault(name, [])

    def get_collection(self, name: Any, scope: str | None = None) -> list[Any]:
        """A copy of the collection, or of its items whose names match the regular expression ``scope``."""
        items = self._collections.get(name, [])
        if scope is None:
            return list(items)
        matches = re.compile(scope).match
        return [item for item in items if hasattr(item, "name") and matches(item.name)]

    def get_all_collection_keys(self) -> list[Any]:
        """The names of the collections that are texts: others are private to who made them."""
        return [name for name in self._collections if isinstance(name, str)]

    @property
    def collections(self) -> list[Any]:
        """The names of all collections."""
        return list(self._collections)

    def clear_collection(self, name: Any) -> None:
        """Forget a collection."""
        self._check_not_finalized()
        self._collections.pop(name, None)
