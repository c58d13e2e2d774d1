"""``tf.keras.backend``: the session of models, the learning phase, and ops under Keras' names."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from retrograd.eager.graph import eager_graph
from retrograd.eager.lifted import LiftedGraph, graph_of_models
from retrograd.graph import dtypes, nest
from retrograd.graph.convert import as_tensor
from retrograd.graph.dtypes import as_dtype
from retrograd.graph.graph import Graph
from retrograd.graph.modes import init_scope
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.stack import default_graph, reset_default_graph
from retrograd.graph.tensor import Tensor
from retrograd.nn import convolution, cross_entropy, transposed
from retrograd.nn import dropout as dropouts
from retrograd.nn import moments as statistics
from retrograd.nn import pooling as pooled
from retrograd.nn.layers.names import unique_object_name
from retrograd.nn.layers.nodes import history_of
from retrograd.nn.layers.session import batch_get_value as batch_get_value
from retrograd.nn.layers.session import batch_set_value as batch_set_value
from retrograd.nn.layers.session import get_session as get_session
from retrograd.nn.layers.session import manual_variable_initialization as manual_variable_initialization
from retrograd.nn.layers.session import set_session as set_session
from retrograd.nn.layers.session import track_variable as track_variable
from retrograd.ops import (
    activations,
    arithmetic,
    arrays,
    biases,
    casts,
    clipping,
    comparison,
    conditions,
    constants,
    control,
    exponentials,
    indexing,
    joining,
    matrices,
    norms,
    padding,
    permuting,
    powers,
    printing,
    random,
    ranking,
    reductions,
    repeating,
    resizing,
    rounding,
    scans,
    trigonometry,
)
from retrograd.ops import (
    softmax as softmaxes,
)
from retrograd.state.variables import VariableV1, VariableV2

# -- settings ------------------------------------------------------------------------------------

_settings: dict[str, Any] = {
    "floatx": "float32", "epsilon": 1e-7, "image_data_format": "channels_last",
}  # fmt: skip


def floatx() -> str:
    """The dtype of floats in models."""
    return str(_settings["floatx"])


def set_floatx(value: str) -> None:
    """Let floats in models have this dtype."""
    if value not in {"float16", "float32", "float64"}:
        raise ValueError("Unknown floatx type: " + str(value))
    _settings["floatx"] = str(value)


def epsilon() -> float:
    """The small number that keeps divisions and logarithms away from 0."""
    return float(_settings["epsilon"])


def set_epsilon(value: float) -> None:
    """Let the small number be this."""
    _settings["epsilon"] = value


def image_data_format() -> str:
    """Where images have their channels."""
    return str(_settings["image_data_format"])


def set_image_data_format(data_format: str) -> None:
    """Let images have their channels there."""
    if data_format not in {"channels_last", "channels_first"}:
        raise ValueError("Unknown data_format: " + str(data_format))
    _settings["image_data_format"] = str(data_format)


def backend() -> str:
    """``"tensorflow"``."""
    return "tensorflow"


def cast_to_floatx(x: Any) -> Any:
    """``x`` as ``floatx()``."""
    if isinstance(x, Tensor | VariableV2 | SparseTensor):
        return casts.cast(x, dtype=floatx())
    return np.asarray(x, dtype=floatx())


# -- graph and session ---------------------------------------------------------------------------


def get_graph() -> Graph:
    """The graph that models are built in."""
    return default_graph()


def get_uid(prefix: str = "") -> int:
    """The next number of a name in the graph."""
    name = unique_object_name(prefix)
    return int(name[len(prefix) + 1 :])


def reset_uids() -> None:
    """Let names of layers start over."""
    default_graph().notes.pop("object names", None)


def clear_session() -> None:
    """A new graph, and no session, names start over."""
    reset_default_graph()
    reset_uids()
    set_session(None)
    default_graph().notes.pop("learning phase", None)
    learning_phase()


def learning_phase() -> Any:
    """Whether models train: a boolean that is fed, or the number that was set; 0 where ops run at once."""
    notes = default_graph().notes
    if default_graph().is_eager:
        return notes.get("learning phase", 0)
    if isinstance(default_graph(), LiftedGraph) and "learning phase" in eager_graph().notes:
        return eager_graph().notes["learning phase"]
    if "learning phase" not in notes:
        with default_graph().as_default(), name_scope(""):
            notes["learning phase"] = constants.placeholder_with_default(
                False, shape=(), name="keras_learning_phase"
            )  # fmt: skip
    return notes["learning phase"]


def symbolic_learning_phase() -> Any:
    """The same."""
    return learning_phase()


def set_learning_phase(value: int) -> None:
    """Let models train, or not."""
    if value not in {0, 1}:
        raise ValueError("Expected learning phase to be 0 or 1.")
    default_graph().notes["learning phase"] = value


@contextmanager
def learning_phase_scope(value: int) -> Iterator[None]:
    """Let models train inside of the block, or not."""
    notes = default_graph().notes
    before = notes.get("learning phase")
    set_learning_phase(value)
    try:
        yield
    finally:
        notes.pop("learning phase", None)
        if before is not None:
            notes["learning phase"] = before


def in_train_phase(x: Any, alt: Any, training: Any = None) -> Any:
    """``x`` in training, else ``alt``: tensors, or functions that make them."""
    training = learning_phase() if training is None else training
    if training in (1, True) and not isinstance(training, Tensor):
        return x() if callable(x) else x
    if training in (0, False) and not isinstance(training, Tensor):
        return alt() if callable(alt) else alt
    return switch(training, x, alt)


def in_test_phase(x: Any, alt: Any, training: Any = None) -> Any:
    """``alt`` in training, else ``x``."""
    return in_train_phase(alt, x, training=training)


def switch(condition: Any, then_expression: Any, else_expression: Any) -> Any:
    """One of two tensors or functions, by a scalar, or element by element."""
    condition = as_tensor(condition)
    if condition.dtype.base_dtype != dtypes.bool:
        condition = casts.cast(condition, dtypes.bool)
    if condition.rank in (0, None):

        def made(x: Any) -> Callable[[], Any]:
            return x if callable(x) else lambda: x

        return conditions.cond(condition, made(then_expression), made(else_expression))
    x = then_expression() if callable(then_expression) else then_expression
    y = else_expression() if callable(else_expression) else else_expression
    x, y = as_tensor(x), as_tensor(y)
    for _ in range((x.rank or 0) - condition.rank):
        condition = arrays.expand_dims(condition, -1)
    if x.rank != 0:
        condition = arithmetic.multiply(
            casts.cast(condition, dtypes.float32), constants.ones_like(x, dtypes.float32)
        ) > 0.5  # fmt: skip
    return comparison.where(condition, x, y)


# -- variables and placeholders ------------------------------------------------------------------


def variable(value: Any, dtype: Any = None, name: Any = None, constraint: Any = None) -> Any:
    """A resource variable with this first value."""
    dtype = dtype or floatx()
    if hasattr(value, "tocoo"):
        coo = value.tocoo()
        indices = np.concatenate((np.expand_dims(coo.row, 1), np.expand_dims(coo.col, 1)), 1)
        return SparseTensor(indices=indices, values=coo.data, dense_shape=coo.shape)
    made: Any = VariableV1(value, dtype=as_dtype(dtype), name=name, constraint=constraint, use_resource=True)
    if isinstance(value, np.ndarray):
        made._keras_shape = value.shape
    elif hasattr(value, "shape"):
        made._keras_shape = int_shape(value)
    track_variable(made)
    return made


def placeholder(
    shape: Any = None, ndim: int | None = None, dtype: Any = None, sparse: bool = False, name: str | None = None,
    ragged: bool = False,
) -> Any:  # fmt: skip
    """A placeholder of ``floatx()``, of a shape or a rank."""
    if not shape and ndim:
        shape = tuple(None for _ in range(ndim))
    dtype = dtype or floatx()
    if sparse:
        from retrograd.ops.sparse import sparse_placeholder

        return sparse_placeholder(dtype, shape=shape, name=name)
    return constants.placeholder(dtype, shape=shape, name=name)


def constant(value: Any, dtype: Any = None, shape: Any = None, name: str | None = None) -> Tensor:
    """A constant of ``floatx()``."""
    return constants.constant(value, dtype=dtype or floatx(), shape=shape, name=name or "Const")


def is_placeholder(x: Any) -> bool:
    """Whether ``x`` is to be fed."""
    return isinstance(x, Tensor) and x.op.type == "Placeholder"


def is_keras_tensor(x: Any) -> bool:
    """Whether a layer of a network made ``x``."""
    if not isinstance(x, Tensor | VariableV2 | SparseTensor):
        raise ValueError(f"Unexpectedly found an instance of type `{type(x)}`. Expected a symbolic tensor instance.")
    return history_of(x) is not None


def is_sparse(tensor: Any) -> bool:
    """Whether ``tensor`` is sparse."""
    return isinstance(tensor, SparseTensor)


def to_dense(tensor: Any) -> Any:
    """A sparse tensor as a dense one."""
    if not is_sparse(tensor):
        return tensor
    from retrograd.ops.sparse import sparse_tensor_to_dense

    return sparse_tensor_to_dense(tensor)


def shape(x: Any) -> Tensor:
    """The shape as a tensor."""
    return arrays.shape(x)


def int_shape(x: Any) -> Any:
    """The shape as a tuple, None where a size is not known; None if the rank is not."""
    try:
        known = x.shape
        return known if isinstance(known, tuple) else tuple(known.as_list())
    except ValueError:
        return None


def ndim(x: Any) -> int | None:
    """The number of dimensions."""
    return x.shape.ndims


def dtype(x: Any) -> str:
    """The dtype by name."""
    return str(x.dtype.base_dtype.name)


def eval_(x: Any) -> Any:
    """The value in the session of models."""
    return get_value(to_dense(x))


def get_value(x: Any) -> Any:
    """The value of a variable, or of a tensor."""
    if hasattr(x, "numpy") and (not isinstance(x, VariableV2) or not x._in_graph_mode):
        with init_scope():
            return x.numpy()
    return get_session().run(x)


def set_value(x: Any, value: Any) -> None:
    """Let a variable have this value."""
    batch_set_value([(x, value)])


def count_params(x: Any) -> int:
    """The number of elements."""
    return int(np.prod(x.shape.as_list()))


def zeros(shape: Any, dtype: Any = None, name: str | None = None) -> Any:
    """A variable of zeros; a tensor where the shape is not known."""
    out = constants.zeros(shape, as_dtype(dtype or floatx()), name)
    return variable(out, dtype=dtype, name=name) if out.shape.is_fully_defined() else out


def ones(shape: Any, dtype: Any = None, name: str | None = None) -> Any:
    """A variable of ones; a tensor where the shape is not known."""
    out = constants.ones(shape, as_dtype(dtype or floatx()), name)
    return variable(out, dtype=dtype, name=name) if out.shape.is_fully_defined() else out


def eye(size: int, dtype: Any = None, name: str | None = None) -> Any:
    """A variable with an identity matrix."""
    return variable(np.eye(size), dtype, name)


def zeros_like(x: Any, dtype: Any = None, name: str | None = None) -> Tensor:
    """Zeros of the shape of ``x``."""
    return constants.zeros_like(x, dtype=dtype, name=name)


def ones_like(x: Any, dtype: Any = None, name: str | None = None) -> Tensor:
    """Ones of the shape of ``x``."""
    return constants.ones_like(x, dtype=dtype, name=name)


def random_uniform_variable(
    shape: Any, low: float, high: float, dtype: Any = None, name: str | None = None, seed: int | None = None
) -> Any:
    """A variable of uniform random numbers."""
    seed = seed if seed is not None else np.random.randint(int(1e9))
    return variable(random.random_uniform(shape, low, high, as_dtype(dtype or floatx()), seed), dtype=dtype, name=name)


def random_normal_variable(
    shape: Any, mean: float, scale: float, dtype: Any = None, name: str | None = None, seed: int | None = None
) -> Any:
    """A variable of normal random numbers."""
    seed = seed if seed is not None else np.random.randint(int(1e9))
    return variable(random.random_normal(shape, mean, scale, as_dtype(dtype or floatx()), seed), dtype=dtype, name=name)


def random_normal(
    shape: Any, mean: float = 0.0, stddev: float = 1.0, dtype: Any = None, seed: int | None = None
) -> Tensor:
    """Normal random numbers."""
    seed = seed if seed is not None else np.random.randint(int(1e7))
    return random.random_normal(shape, mean=mean, stddev=stddev, dtype=as_dtype(dtype or floatx()), seed=seed)


def random_uniform(
    shape: Any, minval: float = 0.0, maxval: float = 1.0, dtype: Any = None, seed: int | None = None
) -> Tensor:
    """Uniform random numbers."""
    seed = seed if seed is not None else np.random.randint(int(1e7))
    return random.random_uniform(shape, minval=minval, maxval=maxval, dtype=as_dtype(dtype or floatx()), seed=seed)


def random_binomial(shape: Any, p: float = 0.0, dtype: Any = None, seed: int | None = None) -> Tensor:
    """Ones with probability ``p``, else zeros."""
    kind = as_dtype(dtype or floatx())
    seed = seed if seed is not None else np.random.randint(int(1e7))
    chances = random.random_uniform(shape, dtype=kind, seed=seed)
    return comparison.where(chances <= p, constants.ones(shape, dtype=kind), constants.zeros(shape, dtype=kind))


def truncated_normal(
    shape: Any, mean: float = 0.0, stddev: float = 1.0, dtype: Any = None, seed: int | None = None
) -> Tensor:
    """Normal random numbers within two standard deviations."""
    seed = seed if seed is not None else np.random.randint(int(1e7))
    return random.truncated_normal(shape, mean, stddev, dtype=as_dtype(dtype or floatx()), seed=seed)


# -- updates -------------------------------------------------------------------------------------


def update(x: Any, new_x: Any) -> Any:
    """``x = new_x``."""
    return x.assign(new_x)


def update_add(x: Any, increment: Any) -> Any:
    """``x += increment``."""
    return x.assign_add(increment)


def update_sub(x: Any, decrement: Any) -> Any:
    """``x -= decrement``."""
    return x.assign_sub(decrement)


def moving_average_update(x: Any, value: Any, momentum: Any) -> Any:
    """``x = momentum * x + (1 - momentum) * value``."""
    return x.assign_sub((x - value) * (1 - momentum))


def gradients(loss: Any, variables: Any) -> list[Any]:
    """The derivatives of ``loss`` by the variables."""
    from retrograd.grad.gradients import gradients as derived

    return derived(loss, variables)


def stop_gradient(variables: Any) -> Any:
    """The same, with no derivative."""
    if isinstance(variables, list | tuple):
        return [arrays.stop_gradient(v) for v in variables]
    return arrays.stop_gradient(variables)


# -- functions that run --------------------------------------------------------------------------


class Function:
    """Runs outputs and updates for values of ``inputs``; called with a list of them."""

    def __init__(
        self, inputs: Any, outputs: Any, updates: Any = None, name: str | None = None, **session_kwargs: Any
    ) -> None:
        self.feed_dict = session_kwargs.pop("feed_dict", None) or {}
        self.fetches = session_kwargs.pop("fetches", None) or []
        if session_kwargs:
            raise ValueError(f"Some keys in session_kwargs are not supported at this time: {session_kwargs.keys()}")
        self._structure = outputs
        self.inputs = nest.flatten(inputs)
        self.outputs = [_fetchable(x) for x in nest.flatten(outputs)]
        self.name = name
        with control_dependencies(self.outputs[:1]):
            made = []
            for each in updates or []:
                made.append(each[0].assign(each[1]) if isinstance(each, tuple) else each)
            self.updates_op = control.group(*made)

    def __call__(self, inputs: Any) -> Any:
        session = get_session(inputs)
        feeds = dict(self.feed_dict)
        for tensor, value in zip(self.inputs, nest.flatten(inputs), strict=True):
            if value is None:
                raise ValueError(f"Tensor {tensor.name} of the function has no value")
            if isinstance(tensor, Tensor):
                feeds[tensor] = value
        fetches = [*self.outputs, *self.fetches, self.updates_op]
        values = session.run(fetches, feed_dict=feeds)
        return nest.pack_sequence_as(self._structure, values[: len(self.outputs)])


def _fetchable(x: Any) -> Any:
    return x if isinstance(x, Tensor | VariableV2 | Operation | SparseTensor) else as_tensor(x)


def function(inputs: Any, outputs: Any, updates: Any = None, name: str | None = None, **kwargs: Any) -> Function:
    """A function of NumPy arrays that runs part of the graph."""
    if default_graph().is_eager:
        with graph_of_models().as_default():
            return Function(inputs, outputs, updates=updates, name=name, **kwargs)
    return Function(inputs, outputs, updates=updates, name=name, **kwargs)


def print_tensor(x: Any, message: str = "") -> Any:
    """``x``, printed when it runs."""
    operation = printing.print_(message, x)
    with control_dependencies([operation]):
        return arrays.identity(x)


def name_scope_(name: str, default_name: str | None = None, values: Any = None) -> Any:
    """A scope of names."""
    return name_scope(name, default_name, values)


# -- linear algebra ------------------------------------------------------------------------------


def dot(x: Any, y: Any) -> Tensor:
    """The product over the last dimension of ``x`` and the last but one of ``y``."""
    x_rank, y_rank = ndim(x), ndim(y)
    if x_rank is not None and (x_rank > 2 or (y_rank or 0) > 2):
        x_shape = [
            k if k is not None else n for k, n in zip(int_shape(x), joining.unstack(arrays.shape(x)), strict=True)
        ]
        y_shape = [
            k if k is not None else n for k, n in zip(int_shape(y), joining.unstack(arrays.shape(y)), strict=True)
        ]
        order = list(range(y_rank or 0))
        order = [order.pop(-2), *order]
        flat = arrays.reshape(x, [-1, x_shape[-1]])
        other = arrays.reshape(permuting.transpose(y, perm=order), [y_shape[-2], -1])
        return arrays.reshape(matrices.matmul(flat, other), x_shape[:-1] + y_shape[:-2] + y_shape[-1:])
    if is_sparse(x):
        from retrograd.ops.sparse_arithmetic import sparse_tensor_dense_matmul

        return sparse_tensor_dense_matmul(x, y)
    return matrices.matmul(x, y)


def batch_dot(x: Any, y: Any, axes: Any = None) -> Tensor:
    """The product over ``axes`` of each pair of examples."""
    x_rank, y_rank = ndim(x) or 0, ndim(y) or 0
    if isinstance(axes, int):
        axes = (axes, axes)
    if axes is None:
        axes = (x_rank - 1, y_rank - 1 if y_rank == 2 else y_rank - 2)
    more = abs(x_rank - y_rank)
    if x_rank > y_rank:
        y = arrays.reshape(y, joining.concat([arrays.shape(y), [1] * more], axis=0))
    elif y_rank > x_rank:
        x = arrays.reshape(x, joining.concat([arrays.shape(x), [1] * more], axis=0))
    if ndim(x) == 2 and ndim(y) == 2:
        if axes[0] == axes[1]:
            out = reductions.reduce_sum(arithmetic.multiply(x, y), axes[0])
        else:
            out = reductions.reduce_sum(arithmetic.multiply(permuting.transpose(x, [1, 0]), y), axes[1])
    else:
        out = matrices.matmul(x, y, adjoint_a=axes[0] != (ndim(x) or 0) - 1, adjoint_b=axes[1] == (ndim(y) or 0) - 1)
    if more:
        first = x_rank + y_rank - 3 if x_rank > y_rank else x_rank - 1
        out = arrays.squeeze(out, list(range(first, first + more)))
    return expand_dims(out, 1) if ndim(out) == 1 else out


def transpose(x: Any) -> Tensor:
    """All dimensions reversed."""
    return permuting.transpose(x)


def gather(reference: Any, indices: Any) -> Tensor:
    """Rows of ``reference``."""
    return indexing.gather(reference, indices)


# -- reductions and element-wise functions -------------------------------------------------------


def max_(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """The largest element."""
    return reductions.reduce_max(x, axis, keepdims)


def min_(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """The smallest element."""
    return reductions.reduce_min(x, axis, keepdims)


def sum_(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """The sum."""
    return reductions.reduce_sum(x, axis, keepdims)


def prod(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """The product."""
    return reductions.reduce_prod(x, axis, keepdims)


def cumsum(x: Any, axis: int = 0) -> Tensor:
    """The running sum."""
    return scans.cumsum(x, axis=axis)


def cumprod(x: Any, axis: int = 0) -> Tensor:
    """The running product."""
    return scans.cumprod(x, axis=axis)


def _floats_of_bools(x: Any) -> Any:
    return casts.cast(x, floatx()) if x.dtype.base_dtype == dtypes.bool else x


def var(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """The variance."""
    return reductions.reduce_variance(_floats_of_bools(x), axis=axis, keepdims=keepdims)


def std(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """The standard deviation."""
    return reductions.reduce_std(_floats_of_bools(x), axis=axis, keepdims=keepdims)


def mean(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """The mean."""
    return reductions.reduce_mean(_floats_of_bools(x), axis, keepdims)


def any_(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """Whether any element holds."""
    return reductions.reduce_any(casts.cast(x, dtypes.bool), axis, keepdims)


def all_(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """Whether all elements hold."""
    return reductions.reduce_all(casts.cast(x, dtypes.bool), axis, keepdims)


def argmax(x: Any, axis: int = -1) -> Tensor:
    """Where the largest element is."""
    return ranking.argmax(x, axis)


def argmin(x: Any, axis: int = -1) -> Tensor:
    """Where the smallest element is."""
    return ranking.argmin(x, axis)


square, abs_, exp, log = powers.square, rounding.abs_, exponentials.exp, exponentials.log
round_, sign, sin, cos = rounding.round_, rounding.sign, trigonometry.sin, trigonometry.cos
equal, not_equal, greater, greater_equal = (
    comparison.equal, comparison.not_equal, comparison.greater, comparison.greater_equal,
)  # fmt: skip
less, less_equal, maximum, minimum = comparison.less, comparison.less_equal, arithmetic.maximum, arithmetic.minimum


def sqrt(x: Any) -> Tensor:
    """The root, of negative numbers 0."""
    zero, highest = _constant_like(0.0, x), _constant_like(np.inf, x)
    return powers.sqrt(clipping.clip_by_value(x, zero, highest))


def _constant_like(value: float, x: Any) -> Tensor:
    return as_tensor(value, dtype=x.dtype.base_dtype)


def logsumexp(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """``log(sum(exp(x)))``."""
    return reductions.reduce_logsumexp(x, axis, keepdims)


def pow_(x: Any, a: int) -> Tensor:
    """``x`` to the power of ``a``."""
    return powers.pow_(x, a)


def clip(x: Any, min_value: Any, max_value: Any) -> Tensor:
    """``x`` between two bounds."""
    if isinstance(min_value, int | float) and isinstance(max_value, int | float) and max_value < min_value:
        max_value = min_value
    return clipping.clip_by_value(
        x, -np.inf if min_value is None else min_value, np.inf if max_value is None else max_value
    )


def cast(x: Any, dtype: Any) -> Tensor:
    """``x`` as another dtype."""
    return casts.cast(x, dtype)


def normalize_batch_in_training(
    x: Any, gamma: Any, beta: Any, reduction_axes: Any, epsilon: float = 1e-3
) -> tuple[Tensor, Tensor, Tensor]:
    """The batch normalized, its mean and its variance."""
    center, spread = statistics.moments(x, list(reduction_axes))
    return batch_normalization(x, center, spread, beta, gamma, epsilon=epsilon), center, spread


def batch_normalization(
    x: Any, mean: Any, var: Any, beta: Any, gamma: Any, axis: int = -1, epsilon: float = 1e-3
) -> Tensor:
    """``gamma * (x - mean) / sqrt(var + epsilon) + beta``."""
    return statistics.batch_normalization(x, mean, var, beta, gamma, epsilon)


# -- shapes --------------------------------------------------------------------------------------


def concatenate(tensors: Any, axis: int = -1) -> Tensor:
    """The tensors one after the other along ``axis``."""
    if axis < 0:
        rank = ndim(tensors[0])
        axis = axis % rank if rank else 0
    return joining.concat([to_dense(x) for x in tensors], axis)


def reshape(x: Any, shape: Any) -> Tensor:
    """``x`` in another shape."""
    return arrays.reshape(x, shape)


def permute_dimensions(x: Any, pattern: Any) -> Tensor:
    """``x`` with its dimensions in another order."""
    return permuting.transpose(x, perm=pattern)


def resize_images(
    x: Any, height_factor: int, width_factor: int, data_format: str, interpolation: str = "nearest"
) -> Tensor:
    """Images so many times as high and as wide."""
    first = data_format == "channels_first"
    if not first and data_format != "channels_last":
        raise ValueError("Invalid `data_format` argument: %s" % (data_format,))  # noqa: UP031
    rows, columns = (2, 3) if first else (1, 2)
    known = int_shape(x)
    new_shape = arrays.shape(x)[rows : columns + 1]
    new_shape = new_shape * constants.constant(np.array([height_factor, width_factor], np.int32))
    if first:
        x = permute_dimensions(x, [0, 2, 3, 1])
    methods = {"nearest": resizing.resize_nearest_neighbor, "bilinear": resizing.resize_bilinear}
    if interpolation not in methods:
        raise ValueError('interpolation should be one of "nearest" or "bilinear".')
    with name_scope("resize"):
        x = methods[interpolation](x, new_shape, half_pixel_centers=True)
    if first:
        x = permute_dimensions(x, [0, 3, 1, 2])
    height, width = known[rows], known[columns]
    sides = [None if n is None else n * k for n, k in ((height, height_factor), (width, width_factor))]
    x.set_shape((None, None, *sides) if first else (None, *sides, None))
    return x


def resize_volumes(x: Any, depth_factor: int, height_factor: int, width_factor: int, data_format: str) -> Tensor:
    """Volumes so many times as deep, high and wide."""
    first = data_format == "channels_first"
    axis = 2 if first else 1
    for i, factor in enumerate((depth_factor, height_factor, width_factor)):
        x = repeat_elements(x, factor, axis=axis + i)
    return x


def repeat_elements(x: Any, rep: int, axis: int) -> Tensor:
    """Each slice along ``axis`` so many times."""
    known = x.shape.as_list()
    if known[axis] is not None:
        parts = joining.split(value=x, num_or_size_splits=known[axis], axis=axis)
        return concatenate([part for part in parts for _ in range(rep)], axis)
    return repeating.repeat(x, rep, axis=axis)


def repeat(x: Any, n: int) -> Tensor:
    """Each row ``n`` times, in a new dimension."""
    return repeating.tile(arrays.expand_dims(x, 1), joining.stack([1, n, 1]))


def arange(start: Any, stop: Any = None, step: Any = 1, dtype: str = "int32") -> Tensor:
    """Numbers from ``start`` to ``stop``."""
    if stop is None and start < 0:
        start = 0
    result = constants.range_(start, limit=stop, delta=step, name="arange")
    return result if dtype == "int32" else cast(result, dtype)


def tile(x: Any, n: Any) -> Tensor:
    """``x`` so many times along each dimension."""
    return repeating.tile(x, [n] if isinstance(n, int) else n)


def flatten(x: Any) -> Tensor:
    """``x`` as a vector."""
    return arrays.reshape(x, [-1])


def batch_flatten(x: Any) -> Tensor:
    """Each example as a vector."""
    return arrays.reshape(x, joining.stack([-1, prod(shape(x)[1:])]))


def expand_dims(x: Any, axis: int = -1) -> Tensor:
    """``x`` with a new dimension of 1."""
    return arrays.expand_dims(x, axis)


def squeeze(x: Any, axis: int) -> Tensor:
    """``x`` without a dimension of 1."""
    return arrays.squeeze(x, [axis])


def temporal_padding(x: Any, padding: Any = (1, 1)) -> Tensor:
    """Zeros before and after, in time."""
    return _padded(x, [[0, 0], list(padding), [0, 0]])


def spatial_2d_padding(x: Any, padding: Any = ((1, 1), (1, 1)), data_format: str | None = None) -> Tensor:
    """Zeros around images."""
    sides = [list(p) for p in padding]
    first = (data_format or image_data_format()) == "channels_first"
    return _padded(x, [[0, 0], [0, 0], *sides] if first else [[0, 0], *sides, [0, 0]])


def spatial_3d_padding(x: Any, padding: Any = ((1, 1), (1, 1), (1, 1)), data_format: str | None = None) -> Tensor:
    """Zeros around volumes."""
    return spatial_2d_padding(x, padding, data_format)


def _padded(x: Any, sides: Any) -> Tensor:
    return padding.pad(x, sides)


def stack(x: Any, axis: int = 0) -> Tensor:
    """Tensors as slices of one."""
    return joining.stack(x, axis=axis)


def one_hot(indices: Any, num_classes: int) -> Tensor:
    """1 at the index of each row."""
    return indexing.one_hot(indices, depth=num_classes, axis=-1)


def reverse(x: Any, axes: Any) -> Tensor:
    """``x`` turned round along ``axes``."""
    return permuting.reverse(x, [axes] if isinstance(axes, int) else axes)


# -- activations and losses ----------------------------------------------------------------------


def relu(x: Any, alpha: float = 0.0, max_value: float | None = None, threshold: float = 0) -> Tensor:
    """``x`` from ``threshold`` up, at most ``max_value``; below, ``alpha * (x - threshold)``."""
    from retrograd.nn.keras.activations import relu as rectified

    return rectified(x, alpha=alpha, max_value=max_value, threshold=threshold)


def elu(x: Any, alpha: float = 1.0) -> Tensor:
    """``x`` where positive, else ``alpha * (exp(x) - 1)``."""
    result = activations.elu(x)
    return result if alpha == 1 else comparison.where(x > 0, result, alpha * result)


def softmax(x: Any, axis: int = -1) -> Tensor:
    """``exp(x) / sum(exp(x))``."""
    return softmaxes.softmax(x, axis=axis)


softplus, softsign = activations.softplus, activations.softsign
sigmoid, tanh = exponentials.sigmoid, trigonometry.tanh


def hard_sigmoid(x: Any) -> Tensor:
    """``clip(0.2 x + 0.5, 0, 1)``."""
    kind = x.dtype.base_dtype
    fifth, half = as_tensor(0.2, dtype=kind), as_tensor(0.5, dtype=kind)
    return clipping.clip_by_value(x * fifth + half, 0.0, 1.0)


def _logits_of(output: Any, kind: str) -> Any:
    """What the last op of ``output`` is a ``kind`` of; None if it is another op."""
    op = getattr(output, "op", None)
    if op is None or op.type != kind:
        return None
    return op.inputs[0]


def categorical_crossentropy(target: Any, output: Any, from_logits: bool = False, axis: int = -1) -> Tensor:
    """``-sum(target * log(output))`` along ``axis``; output of a softmax is taken before it."""
    logits = output if from_logits else _logits_of(output, "Softmax")
    if logits is not None:
        return softmaxes.softmax_cross_entropy_with_logits_v2(labels=target, logits=logits, axis=axis)
    output = output / reductions.reduce_sum(output, axis, True)
    small = as_tensor(epsilon(), dtype=output.dtype.base_dtype)
    output = clipping.clip_by_value(output, small, 1.0 - small)
    return -reductions.reduce_sum(target * exponentials.log(output), axis)


def sparse_categorical_crossentropy(target: Any, output: Any, from_logits: bool = False, axis: int = -1) -> Tensor:
    """The negative logarithm of the probability of each target; output of a softmax is taken before it."""
    if not from_logits:
        logits = _logits_of(output, "Softmax")
        if logits is None:
            small = as_tensor(epsilon(), dtype=output.dtype.base_dtype)
            logits = exponentials.log(clipping.clip_by_value(output, small, 1 - small))
        output = logits
    rank = output.rank
    axis = axis % rank if rank else axis
    if rank and axis != rank - 1:
        order = [*(i for i in range(rank) if i != axis), axis]
        output = permuting.transpose(output, perm=order)
    target = casts.cast(target, dtypes.int64)
    if target.rank is not None and rank is not None and target.rank == rank - 1 and rank == 2:
        return cross_entropy.sparse_softmax_cross_entropy_with_logits(labels=target, logits=output)
    size = arrays.shape(output)
    flat = arrays.reshape(target, [-1])
    rows = arrays.reshape(output, [-1, size[-1]])
    result = cross_entropy.sparse_softmax_cross_entropy_with_logits(labels=flat, logits=rows)
    if rank is not None and rank >= 3:
        return arrays.reshape(result, size[:-1])
    return result


def binary_crossentropy(target: Any, output: Any, from_logits: bool = False) -> Tensor:
    """``-target * log(output) - (1 - target) * log(1 - output)``; output of a sigmoid is taken before it."""
    logits = output if from_logits else _logits_of(output, "Sigmoid")
    if logits is not None:
        return cross_entropy.sigmoid_cross_entropy_with_logits(labels=target, logits=logits)
    small = as_tensor(epsilon(), dtype=output.dtype.base_dtype)
    output = clipping.clip_by_value(output, small, 1.0 - small)
    bce = target * exponentials.log(output + epsilon())
    bce += (1 - target) * exponentials.log(1 - output + epsilon())
    return -bce


def dropout(x: Any, level: float, noise_shape: Any = None, seed: int | None = None) -> Tensor:
    """``x`` with elements set to 0."""
    seed = seed if seed is not None else np.random.randint(int(1e7))
    return dropouts.dropout_v2(x, rate=level, noise_shape=noise_shape, seed=seed)


def l2_normalize(x: Any, axis: Any = None) -> Tensor:
    """``x`` over its length."""
    return norms.l2_normalize(x, axis=axis)


def in_top_k(predictions: Any, targets: Any, k: int) -> Tensor:
    """Whether each target is among the ``k`` best."""
    return ranking.in_top_k(predictions, targets, k)


# -- convolutions --------------------------------------------------------------------------------


def _format(data_format: str | None, rank: int) -> str:
    data_format = data_format or image_data_format()
    if data_format not in {"channels_first", "channels_last"}:
        raise ValueError("Unknown data_format: " + str(data_format))
    space = "DHW"[3 - rank :]
    return f"NC{space}" if data_format == "channels_first" else f"N{space}C"


def conv1d(
    x: Any, kernel: Any, strides: int = 1, padding: str = "valid", data_format: str | None = None,
    dilation_rate: int = 1,
) -> Tensor:  # fmt: skip
    """A convolution of lines; ``"causal"`` sees nothing to come."""
    rates = dilation_rate
    if padding == "causal":
        left = rates * (kernel.shape.as_list()[0] - 1)
        x, padding = temporal_padding(x, (left, 0)), "valid"
    form = {"NCW": "NCW", "NWC": "NWC"}[_format(data_format, 1)]
    return convolution.convolution(
        x, kernel, dilation_rate=rates, strides=strides, padding=padding.upper(), data_format=form
    )


def conv2d(
    x: Any, kernel: Any, strides: Any = (1, 1), padding: str = "valid", data_format: str | None = None,
    dilation_rate: Any = (1, 1),
) -> Tensor:  # fmt: skip
    """A convolution of images."""
    return convolution.convolution(
        x, kernel, dilation_rate=dilation_rate, strides=strides, padding=padding.upper(),
        data_format=_format(data_format, 2),
    )  # fmt: skip


def conv3d(
    x: Any, kernel: Any, strides: Any = (1, 1, 1), padding: str = "valid", data_format: str | None = None,
    dilation_rate: Any = (1, 1, 1),
) -> Tensor:  # fmt: skip
    """A convolution of volumes."""
    return convolution.convolution(
        x, kernel, dilation_rate=dilation_rate, strides=strides, padding=padding.upper(),
        data_format=_format(data_format, 3),
    )  # fmt: skip


def conv2d_transpose(
    x: Any, kernel: Any, output_shape: Any, strides: Any = (1, 1), padding: str = "valid",
    data_format: str | None = None, dilation_rate: Any = (1, 1),
) -> Tensor:  # fmt: skip
    """The transpose of a convolution of images."""
    form = _format(data_format, 2)
    steps = (1, 1, *strides) if form == "NCHW" else (1, *strides, 1)
    if isinstance(output_shape, list | tuple):
        output_shape = joining.stack(list(output_shape))
    return transposed.conv2d_transpose(x, kernel, output_shape, steps, padding=padding.upper(), data_format=form)


def separable_conv2d(
    x: Any, depthwise_kernel: Any, pointwise_kernel: Any, strides: Any = (1, 1), padding: str = "valid",
    data_format: str | None = None, dilation_rate: Any = (1, 1),
) -> Tensor:  # fmt: skip
    """Each channel with its own filters, then a mix of the channels."""
    form = _format(data_format, 2)
    steps = (1, 1, *strides) if form == "NCHW" else (1, *strides, 1)
    return convolution.separable_conv2d(
        x, depthwise_kernel, pointwise_kernel, strides=steps, padding=padding.upper(), rate=dilation_rate,
        data_format=form,
    )  # fmt: skip


def depthwise_conv2d(
    x: Any, depthwise_kernel: Any, strides: Any = (1, 1), padding: str = "valid", data_format: str | None = None,
    dilation_rate: Any = (1, 1),
) -> Tensor:  # fmt: skip
    """Each channel with its own filters."""
    form = _format(data_format, 2)
    steps = (1, 1, *strides) if form == "NCHW" else (1, *strides, 1)
    return convolution.depthwise_conv2d(
        x, depthwise_kernel, strides=steps, padding=padding.upper(), rate=dilation_rate, data_format=form
    )


def pool2d(
    x: Any, pool_size: Any, strides: Any = (1, 1), padding: str = "valid", data_format: str | None = None,
    pool_mode: str = "max",
) -> Tensor:  # fmt: skip
    """The largest or the mean element of windows over images."""
    return pooled.pool(
        x, pool_size, pool_mode.upper(), padding.upper(), strides=strides, data_format=_format(data_format, 2)
    )


def pool3d(
    x: Any, pool_size: Any, strides: Any = (1, 1, 1), padding: str = "valid", data_format: str | None = None,
    pool_mode: str = "max",
) -> Tensor:  # fmt: skip
    """The largest or the mean element of windows over volumes."""
    return pooled.pool(
        x, pool_size, pool_mode.upper(), padding.upper(), strides=strides, data_format=_format(data_format, 3)
    )


def bias_add(x: Any, bias: Any, data_format: str | None = None) -> Tensor:
    """``x + bias``, for each channel, or for each channel of each place.

    Raises:
      ValueError: the bias has another number of dimensions.
    """
    data_format = data_format or image_data_format()
    if data_format not in {"channels_first", "channels_last"}:
        raise ValueError("Unknown data_format: " + str(data_format))
    known, rank = bias.shape.as_list(), ndim(x) or 0
    if len(known) not in (1, rank - 1):
        raise ValueError(f"Unexpected bias dimensions {len(known)}, expect to be 1 or {rank} dimensions")
    if data_format == "channels_first" and rank > 2:
        return x + arrays.reshape(bias, (1, known[-1], *(known[:-1] or [1] * (rank - 2))))
    if len(known) > 1:
        return x + arrays.reshape(bias, (1, *known))
    return biases.bias_add(x, bias)


def foldl(fn: Any, elems: Any, initializer: Any = None, name: str | None = None) -> Any:
    """A function folded over the elements, from the first."""
    from retrograd.nn.functional import foldl as folded

    return folded(fn, elems, initializer=initializer, name=name)


def foldr(fn: Any, elems: Any, initializer: Any = None, name: str | None = None) -> Any:
    """A function folded over the elements, from the last."""
    from retrograd.nn.functional import foldr as folded

    return folded(fn, elems, initializer=initializer, name=name)


def map_fn(fn: Any, elems: Any, name: str | None = None, dtype: Any = None) -> Any:
    """A function of each element."""
    from retrograd.nn.functional import map_fn as mapped

    return mapped(fn, elems, name=name, dtype=dtype)


def home() -> str:
    """The folder of downloaded data: ``~/.keras``."""
    return os.path.join(os.path.expanduser("~"), ".keras")
