"""Models that are ready to be trained: ``tf.keras.experimental``."""

from __future__ import annotations

from typing import Any

from retrograd.keras.layer_table import add_layers, deserialize, serialize
from retrograd.keras.layers.core import Dense
from retrograd.keras.models import Model
from retrograd.nn.keras import activations, initializers, regularizers
from retrograd.nn.layers.engine import Layer
from retrograd.ops import biases


class LinearModel(Model):
    """``activation(sum_i x_i W_i + b)`` of one input or of a list of them.

    Raises:
      ValueError: it is called with another number of inputs than before.
    """

    def __init__(
        self, units: int = 1, activation: Any = None, use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform", bias_initializer: Any = "zeros", kernel_regularizer: Any = None,
        bias_regularizer: Any = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        self.units = units
        self.activation = activations.get(activation)
        self.use_bias = use_bias
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.bias_initializer = initializers.get(bias_initializer)
        self.kernel_regularizer = regularizers.get(kernel_regularizer)
        self.bias_regularizer = regularizers.get(bias_regularizer)
        super().__init__(**kwargs)

    def build(self, input_shape: Any = None) -> None:
        """A kernel for each input, and the bias."""
        self.dense_layers = [
            Dense(
                units=self.units, use_bias=False, kernel_initializer=self.kernel_initializer,
                kernel_regularizer=self.kernel_regularizer, input_shape=shape,
            )
            for shape in (input_shape if isinstance(input_shape, list) else [input_shape])
        ]  # fmt: skip
        self.bias = None
        if self.use_bias:
            self.bias = self.add_weight(
                "bias", shape=self.units, initializer=self.bias_initializer, regularizer=self.bias_regularizer,
                dtype=self.dtype, trainable=True,
            )  # fmt: skip

    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        """The sum of what the kernels make of the inputs."""
        given = inputs if isinstance(inputs, tuple | list) else [inputs]
        if len(given) != len(self.dense_layers):
            raise ValueError(f"Expected {len(self.dense_layers)} inputs, but got {len(given)} inputs")
        total, *rest = (layer(x) for x, layer in zip(given, self.dense_layers, strict=True))
        for term in rest:
            total += term
        if self.use_bias:
            total = biases.bias_add(total, self.bias)
        return total if self.activation is None else self.activation(total)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make the same model."""
        own = {
            "units": self.units,
            "activation": activations.serialize(self.activation),
            "use_bias": self.use_bias,
            "kernel_initializer": initializers.serialize(self.kernel_initializer),
            "bias_initializer": initializers.serialize(self.bias_initializer),
            "kernel_regularizer": regularizers.serialize(self.kernel_regularizer),
            "bias_regularizer": regularizers.serialize(self.bias_regularizer),
        }
        return {**Layer.get_config(self), **own}

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Any:
        """The model with these arguments."""
        return cls(**config)


class WideDeepModel(Model):
    """``activation((linear_model(x) + dnn_model(x')) / 2)``, each part with an optimizer of its own, or both with one.

    Args:
      linear_model, dnn_model: models whose outputs agree in shape.
      activation: a function or its name; by default none.

    It is called with one input for both, or with a list: the linear model's, the deep one's. ``compile`` takes one
    optimizer, or a list: the linear model's, the deep one's.
    """

    def __init__(self, linear_model: Any, dnn_model: Any, activation: Any = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.linear_model = linear_model
        self.dnn_model = dnn_model
        self.activation = activations.get(activation)

    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        """What both make of the inputs."""
        several = isinstance(inputs, tuple | list) and len(inputs) == 2
        wide, deep = inputs if several else (inputs, inputs)
        y = 0.5 * (self.linear_model(wide) + self.dnn_model(deep))
        return y if self.activation is None else self.activation(y)

    def _steps_of(self, params: list[Any]) -> list[Any]:
        optimizer = self.optimizer
        wide, deep = optimizer if isinstance(optimizer, tuple | list) else (optimizer, optimizer)
        parts = ((wide, self.linear_model), (deep, self.dnn_model))
        return [
            step
            for each, part in parts
            for step in each.get_updates(loss=self.total_loss, params=part.trainable_weights)
        ]

    def get_config(self) -> dict[str, Any]:
        """The arguments that make the same model."""
        own = {
            "linear_model": serialize(self.linear_model),
            "dnn_model": serialize(self.dnn_model),
            "activation": activations.serialize(self.activation),
        }
        return {**Layer.get_config(self), **own}

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Any:
        """The model with these arguments."""
        parts = {name: deserialize(config.pop(name), custom_objects) for name in ("linear_model", "dnn_model")}
        activation = activations.deserialize(config.pop("activation", None), custom_objects=custom_objects)
        return cls(**parts, activation=activation, **config)


add_layers(LinearModel, WideDeepModel)
