"""Layers around another layer: for each step of time, and in both directions."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from retrograd.graph import nest
from retrograd.graph.shapes import TensorShape
from retrograd.graph.stack import default_graph
from retrograd.graph.untracked import leave_untracked
from retrograd.keras import backend as K
from retrograd.keras.layers.recurrent import parts_of_inputs
from retrograd.keras.nesting import Nesting
from retrograd.nn.layers.engine import Layer, parameters_of, shared_config
from retrograd.nn.layers.input_spec import InputSpec
from retrograd.nn.layers.nodes import history_of
from retrograd.ops import arrays, permuting, reductions


class Wrapper(Nesting, Layer):
    """A layer around another."""

    def __init__(self, layer: Any, **kwargs: Any) -> None:
        if not isinstance(layer, Layer):
            raise AssertionError
        self.layer = layer
        super().__init__(**kwargs)

    def build(self, input_shape: Any = None) -> None:
        if not self.layer.built:
            self.layer.build(input_shape)
            self.layer.built = True
        self.built = True

    @property
    def activity_regularizer(self) -> Any:
        """That of the inner layer."""
        return getattr(self.layer, "activity_regularizer", None)

    @activity_regularizer.setter
    def activity_regularizer(self, regularizer: Any) -> None:
        self.layer.activity_regularizer = regularizer

    def get_config(self) -> dict[str, Any]:
        inner = {"class_name": type(self.layer).__name__, "config": self.layer.get_config()}
        return {**shared_config(self), "layer": inner}


class TimeDistributed(Wrapper):
    """A layer for each step of time, all steps of all examples at once.

    A layer of the program's own, or one that keeps states, is called step by step where the size of batches is known.

    Raises:
      ValueError: ``layer`` is none.
    """

    def __init__(self, layer: Any, **kwargs: Any) -> None:
        if not isinstance(layer, Layer):
            raise ValueError(f"Please initialize `TimeDistributed` layer with a `Layer` instance. You passed: {layer}")
        super().__init__(layer, **kwargs)
        self.supports_masking = True
        self._examples: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()  # of inputs in a graph
        self._always_use_reshape = _is_builtin(layer) and not getattr(layer, "stateful", False)

    def build(self, input_shape: Any = None) -> None:
        sizes = TensorShape(input_shape).as_list()
        if len(sizes) < 3:
            raise ValueError(
                "`TimeDistributed` Layer should be passed an `input_shape ` with at least 3 dimensions, received: "
                f"{sizes}"
            )
        self.input_spec = InputSpec(shape=[None, None, *sizes[2:]])
        super().build(TensorShape([sizes[0], *sizes[2:]]))

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        sizes = TensorShape(input_shape).as_list()
        inner = TensorShape(self.layer.compute_output_shape(TensorShape([sizes[0], *sizes[2:]]))).as_list()
        return TensorShape([inner[0], sizes[1], *inner[1:]])

    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        kwargs: dict[str, Any] = {}
        takes = parameters_of(type(self.layer).call)
        if "training" in takes:
            kwargs["training"] = training
        sizes = inputs.shape.as_list()
        if sizes[0] and not self._always_use_reshape:
            from retrograd.keras.recurrence import rnn

            def step(x: Any, _: Any) -> Any:
                return self.layer(x, **kwargs), []

            _, outputs, _ = rnn(step, inputs, [], input_length=sizes[1], mask=mask)
            return outputs
        steps = sizes[1] or arrays.shape(inputs)[1]
        examples = _steps_as_examples(inputs)
        if not default_graph().is_eager:
            self._examples[inputs] = examples
        if "mask" in takes and mask is not None:
            kwargs["mask"] = _steps_as_examples(mask)
        made = self.layer(examples, **kwargs)
        outputs = arrays.reshape(made, [-1, steps, *_sizes_from(made, 1)])
        outputs.set_shape([sizes[0], sizes[1], *made.shape.as_list()[1:]])
        return outputs

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """The inner layer's mask of all steps; of a layer that has none, which steps have any part that counts.

        As in TensorFlow, the layer is not asked where the size of batches is known.
        """
        if inputs.shape.as_list()[0]:
            return mask
        inner = None if mask is None else _steps_as_examples(mask)
        examples = self._examples.get(inputs)
        found = self.layer.compute_mask(_steps_as_examples(inputs) if examples is None else examples, inner)
        if found is not None:
            steps = inputs.shape[1].value or arrays.shape(inputs)[1]
            return arrays.reshape(found, [-1, steps, *_sizes_from(found, 1)])
        for _ in range(2, 2 if mask is None else mask.shape.ndims):
            mask = reductions.reduce_any(mask, -1)
        return mask


def _is_builtin(layer: Any) -> bool:
    """Whether ``layer`` is of one of Keras's classes in version 2, or of a class made of one."""
    ours = Layer.__module__.partition(".")[0] + "."
    return getattr(layer, "_is_in_version_2", True) and any(
        c.__module__.startswith(ours) for c in type(layer).__mro__ if not issubclass(Layer, c)
    )


def _sizes_from(x: Any, axis: int) -> list[Any]:
    """The sizes of the dimensions from ``axis`` on, as numbers where they are known."""
    known = x.shape.as_list()[axis:]
    if None not in known:
        return list(known)
    sizes = arrays.shape(x)
    return [n if n is not None else sizes[i + axis] for i, n in enumerate(known)]


def _steps_as_examples(x: Any) -> Any:
    return arrays.reshape(x, [-1, *_sizes_from(x, 2)])


class Bidirectional(Wrapper):
    """A recurrent layer in both directions, their outputs merged: concat, sum, mul, ave, or None for a list.

    Args:
      weights: those of both directions.
      backward_layer: what runs backwards; by default the same layer.

    Raises:
      ValueError: one of them is no layer, or the two do not fit together, or the merge mode is none of these.
    """

    forward_layer: Any
    backward_layer: Any

    def __init__(
        self, layer: Any, merge_mode: Any = "concat", weights: Any = None, backward_layer: Any = None, **kwargs: Any
    ) -> None:
        if not isinstance(layer, Layer):
            raise ValueError(f"Please initialize `Bidirectional` layer with a `Layer` instance. You passed: {layer}")
        if backward_layer is not None and not isinstance(backward_layer, Layer):
            raise ValueError(f"`backward_layer` need to be a `Layer` instance. You passed: {backward_layer}")
        if merge_mode not in ["sum", "mul", "ave", "concat", None]:
            raise ValueError('Invalid merge mode. Merge mode should be one of {"sum", "mul", "ave", "concat", None}')
        num_constants = kwargs.pop("num_constants", 0)
        super().__init__(layer, **kwargs)
        leave_untracked(self, "layer")  # the two that are made of it run
        self.merge_mode, self._num_constants = merge_mode, num_constants
        self.forward_layer = _remade(layer, layer.get_config())
        self._backward_config = None if backward_layer is None else backward_layer.get_config()
        if backward_layer is None:
            config = layer.get_config()
            backward_layer = _remade(layer, {**config, "go_backwards": not config["go_backwards"]})
        self.backward_layer = backward_layer
        directions = self.forward_layer, self.backward_layer
        for word, made in zip(("forward_", "backward_"), directions, strict=True):
            made._name = word + made.name
            if getattr(made, "zero_output_for_mask", None) is not None:
                made.zero_output_for_mask = made.return_sequences
        self._check_directions()
        if weights:
            half = len(weights) // 2
            self.forward_layer._initial_weights, self.backward_layer._initial_weights = weights[:half], weights[half:]
        self.return_sequences, self.return_state = self.forward_layer.return_sequences, self.forward_layer.return_state
        self.stateful, self.supports_masking = layer.stateful, True
        self.input_spec = layer.input_spec

    def _check_directions(self) -> None:
        forward, backward = self.forward_layer, self.backward_layer
        if forward.go_backwards == backward.go_backwards:
            raise ValueError("Forward layer and backward layer should have different `go_backwards` value.")
        for name in ("stateful", "return_sequences", "return_state"):
            if getattr(forward, name) != getattr(backward, name):
                raise ValueError(
                    "Forward layer and backward layer are expected to have the same value for attribute "
                    f"{name}, got {getattr(forward, name)} and {getattr(backward, name)}"
                )

    def build(self, input_shape: Any = None) -> None:
        for layer in (self.forward_layer, self.backward_layer):
            with K.name_scope_(layer.name):
                layer.build(input_shape)
                layer.built = True
        self.built = True

    def __call__(self, inputs: Any, initial_state: Any = None, constants: Any = None, **kwargs: Any) -> Any:
        """The outputs; with ``initial_state``, from the states of both directions on.

        Raises:
          ValueError: the states are not those of two directions, or some are made by layers and some are not.
        """
        inputs, states, more = parts_of_inputs(inputs, initial_state, constants, self._num_constants)
        if not states and not more:
            return super().__call__(inputs, **kwargs)
        if len(states) % 2:
            raise ValueError(
                "When passing `initial_state` to a Bidirectional RNN, the state should be a list containing the states "
                f"of the underlying RNNs. Found: {states}"
            )
        self._num_constants = len(more) or self._num_constants
        for layer in (self.forward_layer, self.backward_layer):
            layer._num_constants = self._num_constants
        extra = [*states, *more]
        made_by_layers = [history_of(x) is not None for x in extra]
        if any(made_by_layers) and not all(made_by_layers):
            raise ValueError(
                "The initial state of a Bidirectional layer cannot be specified with a mix of Keras tensors and "
                'non-Keras tensors (a "Keras tensor" is a tensor that was returned by a Keras layer, or by `Input`)'
            )
        if not all(made_by_layers):
            return super().__call__(inputs, initial_state=states or None, constants=more or None, **kwargs)
        spec, self.input_spec = self.input_spec, None  # it takes the states too
        try:
            return super().__call__([inputs, *extra], **kwargs)
        finally:
            self.input_spec = spec

    def call(
        self, inputs: Any, training: Any = None, mask: Any = None, initial_state: Any = None, constants: Any = None
    ) -> Any:
        given = {"training": training, "mask": mask, "constants": constants}
        kwargs = {n: x for n, x in given.items() if n in parameters_of(type(self.forward_layer).call)}
        states = initial_state or []
        if isinstance(inputs, list) and len(inputs) > 1:
            inputs, states, kwargs["constants"] = parts_of_inputs(inputs, None, None, self._num_constants)
        half = len(states) // 2
        outputs = [
            layer(inputs, initial_state=own or None, **kwargs)
            for layer, own in ((self.forward_layer, states[:half]), (self.backward_layer, states[half:]))
        ]
        last: list[Any] = []
        if self.return_state:
            last = [*outputs[0][1:], *outputs[1][1:]]
            outputs = [outputs[0][0], outputs[1][0]]
        y, back = outputs
        if self.return_sequences:
            back = permuting.reverse(back, [1])
        merged: Any = {
            "concat": lambda: K.concatenate([y, back]), "sum": lambda: y + back, "ave": lambda: (y + back) / 2,
            "mul": lambda: y * back, None: lambda: [y, back],
        }[self.merge_mode]()  # fmt: skip
        if not self.return_state:
            return merged
        return [*(merged if self.merge_mode is None else [merged]), *last]

    def compute_output_shape(self, input_shape: Any) -> Any:
        shape = self.forward_layer.compute_output_shape(input_shape)
        states: list[Any] = []
        if self.return_state:
            shape, *states = shape
        sizes = TensorShape(shape).as_list()
        if self.merge_mode == "concat" and sizes[-1] is not None:
            sizes[-1] *= 2
        whole = TensorShape(sizes)
        outputs = [whole, whole] if self.merge_mode is None else [whole]
        return [*outputs, *states, *states] if len(outputs) > 1 or states else outputs[0]

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        mask = nest.flatten(mask)[0] if isinstance(mask, list) else mask
        output = mask if self.return_sequences else None
        output = [output, output] if self.merge_mode is None else output
        if not self.return_state:
            return output
        count = len(nest.flatten(self.forward_layer.cell.state_size)) * 2
        return [*(output if isinstance(output, list) else [output]), *[None] * count]

    def reset_states(self) -> None:
        """Let both directions forget their states."""
        self.forward_layer.reset_states()
        self.backward_layer.reset_states()

    def get_config(self) -> dict[str, Any]:
        config = {**super().get_config(), "merge_mode": self.merge_mode}
        if self._num_constants:
            config["num_constants"] = self._num_constants
        if self._backward_config is not None:
            name = type(self.backward_layer).__name__
            config["backward_layer"] = {"class_name": name, "config": self._backward_config}
        return config


def _remade(layer: Any, config: dict[str, Any]) -> Any:
    """A layer of the class of ``layer``, whose cells may be of classes of the program."""
    if "custom_objects" not in parameters_of(type(layer).from_config):
        return type(layer).from_config(config)
    cell = getattr(layer, "cell", None)
    cells = [] if cell is None else [cell, *getattr(cell, "cells", [])]
    return type(layer).from_config(config, custom_objects={type(c).__name__: type(c) for c in cells})
