"""Cells of recurrent networks: one step from an input and a state to an output and the next state."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from typing import Any, overload

from retrograd.graph import dtypes, nest
from retrograd.graph.collections import GraphKeys
from retrograd.graph.convert import as_tensor
from retrograd.graph.dtypes import as_dtype
from retrograd.graph.scopes import get_collection, name_scope
from retrograd.graph.shapes import TensorShape, dimension_value
from retrograd.graph.static import constant_value
from retrograd.graph.tensor import Tensor, TensorLike
from retrograd.nn.keras import activations, initializers
from retrograd.nn.layers.base import Layer
from retrograd.nn.layers.input_spec import InputSpec
from retrograd.ops import arithmetic, arrays, biases, clipping, constants, exponentials, joining, matrices, slicing
from retrograd.ops.trigonometry import tanh
from retrograd.state.initializers import constant_initializer, zeros_initializer
from retrograd.state.partitioned import fixed_size_partitioner
from retrograd.state.scopes import get_variable_scope, variable_scope

_WEIGHTS_VARIABLE_NAME = "kernel"
_BIAS_VARIABLE_NAME = "bias"
ASSERT_LIKE_RNNCELL_ERROR_REGEXP = "is not an RNNCell"  # what tests of programs look for

# -- states ------------------------------------------------------------------------------------


class LSTMStateTuple(namedtuple("LSTMStateTuple", ("c", "h"))):
    """The state of an LSTM: the cell ``c`` and the output ``h``."""

    __slots__ = ()

    @property
    def dtype(self) -> Any:
        """The dtype of both.

        Raises:
          TypeError: they are different.
        """
        if self.c.dtype != self.h.dtype:
            raise TypeError(f"Inconsistent internal state: {self.c.dtype} vs {self.h.dtype}")
        return self.c.dtype


def _as_sizes(value: Any, word: str) -> tuple[Tensor | None, list[int | None] | None]:
    """A size or sizes as a vector, if it is known, and what is known while building."""
    if isinstance(value, Tensor):
        known = constant_value(value)
        if value.rank == 0:
            return arrays.expand_dims(value, 0), [None if known is None else int(known)]
        if value.rank != 1:
            raise ValueError(f"{word} tensor must be either a scalar or vector, but saw tensor: {value}")
        return value, [None] * (value.dims[0] or 0) if known is None else known.tolist()  # type: ignore[index]
    shape = TensorShape(value)
    sizes = None if shape.ndims is None else shape.as_list()
    return constants.constant(sizes, dtype=dtypes.int32) if shape.is_fully_defined() else None, sizes


@overload
def joined_sizes(prefix: Any, suffix: Any) -> Tensor: ...
@overload
def joined_sizes(prefix: Any, suffix: Any, static: bool) -> Any: ...
def joined_sizes(prefix: Any, suffix: Any, static: bool = False) -> Any:
    """Sizes one after the other, as a vector; with ``static``, what is known of them as a list, or None.

    Raises:
      ValueError: a size is not known, and a vector is to be made.
    """
    if static:
        return known_sizes(prefix, suffix)
    first, _ = _as_sizes(prefix, "prefix")
    second, _ = _as_sizes(suffix, "suffix")
    if first is None or second is None:
        raise ValueError(f"Provided a prefix or suffix of None: {prefix} and {suffix}")
    return joining.concat((first, second), 0)


def known_sizes(prefix: Any, suffix: Any) -> list[int | None] | None:
    _, first = _as_sizes(prefix, "prefix")
    _, second = _as_sizes(suffix, "suffix")
    return None if first is None or second is None else [*first, *second]


def zero_states(state_size: Any, batch_size: Any, dtype: Any) -> Any:
    """Zeros of ``[batch_size, size]`` for each size in a structure."""
    return nest.map_structure(lambda size: zero_rows(size, batch_size, dtype), state_size)


def zero_rows(size: Any, batch_size: Any, dtype: Any) -> Tensor:
    """Zeros of ``[batch_size, size]``."""
    state = constants.zeros(joined_sizes(batch_size, size), dtype=dtype)
    state.set_shape(known_sizes(batch_size, size))
    return state


def assert_like_rnncell(cell_name: str, cell: Any) -> None:
    """Raises ``TypeError`` unless ``cell`` has what a cell must have."""
    missing = {
        "'output_size' property is missing": not _has(cell, "output_size"),
        "'state_size' property is missing": not _has(cell, "state_size"),
        "either 'zero_state' or 'get_initial_state' method is required": not (
            _has(cell, "zero_state") or _has(cell, "get_initial_state")
        ),
        "is not callable": not callable(cell),
    }
    wrong = [text for text, lacks in missing.items() if lacks]
    if wrong:
        raise TypeError(f"The argument {cell_name!r} ({cell}) {ASSERT_LIKE_RNNCELL_ERROR_REGEXP}: {', '.join(wrong)}.")


def _has(obj: Any, name: str) -> bool:
    try:
        getattr(obj, name)
    except AttributeError:
        return False
    except NotImplementedError:
        return True
    return True


# -- what all cells share ----------------------------------------------------------------------


class RNNCell(Layer):
    """One step of a recurrent network: ``output, next_state = cell(inputs, state)``.

    A kind of cell defines ``call(inputs, state)``, ``state_size`` and ``output_size``; the variables
    that ``call`` makes with ``get_variable`` become the cell's.
    """

    _is_in_version_2 = False

    def __init__(self, trainable: bool = True, name: Any = None, dtype: Any = None, **kwargs: Any) -> None:
        super().__init__(trainable=trainable, name=name, dtype=dtype, **kwargs)
        self._is_tf_rnn_cell = True

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> Any:
        """The output and the next state."""
        if scope is not None:
            with variable_scope(scope, custom_getter=self._noting_scope) as opened:
                return super().__call__(inputs, state, scope=opened)
        if not hasattr(self, "_calling_scope"):
            self._calling_scope = variable_scope(get_variable_scope(), custom_getter=self._noting_scope)
        with self._calling_scope:
            return super().__call__(inputs, state)

    def _noting_scope(self, getter: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """``getter``, with the variable that it gives noted as the cell's."""
        variable = getter(*args, **kwargs)
        trainable = any(v is variable for v in get_collection(GraphKeys.TRAINABLE_VARIABLES))
        weights = self._trainable_weights if trainable else self._non_trainable_weights
        if not any(v is variable for v in weights):
            weights.append(variable)
        return variable

    @property
    def state_size(self) -> Any:
        """The size of the state, or a structure of sizes."""
        raise NotImplementedError("Abstract method")

    @property
    def output_size(self) -> Any:
        """The size of the output."""
        raise NotImplementedError("Abstract method")

    def build(self, _: Any) -> None:
        pass

    def get_initial_state(self, inputs: Any = None, batch_size: Any = None, dtype: Any = None) -> Any:
        """Zeros for a batch of ``inputs``, or of ``batch_size`` and ``dtype``.

        Raises:
          ValueError: neither is given, or the two contradict each other.
        """
        if inputs is not None:
            inputs = as_tensor(inputs, name="inputs")
            given = inputs.shape[0].value
            if batch_size is not None:
                known = constant_value(batch_size, partial=True) if isinstance(batch_size, TensorLike) else batch_size
                if given != known:
                    raise ValueError(
                        "batch size from input tensor is different from the input param. Input tensor batch: "
                        f"{inputs.shape[0]}, batch_size: {batch_size}"
                    )
            if dtype is not None and inputs.dtype != dtype:
                raise ValueError(
                    "dtype from input tensor is different from the input param. Input tensor dtype: "
                    f"{inputs.dtype}, dtype: {dtype}"
                )
            batch_size, dtype = given or arrays.shape(inputs)[0], inputs.dtype
        if batch_size is None or dtype is None:
            raise ValueError(
                "batch_size and dtype cannot be None while constructing initial state: "
                f"batch_size={batch_size}, dtype={dtype}"
            )
        return self.zero_state(batch_size, dtype)

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """Zeros of ``[batch_size, size]`` for each size of the state."""
        state_size = self.state_size
        with name_scope(f"{type(self).__name__}ZeroState", values=[batch_size]):
            return zero_states(state_size, batch_size, dtype)

    def get_config(self) -> dict[str, Any]:
        return {"name": self.name, "trainable": self.trainable, "dtype": self.dtype}

    @property
    def _use_input_spec_as_call_signature(self) -> bool:
        return False


class LayerRNNCell(RNNCell):
    """A cell whose variables are made by ``build``, like those of any layer."""

    def __call__(self, inputs: Any, state: Any, scope: Any = None, *args: Any, **kwargs: Any) -> Any:
        return Layer.__call__(self, inputs, state, *args, scope=scope, **kwargs)

    def _check_dtype(self) -> None:
        if self.dtype is None:
            return
        dtype = as_dtype(self.dtype)
        if not (dtype.is_floating or dtype.is_complex):
            raise ValueError(f"RNN cell only supports floating point inputs, but saw dtype: {dtype}")

    def _input_width(self, inputs_shape: Any) -> int:
        """The size of the inputs, once their dtype has been found fit."""
        size: int | None = dimension_value(inputs_shape[-1])
        if size is None:
            raise ValueError(f"Expected inputs.shape[-1] to be known, saw shape: {_listed(inputs_shape)}")
        self._check_dtype()
        return size


def _listed(shape: Any) -> str:
    return str(tuple(shape.as_list()))


def _check_input_dtypes(inputs: list[Any]) -> None:
    for x in nest.flatten(inputs):
        if not (x.dtype.is_floating or x.dtype.is_complex):
            raise ValueError(f"RNN cell only supports floating point inputs, but saw dtype: {x.dtype}")


def _activation(given: Any) -> Any:
    return activations.get(given) if given else tanh


# -- cells -------------------------------------------------------------------------------------


class BasicRNNCell(LayerRNNCell):
    """``h' = activation([x, h] @ kernel + bias)``; the output is the state."""

    def __init__(
        self, num_units: int, activation: Any = None, reuse: bool | None = None, name: Any = None, dtype: Any = None,
        **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **kwargs)
        _check_input_dtypes([])
        self.input_spec = InputSpec(ndim=2)
        self._num_units = num_units
        self._activation = _activation(activation)

    state_size = property(lambda self: self._num_units, doc="``num_units``.")
    output_size = property(lambda self: self._num_units, doc="``num_units``.")

    def build(self, inputs_shape: Any) -> None:
        rows, n = self._input_width(inputs_shape) + self._num_units, self._num_units
        self._kernel = self.add_variable(_WEIGHTS_VARIABLE_NAME, shape=[rows, n])
        self._bias = self.add_variable(
            _BIAS_VARIABLE_NAME, shape=[n], initializer=zeros_initializer(dtype=self.dtype or "float32")
        )
        self.built = True

    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Tensor]:
        _check_input_dtypes([inputs, state])
        gates = biases.bias_add(matrices.matmul(joining.concat([inputs, state], 1), self._kernel), self._bias)
        output = self._activation(gates)
        return output, output

    def get_config(self) -> dict[str, Any]:
        config = {
            "num_units": self._num_units, "activation": activations.serialize(self._activation), "reuse": self._reuse,
        }  # fmt: skip
        return {**super().get_config(), **config}


class GRUCell(LayerRNNCell):
    """A gated recurrent unit (Cho et al., 2014).

    ``r, u = split(sigmoid([x, h] @ W + b))``; ``c = activation([x, r h] @ V + d)``; ``h' = u h + (1 - u) c``.
    The bias of the gates is 1 by default.
    """

    def __init__(
        self,
        num_units: int,
        activation: Any = None,
        reuse: bool | None = None,
        kernel_initializer: Any = None,
        bias_initializer: Any = None,
        name: Any = None,
        dtype: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **kwargs)
        self.input_spec = InputSpec(ndim=2)
        self._num_units = num_units
        self._activation = _activation(activation)
        self._kernel_initializer = initializers.get(kernel_initializer)
        self._bias_initializer = initializers.get(bias_initializer)

    state_size = property(lambda self: self._num_units, doc="``num_units``.")
    output_size = property(lambda self: self._num_units, doc="``num_units``.")

    def build(self, inputs_shape: Any) -> None:
        rows, n, given = self._input_width(inputs_shape) + self._num_units, self._num_units, self._bias_initializer
        ones = constant_initializer(1.0, dtype=self.dtype or "float32") if given is None else given
        zeros = zeros_initializer(dtype=self.dtype or "float32") if given is None else given
        self._gate_kernel = self.add_variable(
            "gates/kernel", shape=[rows, 2 * n], initializer=self._kernel_initializer
        )  # fmt: skip
        self._gate_bias = self.add_variable("gates/bias", shape=[2 * n], initializer=ones)
        self._candidate_kernel = self.add_variable(
            "candidate/kernel", shape=[rows, n], initializer=self._kernel_initializer
        )  # fmt: skip
        self._candidate_bias = self.add_variable("candidate/bias", shape=[n], initializer=zeros)
        self.built = True

    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Tensor]:
        _check_input_dtypes([inputs, state])
        gates = matrices.matmul(joining.concat([inputs, state], 1), self._gate_kernel)
        gates = exponentials.sigmoid(biases.bias_add(gates, self._gate_bias))
        r, u = joining.split(value=gates, num_or_size_splits=2, axis=1)
        candidate = matrices.matmul(joining.concat([inputs, r * state], 1), self._candidate_kernel)
        c = self._activation(biases.bias_add(candidate, self._candidate_bias))
        h = u * state + (1 - u) * c
        return h, h

    def get_config(self) -> dict[str, Any]:
        config = {
            "num_units": self._num_units, "kernel_initializer": initializers.serialize(self._kernel_initializer),
            "bias_initializer": initializers.serialize(self._bias_initializer),
            "activation": activations.serialize(self._activation), "reuse": self._reuse,
        }  # fmt: skip
        return {**super().get_config(), **config}


class BasicLSTMCell(LayerRNNCell):
    """A long short-term memory without peepholes (Zaremba et al., 2014).

    ``i, j, f, o = split([x, h] @ kernel + bias)``; ``c' = c sigmoid(f + forget_bias) + sigmoid(i) activation(j)``;
    ``h' = activation(c') sigmoid(o)``.
    """

    def __init__(
        self,
        num_units: int,
        forget_bias: float = 1.0,
        state_is_tuple: bool = True,
        activation: Any = None,
        reuse: bool | None = None,
        name: Any = None,
        dtype: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **kwargs)
        self.input_spec = InputSpec(ndim=2)
        self._num_units, self._forget_bias, self._state_is_tuple = num_units, forget_bias, state_is_tuple
        self._activation = _activation(activation)

    @property
    def state_size(self) -> Any:
        """``num_units`` for c and h each, or twice as much for both joined."""
        n = self._num_units
        return LSTMStateTuple(n, n) if self._state_is_tuple else 2 * n

    output_size = property(lambda self: self._num_units, doc="``num_units``.")

    def build(self, inputs_shape: Any) -> None:
        rows, n = self._input_width(inputs_shape) + self._num_units, self._num_units
        self._kernel = self.add_variable(_WEIGHTS_VARIABLE_NAME, shape=[rows, 4 * n])
        self._bias = self.add_variable(
            _BIAS_VARIABLE_NAME, shape=[4 * n], initializer=zeros_initializer(dtype=self.dtype or "float32")
        )  # fmt: skip
        self.built = True

    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Any]:
        _check_input_dtypes([inputs, state])
        multiply, sigmoid, one = arithmetic.multiply, exponentials.sigmoid, constants.constant(1, dtype=dtypes.int32)
        if self._state_is_tuple:
            c, h = state
        else:
            c, h = joining.split(value=state, num_or_size_splits=2, axis=one)
        gates = biases.bias_add(matrices.matmul(joining.concat([inputs, h], 1), self._kernel), self._bias)
        i, j, f, o = joining.split(value=gates, num_or_size_splits=4, axis=one)
        forget = sigmoid(arithmetic.add(f, constants.constant(self._forget_bias, dtype=f.dtype), name="Add"))
        kept = multiply(c, forget, name="Mul")
        c = arithmetic.add(kept, multiply(sigmoid(i), self._activation(j), name="Mul"), name="Add")
        h = multiply(self._activation(c), sigmoid(o), name="Mul")
        return h, LSTMStateTuple(c, h) if self._state_is_tuple else joining.concat([c, h], 1)

    def get_config(self) -> dict[str, Any]:
        config = {
            "num_units": self._num_units, "forget_bias": self._forget_bias, "state_is_tuple": self._state_is_tuple,
            "activation": activations.serialize(self._activation), "reuse": self._reuse,
        }  # fmt: skip
        return {**super().get_config(), **config}


class LSTMCell(LayerRNNCell):
    """A long short-term memory, optionally with peepholes, clipping and a projection (Sak et al., 2014).

    Args:
      use_peepholes: let the gates see c through diagonal matrices.
      cell_clip: cut c to plus and minus this.
      initializer: of the matrices.
      num_proj: the size that h is projected to.
      proj_clip: cut the projection to plus and minus this.
      num_unit_shards, num_proj_shards: the number of parts of the matrices.
    """

    def __init__(
        self,
        num_units: int,
        use_peepholes: bool = False,
        cell_clip: float | None = None,
        initializer: Any = None,
        num_proj: int | None = None,
        proj_clip: float | None = None,
        num_unit_shards: int | None = None,
        num_proj_shards: int | None = None,
        forget_bias: float = 1.0,
        state_is_tuple: bool = True,
        activation: Any = None,
        reuse: bool | None = None,
        name: Any = None,
        dtype: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(_reuse=reuse, name=name, dtype=dtype, **kwargs)
        self.input_spec = InputSpec(ndim=2)
        self._num_units, self._use_peepholes, self._cell_clip = num_units, use_peepholes, cell_clip
        self._initializer_of_weights = initializers.get(initializer)
        self._num_proj, self._proj_clip = num_proj, proj_clip
        self._num_unit_shards, self._num_proj_shards = num_unit_shards, num_proj_shards
        self._forget_bias, self._state_is_tuple = forget_bias, state_is_tuple
        self._activation = _activation(activation)

    @property
    def output_size(self) -> int:
        """The size of h."""
        return self._num_proj or self._num_units

    @property
    def state_size(self) -> Any:
        """The sizes of c and h, or their sum for both joined."""
        sizes = LSTMStateTuple(self._num_units, self.output_size)
        return sizes if self._state_is_tuple else sum(sizes)

    def build(self, inputs_shape: Any) -> None:
        rows, n = self._input_width(inputs_shape) + self.output_size, self._num_units
        initializer, zeros = self._initializer_of_weights, zeros_initializer
        shards = fixed_size_partitioner(self._num_unit_shards) if self._num_unit_shards is not None else None
        self._kernel = self.add_variable(
            _WEIGHTS_VARIABLE_NAME, shape=[rows, 4 * n], initializer=initializer, partitioner=shards
        )
        bias_initializer = zeros if self.dtype is None else zeros(dtype=self.dtype)
        self._bias = self.add_variable(_BIAS_VARIABLE_NAME, shape=[4 * n], initializer=bias_initializer)
        if self._use_peepholes:
            self._w_f_diag, self._w_i_diag, self._w_o_diag = (
                self.add_variable(f"w_{gate}_diag", shape=[n], initializer=initializer) for gate in "fio"
            )
        if self._num_proj is not None:
            shards = fixed_size_partitioner(self._num_proj_shards) if self._num_proj_shards is not None else None
            self._proj_kernel = self.add_variable(
                "projection/kernel", shape=[n, self._num_proj], initializer=initializer, partitioner=shards
            )  # fmt: skip
        self.built = True

    def call(self, inputs: Any, state: Any) -> tuple[Tensor, Any]:
        _check_input_dtypes([inputs, state])
        sigmoid, activation = exponentials.sigmoid, self._activation
        c, h = state if self._state_is_tuple else self._parts(state)
        if inputs.shape.with_rank(2)[1].value is None:
            raise ValueError("Could not infer input size from inputs.get_shape()[-1]")
        gates = biases.bias_add(matrices.matmul(joining.concat([inputs, h], 1), self._kernel), self._bias)
        i, j, f, o = joining.split(value=gates, num_or_size_splits=4, axis=1)
        if self._use_peepholes:
            kept = sigmoid(f + self._forget_bias + self._w_f_diag * c) * c
            c = kept + sigmoid(i + self._w_i_diag * c) * activation(j)
        else:
            c = sigmoid(f + self._forget_bias) * c + sigmoid(i) * activation(j)
        if self._cell_clip is not None:
            c = clipping.clip_by_value(c, -self._cell_clip, self._cell_clip)
        h = sigmoid(o + self._w_o_diag * c if self._use_peepholes else o) * activation(c)
        if self._num_proj is not None:
            h = matrices.matmul(h, self._proj_kernel)
            if self._proj_clip is not None:
                h = clipping.clip_by_value(h, -self._proj_clip, self._proj_clip)
        return h, LSTMStateTuple(c, h) if self._state_is_tuple else joining.concat([c, h], 1)

    def _parts(self, state: Any) -> tuple[Tensor, Tensor]:
        n = self._num_units
        return slicing.slice_(state, [0, 0], [-1, n]), slicing.slice_(state, [0, n], [-1, self.output_size])

    def get_config(self) -> dict[str, Any]:
        config = {
            "num_units": self._num_units, "use_peepholes": self._use_peepholes, "cell_clip": self._cell_clip,
            "initializer": initializers.serialize(self._initializer_of_weights), "num_proj": self._num_proj,
            "proj_clip": self._proj_clip, "num_unit_shards": self._num_unit_shards,
            "num_proj_shards": self._num_proj_shards, "forget_bias": self._forget_bias,
            "state_is_tuple": self._state_is_tuple, "activation": activations.serialize(self._activation),
            "reuse": self._reuse,
        }  # fmt: skip
        return {**super().get_config(), **config}
