"""Dense and what only changes shapes or values: activations, masks, functions as layers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from retrograd.graph.convert import as_tensor
from retrograd.graph.shapes import TensorShape
from retrograd.keras import backend as K
from retrograd.nn.dropout import dropout as dropped
from retrograd.nn.keras import activations, constraints, initializers, regularizers
from retrograd.nn.layers import core
from retrograd.nn.layers.base import KerasStyle
from retrograd.nn.layers.engine import Layer
from retrograd.nn.layers.input_spec import InputSpec
from retrograd.nn.layers.sizes import normalize_data_format, smart_cond
from retrograd.ops import arrays, casts, comparison, permuting


class Dense(KerasStyle, core.Dense):
    __doc__ = core.Dense.__doc__

    def __init__(
        self,
        units: Any,
        activation: Any = None,
        use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros",
        kernel_regularizer: Any = None,
        bias_regularizer: Any = None,
        activity_regularizer: Any = None,
        kernel_constraint: Any = None,
        bias_constraint: Any = None,
        **kwargs: Any,
    ) -> None:
        core.Dense.__init__(
            self, int(units) if not isinstance(units, int) else units, activation, use_bias, kernel_initializer,
            bias_initializer, kernel_regularizer, bias_regularizer, activity_regularizer, kernel_constraint,
            bias_constraint, **with_shape_of_inputs(kwargs),
        )  # fmt: skip
        self.supports_masking = True


def with_shape_of_inputs(kwargs: dict[str, Any]) -> dict[str, Any]:
    """``input_dim=n`` as ``input_shape=(n,)``."""
    if "input_shape" not in kwargs and "input_dim" in kwargs:
        kwargs["input_shape"] = (kwargs.pop("input_dim"),)
    return kwargs


class Masking(Layer):
    """Steps whose values are all ``mask_value`` are masked, and 0."""

    def __init__(self, mask_value: float = 0.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.supports_masking, self.mask_value = True, mask_value

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        return K.any_(comparison.not_equal(inputs, self.mask_value), axis=-1)

    def call(self, inputs: Any) -> Any:
        kept = K.any_(comparison.not_equal(inputs, self.mask_value), axis=-1, keepdims=True)
        outputs = inputs * casts.cast(kept, inputs.dtype)
        outputs._keras_mask = arrays.squeeze(kept, axis=-1)
        return outputs

    def compute_output_shape(self, input_shape: Any) -> Any:
        return input_shape

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "mask_value": self.mask_value}


class Dropout(Layer):
    """In training, each element is set to 0 with probability ``rate``, or else divided by ``1 - rate``."""

    def __init__(self, rate: Any, noise_shape: Any = None, seed: int | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.rate, self.noise_shape, self.seed = rate, noise_shape, seed
        self.supports_masking = True

    def _get_noise_shape(self, inputs: Any) -> Any:
        if self.noise_shape is None:
            return None
        sizes = arrays.shape(inputs)
        return as_tensor([sizes[i] if n is None else n for i, n in enumerate(self.noise_shape)])

    def call(self, inputs: Any, training: Any = None) -> Any:
        training = K.learning_phase() if training is None else training
        return smart_cond(
            training,
            lambda: dropped(inputs, noise_shape=self._get_noise_shape(inputs), seed=self.seed, rate=self.rate),
            lambda: arrays.identity(inputs),
        )

    def compute_output_shape(self, input_shape: Any) -> Any:
        return input_shape

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "rate": self.rate, "noise_shape": self.noise_shape, "seed": self.seed}


class _SpatialDropout(Dropout):
    """Whole feature maps are set to 0."""

    rank: int

    def __init__(self, rate: Any, data_format: Any = None, **kwargs: Any) -> None:
        super().__init__(rate, **kwargs)
        self.data_format = normalize_data_format(data_format or K.image_data_format())
        self.input_spec = InputSpec(ndim=self.rank + 2)

    def _get_noise_shape(self, inputs: Any) -> Any:
        shape = arrays.shape(inputs)
        ones = (1,) * self.rank
        return (
            (shape[0], shape[1], *ones)
            if self.data_format == "channels_first"
            else (shape[0], *ones, shape[self.rank + 1])
        )


class SpatialDropout1D(Dropout):
    """Whole channels of lines are set to 0."""

    def __init__(self, rate: Any, **kwargs: Any) -> None:
        super().__init__(rate, **kwargs)
        self.input_spec = InputSpec(ndim=3)

    def _get_noise_shape(self, inputs: Any) -> Any:
        shape = arrays.shape(inputs)
        return (shape[0], 1, shape[2])


class SpatialDropout2D(_SpatialDropout):
    """Whole channels of images are set to 0."""

    rank = 2


class SpatialDropout3D(_SpatialDropout):
    """Whole channels of volumes are set to 0."""

    rank = 3


class Activation(Layer):
    """A function of each element, by name."""

    def __init__(self, activation: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.supports_masking, self.activation = True, activations.get(activation)

    def call(self, inputs: Any) -> Any:
        return self.activation(inputs)

    def compute_output_shape(self, input_shape: Any) -> Any:
        return input_shape

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "activation": activations.serialize(self.activation)}


class Reshape(Layer):
    """Each example in another shape; one size may be -1."""

    def __init__(self, target_shape: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.target_shape = tuple(target_shape)

    def _sizes(self, given: list[Any]) -> list[Any]:
        wanted = list(self.target_shape)
        count = math.prod(given)
        known = math.prod(n for n in wanted if n != -1)
        if wanted.count(-1) > 1:
            raise ValueError("Can only specify one unknown dimension.")
        if -1 in wanted and known and count % known == 0:
            wanted[wanted.index(-1)] = count // known
        elif -1 in wanted or count != known:
            raise ValueError("total size of new array must be unchanged")
        return wanted

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        sizes = TensorShape(input_shape).as_list()
        if None in sizes[1:]:
            return TensorShape([sizes[0], *(n if n != -1 else None for n in self.target_shape)])
        return TensorShape([sizes[0], *self._sizes(sizes[1:])])

    def call(self, inputs: Any) -> Any:
        return arrays.reshape(inputs, (arrays.shape(inputs)[0], *self.target_shape))

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "target_shape": self.target_shape}


class Permute(Layer):
    """The dimensions of each example in another order; they count from 1."""

    def __init__(self, dims: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.dims = tuple(dims)
        if sorted(self.dims) != list(range(1, len(self.dims) + 1)):
            raise ValueError(
                f"Invalid permutation `dims` for Permute Layer: {dims}. The set of indices in `dims` must be "
                "consecutive and start from 1."
            )
        self.input_spec = InputSpec(ndim=len(self.dims) + 1)

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        sizes = TensorShape(input_shape).as_list()
        return TensorShape([sizes[0], *(sizes[d] for d in self.dims)])

    def call(self, inputs: Any) -> Any:
        return permuting.transpose(inputs, perm=(0, *self.dims))

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "dims": self.dims}


class Flatten(KerasStyle, core.Flatten):
    __doc__ = core.Flatten.__doc__

    def __init__(self, data_format: str | None = None, **kwargs: Any) -> None:
        core.Flatten.__init__(self, data_format or K.image_data_format(), **kwargs)


class RepeatVector(Layer):
    """Each example ``n`` times."""

    def __init__(self, n: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.n, self.input_spec = n, InputSpec(ndim=2)

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        sizes = TensorShape(input_shape).as_list()
        return TensorShape([sizes[0], self.n, sizes[1]])

    def call(self, inputs: Any) -> Any:
        return K.repeat(inputs, self.n)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "n": self.n}


class ActivityRegularization(Layer):
    """Adds ``l1 * sum(|x|) + l2 * sum(x * x)`` to the losses."""

    def __init__(self, l1: float = 0.0, l2: float = 0.0, **kwargs: Any) -> None:
        super().__init__(activity_regularizer=regularizers.L1L2(l1=l1, l2=l2), **kwargs)
        self.supports_masking, self.l1, self.l2 = True, l1, l2

    def compute_output_shape(self, input_shape: Any) -> Any:
        return input_shape

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "l1": self.l1, "l2": self.l2}


# -- activations that have arguments -------------------------------------------------------------


class LeakyReLU(Layer):
    """``x`` where positive, else ``alpha * x``."""

    def __init__(self, alpha: Any = 0.3, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.supports_masking, self.alpha = True, np.float32(alpha)

    def call(self, inputs: Any) -> Any:
        return K.relu(inputs, alpha=float(self.alpha))

    def compute_output_shape(self, input_shape: Any) -> Any:
        return input_shape

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "alpha": float(self.alpha)}


class PReLU(Layer):
    """``x`` where positive, else ``alpha * x`` with an alpha that is learned."""

    def __init__(
        self, alpha_initializer: Any = "zeros", alpha_regularizer: Any = None, alpha_constraint: Any = None,
        shared_axes: Any = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(**kwargs)
        self.supports_masking = True
        self.alpha_initializer = initializers.get(alpha_initializer)
        self.alpha_regularizer = regularizers.get(alpha_regularizer)
        self.alpha_constraint = constraints.get(alpha_constraint)
        self.shared_axes = None if shared_axes is None else list(np.ravel(shared_axes).tolist())

    def build(self, input_shape: Any) -> None:
        sizes = TensorShape(input_shape).as_list()[1:]
        for axis in self.shared_axes or ():
            sizes[axis - 1] = 1
        self.alpha = self.add_weight(
            name="alpha", shape=sizes, initializer=self.alpha_initializer, regularizer=self.alpha_regularizer,
            constraint=self.alpha_constraint,
        )  # fmt: skip
        self.built = True

    def call(self, inputs: Any) -> Any:
        return K.relu(inputs) + -self.alpha * K.relu(-inputs)

    def compute_output_shape(self, input_shape: Any) -> Any:
        return input_shape

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(), "alpha_initializer": initializers.serialize(self.alpha_initializer),
            "alpha_regularizer": regularizers.serialize(self.alpha_regularizer),
            "alpha_constraint": constraints.serialize(self.alpha_constraint), "shared_axes": self.shared_axes,
        }  # fmt: skip


class ELU(Layer):
    """``x`` where positive, else ``alpha * (exp(x) - 1)``."""

    def __init__(self, alpha: float = 1.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.supports_masking, self.alpha = True, np.float32(alpha)

    def call(self, inputs: Any) -> Any:
        return K.elu(inputs, float(self.alpha))

    def compute_output_shape(self, input_shape: Any) -> Any:
        return input_shape

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "alpha": float(self.alpha)}


class ThresholdedReLU(Layer):
    """``x`` where above ``theta``, else 0."""

    def __init__(self, theta: float = 1.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.supports_masking, self.theta = True, np.float32(theta)

    def call(self, inputs: Any) -> Any:
        return inputs * casts.cast(comparison.greater(inputs, self.theta), K.floatx())

    def compute_output_shape(self, input_shape: Any) -> Any:
        return input_shape

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "theta": float(self.theta)}


class Softmax(Layer):
    """``exp(x) / sum(exp(x))`` along ``axis``."""

    def __init__(self, axis: int = -1, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.supports_masking, self.axis = True, axis

    def call(self, inputs: Any) -> Any:
        return K.softmax(inputs, axis=self.axis)

    def compute_output_shape(self, input_shape: Any) -> Any:
        return input_shape

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "axis": self.axis}


class ReLU(Layer):
    """``x`` from ``threshold`` up, at most ``max_value``; below, ``negative_slope * (x - threshold)``."""

    def __init__(
        self, max_value: float | None = None, negative_slope: float = 0, threshold: float = 0, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        if max_value is not None and max_value < 0.0:
            raise ValueError("max_value of Relu layer cannot be negative value: " + str(max_value))
        if negative_slope < 0.0:
            raise ValueError("negative_slope of Relu layer cannot be negative value: " + str(negative_slope))
        self.supports_masking = True
        self.max_value, self.negative_slope, self.threshold = max_value, negative_slope, threshold

    def call(self, inputs: Any) -> Any:
        return K.relu(inputs, alpha=self.negative_slope, max_value=self.max_value, threshold=self.threshold)

    def compute_output_shape(self, input_shape: Any) -> Any:
        return input_shape

    def get_config(self) -> dict[str, Any]:
        return {
            **super().get_config(), "max_value": self.max_value,
            "negative_slope": np.asarray(self.negative_slope, K.floatx()),
            "threshold": np.asarray(self.threshold, K.floatx()),
        }  # fmt: skip
