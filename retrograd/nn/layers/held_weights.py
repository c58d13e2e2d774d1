"""The variables of a layer and of the layers in it."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import numpy as np

from retrograd.graph.dtypes import as_dtype
from retrograd.graph.scopes import name_scope
from retrograd.graph.untracked import hold, untracked_names
from retrograd.nn.keras import constraints, initializers, regularizers
from retrograd.nn.layers import policies, session
from retrograd.nn.layers.policies import Policy
from retrograd.state.autocast import AutoCastVariable
from retrograd.state.initializers import GlorotUniform, Zeros
from retrograd.state.partitioned import PartitionedVariable
from retrograd.state.resource import UnreadVariable
from retrograd.state.variables import VariableAggregation, VariableSynchronization, VariableV1, VariableV2

OWN_LISTS = frozenset(
    (
        "_updates", "_losses", "_callable_losses", "_trainable_weights", "_non_trainable_weights", "_inbound_nodes",
        "_outbound_nodes", "_metrics", "_compiled_metrics", "_metrics_by_output", "_weighted_by_output", "_loss_means",
        "_compile_metrics", "_weighted_metrics", "_compiled_trainable", "input_spec",
    )
)  # fmt: skip


_PLAIN = frozenset((type(None), bool, int, float, str, set))  # classes of what holds no layer and no variable


def _changing(name: str) -> Any:
    method = getattr(list, name)

    @functools.wraps(method)
    def call(self: LayersInside, *args: Any, **kwargs: Any) -> Any:
        result = method(self, *args, **kwargs)
        self._owner._layers = list(self)
        return result

    return call


class LayersInside(list[Any]):
    """The layers in a layer; when this list is changed, they are what it holds then."""

    def __init__(self, owner: OfWeights) -> None:
        super().__init__(owner._layers_inside)
        self._owner = owner

    append = _changing("append")
    extend = _changing("extend")
    insert = _changing("insert")
    remove = _changing("remove")
    pop = _changing("pop")
    clear = _changing("clear")
    reverse = _changing("reverse")
    __setitem__ = _changing("__setitem__")
    __delitem__ = _changing("__delitem__")


class OfWeights:
    """What holds variables: its own, and those of the layers among its attributes."""

    _is_trackable = True
    built: bool
    _dtype: Any
    _dtype_policy: Policy
    _non_trainable_weights: list[Any]
    _trainable: bool
    _trainable_weights: list[Any]
    dtype: Any
    name: Any
    add_loss: Any

    def add_weight(
        self,
        name: Any = None,
        shape: Any = None,
        dtype: Any = None,
        initializer: Any = None,
        regularizer: Any = None,
        trainable: bool | None = None,
        constraint: Any = None,
        partitioner: Any = None,
        use_resource: bool | None = None,
        synchronization: Any = VariableSynchronization.AUTO,
        aggregation: Any = VariableAggregation.NONE,
        **kwargs: Any,
    ) -> Any:
        """A new variable of this layer.

        Raises:
          TypeError: an argument is not known.
          ValueError: a variable that is synchronized when read cannot be trainable, or no initializer fits its dtype.
        """
        for key in kwargs:
            if key not in ("getter", "collections", "experimental_autocast"):
                raise TypeError("Unknown keyword argument:", key)
        dtype = as_dtype(dtype or self.dtype or policies.floatx())
        if self._dtype_policy.variable_dtype is None:
            self._dtype = dtype
        trainable = trainable_by_default(trainable, synchronization)
        made: Any = kwargs.get("getter", _made)(
            name, shape=() if shape is None else shape, dtype=dtype, trainable=trainable,
            initializer=self._initializer_of(name, dtype, initializers.get(initializer)),
            constraint=constraints.get(constraint), partitioner=partitioner, use_resource=use_resource,
            collections=kwargs.get("collections"), synchronization=synchronization, aggregation=aggregation,
        )  # fmt: skip
        is_cast = self._dtype_policy.should_cast_variables and kwargs.get("experimental_autocast", True)
        variable = AutoCastVariable(made) if is_cast else made
        penalty = regularizers.get(regularizer)
        if penalty is not None:
            self._handle_weight_regularization(getattr(variable, "op", variable).name, variable, penalty)
        session.track_own(parts_of(variable))
        (self._trainable_weights if trainable else self._non_trainable_weights).append(variable)
        if name is not None:
            self._track_trackable(variable, name, overwrite=True)
        return variable

    _track_trackable = hold

    def add_variable(self, *args: Any, **kwargs: Any) -> Any:
        """The same as ``add_weight``."""
        return self.add_weight(*args, **kwargs)

    def _initializer_of(self, name: Any, dtype: Any, given: Any) -> Any:
        if given is not None:
            return given
        if dtype.is_floating:
            return GlorotUniform()
        if dtype.is_integer or dtype.is_unsigned or dtype.is_bool:
            return Zeros()
        raise ValueError(
            f"An initializer for variable {name} of type {dtype.base_dtype} is required for layer {self.name}"
        )

    def _handle_weight_regularization(self, name: str, variable: Any, regularizer: Any) -> None:
        def penalty(part: Any) -> Any:
            with name_scope(f"{name}/Regularizer"):
                return regularizer(part)

        for part in parts_of(variable):
            self.add_loss(functools.partial(penalty, part))

    @property
    def _layers_inside(self) -> list[Any]:
        """The layers among this one's attributes, also in lists and dictionaries."""
        return distinct(v for v in self._values_of_attributes() if isinstance(v, OfWeights))

    @property
    def _holders_inside(self) -> list[Any]:
        """What has weights among this one's attributes: layers, containers of some, templates."""
        if "_given_layers" in self.__dict__:
            return self._layers_inside
        untracked = untracked_names(self)
        own = [x for key, x in self.__dict__.items() if key not in OWN_LISTS and key not in untracked]
        return distinct(x for x in own if has_weights(x))

    @property
    def _layers(self) -> Any:
        """The same, under TensorFlow's name; a program may change the list, or put another there, or None."""
        if "_given_layers" not in self.__dict__:
            return LayersInside(self)
        given = self.__dict__["_given_layers"]
        if isinstance(given, list):
            there = {id(v) for v in inside(given)}
            given.extend(v for v in self._layers_inside if id(v) not in there)
        return given

    @_layers.setter
    def _layers(self, value: Any) -> None:
        """From now on these are the layers, and those that later become attributes."""
        object.__setattr__(self, "_given_layers", value)
        self._attributes_before = frozenset(self.__dict__) - {"_given_layers"}

    def _values_of_attributes(self) -> Iterator[Any]:
        untracked, before = untracked_names(self), self.__dict__.get("_attributes_before", ())
        for key, value in list(self.__dict__.items()):
            kind: Any = type(value)
            if kind in _PLAIN or key in OWN_LISTS or key in untracked:
                continue
            for v in inside(value) if _has_items(kind) else (value,):
                if key not in before or not isinstance(v, OfWeights):
                    yield v

    def _with_those_inside(self, own: list[Any], name: str) -> list[Any]:
        return distinct([*own, *(v for layer in self._layers_inside for v in getattr(layer, name))])

    def _own_weights(self, trainable: bool) -> list[Any]:
        """Those made by ``add_weight`` and the variables among the attributes, in the order in which they came."""
        made, other = self._trainable_weights, self._non_trainable_weights
        if not trainable:
            made, other = other, made
        waiting, others = {id(v): v for v in made}, {id(v) for v in other}
        found: dict[int, Any] = {}
        for v in self._values_of_attributes():
            kind: Any = type(v)
            if not _is_variable(kind) or id(v) in others:
                continue
            while id(v) in waiting:  # those made before it may be no attributes
                first = next(iter(waiting))
                found[first] = waiting.pop(first)
            if v.trainable == trainable:
                found.setdefault(id(v), v)
        return [*found.values(), *waiting.values()]

    @property
    def trainable_weights(self) -> list[Any]:
        """The variables that training changes: none unless the layer is trainable."""
        return self._with_those_inside(self._own_weights(True), "trainable_weights") if self.trainable else []

    @property
    def non_trainable_weights(self) -> list[Any]:
        """The variables that training leaves alone."""
        if self.trainable:
            return self._with_those_inside(self._own_weights(False), "non_trainable_weights")
        return self._with_those_inside([*self._own_weights(True), *self._own_weights(False)], "weights")

    @property
    def weights(self) -> list[Any]:
        """All variables."""
        return distinct([*self.trainable_weights, *self.non_trainable_weights])

    variables = weights

    @property
    def trainable_variables(self) -> list[Any]:
        """The same as ``trainable_weights``."""
        return self.trainable_weights

    @property
    def non_trainable_variables(self) -> list[Any]:
        """The same as ``non_trainable_weights``."""
        return self.non_trainable_weights

    @property
    def trainable(self) -> bool:
        """Whether training changes the layer."""
        return self._trainable

    @trainable.setter
    def trainable(self, value: bool) -> None:
        self._trainable = value
        for holder in self._holders_inside:
            holder.trainable = value

    def count_params(self) -> int:
        """The number of elements of all variables.

        Raises:
          ValueError: the layer has no variables yet.
        """
        if not self.built:
            raise ValueError(
                f"You tried to call `count_params` on {self.name}, but the layer isn't built. You can build it "
                f"manually via: `{self.name}.build(batch_input_shape)`."
            )
        return int(sum(np.prod(w.shape.as_list()) for w in self.weights))

    def get_weights(self) -> list[Any]:
        """The values of the variables in the session of Keras, which is the default session if there is one."""
        return session.batch_get_value(self.weights)

    def set_weights(self, weights: Any) -> None:
        """Let the variables have these values in the session of Keras.

        Raises:
          ValueError: there are more or fewer values, or one is of another shape.
        """
        own = self.weights
        if len(own) != len(weights):
            raise ValueError(
                f'You called `set_weights(weights)` on layer "{self.name}" with a  weight list of length '
                f"{len(weights)}, but the layer was expecting {len(own)} weights. Provided weights: "
                f"{str(weights)[:50]}..."
            )
        for variable, value in zip(own, weights, strict=True):
            if tuple(variable.shape.as_list()) != np.shape(value):
                raise ValueError(
                    f"Layer weight shape {tuple(variable.shape.as_list())} not compatible with provided weight shape "
                    f"{np.shape(value)}"
                )
        session.batch_set_value(zip(own, weights, strict=True))


def _made(name: str, **arguments: Any) -> Any:
    """A variable that is named by name scopes alone."""
    initializer, shape = arguments.pop("initializer"), arguments.pop("shape")
    arguments.pop("partitioner")
    if isinstance(initializer, type):
        initializer = initializer()
    if callable(initializer):
        initializer = functools.partial(initializer, shape, dtype=arguments["dtype"])
    resource = arguments.pop("use_resource")
    return VariableV1(initializer, name=name, use_resource=True if resource is None else resource, **arguments)


def trainable_by_default(trainable: bool | None, synchronization: Any) -> bool:
    """Whether a variable is trainable where nothing is said.

    Raises:
      ValueError: it is to be trainable and to be synchronized when read.
    """
    if synchronization != VariableSynchronization.ON_READ:
        return True if trainable is None else trainable
    if trainable:
        raise ValueError(
            "Synchronization value can be set to VariableSynchronization.ON_READ only for non-trainable variables. "
            "You have specified trainable=True and synchronization=VariableSynchronization.ON_READ."
        )
    return False


def parts_of(variable: Any) -> list[Any]:
    return list(variable) if isinstance(variable, PartitionedVariable | list) else [variable]


@functools.cache
def _has_items(kind: type) -> bool:
    """Whether values of a class are lists, dictionaries, tuples or containers."""
    return hasattr(kind, "_held") or issubclass(kind, list | tuple | dict)


@functools.cache
def _lists_weights(kind: type) -> bool:
    return hasattr(kind, "trainable_weights") and hasattr(kind, "non_trainable_weights")


def has_weights(value: Any) -> bool:
    """Whether the class of a value lists its weights, as layers do."""
    kind: Any = type(value)
    return _lists_weights(kind)


@functools.cache
def _is_variable(kind: type) -> bool:
    """Whether values of a class are variables, and none behind a write: to ask abstract classes takes long."""
    return issubclass(kind, VariableV2) and not issubclass(kind, UnreadVariable)


def inside(value: Any) -> Iterator[Any]:
    """What a list, a dictionary or a container holds, at any depth; of tuples and other classes, the variables."""
    kind = type(value)
    if hasattr(kind, "_held"):
        items = value._held()
    elif kind is list or kind is dict:
        items = value if kind is list else value.values()
    elif isinstance(value, list | tuple | dict):
        items = value.values() if isinstance(value, dict) else value
        yield from (v for item in items for v in inside(item) if not isinstance(v, OfWeights))
        return
    else:
        yield value
        return
    for item in items:
        yield from inside(item)


def distinct(values: Any) -> list[Any]:
    return list({id(v): v for v in values}.values())
