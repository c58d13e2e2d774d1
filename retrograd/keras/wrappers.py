"""Layers around another layer: for each step of time, and in both directions."""

from __future__ import annotations

import copy
from typing import Any

from retrograd.graph import nest
from retrograd.graph.shapes import TensorShape
from retrograd.keras import backend as K
from retrograd.keras.nesting import Nesting
from retrograd.nn.layers.engine import Layer, parameters_of, shared_config
from retrograd.nn.layers.input_spec import InputSpec
from retrograd.ops import arrays, permuting


class Wrapper(Nesting, Layer):
    """A layer around another."""

    def __init__(self, layer: Any, **kwargs: Any) -> None:
        if not isinstance(layer, Layer):
            raise AssertionError
        self.layer = layer
        super().__init__(**kwargs)

    def build(self, input_shape: Any = None) -> None:
        if not self.layer.built:
            if self.layer._dtype is None:
                self.layer._dtype = self._dtype
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
    """A layer for each step of time."""

    def __init__(self, layer: Any, **kwargs: Any) -> None:
        super().__init__(layer, **kwargs)
        self.supports_masking = True

    def build(self, input_shape: Any = None) -> None:
        sizes = TensorShape(input_shape).as_list()
        if len(sizes) < 3:
            raise ValueError(
                "`TimeDistributed` Layer should be passed an `input_shape ` with at least 3 dimensions, received: "
                f"{sizes}"
            )
        self.input_spec = InputSpec(shape=[None, *sizes[1:]])
        super().build(TensorShape([sizes[0], *sizes[2:]]))

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        sizes = TensorShape(input_shape).as_list()
        inner = TensorShape(self.layer.compute_output_shape(TensorShape([sizes[0], *sizes[2:]]))).as_list()
        return TensorShape([inner[0], sizes[1], *inner[1:]])

    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        kwargs: dict[str, Any] = {}
        if "training" in parameters_of(type(self.layer).call):
            kwargs["training"] = training
        sizes = inputs.shape.as_list()
        if sizes[0]:
            from retrograd.keras.recurrence import rnn

            def step(x: Any, _: Any) -> Any:
                return self.layer(x, **kwargs), []

            _, outputs, _ = rnn(step, inputs, [], input_length=sizes[1], mask=mask)
            return outputs
        steps = sizes[1] if sizes[1] is not None else arrays.shape(inputs)[1]
        known = [n if n is not None else arrays.shape(inputs)[i + 2] for i, n in enumerate(sizes[2:])]
        flat = arrays.reshape(inputs, [-1, *known])
        made = self.layer(flat, **kwargs)
        inner = made.shape.as_list()[1:]
        rest = [n if n is not None else arrays.shape(made)[i + 1] for i, n in enumerate(inner)]
        outputs = arrays.reshape(made, [-1, steps, *rest])
        outputs.set_shape([None, sizes[1], *inner])
        return outputs

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        return mask


class Bidirectional(Wrapper):
    """A recurrent layer in both directions, their outputs merged: concat, sum, mul, ave, or None for a list."""

    def __init__(
        self, layer: Any, merge_mode: Any = "concat", weights: Any = None, backward_layer: Any = None, **kwargs: Any
    ) -> None:
        is_layer = isinstance(layer, Layer)
        if not is_layer:
            raise ValueError(f"Please initialize `Bidirectional` layer with a `Layer` instance. You passed: {layer}")
        if merge_mode not in ["sum", "mul", "ave", "concat", None]:
            raise ValueError('Invalid merge mode. Merge mode should be one of {"sum", "mul", "ave", "concat", None}')
        super().__init__(layer, **kwargs)
        self.merge_mode = merge_mode
        config = copy.copy(layer.get_config())
        self._given = {"class_name": type(layer).__name__, "config": config}
        self.forward_layer = _remade(layer, {**config, "name": "forward_" + layer.name})
        if backward_layer is None:
            backwards = {**config, "go_backwards": not layer.go_backwards, "name": "backward_" + layer.name}
            backward_layer = _remade(layer, backwards)
        self.backward_layer = backward_layer
        self.__dict__["layer"] = self.forward_layer
        self.return_sequences, self.return_state = layer.return_sequences, layer.return_state
        self.stateful, self.supports_masking = layer.stateful, True

    def build(self, input_shape: Any = None) -> None:
        for layer in (self.forward_layer, self.backward_layer):
            with K.name_scope_(layer.name):
                if layer._dtype is None:
                    layer._dtype = self._dtype
                layer.build(input_shape)
                layer.built = True
        self.built = True

    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        kwargs: dict[str, Any] = {"mask": mask}
        if "training" in parameters_of(type(self.forward_layer).call):
            kwargs["training"] = training
        with K.name_scope_(self.forward_layer.name):
            y = self.forward_layer.call(inputs, **kwargs)
        with K.name_scope_(self.backward_layer.name):
            back = self.backward_layer.call(inputs, **kwargs)
        states: list[Any] = []
        if self.return_state:
            states = [*y[1:], *back[1:]]
            y, back = y[0], back[0]
        if self.return_sequences:
            back = permuting.reverse(back, [1])
        merged: Any = {
            "concat": lambda: K.concatenate([y, back]), "sum": lambda: y + back, "ave": lambda: (y + back) / 2,
            "mul": lambda: y * back, None: lambda: [y, back],
        }[self.merge_mode]()  # fmt: skip
        if not self.return_state:
            return merged
        return [*(merged if self.merge_mode is None else [merged]), *states]

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
        return {**super().get_config(), "layer": self._given, "merge_mode": self.merge_mode}


def _remade(layer: Any, config: dict[str, Any]) -> Any:
    return type(layer).from_config(config)
