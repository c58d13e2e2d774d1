"""Convolutions as layers: of lines, images and volumes, transposed, separable."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.errors import taught
from retrograd.graph.shapes import TensorShape
from retrograd.graph.tensor import Tensor
from retrograd.nn import convolution, transposed
from retrograd.nn.keras import activations, constraints, initializers, regularizers
from retrograd.nn.layers import sizes
from retrograd.nn.layers.base import Layer
from retrograd.nn.layers.input_spec import InputSpec
from retrograd.ops import arrays, biases, joining, permuting
from retrograd.ops.convolution import conv2d as convolved_images
from retrograd.ops.convolution import conv3d as convolved_volumes
from retrograd.state.initializers import zeros_initializer

_UNDILATED: dict[int, Callable[..., Tensor]] = {1: convolution.conv1d, 2: convolved_images, 3: convolved_volumes}


class _Convolution(Layer):
    """``activation(convolution(inputs, kernel) + bias)`` over ``rank`` dimensions of space.

    Args:
      filters: the number of output channels.
      kernel_size, strides, dilation_rate: one integer, or one for each dimension of space.
      padding: ``"valid"``, or ``"same"``: outputs as many as inputs, over the strides.
      data_format: ``"channels_last"`` or ``"channels_first"``.
      activation: a function of the outputs, or its name.

    Raises:
      ValueError: an argument is not of the right kind, or the number of channels is not known.
    """

    rank: int

    def __init_subclass__(cls) -> None:
        """Show the defaults of strides and rates as TensorFlow does: one for each dimension."""
        if getattr(cls, "rank", 1) > 1:
            given = list(inspect.signature(cls.__init__).parameters.values())[1:]
            ones = (1,) * cls.rank
            shown = [p.replace(default=ones) if p.name in ("strides", "dilation_rate") else p for p in given]
            cls.__signature__ = inspect.Signature(shown)  # type: ignore[attr-defined]

    def __init__(
        self,
        filters: Any,
        kernel_size: Any,
        strides: Any = 1,
        padding: str = "valid",
        data_format: str = "channels_last",
        dilation_rate: Any = 1,
        activation: Any = None,
        use_bias: bool = True,
        kernel_initializer: Any = None,
        bias_initializer: Any = zeros_initializer(),  # noqa: B008
        kernel_regularizer: Any = None,
        bias_regularizer: Any = None,
        activity_regularizer: Any = None,
        kernel_constraint: Any = None,
        bias_constraint: Any = None,
        trainable: bool = True,
        name: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            trainable=trainable, name=name, activity_regularizer=regularizers.get(activity_regularizer), **kwargs
        )
        self.filters = filters if filters is None or isinstance(filters, int) else int(filters)
        self.kernel_size = sizes.normalize_tuple(kernel_size, self.rank, "kernel_size")
        self.strides = sizes.normalize_tuple(strides, self.rank, "strides")
        self.padding = sizes.padding_of_keras(padding)
        self.data_format = sizes.normalize_data_format(data_format)
        self.dilation_rate = sizes.normalize_tuple(dilation_rate, self.rank, "dilation_rate")
        self.activation = activations.get(activation)
        self.use_bias = use_bias
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.bias_initializer = initializers.get(bias_initializer)
        self.kernel_regularizer = regularizers.get(kernel_regularizer)
        self.bias_regularizer = regularizers.get(bias_regularizer)
        self.kernel_constraint = constraints.get(kernel_constraint)
        self.bias_constraint = constraints.get(bias_constraint)
        self.input_spec = InputSpec(ndim=self.rank + 2)
        self.bias: Any = None

    # -- variables -----------------------------------------------------------------------------

    @property
    def _is_channels_first(self) -> bool:
        return self.data_format == "channels_first"

    def _input_channels(self, input_shape: Any) -> int:
        axis = 1 if self._is_channels_first else -1
        channels: int | None = TensorShape(input_shape)[axis].value
        if channels is None:
            raise taught(
                ValueError("The channel dimension of the inputs should be defined. Found `None`."),
                why="the kernel has a slice for each channel",
                fix="x.set_shape(...) with the number of channels",
            )
        self.input_spec = InputSpec(ndim=self.rank + 2, axes={axis: channels})
        return channels

    def _kernel_shape(self, channels: int) -> tuple[Any, ...]:
        return (*self.kernel_size, channels, self.filters)

    def build(self, input_shape: Any) -> None:
        channels = self._input_channels(input_shape)
        self.kernel = self.add_weight(
            "kernel", self._kernel_shape(channels), self.dtype, self.kernel_initializer, self.kernel_regularizer,
            True, self.kernel_constraint,
        )  # fmt: skip
        self._make_bias()
        self._settle()
        self.built = True

    def _make_bias(self) -> None:
        if self.use_bias:
            self.bias = self.add_weight(
                "bias", (self.filters,), self.dtype, self.bias_initializer, self.bias_regularizer, True,
                self.bias_constraint,
            )  # fmt: skip

    def _settle(self) -> None:
        """What a convolution needs once: its rates, where strides allow any."""
        if any(s > 1 for s in self.strides) and any(r > 1 for r in self.dilation_rate):
            raise ValueError("strides > 1 not supported in conjunction with dilation_rate > 1")
        self._rates = as_tensor(self.dilation_rate, dtypes.int32, name="dilation_rate")

    # -- outputs -------------------------------------------------------------------------------

    @property
    def _op_format(self) -> str:
        return sizes.convert_data_format(self.data_format, self.rank + 2)

    def _with_channels(self, values: Any) -> list[Any]:
        """One value for each dimension of the inputs, 1 for batch and channels."""
        return [1, 1, *values] if self._is_channels_first else [1, *values, 1]

    def call(self, inputs: Any) -> Any:
        def convolved(part: Tensor, _: int, padding: str) -> Tensor:
            function = _UNDILATED[self.rank]
            return function(part, self.kernel, self._with_channels(self.strides), padding, data_format=self._op_format)

        outputs = convolution.with_space_to_batch(
            inputs, self._rates, self.padding.upper(), convolved, filter_shape=self.kernel.shape.as_list(),
            data_format=self._op_format,
        )  # fmt: skip
        return self.activation(self._with_bias(outputs))

    def _with_bias(self, outputs: Tensor) -> Tensor:
        if not self.use_bias:
            return outputs
        if self._is_channels_first and self.rank == 1:
            return outputs + arrays.reshape(self.bias, (1, self.filters, 1))
        return biases.bias_add(outputs, self.bias, data_format="NCHW" if self._is_channels_first else "NHWC")

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        shape = TensorShape(input_shape).as_list()
        space = shape[2:] if self._is_channels_first else shape[1:-1]
        given = zip(space, self.kernel_size, self.strides, self.dilation_rate, strict=True)
        new = [sizes.conv_output_length(n, k, self.padding, s, r) for n, k, s, r in given]
        return self._shaped(shape[0], new)

    def _shaped(self, batch: Any, space: list[Any]) -> TensorShape:
        channels = [self.filters]
        return TensorShape([batch, *channels, *space] if self._is_channels_first else [batch, *space, *channels])

    def get_config(self) -> dict[str, Any]:
        config = {
            "filters": self.filters, "kernel_size": self.kernel_size, "strides": self.strides,
            "padding": self.padding, "data_format": self.data_format, "dilation_rate": self.dilation_rate,
            "activation": activations.serialize(self.activation), "use_bias": self.use_bias,
            "kernel_initializer": initializers.serialize(self.kernel_initializer),
            "bias_initializer": initializers.serialize(self.bias_initializer),
            "kernel_regularizer": regularizers.serialize(self.kernel_regularizer),
            "bias_regularizer": regularizers.serialize(self.bias_regularizer),
            "activity_regularizer": regularizers.serialize(self.activity_regularizer),
            "kernel_constraint": constraints.serialize(self.kernel_constraint),
            "bias_constraint": constraints.serialize(self.bias_constraint),
        }  # fmt: skip
        return {**super().get_config(), **config}


class Conv1D(_Convolution):
    __doc__: str | None = f"A convolution of lines ``[batch, width, channels]``.\n\n{_Convolution.__doc__}"
    rank = 1


class Conv2D(_Convolution):
    __doc__: str | None = f"A convolution of images ``[batch, height, width, channels]``.\n\n{_Convolution.__doc__}"
    rank = 2


class Conv3D(_Convolution):
    __doc__: str | None = (
        f"A convolution of volumes ``[batch, depth, height, width, channels]``.\n\n{_Convolution.__doc__}"
    )
    rank = 3


# -- transposed --------------------------------------------------------------------------------


class _Transposed(_Convolution):
    """The transpose of a convolution: its inputs are the other's outputs, and grow by ``strides``.

    ``output_padding``: how much larger than least the outputs are, less than the strides.
    """

    _is_dilated = True

    def __init__(
        self,
        filters: Any,
        kernel_size: Any,
        strides: Any = 1,
        padding: str = "valid",
        data_format: str = "channels_last",
        activation: Any = None,
        use_bias: bool = True,
        kernel_initializer: Any = None,
        bias_initializer: Any = zeros_initializer(),  # noqa: B008
        kernel_regularizer: Any = None,
        bias_regularizer: Any = None,
        activity_regularizer: Any = None,
        kernel_constraint: Any = None,
        bias_constraint: Any = None,
        trainable: bool = True,
        name: Any = None,
        **kwargs: Any,
    ) -> None:
        output_padding, rate = kwargs.pop("output_padding", None), kwargs.pop("dilation_rate", 1)
        super().__init__(
            filters, kernel_size, strides, padding, data_format, rate, activation, use_bias, kernel_initializer,
            bias_initializer, kernel_regularizer, bias_regularizer, activity_regularizer, kernel_constraint,
            bias_constraint, trainable, name, **kwargs,
        )  # fmt: skip
        self.output_padding = output_padding
        if output_padding is not None:
            self.output_padding = sizes.normalize_tuple(output_padding, self.rank, "output_padding")
            if any(s <= more for s, more in zip(self.strides, self.output_padding, strict=True)):
                raise ValueError(f"Stride {self.strides} must be greater than output padding {self.output_padding}")

    def _kernel_shape(self, channels: int) -> tuple[Any, ...]:
        return (*self.kernel_size, self.filters, channels)

    def _settle(self) -> None:
        pass

    def call(self, inputs: Any) -> Any:
        shape = arrays.shape(inputs)
        batch, first = shape[0], 2 if self._is_channels_first else 1
        given = [shape[first + i] for i in range(self.rank)]
        space = self._grown_sizes(given)
        wanted = joining.stack(
            [batch, self.filters, *space] if self._is_channels_first else [batch, *space, self.filters]
        )
        outputs = self._grown(inputs, wanted)
        outputs.set_shape(self.compute_output_shape(inputs.shape))
        return self.activation(self._with_bias(outputs))

    def _grown(self, inputs: Any, shape: Tensor) -> Tensor:
        raise NotImplementedError

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        shape = TensorShape(input_shape).as_list()
        space = shape[2:] if self._is_channels_first else shape[1:-1]
        return self._shaped(shape[0], self._grown_sizes(space))

    def _grown_sizes(self, space: list[Any]) -> list[Any]:
        """The sizes of the outputs for those of the inputs: integers, tensors or None."""
        more = self.output_padding or [None] * self.rank
        rates = self.dilation_rate if self._is_dilated else (1,) * self.rank
        given = zip(space, self.kernel_size, more, self.strides, rates, strict=True)
        return [sizes.grown_length(n, k, self.padding, m, s, rate) for n, k, m, s, rate in given]

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "output_padding": self.output_padding}


class Conv2DTranspose(_Transposed):
    """The transpose of a convolution of images, whose sizes grow by ``strides``; see ``Conv2D``."""

    rank = 2

    def _grown(self, inputs: Any, shape: Tensor) -> Tensor:
        """Images with the channels first are turned round, as TensorFlow does where it finds no GPU."""
        strides, padding = [1, *self.strides, 1], self.padding.upper()
        if not self._is_channels_first:
            shape[0]
            return self._spread(inputs, shape, strides, padding)
        inputs = permuting.transpose(inputs, (0, 2, 3, 1))
        shape = joining.stack([shape[0], shape[2], shape[3], shape[1]])
        return permuting.transpose(self._spread(inputs, shape, strides, padding), (0, 3, 1, 2))

    def _spread(self, inputs: Any, shape: Tensor, strides: list[int], padding: str) -> Tensor:
        if self.dilation_rate == (1, 1):
            return transposed.conv2d_transpose(inputs, self.kernel, shape, strides, padding)
        return transposed.atrous_conv2d_transpose(inputs, self.kernel, shape, common_rate(self.dilation_rate), padding)


def common_rate(rates: Any) -> int:
    """The one rate of a dilated transposed convolution.

    Raises:
      AssertionError: the rates differ.
    """
    if rates[0] != rates[1]:
        error = AssertionError(f"dilation_rate {tuple(rates)} of a transposed convolution")
        raise taught(error, fix=f"one rate for both dimensions: dilation_rate={rates[0]}")
    return int(rates[0])


class Conv3DTranspose(_Transposed):
    """The transpose of a convolution of volumes, whose sizes grow by ``strides``; see ``Conv3D``.

    As in TensorFlow it does not read its ``dilation_rate``.
    """

    rank = 3
    _is_dilated = False

    def _input_channels(self, input_shape: Any) -> int:
        shape = TensorShape(input_shape)
        if shape[1 if self._is_channels_first else -1].value is None:
            raise ValueError(f"The channel dimension of the inputs should be defined, found None: {shape}")
        return super()._input_channels(shape)

    def _grown(self, inputs: Any, shape: Tensor) -> Tensor:
        return transposed.conv3d_transpose(
            inputs, self.kernel, shape, self._with_channels(self.strides), self.padding.upper(), self._op_format
        )

    def get_config(self) -> dict[str, Any]:
        config = super().get_config()
        del config["dilation_rate"]
        return config


# -- separable ---------------------------------------------------------------------------------


class _Separable(_Convolution):
    """A convolution of each channel for itself, then one of 1 by 1 over the channels.

    Args:
      depth_multiplier: how many channels the first makes of each.
      depthwise_initializer, pointwise_initializer, ...: of the kernels of the two.
    """

    def __init__(
        self,
        filters: Any,
        kernel_size: Any,
        strides: Any = 1,
        padding: str = "valid",
        data_format: str = "channels_last",
        dilation_rate: Any = 1,
        depth_multiplier: int = 1,
        activation: Any = None,
        use_bias: bool = True,
        depthwise_initializer: Any = None,
        pointwise_initializer: Any = None,
        bias_initializer: Any = zeros_initializer(),  # noqa: B008
        depthwise_regularizer: Any = None,
        pointwise_regularizer: Any = None,
        bias_regularizer: Any = None,
        activity_regularizer: Any = None,
        depthwise_constraint: Any = None,
        pointwise_constraint: Any = None,
        bias_constraint: Any = None,
        trainable: bool = True,
        name: Any = None,
        **kwargs: Any,
    ) -> None:
        kwargs.setdefault("kernel_initializer", "glorot_uniform")
        super().__init__(
            filters, kernel_size, strides, padding, data_format, dilation_rate, activation, use_bias,
            bias_initializer=bias_initializer, bias_regularizer=bias_regularizer,
            activity_regularizer=activity_regularizer, bias_constraint=bias_constraint, trainable=trainable,
            name=name, **kwargs,
        )  # fmt: skip
        self.depth_multiplier = depth_multiplier
        self.depthwise_initializer = initializers.get(depthwise_initializer)
        self.pointwise_initializer = initializers.get(pointwise_initializer)
        self.depthwise_regularizer = regularizers.get(depthwise_regularizer)
        self.pointwise_regularizer = regularizers.get(pointwise_regularizer)
        self.depthwise_constraint = constraints.get(depthwise_constraint)
        self.pointwise_constraint = constraints.get(pointwise_constraint)

    def get_config(self) -> dict[str, Any]:
        kinds = (("initializer", initializers), ("regularizer", regularizers), ("constraint", constraints))
        names = [(f"{which}_{kind}", made) for kind, made in kinds for which in ("depthwise", "pointwise")]
        config = {name: made.serialize(getattr(self, name)) for name, made in names}
        return {**super().get_config(), "depth_multiplier": self.depth_multiplier, **config}

    def build(self, input_shape: Any) -> None:
        channels = self._input_channels(input_shape)
        self.depthwise_kernel = self.add_weight(
            "depthwise_kernel", (*self.kernel_size, channels, self.depth_multiplier), self.dtype,
            self.depthwise_initializer, self.depthwise_regularizer, True, self.depthwise_constraint,
        )  # fmt: skip
        self.pointwise_kernel = self.add_weight(
            "pointwise_kernel", (*(1,) * self.rank, self.depth_multiplier * channels, self.filters), self.dtype,
            self.pointwise_initializer, self.pointwise_regularizer, True, self.pointwise_constraint,
        )  # fmt: skip
        self._make_bias()
        self.built = True


class SeparableConv1D(_Separable):
    __doc__: str | None = f"``Conv1D`` in two steps.\n\n{_Separable.__doc__}"
    rank = 1

    def call(self, inputs: Any) -> Any:
        """The convolution of images of height 1."""
        axis = 2 if self._is_channels_first else 1
        form = sizes.convert_data_format(self.data_format, 4)
        inputs = arrays.expand_dims(inputs, axis)
        outputs = convolution.separable_conv2d(
            inputs, arrays.expand_dims(self.depthwise_kernel, 0), arrays.expand_dims(self.pointwise_kernel, 0),
            strides=self._with_channels(self.strides * 2), padding=self.padding.upper(),
            rate=(1, *self.dilation_rate), data_format=form,
        )  # fmt: skip
        if self.use_bias:
            outputs = biases.bias_add(outputs, self.bias, data_format=form)
        return self.activation(arrays.squeeze(outputs, [axis]))


class SeparableConv2D(_Separable):
    __doc__: str | None = f"``Conv2D`` in two steps.\n\n{_Separable.__doc__}"
    rank = 2

    def call(self, inputs: Any) -> Any:
        outputs = convolution.separable_conv2d(
            inputs, self.depthwise_kernel, self.pointwise_kernel, strides=self._with_channels(self.strides),
            padding=self.padding.upper(), rate=self.dilation_rate, data_format=self._op_format,
        )  # fmt: skip
        return self.activation(self._with_bias(outputs))


# -- as functions ------------------------------------------------------------------------------


def _function(kind: type[_Convolution], word: str, rank: int, dilated: bool) -> Callable[..., Tensor]:
    ones = (1,) * rank if rank > 1 else 1

    def plain(
        inputs: Any,
        filters: Any,
        kernel_size: Any,
        strides: Any = ones,
        padding: str = "valid",
        data_format: str = "channels_last",
        dilation_rate: Any = ones,
        activation: Any = None,
        use_bias: bool = True,
        kernel_initializer: Any = None,
        bias_initializer: Any = zeros_initializer(),  # noqa: B008
        kernel_regularizer: Any = None,
        bias_regularizer: Any = None,
        activity_regularizer: Any = None,
        kernel_constraint: Any = None,
        bias_constraint: Any = None,
        trainable: bool = True,
        name: Any = None,
        reuse: bool | None = None,
    ) -> Any:
        layer = kind(
            filters, kernel_size, strides, padding, data_format, dilation_rate, activation, use_bias,
            kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer, activity_regularizer,
            kernel_constraint, bias_constraint, trainable, name, _reuse=reuse, _scope=name,
        )  # fmt: skip
        return layer.apply(inputs)

    def transposed(
        inputs: Any,
        filters: Any,
        kernel_size: Any,
        strides: Any = ones,
        padding: str = "valid",
        data_format: str = "channels_last",
        activation: Any = None,
        use_bias: bool = True,
        kernel_initializer: Any = None,
        bias_initializer: Any = zeros_initializer(),  # noqa: B008
        kernel_regularizer: Any = None,
        bias_regularizer: Any = None,
        activity_regularizer: Any = None,
        kernel_constraint: Any = None,
        bias_constraint: Any = None,
        trainable: bool = True,
        name: Any = None,
        reuse: bool | None = None,
    ) -> Any:
        layer = kind(
            filters, kernel_size, strides, padding, data_format, activation, use_bias, kernel_initializer,
            bias_initializer, kernel_regularizer, bias_regularizer, activity_regularizer, kernel_constraint,
            bias_constraint, trainable, name, _reuse=reuse, _scope=name,
        )  # fmt: skip
        return layer.apply(inputs)

    function = plain if dilated else transposed
    function.__name__ = function.__qualname__ = word
    function.__doc__ = f"The outputs of a new ``{kind.__name__}`` for ``inputs``; see there."
    return function


conv1d = _function(Conv1D, "conv1d", 1, True)
conv2d = _function(Conv2D, "conv2d", 2, True)
conv3d = _function(Conv3D, "conv3d", 3, True)
conv2d_transpose = _function(Conv2DTranspose, "conv2d_transpose", 2, False)
conv3d_transpose = _function(Conv3DTranspose, "conv3d_transpose", 3, False)


def _separable_function(kind: type[_Separable], word: str, rank: int) -> Callable[..., Tensor]:
    ones = (1,) * rank if rank > 1 else 1

    def function(
        inputs: Any,
        filters: Any,
        kernel_size: Any,
        strides: Any = ones,
        padding: str = "valid",
        data_format: str = "channels_last",
        dilation_rate: Any = ones,
        depth_multiplier: int = 1,
        activation: Any = None,
        use_bias: bool = True,
        depthwise_initializer: Any = None,
        pointwise_initializer: Any = None,
        bias_initializer: Any = zeros_initializer(),  # noqa: B008
        depthwise_regularizer: Any = None,
        pointwise_regularizer: Any = None,
        bias_regularizer: Any = None,
        activity_regularizer: Any = None,
        depthwise_constraint: Any = None,
        pointwise_constraint: Any = None,
        bias_constraint: Any = None,
        trainable: bool = True,
        name: Any = None,
        reuse: bool | None = None,
    ) -> Any:
        layer = kind(
            filters, kernel_size, strides, padding, data_format, dilation_rate, depth_multiplier, activation,
            use_bias, depthwise_initializer, pointwise_initializer, bias_initializer, depthwise_regularizer,
            pointwise_regularizer, bias_regularizer, activity_regularizer, depthwise_constraint,
            pointwise_constraint, bias_constraint, trainable, name, _reuse=reuse, _scope=name,
        )  # fmt: skip
        return layer.apply(inputs)

    function.__name__ = function.__qualname__ = word
    function.__doc__ = f"The outputs of a new ``{kind.__name__}`` for ``inputs``; see there."
    return function


separable_conv1d = _separable_function(SeparableConv1D, "separable_conv1d", 1)
separable_conv2d = _separable_function(SeparableConv2D, "separable_conv2d", 2)

Convolution1D, Convolution2D, Convolution3D = Conv1D, Conv2D, Conv3D
SeparableConvolution2D = SeparableConv2D
Convolution2DTranspose = Deconvolution2D = Deconv2D = Conv2DTranspose
Convolution3DTranspose = Deconvolution3D = Deconv3D = Conv3DTranspose
convolution1d, convolution2d, convolution3d = conv1d, conv2d, conv3d
separable_convolution2d = separable_conv2d
convolution2d_transpose = deconvolution2d = deconv2d = conv2d_transpose
convolution3d_transpose = deconvolution3d = deconv3d = conv3d_transpose
