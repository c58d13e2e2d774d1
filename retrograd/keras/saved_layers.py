"""Layers as they stand in SavedModels: descriptions, functions and lists of variables, of which Keras makes layers.

A layer has one function for every kind of arguments with which its model calls it, with and without ``training``.
Source: what TensorFlow 1.15.5 writes of a Keras model.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from retrograd.graph import log, nest
from retrograd.graph.decorators import getfullargspec
from retrograd.graph.specs import TensorSpec
from retrograd.io.tracking import AutoTrackable, children
from retrograd.keras import backend_state
from retrograd.keras.models import Model
from retrograd.keras.network import Network
from retrograd.keras.places import plain
from retrograd.keras.sequential import Sequential
from retrograd.nn.layers.calls import noted_calls
from retrograd.nn.layers.engine import Layer
from retrograd.nn.layers.wrapped_containers import DictWrapper, ListWrapper
from retrograd.state.function_specs import FunctionSpec, spec_of
from retrograd.state.inlining import Function

Arguments = tuple[tuple[Any, ...], dict[str, Any]]

# -- functions of one layer --------------------------------------------------------------------


class LayerFunction(Function):
    """A function of a layer's arguments, among which ``training`` always has a value."""

    def __init__(self, layer: Layer, function: Callable[..., Any], name: str) -> None:
        super().__init__(function, name)
        self.function_spec = FunctionSpec(arguments_of(layer), is_method=True)


def arguments_of(layer: Layer) -> inspect.FullArgSpec:
    """The arguments of a layer's call, ``training`` among them (by default False) if any layer in it asks for it."""
    spec = getfullargspec(layer.call)
    args, defaults = list(spec.args), list(spec.defaults or ())
    if args[:1] != ["self"]:
        args.insert(0, "self")
    only = dict(spec.kwonlydefaults or {})
    if "training" in args and len(args) - args.index("training") <= len(defaults):
        defaults[args.index("training") - len(args)] = False
    elif "training" in only:
        only["training"] = False
    elif "training" not in [*args, *spec.kwonlyargs] and expects_training(layer):
        args.append("training")
        defaults.append(False)
    return inspect.FullArgSpec(
        args, spec.varargs, spec.varkw, tuple(defaults) or None, spec.kwonlyargs, only or None, {}
    )


def expects_training(layer: Layer) -> bool:
    """Whether a layer's call has ``training``, or that of a layer in it."""
    return any(map(_takes_training, layer._every_layer()))


def _takes_training(layer: Layer) -> bool:
    spec = getfullargspec(layer.call)
    return "training" in [*spec.args, *spec.kwonlyargs] or spec.varkw is not None


def functions_for(layer: Layer, calls: Sequence[Arguments]) -> dict[str, Function]:
    """The functions of a layer for arguments like these, under the names that Keras looks for."""
    names = arguments_of(layer).args[1:]

    def outputs_of(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        given = {**dict(zip(names[1:], args[1:], strict=False)), **kwargs}
        training = bool(given.get("training"))
        with backend_state.learning_phase_scope(int(training)):
            return layer(args[0], **{name: x for name, x in given.items() if x is not None})

    def with_losses(*args: Any, **kwargs: Any) -> Any:
        with _without_traces(layer):
            regularizer, layer._activity_regularizer = layer._activity_regularizer, None
            try:
                outputs = outputs_of(args, kwargs)
            finally:
                layer._activity_regularizer = regularizer
            return outputs, layer.get_losses_for(args[0])

    base = f"{layer.name}_layer_call"
    conditional = LayerFunction(layer, with_losses, f"{base}_and_return_conditional_losses")

    traced: Any = None  # the function with losses for the arguments of the moment

    def called(*args: Any, **kwargs: Any) -> Any:
        return traced._filtered_call(args, kwargs)[0]

    found: dict[str, Function] = {
        "call_and_return_conditional_losses": conditional, "call_and_return_all_conditional_losses": conditional,
        "__call__": LayerFunction(layer, called, f"{base}_fn"),
    }  # fmt: skip
    if layer.activity_regularizer is not None:
        penalty = _penalty(layer)

        def with_all_losses(*args: Any, **kwargs: Any) -> Any:
            outputs, losses = traced._filtered_call(args, kwargs)
            return outputs, [*losses, penalty.python_function(outputs)]

        name = "call_and_return_all_conditional_losses"
        found[name] = LayerFunction(layer, with_all_losses, f"{layer.name}_layer_{name}")
    for args, kwargs in calls:
        for training in (True, False) if expects_training(layer) else (None,):
            given = kwargs if training is None else {**kwargs, "training": training}
            traced = conditional.get_concrete_function(*args, **given)
            for function in dict.fromkeys(found.values()):
                function.get_concrete_function(*args, **given)
    if layer.activity_regularizer is not None:
        found["activity_regularizer_fn"] = penalty
    return found


def _penalty(layer: Layer) -> Function:
    spec = TensorSpec(None, layer.dtype or backend_state.floatx())
    return Function(layer.activity_regularizer, f"{layer.name}_activity_regularizer", input_signature=[spec])


@contextmanager
def _without_traces(layer: Layer) -> Iterator[None]:
    """Let the calls in the block leave no losses and updates with a layer and those in it, which begin without any."""
    kept = [(x, list(x._losses), list(x._updates), list(x._metrics)) for x in [layer, *layers_below(layer)]]
    for x, *_ in kept:
        x._losses.clear()
    try:
        yield
    finally:
        for x, losses, updates, metrics in kept:
            x._losses[:], x._updates[:], x._metrics[:] = losses, updates, metrics


def layers_below(layer: Layer) -> list[Layer]:
    """The layers in a layer, those in them included."""
    found: dict[int, Layer] = {}
    waiting = list(layer._layers_inside)
    while waiting:
        inner = waiting.pop()
        if id(inner) not in found:
            found[id(inner)] = inner
            waiting += inner._layers_inside
    return list(found.values())


# -- what stands for layers --------------------------------------------------------------------


class SavedLayer(AutoTrackable):
    """What stands for a layer in a SavedModel: what it holds, its description and its functions."""

    def __init__(self, layer: Any, forms: Forms) -> None:
        self._layer, self._forms = layer, forms
        self._with_functions = False

    @property
    def has_functions(self) -> bool:
        """Whether it has its functions."""
        return self._with_functions

    @property
    def _object_identifier(self) -> str:
        if not self._with_functions or not isinstance(self._layer, Network):
            return "_tf_keras_layer"
        if not isinstance(self._layer, Model):
            return "_tf_keras_network"
        return "_tf_keras_sequential" if isinstance(self._layer, Sequential) else "_tf_keras_model"

    @property
    def _tracking_metadata(self) -> str:
        return json.dumps(self.description(), default=plain)

    def description(self) -> dict[str, Any]:
        """What Keras is told of the layer."""
        layer = self._layer
        described = {
            "class_name": type(layer).__name__, "name": layer.name, "trainable": layer.trainable,
            "expects_training_arg": _takes_training(layer), "dtype": layer.dtype,
            "batch_input_shape": getattr(layer, "_batch_input_shape", None),
            "input_spec": layer.input_spec, "activity_regularizer": None,
        }  # fmt: skip
        if hasattr(layer.activity_regularizer, "get_config"):
            described["activity_regularizer"] = layer.activity_regularizer
        with suppress(NotImplementedError):  # a class of the program need not have one
            described["config"] = layer.get_config()
        return described

    def add_functions(self, calls: Sequence[Arguments]) -> None:
        """Let there be the functions for the kinds of arguments with which the layer was called."""
        try:
            functions = functions_for(self._layer, calls)
        except (TypeError, ValueError, NotImplementedError) as error:
            log.warning("Layer %s is saved without functions: %s", self._layer.name, error)
            return
        self.take_functions(functions)

    def take_functions(self, functions: Mapping[str, Function]) -> None:
        """Let these be the layer's functions."""
        self._with_functions = True
        layer, forms = self._layer, self._forms
        self.keras_api: Any = AutoTrackable()
        lists: dict[str, Any] = {
            "variables": list(layer.weights), "trainable_variables": list(layer.trainable_weights),
            "regularization_losses": [forms.loss(f) for x in [layer, *layers_below(layer)] for f in x._callable_losses],
        }  # fmt: skip
        rest = {
            "non_trainable_variables": list(layer.non_trainable_weights),
            "layers": [forms.of(x) for x in (layer.layers if isinstance(layer, Network) else layer._layers_inside)],
            "layer_regularization_losses": [forms.loss(f) for f in layer._callable_losses], "metrics": [],
        }  # fmt: skip
        for name, item in {**lists, **rest, **functions}.items():
            setattr(self.keras_api, name, item)
        for name in ("__call__", "call_and_return_all_conditional_losses"):
            setattr(self, name, functions[name])
        self._lists = {name: getattr(self.keras_api, name) for name in lists}

    def _checkpoint_children(self) -> list[tuple[str, Any]]:
        """What the layer holds, first under its own names."""
        own = {name: self._forms.of(item) for name, item in children(self._layer)}
        if self._with_functions:
            for name, item in {**self._lists, "keras_api": self.keras_api}.items():
                own.setdefault(name, item)
        return list(own.items())


class Forms:
    """What stands for the layers of one SavedModel, one form for each."""

    def __init__(self) -> None:
        self._forms: dict[int, Any] = {}
        self._losses: dict[int, Function] = {}

    def of(self, item: Any) -> Any:
        """What stands for a layer, or for a list or dict that may hold some; anything else stands for itself."""
        if not isinstance(item, Layer | list | dict):
            return item
        if id(item) not in self._forms:
            if isinstance(item, Layer):
                self._forms[id(item)] = SavedLayer(item, self)
            elif isinstance(item, list):
                self._forms[id(item)] = ListWrapper(self.of(x) for x in item)
            else:
                self._forms[id(item)] = DictWrapper((key, self.of(x)) for key, x in item.items())
        return self._forms[id(item)]

    def let(self, layer: Layer, form: SavedLayer) -> None:
        """Let ``form`` stand for ``layer``."""
        self._forms[id(layer)] = form

    def loss(self, function: Callable[[], Any]) -> Function:
        """A penalty of variables as a function."""
        if id(function) not in self._losses:
            name = f"loss_fn_{len(self._losses)}"
            self._losses[id(function)] = Function(function, name, input_signature=[])
        return self._losses[id(function)]

    def add_functions(self, layer: Layer, inputs: Any) -> None:
        """Let a layer, and all those that its call calls, have their functions, for inputs like these."""
        for known in (layer, *layers_below(layer)):
            saved = known.saved_functions() if hasattr(known, "saved_functions") else None  # of one that was read
            if saved:
                self.of(known).take_functions(saved)
        if self.of(layer).has_functions:
            return
        calls: dict[int, tuple[Layer, list[Arguments]]] = {id(layer): (layer, [((inputs,), {})])}
        with _without_traces(layer), noted_calls() as noted:
            Function(lambda x: layer(x, training=False), "call").get_concrete_function(inputs)
        for called, args, kwargs in noted:
            if called is layer:
                continue
            given = {**dict(zip(arguments_of(called).args[2:], args[1:], strict=False)), **kwargs}
            given = {name: x for name, x in given.items() if name != "training" and x is not None}
            calls.setdefault(id(called), (called, []))[1].append(nest.map_structure(spec_of, (args[:1], given)))
        for called, arguments in reversed(calls.values()):
            if not self.of(called).has_functions:
                self.of(called).add_functions(arguments)
