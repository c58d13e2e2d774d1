"""Convolutions, pooling, padding, cropping and enlarging of lines, images and volumes."""

from __future__ import annotations

from typing import Any

from retrograd.graph.shapes import TensorShape
from retrograd.keras import backend as K
from retrograd.nn import convolution
from retrograd.nn.keras import activations, constraints, initializers, regularizers
from retrograd.nn.layers import convolutional, pooling, sizes
from retrograd.nn.layers.base import KerasStyle
from retrograd.nn.layers.engine import Layer
from retrograd.nn.layers.input_spec import InputSpec
from retrograd.nn.layers.parameters import taking
from retrograd.ops import arrays, reductions
from retrograd.ops.padding import pad

# -- convolutions --------------------------------------------------------------------------------


class _Convolution(KerasStyle):
    """Keras' defaults, and ``"causal"`` padding of lines."""

    rank: int
    kernel_size: Any
    dilation_rate: Any
    data_format: Any

    def __init__(self, filters: Any, kernel_size: Any, **kwargs: Any) -> None:
        self._is_causal = str(kwargs.get("padding", "valid")).lower() == "causal"
        if self._is_causal:
            if self.rank != 1:
                raise ValueError("Causal padding is only supported for `Conv1D`and ``SeparableConv1D`.")
            kwargs["padding"] = "valid"
        kwargs["data_format"] = kwargs.get("data_format") or K.image_data_format()
        super().__init__(filters, kernel_size, **kwargs)

    def call(self, inputs: Any) -> Any:
        if self._is_causal:
            before, none = [self._before, 0], [0, 0]
            first = self.data_format == "channels_first"
            inputs = pad(inputs, [none, none, before] if first else [none, before, none])
        return super().call(inputs)

    @property
    def _before(self) -> int:
        """The zeros before a line, with which no step sees a later one."""
        return int(self.dilation_rate[0] * (self.kernel_size[0] - 1))

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        if self._is_causal:
            axis = 2 if self.data_format == "channels_first" else 1
            sizes_of_input = TensorShape(input_shape).as_list()
            n = sizes_of_input[axis]
            sizes_of_input[axis] = None if n is None else n + self._before
            input_shape = TensorShape(sizes_of_input)
        return super().compute_output_shape(input_shape)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), **({"padding": "causal"} if self._is_causal else {})}


WINDOWS = ("filters", "kernel_size")
_BOTH: dict[str, Any] = {"activation": None, "use_bias": True}
OF_CONVOLUTION: dict[str, Any] = {
    **_BOTH, "kernel_initializer": "glorot_uniform", "bias_initializer": "zeros", "kernel_regularizer": None,
    "bias_regularizer": None, "activity_regularizer": None, "kernel_constraint": None, "bias_constraint": None,
}  # fmt: skip
_SEPARABLE: dict[str, Any] = {
    "depth_multiplier": 1, **_BOTH, "depthwise_initializer": "glorot_uniform",
    "pointwise_initializer": "glorot_uniform", "bias_initializer": "zeros", "depthwise_regularizer": None,
    "pointwise_regularizer": None, "bias_regularizer": None, "activity_regularizer": None,
    "depthwise_constraint": None, "pointwise_constraint": None, "bias_constraint": None,
}  # fmt: skip


@taking(*WINDOWS, strides=1, padding="valid", data_format="channels_last", dilation_rate=1, **OF_CONVOLUTION)
class Conv1D(_Convolution, convolutional.Conv1D):
    __doc__ = convolutional.Conv1D.__doc__


@taking(*WINDOWS, strides=(1, 1), padding="valid", data_format=None, dilation_rate=(1, 1), **OF_CONVOLUTION)
class Conv2D(_Convolution, convolutional.Conv2D):
    __doc__ = convolutional.Conv2D.__doc__


@taking(*WINDOWS, strides=(1, 1, 1), padding="valid", data_format=None, dilation_rate=(1, 1, 1), **OF_CONVOLUTION)
class Conv3D(_Convolution, convolutional.Conv3D):
    __doc__ = convolutional.Conv3D.__doc__


@taking(
    *WINDOWS,
    strides=(1, 1),
    padding="valid",
    output_padding=None,
    data_format=None,
    dilation_rate=(1, 1),
    **OF_CONVOLUTION,
)
class Conv2DTranspose(_Convolution, convolutional.Conv2DTranspose):
    __doc__ = convolutional.Conv2DTranspose.__doc__


@taking(*WINDOWS, strides=(1, 1, 1), padding="valid", output_padding=None, data_format=None, **OF_CONVOLUTION)
class Conv3DTranspose(_Convolution, convolutional.Conv3DTranspose):
    __doc__ = convolutional.Conv3DTranspose.__doc__


@taking(*WINDOWS, strides=1, padding="valid", data_format=None, dilation_rate=1, **_SEPARABLE)
class SeparableConv1D(_Convolution, convolutional.SeparableConv1D):
    __doc__ = convolutional.SeparableConv1D.__doc__


@taking(*WINDOWS, strides=(1, 1), padding="valid", data_format=None, dilation_rate=(1, 1), **_SEPARABLE)
class SeparableConv2D(_Convolution, convolutional.SeparableConv2D):
    __doc__ = convolutional.SeparableConv2D.__doc__


class DepthwiseConv2D(Layer):
    """Each channel of images with ``depth_multiplier`` filters of its own."""

    def __init__(
        self,
        kernel_size: Any,
        strides: Any = (1, 1),
        padding: str = "valid",
        depth_multiplier: int = 1,
        data_format: Any = None,
        activation: Any = None,
        use_bias: bool = True,
        depthwise_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros",
        depthwise_regularizer: Any = None,
        bias_regularizer: Any = None,
        activity_regularizer: Any = None,
        depthwise_constraint: Any = None,
        bias_constraint: Any = None,
        **kwargs: Any,
    ) -> None:
        rates = kwargs.pop("dilation_rate", (1, 1))
        of_kernel = [kwargs.pop(f"kernel_{k}", None) for k in ("initializer", "regularizer", "constraint")]
        super().__init__(activity_regularizer=regularizers.get(activity_regularizer), **kwargs)
        # Conv2D's arguments: kept, and without effect, as TensorFlow's layer has no weight of the name "kernel".
        self.kernel_initializer = initializers.get(of_kernel[0] or "glorot_uniform")
        self.kernel_regularizer = regularizers.get(of_kernel[1])
        self.kernel_constraint = constraints.get(of_kernel[2])
        self.kernel_size = sizes.normalize_tuple(kernel_size, 2, "kernel_size")
        self.strides = sizes.normalize_tuple(strides, 2, "strides")
        self.dilation_rate = sizes.normalize_tuple(rates, 2, "dilation_rate")
        self.padding, self.depth_multiplier = sizes.padding_of_keras(padding), depth_multiplier
        self.data_format = sizes.normalize_data_format(data_format or K.image_data_format())
        self.activation, self.use_bias = activations.get(activation), use_bias
        self.depthwise_initializer = initializers.get(depthwise_initializer)
        self.bias_initializer = initializers.get(bias_initializer)
        self.depthwise_regularizer = regularizers.get(depthwise_regularizer)
        self.bias_regularizer = regularizers.get(bias_regularizer)
        self.depthwise_constraint = constraints.get(depthwise_constraint)
        self.bias_constraint = constraints.get(bias_constraint)
        self.input_spec = InputSpec(ndim=4)
        self.bias: Any = None

    def build(self, input_shape: Any) -> None:
        axis = 1 if self.data_format == "channels_first" else 3
        channels = TensorShape(input_shape)[axis].value
        if channels is None:
            raise ValueError(
                "The channel dimension of the inputs to `DepthwiseConv2D` should be defined. Found `None`."
            )
        self.depthwise_kernel = self.add_weight(
            shape=(*self.kernel_size, channels, self.depth_multiplier), initializer=self.depthwise_initializer,
            name="depthwise_kernel", regularizer=self.depthwise_regularizer, constraint=self.depthwise_constraint,
        )  # fmt: skip
        if self.use_bias:
            self.bias = self.add_weight(
                shape=(channels * self.depth_multiplier,), initializer=self.bias_initializer, name="bias",
                regularizer=self.bias_regularizer, constraint=self.bias_constraint,
            )  # fmt: skip
        self.input_spec = InputSpec(ndim=4, axes={axis: channels})
        self.built = True

    def call(self, inputs: Any) -> Any:
        first = self.data_format == "channels_first"
        steps = (1, 1, *self.strides) if first else (1, *self.strides, 1)
        outputs = convolution.depthwise_conv2d(
            inputs, self.depthwise_kernel, strides=steps, padding=self.padding.upper(), rate=self.dilation_rate,
            data_format="NCHW" if first else "NHWC",
        )  # fmt: skip
        if self.use_bias:
            outputs = K.bias_add(outputs, self.bias, data_format=self.data_format)
        return self.activation(outputs) if self.activation is not None else outputs

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        shape = TensorShape(input_shape).as_list()
        first = self.data_format == "channels_first"
        space = shape[2:] if first else shape[1:3]
        given = zip(space, self.kernel_size, self.strides, strict=True)
        new = [sizes.conv_output_length(n, k, self.padding, s) for n, k, s in given]
        before = shape[1] if first else shape[3]
        channels = None if before is None else before * self.depth_multiplier
        return TensorShape([shape[0], channels, *new] if first else [shape[0], *new, channels])

    def get_config(self) -> dict[str, Any]:
        config = {
            "kernel_size": self.kernel_size, "strides": self.strides, "padding": self.padding,
            "data_format": self.data_format, "dilation_rate": self.dilation_rate,
            "activation": activations.serialize(self.activation), "use_bias": self.use_bias,
            "bias_initializer": initializers.serialize(self.bias_initializer),
            "bias_regularizer": regularizers.serialize(self.bias_regularizer),
            "activity_regularizer": regularizers.serialize(self.activity_regularizer),
            "bias_constraint": constraints.serialize(self.bias_constraint),
            "depth_multiplier": self.depth_multiplier,
            "depthwise_initializer": initializers.serialize(self.depthwise_initializer),
            "depthwise_regularizer": regularizers.serialize(self.depthwise_regularizer),
            "depthwise_constraint": constraints.serialize(self.depthwise_constraint),
        }  # fmt: skip
        return {**super().get_config(), **config}


# -- pooling -------------------------------------------------------------------------------------


class _Pooling(KerasStyle):
    """Keras' defaults: windows of two, as far apart as they are wide."""

    rank: int

    def __init__(
        self, pool_size: Any = 2, strides: Any = None, padding: str = "valid", data_format: Any = None, **kwargs: Any
    ) -> None:
        super().__init__(
            pool_size=pool_size, strides=pool_size if strides is None else strides, padding=padding,
            data_format=data_format or K.image_data_format(), **kwargs,
        )  # fmt: skip


_pools_lines = taking(pool_size=2, strides=None, padding="valid", data_format="channels_last")
_pools_images = taking(pool_size=(2, 2), strides=None, padding="valid", data_format=None)
_pools_volumes = taking(pool_size=(2, 2, 2), strides=None, padding="valid", data_format=None)


@_pools_lines
class MaxPooling1D(_Pooling, pooling.MaxPooling1D):
    __doc__ = pooling.MaxPooling1D.__doc__


@_pools_images
class MaxPooling2D(_Pooling, pooling.MaxPooling2D):
    __doc__ = pooling.MaxPooling2D.__doc__


@_pools_volumes
class MaxPooling3D(_Pooling, pooling.MaxPooling3D):
    __doc__ = pooling.MaxPooling3D.__doc__


@_pools_lines
class AveragePooling1D(_Pooling, pooling.AveragePooling1D):
    __doc__ = pooling.AveragePooling1D.__doc__


@_pools_images
class AveragePooling2D(_Pooling, pooling.AveragePooling2D):
    __doc__ = pooling.AveragePooling2D.__doc__


@_pools_volumes
class AveragePooling3D(_Pooling, pooling.AveragePooling3D):
    __doc__ = pooling.AveragePooling3D.__doc__


class _GlobalPooling(Layer):
    """One number for each channel."""

    rank: int
    is_mean: bool

    def __init__(self, data_format: Any = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.data_format = sizes.normalize_data_format(data_format or K.image_data_format())
        self.input_spec = InputSpec(ndim=self.rank + 2)
        self.supports_masking = self.rank == 1 and self.is_mean

    def call(self, inputs: Any, mask: Any = None) -> Any:
        axes = list(range(2, self.rank + 2)) if self.data_format == "channels_first" else list(range(1, self.rank + 1))
        if self.is_mean and mask is not None:
            kept = K.cast(mask, inputs.dtype.base_dtype)
            steps = inputs.shape[axes[0]].value
            if axes == [1] and steps is not None:
                kept = arrays.reshape(kept, [-1, steps, 1])
            else:
                kept = K.expand_dims(kept, 2 if axes == [1] else 1)
            return reductions.reduce_sum(inputs * kept, axis=axes[0]) / reductions.reduce_sum(kept, axis=axes[0])
        axis = axes[0] if self.rank == 1 else axes
        return reductions.reduce_mean(inputs, axis) if self.is_mean else reductions.reduce_max(inputs, axis)

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        return None

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        shape = TensorShape(input_shape).as_list()
        return TensorShape([shape[0], shape[1] if self.data_format == "channels_first" else shape[-1]])

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "data_format": self.data_format}


@taking(data_format="channels_last")
class GlobalAveragePooling1D(_GlobalPooling):
    """The mean of lines; masked steps do not count."""

    rank, is_mean = 1, True


class GlobalAveragePooling2D(_GlobalPooling):
    """The mean of images."""

    rank, is_mean = 2, True


class GlobalAveragePooling3D(_GlobalPooling):
    """The mean of volumes."""

    rank, is_mean = 3, True


@taking(data_format="channels_last")
class GlobalMaxPooling1D(_GlobalPooling):
    """The largest element of lines."""

    rank, is_mean = 1, False


class GlobalMaxPooling2D(_GlobalPooling):
    """The largest element of images."""

    rank, is_mean = 2, False


class GlobalMaxPooling3D(_GlobalPooling):
    """The largest element of volumes."""

    rank, is_mean = 3, False


# -- borders and sizes ---------------------------------------------------------------------------


class _Spatial(Layer):
    """A layer of lines, images or volumes that changes their sizes."""

    rank: int

    def __init__(self, data_format: Any = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        form = data_format or ("channels_last" if self.rank == 1 else K.image_data_format())
        self.data_format = sizes.normalize_data_format(form)
        self.input_spec = InputSpec(ndim=self.rank + 2)

    def _new_size(self, n: int, i: int) -> int:
        raise NotImplementedError

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        shape = TensorShape(input_shape).as_list()
        first = 2 if self.data_format == "channels_first" else 1
        for i in range(self.rank):
            n = shape[first + i]
            shape[first + i] = None if n is None else self._new_size(n, i)
        return TensorShape(shape)


def _pairs(value: Any, rank: int, name: str) -> tuple[tuple[int, int], ...]:
    """Two sides for each dimension, of one number, one for each, or two for each."""
    if isinstance(value, int):
        return ((value, value),) * rank
    if rank == 1:
        before, after = sizes.normalize_tuple(value, 2, name)
        return ((before, after),)
    if not hasattr(value, "__len__") or len(value) != rank:
        raise ValueError(f"`{name}` should have {'two' if rank == 2 else '3'} elements. Found: {value}")
    result = []
    for v in value:
        before, after = sizes.normalize_tuple(v, 2, f"entry of {name}")
        result.append((before, after))
    return tuple(result)


class _ZeroPadding(_Spatial):
    """Zeros around."""

    def __init__(self, padding: Any = 1, data_format: Any = None, **kwargs: Any) -> None:
        super().__init__(data_format, **kwargs)
        self._sides = _pairs(padding, self.rank, "padding")
        self.padding: Any = self._sides[0] if self.rank == 1 else self._sides

    def _new_size(self, n: int, i: int) -> int:
        return n + sum(self._sides[i])

    def call(self, inputs: Any) -> Any:
        return K.spatial_2d_padding(inputs, self._sides, self.data_format)

    def get_config(self) -> dict[str, Any]:
        config = {"padding": self.padding, "data_format": self.data_format}
        return {**super().get_config(), **(config if self.rank > 1 else {"padding": self.padding})}


@taking(padding=1)
class ZeroPadding1D(_ZeroPadding):
    """Zeros before and after lines."""

    rank = 1


@taking(padding=(1, 1), data_format=None)
class ZeroPadding2D(_ZeroPadding):
    """Zeros around images."""

    rank = 2


@taking(padding=(1, 1, 1), data_format=None)
class ZeroPadding3D(_ZeroPadding):
    """Zeros around volumes."""

    rank = 3


class _Cropping(_Spatial):
    """The inner part."""

    def __init__(self, cropping: Any, data_format: Any = None, **kwargs: Any) -> None:
        super().__init__(data_format, **kwargs)
        self._sides = _pairs(cropping, self.rank, "cropping")
        self.cropping: Any = self._sides[0] if self.rank == 1 else self._sides

    def _new_size(self, n: int, i: int) -> int:
        return n - sum(self._sides[i])

    def call(self, inputs: Any) -> Any:
        inner = tuple(slice(before, -after if after else None) for before, after in self._sides)
        whole = slice(None)
        return inputs[(whole, whole, *inner) if self.data_format == "channels_first" else (whole, *inner, whole)]

    def get_config(self) -> dict[str, Any]:
        config = {"cropping": self.cropping, "data_format": self.data_format}
        return {**super().get_config(), **(config if self.rank > 1 else {"cropping": self.cropping})}


class Cropping1D(_Cropping):
    """The inner part of lines."""

    rank = 1

    def __init__(self, cropping: Any = (1, 1), **kwargs: Any) -> None:
        super().__init__(cropping, **kwargs)


class Cropping2D(_Cropping):
    """The inner part of images."""

    rank = 2

    def __init__(self, cropping: Any = ((0, 0), (0, 0)), data_format: Any = None, **kwargs: Any) -> None:
        super().__init__(cropping, data_format, **kwargs)


class Cropping3D(_Cropping):
    """The inner part of volumes."""

    rank = 3

    def __init__(self, cropping: Any = ((1, 1), (1, 1), (1, 1)), data_format: Any = None, **kwargs: Any) -> None:
        super().__init__(cropping, data_format, **kwargs)


class UpSampling1D(_Spatial):
    """Each step of lines ``size`` times."""

    rank = 1

    def __init__(self, size: int = 2, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.size = int(size)

    def _new_size(self, n: int, i: int) -> int:
        return n * self.size

    def call(self, inputs: Any) -> Any:
        return K.repeat_elements(inputs, self.size, axis=1)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "size": self.size}


class UpSampling2D(_Spatial):
    """Images so many times as high and wide."""

    rank = 2

    def __init__(
        self, size: Any = (2, 2), data_format: Any = None, interpolation: str = "nearest", **kwargs: Any
    ) -> None:
        super().__init__(data_format, **kwargs)
        if interpolation not in {"nearest", "bilinear"}:
            raise ValueError('`interpolation` argument should be one of `"nearest"` or `"bilinear"`.')
        self.size, self.interpolation = sizes.normalize_tuple(size, 2, "size"), interpolation

    def _new_size(self, n: int, i: int) -> int:
        return n * self.size[i]

    def call(self, inputs: Any) -> Any:
        height, width = self.size
        return K.resize_images(inputs, height, width, self.data_format, interpolation=self.interpolation)

    def get_config(self) -> dict[str, Any]:
        config = {"size": self.size, "data_format": self.data_format, "interpolation": self.interpolation}
        return {**super().get_config(), **config}


class UpSampling3D(_Spatial):
    """Volumes so many times as deep, high and wide."""

    rank = 3

    def __init__(self, size: Any = (2, 2, 2), data_format: Any = None, **kwargs: Any) -> None:
        super().__init__(data_format, **kwargs)
        self.size = sizes.normalize_tuple(size, 3, "size")

    def _new_size(self, n: int, i: int) -> int:
        return n * self.size[i]

    def call(self, inputs: Any) -> Any:
        depth, height, width = self.size
        return K.resize_volumes(inputs, depth, height, width, self.data_format)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "size": self.size, "data_format": self.data_format}


# -- other names ---------------------------------------------------------------------------------

Convolution1D, Convolution2D, Convolution3D = Conv1D, Conv2D, Conv3D
Convolution2DTranspose, Convolution3DTranspose = Conv2DTranspose, Conv3DTranspose
SeparableConvolution1D, SeparableConvolution2D = SeparableConv1D, SeparableConv2D
MaxPool1D, MaxPool2D, MaxPool3D = MaxPooling1D, MaxPooling2D, MaxPooling3D
AvgPool1D, AvgPool2D, AvgPool3D = AveragePooling1D, AveragePooling2D, AveragePooling3D
GlobalMaxPool1D, GlobalMaxPool2D, GlobalMaxPool3D = GlobalMaxPooling1D, GlobalMaxPooling2D, GlobalMaxPooling3D
GlobalAvgPool1D, GlobalAvgPool2D, GlobalAvgPool3D = (
    GlobalAveragePooling1D, GlobalAveragePooling2D, GlobalAveragePooling3D,
)  # fmt: skip
