"""Batch normalization."""

from __future__ import annotations

from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import colocate_with, control_dependencies, name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.tensor import Tensor
from retrograd.nn import moments
from retrograd.nn.keras import constraints, initializers, regularizers
from retrograd.nn.layers.base import Layer
from retrograd.nn.layers.input_spec import InputSpec
from retrograd.nn.layers.phase import learning_phase
from retrograd.nn.layers.sizes import constant_value, smart_cond
from retrograd.ops import activations, arithmetic, arrays, casts, constants, joining, powers, reductions, state
from retrograd.ops.normalization import fused_batch_norm
from retrograd.state.initializers import ones_initializer, zeros_initializer
from retrograd.state.variables import VariableAggregation, VariableSynchronization


class BatchNormalization(Layer):
    """``gamma * (x - mean) / sqrt(variance + epsilon) + beta`` (Ioffe and Szegedy, 2015).

    In training, mean and variance are those of the batch, over all dimensions but ``axis``; otherwise the
    moving averages ``v <- v - (1 - momentum) (v - value)``.  The updates of these join ``GraphKeys.UPDATE_OPS``:
    train with ``tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS))``.

    Args:
      axis: the dimension, or dimensions, that have statistics of their own: the channels.
      center, scale: whether there is a beta, a gamma.
      renorm, renorm_clipping, renorm_momentum: batch renormalization (Ioffe, 2017) with limits
        ``rmin``, ``rmax`` and ``dmax`` for its corrections.
      fused: whether one op does it all; by default where it can.
      virtual_batch_size: cut the batch into parts of this size with statistics of their own.
      adjustment: a function of the inputs' shape that gives another scale and bias, for training.

    Raises:
      ValueError: an argument or the shape of the inputs does not fit.
    """

    _is_in_version_2 = False

    def __init__(
        self,
        axis: Any = -1,
        momentum: float = 0.99,
        epsilon: float = 1e-3,
        center: bool = True,
        scale: bool = True,
        beta_initializer: Any = zeros_initializer(),  # noqa: B008
        gamma_initializer: Any = ones_initializer(),  # noqa: B008
        moving_mean_initializer: Any = zeros_initializer(),  # noqa: B008
        moving_variance_initializer: Any = ones_initializer(),  # noqa: B008
        beta_regularizer: Any = None,
        gamma_regularizer: Any = None,
        beta_constraint: Any = None,
        gamma_constraint: Any = None,
        renorm: bool = False,
        renorm_clipping: Any = None,
        renorm_momentum: float = 0.99,
        fused: bool | None = None,
        trainable: bool = True,
        virtual_batch_size: int | None = None,
        adjustment: Any = None,
        name: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(trainable=trainable, name=name, **kwargs)
        if not isinstance(axis, int | list | tuple):
            raise TypeError(f"axis must be int or list, type given: {type(axis)}")
        self.axis: Any = axis if isinstance(axis, int) else list(axis)
        self.momentum, self.epsilon, self.center, self.scale = momentum, epsilon, center, scale
        self.beta_initializer = initializers.get(beta_initializer)
        self.gamma_initializer = initializers.get(gamma_initializer)
        self.moving_mean_initializer = initializers.get(moving_mean_initializer)
        self.moving_variance_initializer = initializers.get(moving_variance_initializer)
        self.beta_regularizer = regularizers.get(beta_regularizer)
        self.gamma_regularizer = regularizers.get(gamma_regularizer)
        self.beta_constraint = constraints.get(beta_constraint)
        self.gamma_constraint = constraints.get(gamma_constraint)
        self.renorm, self.virtual_batch_size, self.adjustment = renorm, virtual_batch_size, adjustment
        if renorm:
            self.renorm_clipping, self.renorm_momentum = renorm_clipping or {}, renorm_momentum
        self.supports_masking = True
        self.fused: Any = self._fused_at_first(fused)
        self._bessels_correction_test_only = True  # programs that compare both forms set it to False
        keys = ["rmax", "rmin", "dmax"]
        if self.renorm and set(self.renorm_clipping) - set(keys):
            raise ValueError(f"renorm_clipping {self.renorm_clipping} contains keys not in {keys}")

    def _fused_at_first(self, asked: Any) -> Any:
        """Whether one op is to do it all, before the shape of the inputs is known."""
        return True if asked is None else asked

    def _fused_for(self, rank: int) -> Any:
        """Whether one op does it all, for inputs of this rank."""
        if self.fused is not True:
            return self.fused
        extras = self.renorm or self.virtual_batch_size is not None or self.adjustment is not None
        return not extras and rank == 4 and self.axis in ([1], [3])

    # -- variables -----------------------------------------------------------------------------

    def build(self, input_shape: Any) -> None:
        shape = TensorShape(input_shape)
        if not shape.ndims:
            raise ValueError("Input has undefined rank:", shape)
        self._settle_axes(shape.ndims)
        sizes = {axis: shape[axis].value for axis in self.axis}
        if None in sizes.values():
            raise ValueError("Input has undefined `axis` dimension. Input shape: ", shape)
        self.input_spec = InputSpec(ndim=shape.ndims, axes=sizes)
        if len(sizes) == 1 and self.virtual_batch_size is None:
            self._sizes: list[Any] = list(sizes.values())
        else:
            self._sizes = [sizes.get(i, 1) for i in range(shape.ndims)]
            if self.virtual_batch_size is not None:
                self._sizes.insert(1, 1)
                self.axis = [axis + 1 for axis in self.axis]  # of the batch cut into parts
        self._make_gamma_and_beta()
        self._make_statistics()
        self.built = True

    def _settle_axes(self, rank: int) -> None:
        """Count the axes from the front, and decide on the fused op."""
        axes = [self.axis] if isinstance(self.axis, int) else self.axis
        self.axis = axes = [axis + rank if axis < 0 else axis for axis in axes]
        for axis in axes:
            if not 0 <= axis < rank:
                raise ValueError(f"Invalid axis: {axis}")
        if len(axes) != len(set(axes)):
            raise ValueError(f"Duplicate axis: {axes}")
        if self.virtual_batch_size is not None:
            if self.virtual_batch_size <= 0:
                raise ValueError(
                    "virtual_batch_size must be a positive integer that divides the true batch size of the input Tensor"
                )
            if 0 in axes:
                raise ValueError(
                    "When using virtual_batch_size, the batch dimension must be 0 and thus axis cannot include 0"
                )
            if self.adjustment is not None:
                raise ValueError("When using virtual_batch_size, adjustment cannot be specified")
        self.fused = self._fused_for(rank)
        self._data_format = "NCHW" if axes == [1] else "NHWC"

    @property
    def _statistics_dtype(self) -> Any:
        return dtypes.float32 if self.dtype in (None, "float16", "bfloat16") else self.dtype

    def _make_gamma_and_beta(self) -> None:
        dtype = self._statistics_dtype
        self.gamma = self.beta = None
        if self.scale:
            self.gamma = self.add_weight(
                "gamma", self._sizes, dtype, self.gamma_initializer, self.gamma_regularizer, True,
                self.gamma_constraint, experimental_autocast=False,
            )  # fmt: skip
        elif self.fused:
            self._gamma_const = constants.constant(1.0, dtype=dtype, shape=self._sizes)
        if self.center:
            self.beta = self.add_weight(
                "beta", self._sizes, dtype, self.beta_initializer, self.beta_regularizer, True, self.beta_constraint,
                experimental_autocast=False,
            )  # fmt: skip
        elif self.fused:
            self._beta_const = constants.constant(0.0, dtype=dtype, shape=self._sizes)

    def _make_statistics(self) -> None:
        """The moving averages, which are never cut into parts."""
        partitioner = None
        if self._scope is not None:
            partitioner = self._scope.partitioner
            self._scope.set_partitioner(None)
        try:
            self.moving_mean = self._statistic("moving_mean", self.moving_mean_initializer)
            self.moving_variance = self._statistic("moving_variance", self.moving_variance_initializer)
            if self.renorm:
                self._make_renorm_statistics()
        finally:
            if partitioner is not None and self._scope is not None:
                self._scope.set_partitioner(partitioner)

    def _make_renorm_statistics(self) -> None:
        def stddev(*args: Any, **kwargs: Any) -> Tensor:
            return powers.sqrt(self.moving_variance_initializer(*args, **kwargs))

        with colocate_with(self.moving_variance):
            self.moving_stddev = self._statistic("moving_stddev", stddev)
        with colocate_with(self.moving_mean):
            self.renorm_mean = self._statistic("renorm_mean", self.moving_mean_initializer)
        with colocate_with(self.moving_stddev):
            self.renorm_stddev = self._statistic("renorm_stddev", stddev)

    def _statistic(self, name: str, initializer: Any) -> Any:
        return self.add_weight(
            name, self._sizes, self._statistics_dtype, initializer, trainable=False,
            synchronization=VariableSynchronization.ON_READ, aggregation=VariableAggregation.MEAN,
            experimental_autocast=False,
        )  # fmt: skip

    # -- outputs -------------------------------------------------------------------------------

    def call(self, inputs: Any, training: Any = False) -> Any:
        training = learning_phase() if training is None else training
        if self.virtual_batch_size is not None:
            return self._in_parts(inputs, training)
        return self._fused(inputs, training) if self.fused else self._normalized(inputs, training)

    def _in_parts(self, inputs: Any, training: Any) -> Tensor:
        """The batch cut into parts, normalized each for itself, and put together again."""
        shape = inputs.shape
        if all(n.value is not None for n in shape[1:]):
            sizes: Any = shape.as_list()[1:]
            cut: Any = [self.virtual_batch_size, -1, *sizes]
            whole: Any = [-1, *sizes]
        else:
            rest = arrays.shape(inputs)
            cut = joining.concat([[self.virtual_batch_size, -1], rest[1:]], axis=0)
            whole = rest
        outputs = self._normalized(arrays.reshape(inputs, cut), training)
        outputs = arrays.reshape(outputs, whole)
        outputs.set_shape(shape)
        return outputs

    def _fused(self, inputs: Any, training: Any) -> Tensor:
        gamma = self.gamma if self.scale else self._gamma_const
        beta = self.beta if self.center else self._beta_const
        shared: dict[str, Any] = {"epsilon": self.epsilon, "data_format": self._data_format}
        output, mean, variance = smart_cond(
            training,
            lambda: fused_batch_norm(inputs, gamma, beta, **shared),
            lambda: fused_batch_norm(
                inputs, gamma, beta, mean=self.moving_mean, variance=self.moving_variance, is_training=False, **shared
            ),
        )
        if not self._bessels_correction_test_only:
            count = casts.cast(arrays.size(inputs) / arrays.size(variance), variance.dtype)
            variance *= (count - casts.cast(1.0, variance.dtype)) / count
        known = constant_value(training)
        if known is None:
            momentum = smart_cond(training, lambda: self.momentum, lambda: 1.0)
        else:
            momentum = as_tensor(self.momentum)
        if known is None or known:
            self.add_update(lambda: self._moved(self.moving_mean, mean, momentum))
            self.add_update(lambda: self._moved(self.moving_variance, variance, momentum))
        return output

    def _normalized(self, inputs: Any, training: Any) -> Tensor:
        scale, offset = self._beside(inputs, self.gamma), self._beside(inputs, self.beta)
        if constant_value(training) is False:
            mean, variance = self.moving_mean, self.moving_variance
        else:
            mean, variance, scale, offset = self._of_batch(inputs, training, scale, offset)
        mean, variance = casts.cast(mean, inputs.dtype), casts.cast(variance, inputs.dtype)
        offset = None if offset is None else casts.cast(offset, inputs.dtype)
        scale = None if scale is None else casts.cast(scale, inputs.dtype)
        outputs = moments.batch_normalization(
            inputs, self._beside(inputs, mean), self._beside(inputs, variance), offset, scale, self.epsilon
        )
        outputs.set_shape(inputs.shape)
        return outputs

    def _summed_axes(self, inputs: Any) -> list[int]:
        axes = [i for i in range(len(inputs.shape)) if i not in self.axis]
        if self.virtual_batch_size is not None:
            del axes[1]
        return axes

    def _beside(self, inputs: Any, statistic: Any) -> Any:
        """A statistic in a shape that broadcasts with the inputs."""
        rank = len(inputs.shape)
        if statistic is None or len(statistic.shape) == rank or self._summed_axes(inputs) == list(range(rank - 1)):
            return statistic
        sizes = [1] * rank
        sizes[self.axis[0]] = inputs.shape[self.axis[0]].value
        return arrays.reshape(statistic, sizes)

    def _of_batch(self, inputs: Any, training: Any, scale: Any, offset: Any) -> tuple[Any, Any, Any, Any]:
        """Mean, variance, scale and offset for training, with the updates of the moving averages."""
        if self.adjustment:
            more_scale, more_offset = self.adjustment(arrays.shape(inputs))
            given_scale, given_offset = more_scale, more_offset
            more_scale = smart_cond(training, lambda: given_scale, lambda: constants.ones_like(given_scale))
            more_offset = smart_cond(training, lambda: given_offset, lambda: constants.zeros_like(given_offset))
            scale, offset = _after(more_scale, more_offset, scale, offset)
        batch_mean, batch_variance = moments.moments(
            casts.cast(inputs, self._statistics_dtype), self._summed_axes(inputs),
            keep_dims=self.virtual_batch_size is not None or len(self.axis) > 1,
        )  # fmt: skip
        mean = smart_cond(training, lambda: batch_mean, lambda: as_tensor(self.moving_mean))
        variance = smart_cond(training, lambda: batch_variance, lambda: as_tensor(self.moving_variance))
        new_mean, new_variance = mean, variance
        if self.virtual_batch_size is not None:
            new_mean = reductions.reduce_mean(mean, axis=1, keepdims=True)
            new_variance = reductions.reduce_mean(variance, axis=1, keepdims=True)
        if self.renorm:
            r, d, new_mean, new_variance = self._renormed(new_mean, new_variance, training)
            r = self._beside(inputs, arrays.stop_gradient(r, name="renorm_r"))
            d = self._beside(inputs, arrays.stop_gradient(d, name="renorm_d"))
            scale, offset = _after(r, d, scale, offset)
        self._update_averages(new_mean, new_variance, training)
        return mean, variance, scale, offset

    def _renormed(self, mean: Tensor, variance: Tensor, training: Any) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """``r = stddev / s`` and ``d = (mean - m) / s``, cut to their limits, with m and s the slow averages."""
        stddev = powers.sqrt(variance + self.epsilon)
        slow = arithmetic.maximum(self.renorm_stddev, powers.sqrt(self.epsilon))
        r, d = stddev / slow, (mean - self.renorm_mean) / slow
        with control_dependencies([r, d]):
            mean, stddev = arrays.identity(mean), arrays.identity(stddev)
        rmin, rmax, dmax = (self.renorm_clipping.get(key) for key in ("rmin", "rmax", "dmax"))
        if rmin is not None:
            r = arithmetic.maximum(r, rmin)
        if rmax is not None:
            r = arithmetic.minimum(r, rmax)
        if dmax is not None:
            d = arithmetic.minimum(arithmetic.maximum(d, -dmax), dmax)
        cut_r, cut_d = r, d
        r = smart_cond(training, lambda: cut_r, lambda: constants.ones_like(cut_r))
        d = smart_cond(training, lambda: cut_d, lambda: constants.zeros_like(cut_d))

        def update(variable: Any, value: Tensor) -> Any:
            value = arrays.identity(value)
            return smart_cond(
                training,
                lambda: self._moved(variable, value, self.renorm_momentum),
                lambda: arrays.identity(variable),
            )

        with control_dependencies([update(self.renorm_mean, mean), update(self.renorm_stddev, stddev)]):
            return r, d, arrays.identity(mean), arrays.identity(variance)

    def _update_averages(self, mean: Tensor, variance: Tensor, training: Any) -> None:
        def moved_variance() -> Any:
            if not self.renorm:
                return self._moved(self.moving_variance, variance, self.momentum)
            stddev = self._moved(self.moving_stddev, powers.sqrt(variance + self.epsilon), self.momentum)
            value = activations.relu(stddev * stddev - self.epsilon)
            with name_scope("AssignNewValue") as scope, colocate_with(self.moving_variance):
                return state.assign(self.moving_variance, value, name=scope)

        self.add_update(
            lambda: smart_cond(
                training, lambda: self._moved(self.moving_mean, mean, self.momentum), lambda: self.moving_mean
            )
        )
        self.add_update(lambda: smart_cond(training, moved_variance, lambda: self.moving_variance))

    def _moved(self, variable: Any, value: Any, momentum: Any) -> Any:
        """``variable <- variable - (1 - momentum) (variable - value)``."""
        with name_scope("AssignMovingAvg", values=[variable, value, momentum]) as scope, colocate_with(variable):
            decay = as_tensor(1.0 - momentum, name="decay")
            if decay.dtype != variable.dtype.base_dtype:
                decay = casts.cast(decay, variable.dtype.base_dtype)
            change = (variable - casts.cast(value, variable.dtype)) * decay
            return state.assign_sub(variable, change, name=scope)

    def compute_output_shape(self, input_shape: Any) -> Any:
        return input_shape

    def get_config(self) -> dict[str, Any]:
        config = {
            "axis": self.axis, "momentum": self.momentum, "epsilon": self.epsilon, "center": self.center,
            "scale": self.scale, "beta_initializer": initializers.serialize(self.beta_initializer),
            "gamma_initializer": initializers.serialize(self.gamma_initializer),
            "moving_mean_initializer": initializers.serialize(self.moving_mean_initializer),
            "moving_variance_initializer": initializers.serialize(self.moving_variance_initializer),
            "beta_regularizer": regularizers.serialize(self.beta_regularizer),
            "gamma_regularizer": regularizers.serialize(self.gamma_regularizer),
            "beta_constraint": constraints.serialize(self.beta_constraint),
            "gamma_constraint": constraints.serialize(self.gamma_constraint),
        }  # fmt: skip
        names: tuple[str, ...] = ("renorm", "renorm_clipping", "renorm_momentum") if self.renorm else ()
        if self.virtual_batch_size is not None:
            names += ("virtual_batch_size",)
        return {**super().get_config(), **config, **{name: getattr(self, name) for name in names}}


def _after(scale: Any, offset: Any, then_scale: Any, then_offset: Any) -> tuple[Any, Any]:
    """``x * scale + offset``, then ``* then_scale + then_offset``, as one scale and one offset."""
    if then_scale is not None:
        scale, offset = scale * then_scale, offset * then_scale
    return scale, offset if then_offset is None else offset + then_offset


def batch_normalization(
    inputs: Any,
    axis: Any = -1,
    momentum: float = 0.99,
    epsilon: float = 1e-3,
    center: bool = True,
    scale: bool = True,
    beta_initializer: Any = zeros_initializer(),  # noqa: B008
    gamma_initializer: Any = ones_initializer(),  # noqa: B008
    moving_mean_initializer: Any = zeros_initializer(),  # noqa: B008
    moving_variance_initializer: Any = ones_initializer(),  # noqa: B008
    beta_regularizer: Any = None,
    gamma_regularizer: Any = None,
    beta_constraint: Any = None,
    gamma_constraint: Any = None,
    training: Any = False,
    trainable: bool = True,
    name: Any = None,
    reuse: bool | None = None,
    renorm: bool = False,
    renorm_clipping: Any = None,
    renorm_momentum: float = 0.99,
    fused: bool | None = None,
    virtual_batch_size: int | None = None,
    adjustment: Any = None,
) -> Tensor:
    """``inputs`` normalized by the batch's mean and variance in training, else by moving averages.

    See ``BatchNormalization``.  ``training`` is a Python boolean or a boolean tensor.
    """
    layer = BatchNormalization(
        axis, momentum, epsilon, center, scale, beta_initializer, gamma_initializer, moving_mean_initializer,
        moving_variance_initializer, beta_regularizer, gamma_regularizer, beta_constraint, gamma_constraint, renorm,
        renorm_clipping, renorm_momentum, fused, trainable, virtual_batch_size, adjustment, name, _reuse=reuse,
        _scope=name,
    )  # fmt: skip
    return layer.apply(inputs, training=training)


BatchNorm = BatchNormalization
batch_norm = batch_normalization
