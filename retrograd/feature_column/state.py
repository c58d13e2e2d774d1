"""Where the variables of feature columns live: in a layer, or in the variable scope around."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, ClassVar

from retrograd.graph import dtypes
from retrograd.graph.collections import GraphKeys
from retrograd.state.scopes import get_variable


class StateManager:
    """Makes and finds the variables and the resources of columns, by their names."""

    def create_variable(
        self, feature_column: Any, name: str, shape: Any, dtype: Any = None, trainable: bool = True,
        use_resource: bool = True, initializer: Any = None,
    ) -> Any:  # fmt: skip
        """A new variable of the column."""
        raise NotImplementedError("StateManager.create_variable")

    def add_variable(self, feature_column: Any, var: Any) -> None:
        """Keep a variable that exists."""
        raise NotImplementedError("StateManager.add_variable")

    def get_variable(self, feature_column: Any, name: str) -> Any:
        """The variable of the column."""
        raise NotImplementedError("StateManager.get_var")

    def add_resource(self, feature_column: Any, name: str, resource: Any) -> None:
        """Keep a resource, such as a table."""
        raise NotImplementedError("StateManager.add_resource")

    def get_resource(self, feature_column: Any, name: str) -> Any:
        """The resource of the column."""
        raise NotImplementedError("StateManager.get_resource")


class LayerState(StateManager):
    """The variables are weights of a layer, made by ``tf.get_variable``."""

    _getter: ClassVar[dict[str, Any]] = {"getter": get_variable}

    def __init__(self, layer: Any, trainable: bool) -> None:
        self._layer, self._trainable = layer, trainable
        if layer is not None and not hasattr(layer, "_resources"):
            layer._resources = []
        self._variables: dict[Any, dict[str, Any]] = defaultdict(dict)
        self._resources: dict[Any, dict[str, Any]] = defaultdict(dict)

    def create_variable(
        self, feature_column: Any, name: str, shape: Any, dtype: Any = None, trainable: bool = True,
        use_resource: bool = True, initializer: Any = None,
    ) -> Any:  # fmt: skip
        """A new weight of the layer.

        Raises:
          ValueError: the column has a variable of this name.
        """
        if name in self._variables[feature_column]:
            raise ValueError("Variable already exists.")
        variable = self._layer.add_variable(
            name=name, shape=shape, dtype=dtype, initializer=initializer, trainable=self._trainable and trainable,
            use_resource=use_resource, **self._getter,
        )  # fmt: skip
        self._variables[feature_column][name] = variable
        return variable

    def get_variable(self, feature_column: Any, name: str) -> Any:
        """The variable of the column.

        Raises:
          ValueError: there is none.
        """
        if name not in self._variables[feature_column]:
            raise ValueError("Variable does not exist.")
        return self._variables[feature_column][name]

    def add_resource(self, feature_column: Any, name: str, resource: Any) -> None:
        """Keep a resource; the layer has it among its own."""
        self._resources[feature_column][name] = resource
        if self._layer is not None:
            self._layer._resources.append(resource)

    def get_resource(self, feature_column: Any, name: str) -> Any:
        """The resource of the column.

        Raises:
          ValueError: there is none.
        """
        if name not in self._resources[feature_column]:
            raise ValueError("Resource does not exist.")
        return self._resources[feature_column][name]


class LayerStateV2(LayerState):
    """The variables are weights of a layer, named by the name scopes around."""

    _getter: ClassVar[dict[str, Any]] = {}


class ScopeState(StateManager):
    """The variables are those of the variable scope in which they are asked for."""

    def __init__(self, weight_collections: Any, trainable: Any) -> None:
        self._collections, self._trainable = weight_collections, trainable
        if weight_collections and GraphKeys.GLOBAL_VARIABLES not in weight_collections:
            self._collections = [*weight_collections, GraphKeys.GLOBAL_VARIABLES]
        self._last: Any = None

    def create_variable(
        self, feature_column: Any, name: str, shape: Any, dtype: Any = dtypes.float32, trainable: bool = True,
        use_resource: bool = True, initializer: Any = None,
    ) -> Any:  # fmt: skip
        """The variable ``name`` of the scope."""
        self._last = get_variable(
            name, shape, dtype, initializer, trainable=trainable and self._trainable, collections=self._collections
        )
        return self._last

    def get_variable(self, feature_column: Any, name: str) -> Any:
        """The variable ``name`` of the scope, which is made if there is none."""
        feature_column.create_state(self)
        return self._last

    def add_resource(self, feature_column: Any, name: str, resource: Any) -> None:
        """Nothing: the graph keeps its tables."""
