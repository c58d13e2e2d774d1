"""``ConvLSTM2D``: a recurrent layer over sequences of images, whose products are convolutions (Shi et al., 2015)."""

from __future__ import annotations

from typing import Any

from retrograd.graph.shapes import TensorShape
from retrograd.keras import backend as K
from retrograd.keras.layers.recurrent import OF_LAYER, OVER_TIME, WithCell
from retrograd.keras.layers.recurrent_cells import (
    DROPOUTS,
    GATED,
    PARTS,
    GatedCell,
    forget_bias,
    in_order,
    with_forget_bias,
)
from retrograd.nn.layers import sizes
from retrograd.nn.layers.input_spec import InputSpec
from retrograd.nn.layers.parameters import taking
from retrograd.ops import constants, joining, reductions

_WINDOWS: dict[str, Any] = {
    "strides": (1, 1), "padding": "valid", "data_format": None, "dilation_rate": (1, 1), **GATED,
}  # fmt: skip


@taking("filters", "kernel_size", **_WINDOWS, **with_forget_bias(PARTS), implementation=1)
class ConvLSTM2DCell(GatedCell):
    """The step of a ``ConvLSTM2D``."""

    gates = 4

    def __init__(
        self,
        filters: int,
        kernel_size: Any,
        strides: Any,
        padding: str,
        data_format: Any,
        dilation_rate: Any,
        unit_forget_bias: bool,
        **kwargs: Any,
    ) -> None:
        super().__init__(filters, **kwargs)
        self.filters, self.unit_forget_bias = filters, unit_forget_bias
        self.kernel_size = sizes.normalize_tuple(kernel_size, 2, "kernel_size")
        self.strides = sizes.normalize_tuple(strides, 2, "strides")
        self.padding = sizes.padding_of_keras(padding)
        self.data_format = sizes.normalize_data_format(data_format or K.image_data_format())
        self.dilation_rate = sizes.normalize_tuple(dilation_rate, 2, "dilation_rate")
        self.state_size = (filters, filters)

    def build(self, input_shape: Any) -> None:
        channels = TensorShape(input_shape)[1 if self.data_format == "channels_first" else -1].value
        if channels is None:
            raise ValueError("The channel dimension of the inputs should be defined. Found `None`.")
        self.kernel_shape = (*self.kernel_size, channels, self.filters * 4)
        self.kernel = self.add_weight(
            shape=self.kernel_shape, name="kernel", initializer=self.kernel_initializer,
            regularizer=self.kernel_regularizer, constraint=self.kernel_constraint,
        )  # fmt: skip
        self.recurrent_kernel = self.add_weight(
            shape=(*self.kernel_size, self.filters, self.filters * 4), name="recurrent_kernel",
            initializer=self.recurrent_initializer, regularizer=self.recurrent_regularizer,
            constraint=self.recurrent_constraint,
        )  # fmt: skip
        if self.use_bias:
            first = forget_bias(self) if self.unit_forget_bias else self.bias_initializer
            self.bias = self.add_weight(
                shape=(self.filters * 4,), name="bias", initializer=first, regularizer=self.bias_regularizer,
                constraint=self.bias_constraint,
            )  # fmt: skip
        self.built = True

    def call(self, inputs: Any, states: Any, training: Any = None) -> Any:
        h, c = states
        masks = self._mask("input", inputs, self.dropout, training, 4)
        state_masks = self._mask("state", h, self.recurrent_dropout, training, 4)
        x = [inputs * m for m in masks] if masks is not None else [inputs] * 4
        before = [h * m for m in state_masks] if state_masks is not None else [h] * 4
        kernels = joining.split(self.kernel, num_or_size_splits=4, axis=3)
        recurrent = joining.split(self.recurrent_kernel, num_or_size_splits=4, axis=3)
        parts = joining.split(self.bias, num_or_size_splits=4) if self.use_bias else [None] * 4
        x_i, x_f, x_c, x_o = (self.input_conv(v, k, b, self.padding) for v, k, b in zip(x, kernels, parts, strict=True))
        h_i, h_f, h_c, h_o = (self.recurrent_conv(v, k) for v, k in zip(before, recurrent, strict=True))
        i, f = self.recurrent_activation(x_i + h_i), self.recurrent_activation(x_f + h_f)
        c = f * c + i * self.activation(x_c + h_c)
        h = self.recurrent_activation(x_o + h_o) * self.activation(c)
        return h, [h, c]

    def input_conv(self, x: Any, w: Any, b: Any = None, padding: str = "valid") -> Any:
        """The convolution of the inputs."""
        out = K.conv2d(
            x, w, strides=self.strides, padding=padding, data_format=self.data_format,
            dilation_rate=self.dilation_rate,
        )  # fmt: skip
        return out if b is None else K.bias_add(out, b, data_format=self.data_format)

    def recurrent_conv(self, x: Any, w: Any) -> Any:
        """The convolution of the state, which keeps its size."""
        return K.conv2d(x, w, strides=(1, 1), padding="same", data_format=self.data_format)

    def get_config(self) -> dict[str, Any]:
        config = super().get_config()
        for key in ("units", "implementation"):
            config.pop(key)
        return in_order({
            **config, "filters": self.filters, "kernel_size": self.kernel_size, "strides": self.strides,
            "padding": self.padding, "data_format": self.data_format, "dilation_rate": self.dilation_rate,
            "unit_forget_bias": self.unit_forget_bias,
        })  # fmt: skip


_STATES: dict[str, Any] = {key: value for key, value in OVER_TIME.items() if key != "return_state"}
_DROPPED_LAST: dict[str, Any] = {key: value for key, value in OF_LAYER.items() if key not in DROPOUTS}


@taking("filters", "kernel_size", **_WINDOWS, **with_forget_bias(_DROPPED_LAST), **_STATES, **DROPOUTS)
class ConvLSTM2D(WithCell):
    """An LSTM over sequences of images: its products are convolutions, its states are images.

    Raises:
      TypeError: it is to be unrolled.
    """

    _cell = ConvLSTM2DCell
    _limits_steps = True

    def __init__(self, **kwargs: Any) -> None:
        if kwargs.get("unroll"):
            raise TypeError("Unrolling isn't possible with convolutional RNNs.")
        super().__init__(**kwargs)
        self.input_spec = [InputSpec(ndim=5)]

    def get_initial_state(self, inputs: Any) -> list[Any]:
        """Zeros of the size of a convolved step."""
        first = reductions.reduce_sum(constants.zeros_like(inputs), axis=1)
        shape = (*self.cell.kernel_shape[:-1], self.cell.filters)
        state = self.cell.input_conv(first, constants.zeros(shape), padding=self.cell.padding)
        return [state, state]

    def build(self, input_shape: Any) -> None:
        shape = TensorShape(input_shape[0] if isinstance(input_shape, list) else input_shape).as_list()
        if not self.cell.built:
            self.cell.build(TensorShape([shape[0], *shape[2:]]))
            self.cell.built = True
        if self.stateful:
            state = self._image_shape(shape)
            if None in state:
                raise ValueError(
                    "If a RNN is stateful, it needs to know its batch size. Specify the batch size of your input "
                    "tensors: \n- If using a Sequential model, specify the batch size by passing a `batch_input_shape` "
                    "argument to your first layer.\n- If using the functional API, specify the time dimension by "
                    "passing a `batch_shape` argument to your Input layer.\nThe same thing goes for the number of rows "
                    "and columns."
                )
            self._states = [K.zeros(state), K.zeros(state)]
        self.built = True

    def _image_shape(self, shape: list[Any]) -> list[Any]:
        """The shape of an output image, for sequences of a shape."""
        cell, first = self.cell, self.cell.data_format == "channels_first"
        space = shape[3:] if first else shape[2:-1]
        given = zip(space, cell.kernel_size, cell.strides, cell.dilation_rate, strict=True)
        new = [sizes.conv_output_length(n, k, cell.padding, s, d) for n, k, s, d in given]
        return [shape[0], cell.filters, *new] if first else [shape[0], *new, cell.filters]

    def compute_output_shape(self, input_shape: Any) -> Any:
        shape = TensorShape(input_shape[0] if isinstance(input_shape, list) else input_shape).as_list()
        image = self._image_shape(shape)
        output = TensorShape([image[0], shape[1], *image[1:]] if self.return_sequences else image)
        return [output, TensorShape(image), TensorShape(image)] if self.return_state else output
