"""``tf.layers.Layer``: a layer whose variables stand in a variable scope and can be shared through it."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from retrograd.graph import dtypes, nest
from retrograd.graph.collections import GraphKeys
from retrograd.graph.dtypes import as_dtype
from retrograd.graph.modes import init_scope
from retrograd.graph.scopes import get_collection, get_collection_ref, name_scope
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import TensorLike
from retrograd.graph.untracked import TrackableReference, held
from retrograd.nn.layers import engine, held_weights
from retrograd.nn.layers.input_spec import InputSpec as InputSpec
from retrograd.nn.layers.policies import Policy
from retrograd.state.partitioned import PartitionedVariable
from retrograd.state.scopes import VariableScope, get_variable, variable_scope
from retrograd.state.variables import VariableAggregation, VariableSynchronization

_keras_style = [False]


@contextmanager
def keras_style_scope() -> Iterator[None]:
    """Layers made in the block name their variables by name scopes, and never share them by name."""
    before, _keras_style[0] = _keras_style[0], True
    try:
        yield
    finally:
        _keras_style[0] = before


def set_keras_style() -> None:
    """Let all layers made from now on be as in ``keras_style_scope``."""
    _keras_style[0] = True


class Layer(engine.Layer):
    """A layer whose variables are made by ``get_variable`` in a variable scope of the layer's own.

    The scope is settled at the first call: ``name``, or the name of the class, made unique among the
    scopes opened here; with ``_reuse`` it is that very name, and the variables are those that are there.

    Args:
      trainable: whether its variables join ``GraphKeys.TRAINABLE_VARIABLES``.
      dtype: of its variables, by default of its first input.
      _scope, _reuse: the scope to take, and whether to share its variables.
    """

    _is_of_keras = False
    _use_resource_variables = False  # whatever the scope says
    __setattr__: Any = object.__setattr__

    def __init__(self, trainable: bool = True, name: Any = None, dtype: Any = None, **kwargs: Any) -> None:
        scope, self._reuse = kwargs.pop("_scope", None), kwargs.pop("_reuse", None)
        if not self._is_of_keras:  # neither settled nor cast, as ever
            kwargs.setdefault("autocast", False)
            dtype = Policy("infer") if dtype is None else dtype
        super().__init__(trainable=trainable, name=name, dtype=dtype, **kwargs)
        self._is_keras_style = _keras_style[0] or self._is_of_keras
        if self._is_keras_style:
            for key, value in (("scope", scope), ("reuse", self._reuse)):
                if value is not None:
                    raise ValueError(
                        f"{key} argument not allowed when keras style layers are enabled, but saw: {value}"
                    )
        self._scope: VariableScope | None = None
        self._current_scope: VariableScope | None = None
        if scope:
            with variable_scope(scope) as self._scope:
                pass

    def _init_set_name(self, name: Any, zero_based: bool = False) -> None:
        """The name: as given, or that of the class with a number; ``_base_name`` is without the number."""
        self._name = self._base_name = name
        if isinstance(name, VariableScope):
            self._base_name = name.name
        if isinstance(name, VariableScope) or not name:
            base = engine.to_snake_case(type(self).__name__)
            self._name = engine.unique_object_name(base, zero_based)
            self._base_name = self._base_name or base

    @property
    def graph(self) -> None:
        """Nothing: a layer keeps no graph."""
        return None

    @property
    def scope_name(self) -> str:
        """The path of the layer's variable scope.

        Raises:
          ValueError: the layer has not been called.
        """
        if not self._scope:
            raise ValueError(
                f'No name available for layer scope because the layer "{self._name}" has not been used yet. The scope '
                "name  is determined the first time the layer instance is called. You must therefore call the layer "
                "before querying `scope_name`."
            )
        return self._scope.name

    def _name_scope(self) -> str:
        if self._is_keras_style:
            return super()._name_scope()
        assert self._current_scope is not None
        return self._current_scope.original_name_scope

    def _set_scope(self, scope: Any = None) -> None:
        if self._scope is not None:
            return
        if self._reuse:
            opened = variable_scope(self._base_name if scope is None else scope)
        else:
            opened = variable_scope(scope, default_name=self._base_name)
        with opened as self._scope:
            pass

    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """The outputs for ``inputs``; the first call makes the variables, each call adds its updates to UPDATE_OPS.

        Raises:
          ValueError: the inputs are not what the layer asks for, or the scope is shared and has no such variables.
        """
        scope = kwargs.pop("scope", None)
        if self._is_keras_style:
            if scope is not None:
                raise ValueError(f"scope argument not allowed when keras style layers are enabled, but saw: {scope}")
            return super().__call__(inputs, *args, **kwargs)
        self._set_scope(scope)
        reuse = True if self.built else self._reuse
        with variable_scope(self._scope, reuse=reuse, auxiliary_name_scope=False) as self._current_scope:
            if "scope" in engine.parameters_of(type(self).call):
                kwargs["scope"] = self._current_scope
            outputs = super().__call__(inputs, *args, **kwargs)
        _join_collection(GraphKeys.UPDATE_OPS, self.updates)
        return outputs

    def add_weight(  # type: ignore[override]
        self,
        name: Any,
        shape: Any,
        dtype: Any = None,
        initializer: Any = None,
        regularizer: Any = None,
        trainable: bool | None = None,
        constraint: Any = None,
        use_resource: bool | None = None,
        synchronization: Any = VariableSynchronization.AUTO,
        aggregation: Any = VariableAggregation.NONE,
        partitioner: Any = None,
        **kwargs: Any,
    ) -> Any:
        """The variable ``name`` of the layer's scope: a new one, or that which is there.

        Raises:
          TypeError: an argument is not known.
          ValueError: a variable that is synchronized when read cannot be trainable, or no initializer fits its dtype.
        """
        for key in kwargs:
            if key != "experimental_autocast":
                raise TypeError("Unknown keyword argument:", key)
        settings: dict[str, Any] = {
            "constraint": constraint, "partitioner": partitioner, "synchronization": synchronization,
            "aggregation": aggregation, **kwargs,
        }  # fmt: skip
        if self._is_keras_style:
            return super().add_weight(
                name, shape, dtype, initializer, regularizer, trainable, use_resource=use_resource, **settings
            )
        trainable = held_weights.trainable_by_default(trainable, synchronization)
        there = {id(v) for v in get_collection(GraphKeys.GLOBAL_VARIABLES)}
        self._set_scope(None)
        shared = self.built or self._reuse
        opened = variable_scope(self._scope, reuse=shared, auxiliary_name_scope=False)
        with opened as self._current_scope, name_scope(self._name_scope()):
            variable = super().add_weight(
                name, shape, as_dtype(dtype or self.dtype or dtypes.float32),
                self._current_scope.initializer if initializer is None else initializer,
                trainable=trainable and self.trainable, getter=get_variable,
                use_resource=use_resource or self._use_resource_variables or self._current_scope.use_resource,
                **settings,
            )  # fmt: skip
            if regularizer and not any(id(v) in there for v in held_weights.parts_of(variable)):
                self._handle_weight_regularization(name, variable, regularizer)
        if trainable and self.trainable and not default_graph().is_eager:
            self._believe_getter(variable)
        return variable

    def _believe_getter(self, variable: Any) -> None:
        """A variable that a custom getter made not trainable is none of the trainable weights; nor is a cut one."""
        with init_scope():
            trained = get_collection(GraphKeys.TRAINABLE_VARIABLES)
        if not any(v is variable for v in trained):
            self._trainable_weights = [v for v in self._trainable_weights if v is not variable]
            self._non_trainable_weights.append(variable)

    def _values_of_attributes(self) -> Iterator[Any]:
        """What a class puts into ``_layers`` alone: other variables are those made by ``add_weight``."""
        return held_weights.inside(self.__dict__.get("_given_layers"))

    @property
    def _checkpoint_dependencies(self) -> list[TrackableReference]:
        return [TrackableReference(*pair) for pair in held(self).items()]

    def add_loss(self, losses: Any, inputs: Any = None) -> None:
        """Add losses, which join ``GraphKeys.REGULARIZATION_LOSSES`` too."""
        tensors, functions = len(self._losses), len(self._callable_losses)
        super().add_loss(losses, inputs=inputs)
        made = [loss() for loss in self._callable_losses[functions:]]
        new = [*self._losses[tensors:], *(loss for loss in made if loss is not None)]
        _join_collection(GraphKeys.REGULARIZATION_LOSSES, new)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        """A layer like this one on the same variables and tensors."""
        copied = memo[id(self)] = type(self).__new__(type(self))
        for key, value in self.__dict__.items():
            if key in ("_scope", "_current_scope"):
                value = copy.copy(value)
            elif not all(isinstance(v, TensorLike | PartitionedVariable) for v in nest.flatten(value)):
                value = copy.deepcopy(value, memo)
            elif isinstance(value, list):
                value = list(value)
            copied.__dict__[key] = value
        return copied


def _join_collection(name: str, values: list[Any]) -> None:
    """Append those that the collection does not have."""
    collection = get_collection_ref(name)
    there = {id(v) for v in collection}
    collection.extend(v for v in values if id(v) not in there)


class KerasStyle(engine.Layer):
    """Stands before a layer of ``tf.layers`` in the bases of its twin of ``tf.keras.layers``."""

    _is_of_keras = True
    __call__ = engine.Layer.__call__
    __setattr__ = engine.Layer.__setattr__
    _init_set_name = engine.Layer._init_set_name
    _name_scope = engine.Layer._name_scope
    _values_of_attributes = engine.Layer._values_of_attributes
    add_weight: Any = engine.Layer.add_weight
    add_loss = engine.Layer.add_loss
