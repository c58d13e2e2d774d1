"""Copies of models: of the same layers with variables of their own, on inputs of one's choice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.graph import log, nest
from retrograd.graph.errors import taught
from retrograd.keras import optimizers
from retrograd.keras.inputs import Input, InputLayer
from retrograd.keras.models import Model
from retrograd.keras.network import replaced
from retrograd.keras.resetting import HOW_TO_COPY, copied, reset_in_place
from retrograd.keras.sequential import Sequential, first_shape
from retrograd.nn.keras.lookup import custom_object_scope
from retrograd.nn.layers.nodes import history_of


def clone_model(model: Any, input_tensors: Any = None, clone_function: Callable[[Any], Any] | None = None) -> Any:
    """A model of copies of the layers.

    Args:
      model: functional or sequential.
      input_tensors: what the copy is built on; by default inputs of its own.
      clone_function: the copy of a layer that is no input, by default one of the same configuration.

    Raises:
      ValueError: the model is a class of its own, or a sequential one is to have several inputs.
    """
    if not isinstance(model, Model):
        raise ValueError("Expected `model` argument to be a `Model` instance, got ", model)
    copy = clone_function or copied
    given = None if input_tensors is None else nest.flatten(input_tensors)
    if isinstance(model, Sequential):
        return _sequential(model, given, copy)
    if not model._is_graph_network:
        raise ValueError(
            "Expected `model` argument to be a functional `Model` instance, but got a subclass model instead."
        )
    return _functional(model, given, copy)


def clone_and_build_model(
    model: Any,
    input_tensors: Any = None,
    target_tensors: Any = None,
    custom_objects: Any = None,
    compile_clone: bool = True,
    in_place_reset: bool = False,
    optimizer_iterations: Any = None,
    optimizer_config: Any = None,
) -> Any:
    """A copy of the model, compiled as the model is.

    Args:
      model: functional or sequential, or a subclass with ``get_config``.
      input_tensors: what the copy is built on; by default inputs of its own.
      target_tensors: what its outputs are compared with; by default what it is fed.
      custom_objects: classes and functions by the names in configurations.
      compile_clone: whether the copy is compiled.
      in_place_reset: whether a subclass without a configuration may be changed itself: it gets new layers, until
        ``in_place_subclassed_model_state_restoration`` gives it back those that it had.
      optimizer_iterations: the variable in which the copy's optimizer counts its steps.
      optimizer_config: the configuration of that optimizer, or what ``optimizers.serialize`` gave; by default the
        present one of the model's.

    Raises:
      ValueError: the model is to be compiled and is not, or it is a subclass without a configuration.
    """
    optimizer = model.optimizer
    if compile_clone and not optimizer:
        raise ValueError(
            "Error when cloning model: compile_clone was set to True, but the original model has not been compiled."
        )
    with custom_object_scope(custom_objects or {}):
        if isinstance(model, Sequential) or model._is_graph_network:
            copy = clone_model(model, input_tensors)
        else:
            copy = _of_subclass(model, input_tensors, in_place_reset)
        if not compile_clone:
            return copy
        if isinstance(optimizer, optimizers.TFOptimizer):
            optimizer = optimizers.TFOptimizer(optimizer.optimizer, optimizer_iterations)
        else:
            config = optimizers.serialize(optimizer) if optimizer_config is None else optimizer_config
            if "class_name" in config:
                optimizer = optimizers.deserialize(config)
            else:
                optimizer = type(optimizer).from_config(config)
            if optimizer_iterations is not None:
                optimizer.iterations = optimizer_iterations
    copy.compile(
        optimizer, model.loss, metrics=model._compile_metrics, loss_weights=model.loss_weights,
        sample_weight_mode=model.sample_weight_mode, weighted_metrics=model._weighted_metrics,
        target_tensors=target_tensors,
    )  # fmt: skip
    return copy


def _of_subclass(model: Any, inputs: Any, in_place_reset: bool) -> Any:
    """The model of a subclass's configuration; without one, the model itself, made new."""
    try:
        copy = type(model).from_config(model.get_config())
    except NotImplementedError:
        log.warning(
            "This model is a subclassed model. Please implement `get_config` and `from_config` to better support "
            "cloning the model."
        )
        if not in_place_reset:
            error = ValueError(
                "This model is a subclassed model. Such a model cannot be cloned, but there is a workaround where the "
                "model is reset in-place. To use this, please set the argument `in_place_reset` to `True`. This will "
                "reset the attributes in the original model. To restore the attributes, call "
                "`in_place_subclassed_model_state_restoration(model)`."
            )
            raise taught(error, fix=HOW_TO_COPY) from None
        reset_in_place(model)
        copy = model
    if inputs is not None:
        copy._set_inputs(inputs[0] if isinstance(inputs, list | tuple) and len(inputs) == 1 else inputs)
    return copy


def share_weights(layer: Any) -> Any:
    """The layer itself, as the copy of a layer in ``clone_model``."""
    return layer


def clone_functional(model: Any, input_tensors: Any = None, layer_fn: Callable[[Any], Any] = copied) -> Any:
    """A functional model of copies of the layers; see ``clone_model``.

    Raises:
      ValueError: it is no functional model.
    """
    if not isinstance(model, Model):
        raise ValueError("Expected `model` argument to be a `Model` instance, got ", model)
    if isinstance(model, Sequential):
        raise ValueError(
            "Expected `model` argument to be a functional `Model` instance, got a `Sequential` instance instead:", model
        )
    return clone_model(model, input_tensors, layer_fn)


def clone_sequential(model: Any, input_tensors: Any = None, layer_fn: Callable[[Any], Any] = copied) -> Any:
    """A sequential model of copies of the layers; see ``clone_model``.

    Raises:
      ValueError: it is no sequential model.
    """
    if not isinstance(model, Sequential):
        raise ValueError("Expected `model` argument to be a `Sequential` model instance, but got:", model)
    return clone_model(model, input_tensors, layer_fn)


def _functional(model: Any, given: list[Any] | None, copy: Callable[[Any], Any]) -> Any:
    """Each call of a layer in the model, repeated with its copy."""
    begins = [x._keras_history.layer for x in model.inputs]
    if given is None:
        inputs = [copied(layer).output for layer in begins]
    else:
        inputs = [_as_input(x, layer.name) for x, layer in zip(given, begins, strict=True)]
    values = {id(x): y for x, y in zip(model.inputs, inputs, strict=True)}
    copies: dict[Any, Any] = {}
    for depth in sorted(model._nodes_by_depth, reverse=True):
        for node in model._nodes_by_depth[depth]:
            layer = node.outbound_layer
            if isinstance(layer, InputLayer):
                continue
            if layer not in copies:
                copies[layer] = copy(layer)
            arguments = {name: replaced(value, values) for name, value in node.arguments.items()}
            x = nest.map_structure(lambda x: values[id(x)], node.input_tensors)
            outputs = copies[layer](x[0] if isinstance(x, list) and len(x) == 1 else x, **arguments)
            values.update(
                (id(old), new)
                for old, new in zip(nest.flatten(node.output_tensors), nest.flatten(outputs), strict=True)
            )
    outputs = nest.map_structure(lambda x: values[id(x)], model._nested_outputs)
    clone = Model(inputs[0] if len(inputs) == 1 else inputs, outputs, name=model.name)
    for layer in copies.values():  # losses and metrics that were added to the model
        if layer not in clone.layers:
            clone._take_in(layer)
    return clone


def _sequential(model: Any, given: list[Any] | None, copy: Callable[[Any], Any]) -> Any:
    layers = [copy(layer) for layer in model.layers]
    if given is None:
        if model._is_graph_network and first_shape(model.layers[0]) is None:
            layers.insert(0, copied(model._layers[0]))
        return Sequential(layers, name=model.name)
    if len(given) != 1:
        raise ValueError("To clone a `Sequential` model, we expect  at most one tensor as part of `input_tensors`.")
    x = _as_input(given[0], str(given[0].name))
    begin = x._keras_history.layer
    if not isinstance(begin, InputLayer):
        raise ValueError(
            "Cannot clone a `Sequential` model on top of a tensor that comes from a Keras layer other than an "
            "`InputLayer`. Use the functional API instead."
        )
    return Sequential([begin, *layers], name=model.name)


def _as_input(x: Any, name: str) -> Any:
    """A tensor as the begin of a network."""
    return x if history_of(x) is not None else Input(tensor=x, name="input_wrapper_for_" + name)
