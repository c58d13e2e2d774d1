"""The session of models and the learning phase, variables and placeholders, functions that run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from retrograd.eager.lifted import graph_of_models
from retrograd.graph import dtypes, nest
from retrograd.graph.convert import as_tensor
from retrograd.graph.dtypes import as_dtype
from retrograd.graph.graph import Graph
from retrograd.graph.modes import init_scope
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.sparse import SparseTensor, SparseTensorValue
from retrograd.graph.stack import default_graph, reset_default_graph
from retrograd.graph.tensor import Tensor, is_tensor
from retrograd.keras import composites
from retrograd.nn.layers.names import object_counts, unique_object_name
from retrograd.nn.layers.nodes import history_of
from retrograd.nn.layers.phase import learning_phase as learning_phase
from retrograd.nn.layers.phase import settled_feeds
from retrograd.nn.layers.policies import floatx as floatx
from retrograd.nn.layers.policies import set_floatx as set_floatx
from retrograd.nn.layers.session import batch_get_value as batch_get_value
from retrograd.nn.layers.session import batch_set_value as batch_set_value
from retrograd.nn.layers.session import get_session as get_session
from retrograd.nn.layers.session import manual_variable_initialization as manual_variable_initialization
from retrograd.nn.layers.session import set_session as set_session
from retrograd.nn.layers.session import track_variable as track_variable
from retrograd.nn.moving_averages import assign_moving_average
from retrograd.ops import (
    arrays,
    casts,
    comparison,
    conditions,
    constants,
    control,
    joining,
    printing,
    random,
    repeating,
)
from retrograd.ragged.tensor import RaggedTensor
from retrograd.state.variables import VariableV1, VariableV2

# -- settings ---------------------------------------------------------------------------------------

_settings: dict[str, Any] = {"epsilon": 1e-7, "image_data_format": "channels_last"}


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


# -- graph and session ------------------------------------------------------------------------------


def get_graph() -> Graph:
    """The graph that models are built in."""
    return graph_of_models() if default_graph().is_eager else default_graph()


def get_uid(prefix: str = "") -> int:
    """The next number of a name in the graph."""
    name = unique_object_name(prefix)
    return int(name[len(prefix) + 1 :])


def reset_uids() -> None:
    """Let names of layers start over."""
    object_counts().clear()


def clear_session() -> None:
    """A new graph, and no session, names start over."""
    reset_default_graph()
    reset_uids()
    set_session(None)
    default_graph().notes.pop("learning phase", None)
    learning_phase()


def symbolic_learning_phase() -> Any:
    """The same as a tensor of the graph that models are built in, unless the phase was set."""
    with get_graph().as_default():
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
    rank = ndim(x) or 0
    if condition.rank > rank:
        raise ValueError(
            "Rank of `condition` should be less than or equal to rank of `then_expression` and `else_expression`. "
            f"ndim(condition)={condition.rank}, ndim(then_expression)={rank}"
        )
    if condition.rank > 1:
        sizes = joining.concat([arrays.shape(condition), [1] * (rank - condition.rank)], axis=0)
        condition = arrays.reshape(condition, sizes)
        wanted = arrays.shape(x)
        condition = repeating.tile(condition, comparison.where(wanted - sizes > 0, wanted, constants.ones_like(wanted)))
    return comparison.where(condition, x, y)


# -- variables and placeholders ---------------------------------------------------------------------


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
    with get_graph().as_default():
        return composites.placeholder(dtype, shape, name, sparse, ragged)


def constant(value: Any, dtype: Any = None, shape: Any = None, name: str | None = None) -> Tensor:
    """A constant of ``floatx()``."""
    return constants.constant(value, dtype=dtype or floatx(), shape=shape, name=name or "Const")


def is_placeholder(x: Any) -> bool:
    """Whether ``x`` is to be fed."""
    if isinstance(x, SparseTensor | RaggedTensor):
        return is_placeholder(x.values)
    return isinstance(x, Tensor) and x.op.type == "Placeholder"


def is_keras_tensor(x: Any) -> bool:
    """Whether a layer of a network made ``x``."""
    if not isinstance(x, composites.SYMBOLIC):
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
    """The value of a variable, or of a tensor; anything else is its own value."""
    if not is_tensor(x):
        return x
    if hasattr(x, "numpy") and (not isinstance(x, VariableV2) or not x._in_graph_mode):
        with init_scope():
            return x.numpy()
    return x.eval(session=get_session())


def set_value(x: Any, value: Any) -> None:
    """Let a variable have this value."""
    batch_set_value([(x, value)])


def count_params(x: Any) -> int:
    """The number of elements."""
    return int(np.prod(x.shape.as_list()))


def _filled(make: Callable[..., Tensor], shape: Any, dtype: Any, name: str | None) -> Any:
    with init_scope():  # a state of a layer is the program's, whatever graph the layer is built in
        out = make(shape, as_dtype(dtype or floatx()), name)
        return variable(out, dtype=dtype, name=name) if out.shape.is_fully_defined() else out


def zeros(shape: Any, dtype: Any = None, name: str | None = None) -> Any:
    """A variable of zeros; a tensor where the shape is not known."""
    return _filled(constants.zeros, shape, dtype, name)


def ones(shape: Any, dtype: Any = None, name: str | None = None) -> Any:
    """A variable of ones; a tensor where the shape is not known."""
    return _filled(constants.ones, shape, dtype, name)


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


# -- updates ----------------------------------------------------------------------------------------


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
    """``x = momentum * x + (1 - momentum) * value``, where x counts as 0 at the beginning, whatever it is.

    What makes up for that beginning is kept beside the variable (Kingma and Ba, 2015).
    """
    return assign_moving_average(x, value, momentum, zero_debias=True)


def gradients(loss: Any, variables: Any) -> list[Any]:
    """The derivatives of ``loss`` by the variables."""
    from retrograd.grad.gradients import gradients as derived

    return derived(loss, variables)


def stop_gradient(variables: Any) -> Any:
    """The same, with no derivative."""
    if isinstance(variables, list | tuple):
        return [arrays.stop_gradient(v) for v in variables]
    return arrays.stop_gradient(variables)


# -- functions that run -----------------------------------------------------------------------------


class Function:
    """Runs outputs and updates for values of ``inputs``; called with a list of them."""

    def __init__(
        self, inputs: Any, outputs: Any, updates: Any = None, name: str | None = None, **session_kwargs: Any
    ) -> None:
        self.feed_dict = session_kwargs.pop("feed_dict", None) or {}
        self.fetches = session_kwargs.pop("fetches", None) or []
        self.run_options = session_kwargs.pop("options", None)
        self.run_metadata = session_kwargs.pop("run_metadata", None)
        self.fetch_callbacks: dict[Any, Callable[[Any], Any]] = {}
        if session_kwargs:
            raise ValueError(f"Some keys in session_kwargs are not supported at this time: {session_kwargs.keys()}")
        self._structure = outputs
        self.inputs = nest.flatten(inputs)
        self.outputs = [_fetchable(x) for x in nest.flatten(outputs)]
        self.name = name
        self._settled = settled_feeds()
        with control_dependencies(self.outputs[:1]):
            made = []
            for each in updates or []:
                made.append(each[0].assign(each[1]) if isinstance(each, tuple) else each)
            self.updates_op = control.group(*made)

    def __call__(self, inputs: Any) -> Any:
        session = get_session(inputs)
        feeds = {**self._settled, **self.feed_dict}
        for tensor, value in zip(self.inputs, _each(inputs), strict=False):
            if value is not None and isinstance(tensor, Tensor | SparseTensor | RaggedTensor):
                feeds[tensor] = _fed(session, value)
        fetches = [*self.outputs, *self.fetches, self.updates_op]
        values = session.run(fetches, feed_dict=feeds, options=self.run_options, run_metadata=self.run_metadata)
        for fetch, value in zip(self.fetches, values[len(self.outputs) :], strict=False):
            if fetch in self.fetch_callbacks:
                self.fetch_callbacks[fetch](value)
        return nest.pack_sequence_as(self._structure, values[: len(self.outputs)])


def _each(values: Any) -> list[Any]:
    """The values of a structure; a sparse one is whole."""
    if isinstance(values, list | tuple) and not isinstance(values, composites.VALUES):
        return [v for x in values for v in _each(x)]
    return [values] if isinstance(values, composites.VALUES) else nest.flatten(values)


def _fed(session: Any, value: Any) -> Any:
    """The number of a tensor or a variable; of what has its value already, this."""
    if not isinstance(value, Tensor | VariableV2):
        return _feedable(value)
    return np.asarray(as_tensor(value)) if value.graph.is_eager else session.run(value)


def _feedable(value: Any) -> Any:
    """``value``; a sparse matrix of SciPy by its coordinates."""
    if not hasattr(value, "tocoo"):
        return value
    matrix = value.tocoo()
    return SparseTensorValue(np.stack([matrix.row, matrix.col], 1).astype(np.int64), matrix.data, matrix.shape)


def _fetchable(x: Any) -> Any:
    return x if isinstance(x, composites.SYMBOLIC | Operation) else as_tensor(x)


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
