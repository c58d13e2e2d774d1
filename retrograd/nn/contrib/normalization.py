"""Normalization of ``tf.contrib.layers``: of batches, of examples, of vectors."""

from __future__ import annotations

from typing import Any

from retrograd.graph import dtypes, nest
from retrograd.graph.collections import GraphKeys
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import add_to_collections, control_dependencies
from retrograd.graph.shapes import TensorShape
from retrograd.graph.tensor import Tensor
from retrograd.nn import moments
from retrograd.nn.contrib.arg_scope import add_arg_scope
from retrograd.nn.contrib.model_variables import model_variable
from retrograd.nn.contrib.variables import collect_variable, collections_of, finished, renaming
from retrograd.nn.layers.normalization import BatchNormalization
from retrograd.nn.layers.sizes import constant_value, smart_cond
from retrograd.nn.moving_averages import assign_moving_average
from retrograd.ops import arithmetic, arrays, constants, joining, powers, reductions, repeating, slicing
from retrograd.ops.normalization import fused_batch_norm
from retrograd.state.initializers import ones_initializer, zeros_initializer
from retrograd.state.scopes import get_variable_scope, variable_scope


@add_arg_scope
def batch_norm(
    inputs: Any,
    decay: Any = 0.999,
    center: bool = True,
    scale: bool = False,
    epsilon: float = 0.001,
    activation_fn: Any = None,
    param_initializers: Any = None,
    param_regularizers: Any = None,
    updates_collections: Any = GraphKeys.UPDATE_OPS,
    is_training: Any = True,
    reuse: bool | None = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    batch_weights: Any = None,
    fused: bool | None = None,
    data_format: str = "NHWC",
    zero_debias_moving_mean: bool = False,
    scope: Any = None,
    renorm: bool = False,
    renorm_clipping: Any = None,
    renorm_decay: Any = 0.99,
    adjustment: Any = None,
) -> Tensor:
    """``gamma * (x - mean) / sqrt(variance + epsilon) + beta`` for each channel (Ioffe and Szegedy, 2015).

    In training, mean and variance are those of the batch, otherwise the moving averages.  The updates of these
    join ``updates_collections``; where that is None, the outputs wait for them.

    Args:
      batch_weights: how much each example counts in the batch's mean and variance.
      zero_debias_moving_mean: whether the moving mean is corrected for its start at 0.

    Raises:
      ValueError: an argument or the shape of the inputs does not fit.
    """
    if data_format not in ("NCHW", "NHWC"):
        raise ValueError("data_format has to be either NCHW or NHWC.")
    inputs = as_tensor(inputs)
    given, penalties = param_initializers or {}, param_regularizers or {}
    later = updates_collections is GraphKeys.UPDATE_OPS
    fusible = fused in (None, True) and batch_weights is None and not renorm and adjustment is None
    by_hand = zero_debias_moving_mean or inputs.rank == 2 or not later
    updates = _Updates(is_training, decay, zero_debias_moving_mean, updates_collections)
    if fusible and by_hand and inputs.rank in (2, 4):
        with variable_scope(scope, "BatchNorm", [inputs], reuse=reuse):
            variables = _Variables(given, penalties, variables_collections, trainable, center, scale)
            outputs = _fused(inputs, data_format, epsilon, variables, updates)
            return finished(outputs, None, None, activation_fn, outputs_collections)
    with variable_scope(scope, "BatchNorm", [inputs], reuse=reuse, custom_getter=renaming()) as opened:
        if batch_weights is None and later and not zero_debias_moving_mean:
            layer = BatchNormalization(
                axis=1 if data_format == "NCHW" else -1, momentum=decay, epsilon=epsilon, center=center, scale=scale,
                **{f"{word}_initializer": given.get(word, start) for word, start in _STARTS.items()},
                **{f"{word}_regularizer": penalties.get(word) for word in ("beta", "gamma")},
                trainable=trainable, renorm=renorm, renorm_clipping=renorm_clipping, renorm_momentum=renorm_decay,
                adjustment=adjustment, name=opened.name, _scope=opened, _reuse=reuse,
                fused=True if fused is None else fused,
            )  # fmt: skip
            outputs = layer.apply(inputs, training=is_training)
            for word in ("moving_mean", "moving_variance", "beta", "gamma"):
                if getattr(layer, word) is not None:
                    collect_variable(getattr(layer, word), variables_collections, word)
        else:
            if renorm:
                raise ValueError(
                    "renorm is not supported with batch_weights, updates_collections or zero_debias_moving_mean"
                )
            variables = _Variables(given, {}, variables_collections, trainable, center, scale)
            outputs = _weighted(inputs, batch_weights, data_format, epsilon, variables, updates)
        return finished(outputs, None, None, activation_fn, outputs_collections)


_STARTS: dict[str, Any] = {
    "beta": zeros_initializer(), "gamma": ones_initializer(),
    "moving_mean": zeros_initializer(), "moving_variance": ones_initializer(),
}  # fmt: skip


class _Variables:
    """What the variables of a batch normalization are made with."""

    def __init__(
        self, initializers: Any, regularizers: Any, collections: Any, trainable: bool, center: bool, scale: bool
    ) -> None:
        self.initializers, self.regularizers, self.collections = initializers, regularizers, collections
        self.trainable, self.center, self.scale = trainable, center, scale

    def parameter(self, word: str, shape: TensorShape, dtype: Any) -> Any:
        return model_variable(
            word, shape=shape, dtype=dtype, initializer=self.initializers.get(word, _STARTS[word]),
            regularizer=self.regularizers.get(word), collections=collections_of(self.collections, word),
            trainable=self.trainable,
        )  # fmt: skip

    def statistics(self, shape: TensorShape, dtype: Any) -> Any:
        """The moving mean and variance, which are never cut into parts."""
        with variable_scope(get_variable_scope()) as uncut:
            uncut.set_partitioner(None)
            return tuple(
                model_variable(
                    word, shape=shape, dtype=dtype, initializer=self.initializers.get(word, _STARTS[word]),
                    trainable=False, collections=collections_of(self.collections, word),
                )
                for word in ("moving_mean", "moving_variance")
            )  # fmt: skip


class _Updates:
    """How the moving averages are brought up to date, and when."""

    def __init__(self, training: Any, decay: Any, debias: bool, collections: Any) -> None:
        self.training, self.decay, self.debias, self.collections = training, decay, debias, collections
        self.may_train = constant_value(training) is not False

    def step(self, moving: Any, batch: Any) -> Any:
        return (
            assign_moving_average(moving[0], batch[0], self.decay, zero_debias=self.debias),
            assign_moving_average(moving[1], batch[1], self.decay, zero_debias=False),
        )

    def collect(self, moving: Any, batch: Any) -> None:
        for update in smart_cond(self.training, lambda: self.step(moving, batch), lambda: moving):
            add_to_collections(self.collections, update)

    def before(self, values: Any, moving: Any, batch: Any, otherwise: Any) -> Any:
        """In training ``values``, which wait for the updates; else ``otherwise``."""

        def waiting() -> Any:
            with control_dependencies(self.step(moving, batch)):
                return nest.map_structure(arrays.identity, values)

        return smart_cond(self.training, waiting, lambda: otherwise)


def _fused(inputs: Tensor, data_format: str, epsilon: float, variables: _Variables, updates: _Updates) -> Tensor:
    """One op for the batch; its parameters are floats for halves too."""
    given = inputs
    first = data_format == "NCHW"
    if given.rank == 2:
        channels = given.shape[-1].value
        if channels is None:
            raise ValueError("`C` dimension must be known but is None")
        inputs = arrays.reshape(inputs, [-1, channels, 1, 1] if first else [-1, 1, 1, channels])
    sizes = inputs.shape[1:2] if first else inputs.shape[-1:]
    if not sizes.is_fully_defined():
        raise ValueError(f"Inputs {inputs.name} has undefined `C` dimension {sizes}.")

    def parameter(word: str, wanted: bool, value: float) -> Any:
        if wanted:
            return variables.parameter(word, sizes, dtypes.float32)
        return constants.constant(value, dtype=dtypes.float32, shape=sizes)

    beta, gamma = parameter("beta", variables.center, 0.0), parameter("gamma", variables.scale, 1.0)
    moving = variables.statistics(sizes, dtypes.float32)
    outputs, *batch = smart_cond(
        updates.training,
        lambda: fused_batch_norm(inputs, gamma, beta, epsilon=epsilon, data_format=data_format),
        lambda: fused_batch_norm(
            inputs, gamma, beta, moving[0], moving[1], epsilon=epsilon, is_training=False, data_format=data_format
        ),
    )
    if updates.may_train and updates.collections is None:
        outputs = updates.before(outputs, moving, batch, outputs)
    elif updates.may_train:
        updates.collect(moving, batch)
    outputs.set_shape(inputs.shape)
    return arrays.reshape(outputs, arrays.shape(given)) if given.rank == 2 else outputs


def _weighted(
    inputs: Tensor, weights: Any, data_format: str, epsilon: float, variables: _Variables, updates: _Updates
) -> Tensor:
    """An op for each step of the rule; examples may have weights."""
    shape, rank, dtype = inputs.shape, inputs.rank, inputs.dtype.base_dtype
    if rank is None:
        raise ValueError(f"Inputs {inputs.name} has undefined rank.")
    if weights is not None:
        weights = as_tensor(weights)
        shape[0:1].assert_is_compatible_with(weights.shape)
        weights = arrays.reshape(weights, [-1] + [1] * (rank - 1))
    first = data_format == "NCHW"
    axes = [0, *range(2, rank)] if first else list(range(rank - 1))
    sizes = shape[1:2] if first else shape[-1:]
    broadcast = [1, sizes[0].value] + [1] * (rank - 2)
    if not sizes.is_fully_defined():
        raise ValueError(f"Inputs {inputs.name} has undefined channels dimension {sizes}.")
    beta = variables.parameter("beta", sizes, dtype) if variables.center else None
    gamma = variables.parameter("gamma", sizes, dtype) if variables.scale else None
    moving = variables.statistics(sizes, dtype)
    mean, variance = moving
    if updates.may_train:
        if weights is None:
            batch = moments.moments(inputs, axes, keep_dims=first)
        else:
            batch = moments.weighted_moments(inputs, axes, weights, keepdims=first)
        if first:
            batch = (arrays.reshape(batch[0], [-1]), arrays.reshape(batch[1], [-1]))
        if updates.collections is None:
            mean, variance = updates.before(tuple(batch), moving, batch, moving)
        else:
            updates.collect(moving, batch)
            mean, variance = smart_cond(updates.training, lambda: batch, lambda: moving)
    if first:
        mean, variance = arrays.reshape(mean, broadcast), arrays.reshape(variance, broadcast)
        beta = None if beta is None else arrays.reshape(beta, broadcast)
        gamma = None if gamma is None else arrays.reshape(gamma, broadcast)
    outputs = moments.batch_normalization(inputs, mean, variance, beta, gamma, epsilon)
    outputs.set_shape(shape)
    return outputs


@add_arg_scope
def layer_norm(
    inputs: Any,
    center: bool = True,
    scale: bool = True,
    activation_fn: Any = None,
    reuse: bool | None = None,
    variables_collections: Any = None,
    outputs_collections: Any = None,
    trainable: bool = True,
    begin_norm_axis: int = 1,
    begin_params_axis: int = -1,
    scope: Any = None,
) -> Tensor:
    """Each example normalized by its own mean and variance (Ba et al., 2016), scaled and moved.

    Raises:
      ValueError: the rank or a size that is needed is not known, or an axis is out of range.
    """
    with variable_scope(scope, "LayerNorm", [inputs], reuse=reuse):
        inputs = as_tensor(inputs)
        shape, rank = inputs.shape, inputs.rank
        if rank is None:
            raise ValueError(f"Inputs {inputs.name} has undefined rank.")
        dtype = inputs.dtype.base_dtype
        first = begin_norm_axis + rank if begin_norm_axis < 0 else begin_norm_axis
        if begin_params_axis >= rank or first >= rank:
            raise ValueError(
                f"begin_params_axis ({begin_params_axis}) and begin_norm_axis ({first}) must be < rank(inputs) ({rank})"
            )
        sizes = shape[begin_params_axis:]
        if not sizes.is_fully_defined():
            raise ValueError(f"Inputs {inputs.name}: shape(inputs)[{begin_params_axis}:] is not fully defined: {shape}")

        def parameter(name: str, initializer: Any) -> Any:
            return model_variable(
                name, shape=sizes, dtype=dtype, initializer=initializer, trainable=trainable,
                collections=collections_of(variables_collections, name),
            )  # fmt: skip

        beta = parameter("beta", zeros_initializer()) if center else None
        gamma = parameter("gamma", ones_initializer()) if scale else None
        mean, variance = moments.moments(inputs, list(range(first, rank)), keep_dims=True)
        epsilon = 1e-3 if dtype == dtypes.float16 else 1e-12
        outputs = moments.batch_normalization(inputs, mean, variance, beta, gamma, epsilon)
        outputs.set_shape(shape)
        return finished(outputs, None, None, activation_fn, outputs_collections)


@add_arg_scope
def unit_norm(inputs: Any, dim: int, epsilon: float = 1e-7, scope: str | None = None) -> Tensor:
    """``x / sqrt(epsilon + sum(x^2))`` with the sum over dimension ``dim``.

    Raises:
      ValueError: the rank is not known, or there is no such dimension.
    """
    with variable_scope(scope, "UnitNorm", [inputs]):
        if not inputs.shape:
            raise ValueError("The input rank must be known.")
        rank = len(inputs.shape.dims)
        if dim < 0 or dim >= rank:
            raise ValueError("dim must be positive but smaller than the input rank.")
        lengths = powers.sqrt(epsilon + reductions.reduce_sum(powers.square(inputs), dim, keepdims=True))
        multiples = [constants.ones([dim], dtypes.int32)] if dim > 0 else []
        multiples.append(slicing.strided_slice(arrays.shape(inputs), [dim], [dim + 1]))
        if dim < rank - 1:
            multiples.append(constants.ones([rank - 1 - dim], dtypes.int32))
        return arithmetic.div(inputs, repeating.tile(lengths, joining.concat(multiples, 0)))
