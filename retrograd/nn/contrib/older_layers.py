"""Further functions of ``tf.contrib.layers``: older dense layers, images as sequences, divisive normalization.

Source: TensorFlow 1.15.5's names, order of nodes and messages; Ballé et al., 2016, for the normalization.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable
from typing import Any

from retrograd.grad.registry import RegisterGradient
from retrograd.graph import dtypes, log, scopes
from retrograd.graph.collections import GraphKeys
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import Dimension, TensorShape
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.stack import default_graph
from retrograd.graph.static import constant_value as static_constant
from retrograd.graph.tensor import Tensor
from retrograd.nn import convolution as convolutions
from retrograd.nn import embeddings, pooling
from retrograd.nn.contrib.arg_scope import add_arg_scope
from retrograd.nn.contrib.collecting import collect_named_outputs
from retrograd.nn.layers.base import Layer
from retrograd.nn.layers.input_spec import InputSpec
from retrograd.ops import (
    activations,
    arithmetic,
    arrays,
    biases,
    casts,
    checks,
    comparison,
    conditions,
    constants,
    grids,
    indexing,
    joining,
    matrices,
    permuting,
    powers,
    reductions,
    shape_checks,
    slicing,
)
from retrograd.ops.sparse import sparse_reshape
from retrograd.state.defun import Defun
from retrograd.state.initializers import zeros_initializer
from retrograd.state.partitioned import PartitionedVariable
from retrograd.state.scopes import get_variable, variable_scope
from retrograd.state.variables import Variable
from retrograd.state.xavier import xavier_initializer

# -- dense layers before arg_scope ---------------------------------------------------------------


def legacy_fully_connected(
    x: Any,
    num_output_units: int,
    activation_fn: Any = None,
    weight_init: Any = xavier_initializer(),  # noqa: B008
    bias_init: Any = zeros_initializer(),  # noqa: B008
    name: str | None = None,
    weight_collections: Iterable[str] | None = (GraphKeys.WEIGHTS,),
    bias_collections: Iterable[str] | None = (GraphKeys.BIASES,),
    output_collections: Iterable[str] | None = (GraphKeys.ACTIVATIONS,),
    trainable: bool = True,
    weight_regularizer: Any = None,
    bias_regularizer: Any = None,
) -> Tensor:
    """``activation_fn(x @ weights + bias)`` over the last dimension.

    Raises:
      ValueError: the rank is less than 2, or the last dimension is not known.
    """
    with variable_scope(name, "fully_connected", [x]):
        x = as_tensor(x)
        if x.rank is None:
            raise ValueError("dims of x must be known but is None")
        if x.rank < 2:
            raise ValueError(f"rank of x must be at least 2 not: {x.rank}")
        units, dtype = x.shape[-1].value, x.dtype.base_dtype
        if units is None:
            raise ValueError("last dimension of x must be known but is None")

        def made(word: str, shape: list[Any], start: Any, collections: Any, regularizer: Any) -> Any:
            listed = list(dict.fromkeys([*(collections or []), GraphKeys.GLOBAL_VARIABLES]))
            return get_variable(
                word, shape=shape, dtype=dtype, initializer=start, collections=listed, regularizer=regularizer,
                trainable=trainable,
            )  # fmt: skip

        w = made("weights", [units, num_output_units], weight_init, weight_collections, weight_regularizer)
        y = matrices.matmul(x if x.rank == 2 else arrays.reshape(x, [-1, units]), w)
        if bias_init is not None:
            y = biases.bias_add(y, made("bias", [num_output_units], bias_init, bias_collections, bias_regularizer))
        if x.rank > 2:
            outer = joining.unstack(arrays.shape(x))[:-1]
            y = arrays.reshape(y, joining.stack([*outer, num_output_units]))
            y.set_shape([*x.shape.as_list()[:-1], num_output_units])
        if activation_fn is not None:
            y = activation_fn(y)
        scopes.add_to_collections([*(output_collections or []), GraphKeys.ACTIVATIONS], y)
        return y


legacy_relu = functools.partial(legacy_fully_connected, activation_fn=activations.relu)
legacy_linear = functools.partial(legacy_fully_connected, activation_fn=None)

# -- images, sequences, sparse tensors -----------------------------------------------------------


@add_arg_scope
def pool(
    inputs: Any, kernel_size: Any, pooling_type: str, padding: str = "VALID", data_format: str | None = None,
    dilation_rate: Any = 1, stride: Any = 1, outputs_collections: Any = None, scope: str | None = None,
) -> Tensor:  # fmt: skip
    """Windows of any number of dimensions, of which the largest element (``MAX``) or the mean (``AVG``) is taken.

    Raises:
      ValueError: the rank is less than 3, or not known.
    """
    with name_scope(scope, f"{pooling_type.lower()}_pool", [inputs]) as path:
        inputs = as_tensor(inputs)
        if inputs.rank is None:
            raise ValueError("Rank of inputs must be known")
        if inputs.rank < 3:
            raise ValueError("Rank of inputs must be >= 3")
        n = inputs.rank - 2
        output = pooling.pool(
            input=inputs, window_shape=n_positive_integers(n, kernel_size), pooling_type=pooling_type,
            padding=padding, data_format=data_format, dilation_rate=n_positive_integers(n, dilation_rate),
            strides=n_positive_integers(n, stride), name=path,
        )  # fmt: skip
        return collect_named_outputs(outputs_collections, path, output)


@add_arg_scope
def dense_to_sparse(tensor: Any, eos_token: Any = 0, outputs_collections: Any = None, scope: Any = None) -> Any:
    """The elements that are not ``eos_token``."""
    with variable_scope(scope, "dense_to_sparse", [tensor]) as opened:
        tensor = as_tensor(tensor)
        found = comparison.where(comparison.not_equal(tensor, constants.constant(eos_token, tensor.dtype)))
        values = indexing.gather_nd(tensor, found)
        shape = arrays.shape(tensor, out_type=dtypes.int64)
        return collect_named_outputs(outputs_collections, opened.name, SparseTensor(found, values, shape))


def as_ignored(dtype: Any, ignore_value: Any) -> Any:
    """``ignore_value``, by default the empty word or 0, as a tensor of ``dtype``."""
    if ignore_value is None:
        ignore_value = "" if dtype == dtypes.string else dtype.as_numpy_dtype()
    return casts.cast(ignore_value, dtype, name="ignore_value")


def dense_to_sparse_tensor(dense_tensor: Any, ignore_value: Any = None) -> SparseTensor:
    """The elements that are not ``ignore_value``: by default the empty word, or 0."""
    with name_scope("DenseToSparseTensor"):
        dense = as_tensor(dense_tensor)
        ignored = as_ignored(dense.dtype, ignore_value)
        indices = comparison.where(comparison.not_equal(dense, ignored), name="indices")
        values = indexing.gather_nd(dense, indices, name="values")
        shape = arrays.shape(dense, out_type=dtypes.int64, name="dense_shape")
        return SparseTensor(indices, values, shape)


@add_arg_scope
def images_to_sequence(
    inputs: Any, data_format: str = "NHWC", outputs_collections: Any = None, scope: str | None = None
) -> Tensor:
    """``[batch, height, width, depth]`` as ``[width, batch * height, depth]``: time runs along the width.

    Raises:
      ValueError: ``data_format`` is neither NHWC nor NCHW.
    """
    if data_format not in ("NCHW", "NHWC"):
        raise ValueError("data_format has to be either NCHW or NHWC.")
    with name_scope(scope, "ImagesToSequence", [inputs]) as path:
        inputs = as_tensor(inputs)
        if data_format == "NCHW":
            inputs = permuting.transpose(inputs, [0, 2, 3, 1])
        _, _, width, depth = inputs.shape.as_list()
        sizes = arrays.shape(inputs)
        batch, height = sizes[0], sizes[1]
        turned = permuting.transpose(inputs, [2, 0, 1, 3])
        outputs = arrays.reshape(turned, [width, batch * height, depth])
        return collect_named_outputs(outputs_collections, path, outputs)


@add_arg_scope
def sequence_to_images(
    inputs: Any, height: int, output_data_format: str = "channels_last", outputs_collections: Any = None,
    scope: str | None = None,
) -> Tensor:  # fmt: skip
    """The reverse of ``images_to_sequence``."""
    with name_scope(scope, "SequenceToImages", [inputs]) as path:
        inputs = as_tensor(inputs)
        width, rows, depth = inputs.shape.as_list()
        shaped = arrays.reshape(inputs, [width, -1 if rows is None else rows // height, height, depth])
        order = [1, 3, 2, 0] if output_data_format == "channels_first" else [1, 2, 0, 3]
        return collect_named_outputs(outputs_collections, path, permuting.transpose(shaped, order))


def _scaled(op: Any, dy: Any) -> list[Any]:
    """dx = multiplier * dy."""
    return [dy * op.inputs[1], None]


@Defun(python_grad_func=_scaled, shape_func=lambda op: [op.inputs[0].shape])
def scale_gradient(inputs: Any, gradient_multiplier: Any) -> Any:
    """``inputs``, whose gradient is multiplied."""
    del gradient_multiplier
    return inputs


def poincare_normalize(x: Any, axis: Any = 1, epsilon: float = 1e-5, name: str | None = None) -> Tensor:
    """``x``, made shorter where its length along ``axis`` is more than ``1 - epsilon`` (Nickel and Kiela, 2017)."""
    with name_scope(name, "poincare_normalize", [x]) as scope:
        x = as_tensor(x, name="x")
        shrink = powers.rsqrt(reductions.reduce_sum(powers.square(x), axis, keepdims=True))
        shrink = arithmetic.minimum((1.0 - epsilon) * shrink, 1.0)
        return arithmetic.multiply(x, shrink, name=scope)


@add_arg_scope
def _inner_flatten(inputs: Any, new_rank: Any, output_collections: Any = None, scope: str | None = None) -> Any:
    """``inputs`` with its last dimensions made one, so that there are ``new_rank``."""
    with name_scope(scope, "InnerFlatten", [inputs, new_rank]) as path:
        if isinstance(inputs, SparseTensor):
            flat: Any = _sparse_inner(inputs, new_rank)
        else:
            flat = _dense_inner(as_tensor(inputs), new_rank)
    return collect_named_outputs(output_collections, path, flat)


def _sparse_inner(inputs: SparseTensor, new_rank: int) -> SparseTensor:
    rank = inputs.dense_shape.shape.as_list()[0] or 0
    if rank < new_rank:
        raise ValueError(
            f"Inputs has rank less than new_rank. {inputs} must have rank at least {new_rank}. Received rank {rank}, "
            f"shape {inputs.shape}"
        )
    outer, inner = inputs.dense_shape[: new_rank - 1], inputs.dense_shape[new_rank - 1 :]
    return sparse_reshape(inputs, joining.concat((outer, [reductions.reduce_prod(inner)]), 0))


def _dense_inner(inputs: Tensor, new_rank: Any) -> Tensor:
    enough = shape_checks.assert_rank_at_least(inputs, new_rank, message="inputs has rank less than new_rank")
    with scopes.control_dependencies([enough]):
        outer = slicing.strided_slice(arrays.shape(inputs), [0], [new_rank - 1])
        flat = arrays.reshape(inputs, joining.concat((outer, [-1]), 0))
    if isinstance(new_rank, int) and inputs.rank is not None:
        dims = inputs.shape.as_list()
        rest = dims[new_rank - 1 :]
        flat.set_shape([*dims[: new_rank - 1], None if None in rest else math.prod(rest)])
    return flat


# -- embeddings ----------------------------------------------------------------------------------


def safe_embedding_lookup_sparse(
    embedding_weights: Any,
    sparse_ids: Any,
    sparse_weights: Any = None,
    combiner: str | None = None,
    default_id: Any = None,
    name: str | None = None,
    partition_strategy: str = "div",
    max_norm: float | None = None,
) -> Tensor:
    """``tf.nn.safe_embedding_lookup_sparse``, where weights decide the dtype."""
    if combiner is None:
        log.warn('The default value of combiner will change from "mean" to "sqrtn" after 2016/11/01.')
        combiner = "mean"
    if embedding_weights is None or (isinstance(embedding_weights, list) and not embedding_weights):
        raise ValueError(f"Missing embedding_weights {embedding_weights}.")
    if isinstance(embedding_weights, PartitionedVariable):
        embedding_weights = list(embedding_weights)
    listed = embedding_weights if isinstance(embedding_weights, list) else [embedding_weights]
    dtype = None if sparse_weights is None else sparse_weights.dtype
    listed = [as_tensor(w, dtype=dtype) for w in listed]
    checks.assert_same_float_dtype([*listed, sparse_weights])
    return embeddings.safe_embedding_lookup_sparse(
        listed, sparse_ids, sparse_weights, combiner, default_id, name, partition_strategy, max_norm
    )


# -- divisive normalization ----------------------------------------------------------------------


@RegisterGradient("GDNLowerBound")
def _from_below(op: Any, dy: Any) -> list[Any]:
    """dx = dy where x is above its bound, or where the step leads there."""
    x, bound = op.inputs
    return [casts.cast(comparison.logical_or(x >= bound, dy < 0), dy.dtype) * dy, None]


class GDN(Layer):
    """``y_i = x_i / sqrt(beta_i + sum_j gamma_ij x_j^2)``; the ``inverse`` multiplies.

    Args:
      beta_min: the smallest beta.
      gamma_init: gamma at the start, on the diagonal.
      reparam_offset: keeps square roots of parameters away from 0.
    """

    def __init__(
        self,
        inverse: bool = False,
        beta_min: float = 1e-6,
        gamma_init: float = 0.1,
        reparam_offset: float = 2**-18,
        data_format: str = "channels_last",
        activity_regularizer: Any = None,
        trainable: bool = True,
        name: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(trainable=trainable, name=name, activity_regularizer=activity_regularizer, **kwargs)
        self.inverse = inverse
        self._beta_min, self._gamma_init, self._reparam_offset = beta_min, gamma_init, reparam_offset
        self.data_format = data_format
        self._channel_axis()
        self.input_spec = InputSpec(min_ndim=3, max_ndim=5)

    def _channel_axis(self) -> int:
        if self.data_format not in ("channels_first", "channels_last"):
            raise ValueError(f"Unsupported `data_format` for GDN layer: {self.data_format}.")
        return 1 if self.data_format == "channels_first" else -1

    @staticmethod
    def _lower_bound(inputs: Any, bound: Any, name: str | None = None) -> Tensor:
        with name_scope(name, "GDNLowerBound", [inputs, bound]) as scope:
            inputs, bound = as_tensor(inputs, name="inputs"), as_tensor(bound, name="bound")
            with default_graph().gradient_override_map({"Maximum": "GDNLowerBound"}):
                return arithmetic.maximum(inputs, bound, name=scope)

    def build(self, input_shape: Any) -> None:
        axis, shape = self._channel_axis(), TensorShape(input_shape)
        channels = shape[axis].value
        if channels is None:
            raise ValueError("The channel dimension of the inputs to `GDN` must be defined.")
        self._input_rank: int = shape.ndims or 0
        self.input_spec = InputSpec(ndim=shape.ndims, axes={axis: channels})
        squared = self._reparam_offset**2
        pedestal = constants.constant(squared, dtype=self.dtype)
        beta_bound = constants.constant((self._beta_min + squared) ** 0.5, dtype=self.dtype)
        gamma_bound = constants.constant(self._reparam_offset, dtype=self.dtype)

        def start_beta(shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
            offset = constants.constant(squared, dtype=self.dtype)
            return powers.sqrt(constants.ones(shape, dtype=dtype) + offset)

        def start_gamma(shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
            identity = grids.eye(shape[0], dtype=dtype)
            offset = constants.constant(squared, dtype=self.dtype)
            return powers.sqrt(self._gamma_init * identity + offset)

        def parameter(word: str, shape: list[int], start: Any, bound: Any) -> Tensor:
            held = self.add_variable(word, shape=shape, initializer=start, dtype=self.dtype, trainable=True)
            return powers.square(self._lower_bound(held, bound)) - pedestal

        self.beta = parameter("reparam_beta", [channels], start_beta, beta_bound)
        self.gamma = parameter("reparam_gamma", [channels, channels], start_gamma, gamma_bound)
        self.built = True

    def call(self, inputs: Any) -> Tensor:
        inputs = as_tensor(inputs, dtype=self.dtype)
        rank = self._input_rank
        gamma = arrays.reshape(self.gamma, [*[1] * (rank - 2), *self.gamma.shape.as_list()])
        if self.data_format == "channels_last":
            pooled = convolutions.convolution(powers.square(inputs), gamma, "VALID")
            pooled = biases.bias_add(pooled, self.beta, data_format="NHWC")
        else:
            layout = "NC" + "DHW"[2 - rank :]
            pooled = convolutions.convolution(powers.square(inputs), gamma, "VALID", data_format=layout)
            pooled = self._with_beta(pooled, rank)
        pooled = powers.sqrt(pooled)
        outputs = inputs * pooled if self.inverse else inputs / pooled
        outputs.set_shape(inputs.shape)
        return outputs

    def _with_beta(self, pooled: Any, rank: int) -> Any:
        """Beta added to channels that come first."""
        if rank == 3:
            pooled = biases.bias_add(arrays.expand_dims(pooled, 2), self.beta, data_format="NCHW")
            return arrays.squeeze(pooled, [2])
        if rank == 5:
            shape = arrays.shape(pooled)
            pooled = arrays.reshape(pooled, shape[:3] + [-1])  # noqa: RUF005
            return arrays.reshape(biases.bias_add(pooled, self.beta, data_format="NCHW"), shape)
        return biases.bias_add(pooled, self.beta, data_format="NCHW")

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        shape = TensorShape(input_shape)
        if shape.ndims is None or not 3 <= shape.ndims <= 5:
            raise ValueError("`input_shape` must be of rank 3 to 5, inclusive.")
        if shape[self._channel_axis()].value is None:
            raise ValueError("The channel dimension of `input_shape` must be defined.")
        return shape


def gdn(
    inputs: Any,
    inverse: bool = False,
    beta_min: float = 1e-6,
    gamma_init: float = 0.1,
    reparam_offset: float = 2**-18,
    data_format: str = "channels_last",
    activity_regularizer: Any = None,
    trainable: bool = True,
    name: str | None = None,
    reuse: bool | None = None,
) -> Tensor:
    """The layer ``GDN`` as a function."""
    layer = GDN(
        inverse=inverse, beta_min=beta_min, gamma_init=gamma_init, reparam_offset=reparam_offset,
        data_format=data_format, activity_regularizer=activity_regularizer, trainable=trainable, name=name,
        dtype=inputs.dtype.base_dtype, _scope=name, _reuse=reuse,
    )  # fmt: skip
    outputs: Tensor = layer.apply(inputs)
    return outputs


# -- tf.contrib.layers.utils -----------------------------------------------------------------------


def constant_value(value_or_tensor_or_var: Any, dtype: Any = None) -> Any:
    """The value of a Python object or a constant tensor; None of what is not known.

    Raises:
      ValueError: there is nothing, or it has another dtype.
    """
    value = value_or_tensor_or_var
    if value is None:
        raise ValueError("value_or_tensor_or_var cannot be None")
    if not isinstance(value, Tensor | Variable):
        return value
    if dtype and value.dtype != dtype:
        raise ValueError(f"It has the wrong type {value.dtype} instead of {dtype}")
    return None if isinstance(value, Variable) else static_constant(value)


def static_cond(pred: Any, fn1: Any, fn2: Any) -> Any:
    """``fn1()`` if ``pred`` else ``fn2()``.

    Raises:
      TypeError: one of them is no function.
    """
    for name, function in (("fn1", fn1), ("fn2", fn2)):
        if not callable(function):
            raise TypeError(f"{name} must be callable.")
    return fn1() if pred else fn2()


def smart_cond(pred: Any, fn1: Any, fn2: Any, name: str | None = None) -> Any:
    """The same, as a branch of the graph where ``pred`` is not known."""
    known = constant_value(pred)
    return conditions.cond(pred, fn1, fn2, name=name) if known is None else static_cond(known, fn1, fn2)


def two_element_tuple(int_or_tuple: Any) -> tuple[Any, Any]:
    """One number twice, or two numbers.

    Raises:
      ValueError: it is neither.
    """
    if isinstance(int_or_tuple, list | tuple):
        if len(int_or_tuple) != 2:
            raise ValueError(f"Must be a list with 2 elements: {int_or_tuple}")
        return int(int_or_tuple[0]), int(int_or_tuple[1])
    if isinstance(int_or_tuple, int):
        return int(int_or_tuple), int(int_or_tuple)
    if isinstance(int_or_tuple, TensorShape) and len(int_or_tuple) == 2:
        return int_or_tuple[0], int_or_tuple[1]
    raise ValueError("Must be an int, a list with 2 elements or a TensorShape of length 2")


def n_positive_integers(n: int, value: Any) -> tuple[int, ...]:
    """One number n times, or n numbers.

    Raises:
      ValueError: they are not n, or not positive.
    """
    if int(n) != n or n < 1:
        raise ValueError("n must be a positive integer")
    given = (value,) * n if isinstance(value, int | Dimension) else value
    wrong = f"Expected sequence of {n} positive integers, but received {value!r}"
    if len(given) != n:
        raise ValueError(wrong)
    try:
        numbers = tuple(int(x) for x in given)
    except (TypeError, ValueError):
        raise ValueError(wrong) from None
    for number in numbers:
        if number < 1:
            raise ValueError(f"expected positive integer, but received {number}")
    return numbers


def _known_size(shape: Any, dim: int, min_rank: int) -> int:
    if shape.ndims is None:
        raise ValueError("dims of shape must be known but is None")
    if shape.ndims < min_rank:
        raise ValueError(f"rank of shape must be at least {min_rank} not: {shape.ndims}")
    size = shape[dim].value
    if size is None:
        raise ValueError(f"dimension {dim} of shape must be known but is None: {shape}")
    found: int = size
    return found


def channel_dimension(shape: Any, data_format: str, min_rank: int = 1) -> int:
    """The number of channels, which must be known."""
    return _known_size(shape, 1 if data_format == "channels_first" else -1, min_rank)


def last_dimension(shape: Any, min_rank: int = 1) -> int:
    """The size of the last dimension, which must be known."""
    return _known_size(shape, -1, min_rank)
