"""Kinds of LSTMs of ``tf.contrib.rnn``: cells that carry a cell and an output, over matrices of their own."""

from __future__ import annotations

from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.collections import GraphKeys
from retrograd.graph.log import warn
from retrograd.graph.scopes import add_to_collection, get_collection
from retrograd.graph.shapes import dimension_value
from retrograd.graph.tensor import Tensor
from retrograd.nn.contrib.normalization import layer_norm as normalized
from retrograd.nn.dropout import dropout
from retrograd.nn.layers.input_spec import InputSpec
from retrograd.nn.recurrent.linear import Linear
from retrograd.nn.rnn_cells import LayerRNNCell, LSTMStateTuple, RNNCell
from retrograd.ops import (
    arithmetic,
    arrays,
    biases,
    casts,
    clipping,
    comparison,
    constants,
    joining,
    matrices,
    random,
    repeating,
    slicing,
)
from retrograd.ops.activations import relu
from retrograd.ops.exponentials import exp, log, sigmoid
from retrograd.ops.trigonometry import tanh
from retrograd.state.initializers import (
    constant_initializer,
    random_uniform_initializer,
    zeros_initializer,
)
from retrograd.state.scopes import get_variable, get_variable_scope, variable_scope


class IndyLSTMCell(LayerRNNCell):
    """An LSTM whose matrices of the state are vectors."""

    def __init__(
        self, num_units: int, forget_bias: float = 1.0, activation: Any = None, reuse: Any = None,
        kernel_initializer: Any = None, bias_initializer: Any = None, name: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(_reuse=reuse, name=name, dtype=dtype)
        self.input_spec = InputSpec(ndim=2)
        self._num_units, self._forget_bias, self._activation = num_units, forget_bias, activation or tanh
        self._kernel_initializer, self._bias_initializer = kernel_initializer, bias_initializer

    @property
    def state_size(self) -> LSTMStateTuple:
        """``num_units`` for c and h each."""
        return LSTMStateTuple(self._num_units, self._num_units)

    output_size = property(lambda self: self._num_units, doc="``num_units``.")

    def build(self, inputs_shape: Any) -> None:
        size, n, given = dimension_value(inputs_shape[-1]), self._num_units, self._bias_initializer
        if size is None:
            raise ValueError(f"Expected inputs.shape[-1] to be known, saw shape: {inputs_shape}")
        self._kernel_w = self.add_variable("kernel_w", shape=[size, 4 * n], initializer=self._kernel_initializer)
        spread = random_uniform_initializer(minval=-1, maxval=1, dtype=self.dtype)
        self._kernel_u = self.add_variable("kernel_u", shape=[1, 4 * n], initializer=spread)
        zeros = zeros_initializer(dtype=self.dtype) if given is None else given
        self._bias = self.add_variable("bias", shape=[4 * n], initializer=zeros)
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        one = constants.constant(1, dtype=dtypes.int32)
        c, h = state
        gates = matrices.matmul(inputs, self._kernel_w)
        gates = gates + repeating.tile(h, [1, 4]) * self._kernel_u
        gates = biases.bias_add(gates, self._bias)
        i, j, f, o = joining.split(value=gates, num_or_size_splits=4, axis=one)
        bias = constants.constant(self._forget_bias, dtype=f.dtype)
        add, multiply = arithmetic.add, arithmetic.multiply
        forget = sigmoid(add(f, bias, name="Add"))
        kept = multiply(c, forget, name="Mul")
        c = add(kept, multiply(sigmoid(i), self._activation(j), name="Mul"), name="Add")
        h = multiply(self._activation(c), sigmoid(o), name="Mul")
        return h, LSTMStateTuple(c, h)


class NASCell(LayerRNNCell):
    """The cell that a search found (Zoph and Le, 2017).

    Args:
      num_proj: the size that the output is projected to.
      use_bias: add a bias to what the state gives.
    """

    def __init__(
        self, num_units: int, num_proj: Any = None, use_bias: bool = False, reuse: Any = None, **kwargs: Any
    ) -> None:
        super().__init__(_reuse=reuse, **kwargs)
        self._num_units, self._num_proj, self._use_bias = num_units, num_proj, use_bias

    @property
    def state_size(self) -> LSTMStateTuple:
        """The sizes of c and of the output."""
        return LSTMStateTuple(self._num_units, self.output_size)

    @property
    def output_size(self) -> int:
        """``num_proj`` if there is a projection, else ``num_units``."""
        return self._num_units if self._num_proj is None else self._num_proj

    def build(self, inputs_shape: Any) -> None:
        size = dimension_value(inputs_shape[-1])
        if size is None:
            raise ValueError("Could not infer input size from inputs.get_shape()[-1]")
        n, rest = self._num_units, self.output_size
        self._recurrent_kernel = self.add_variable("recurrent_kernel", [rest, 8 * n])
        self._kernel = self.add_variable("kernel", [size, 8 * n])
        if self._use_bias:
            self._bias = self.add_variable("bias", shape=[8 * n], initializer=zeros_initializer)
        if self._num_proj is not None:
            self._projection_weights = self.add_variable("projection_weights", [n, self._num_proj])
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        c, m = state
        of_m = matrices.matmul(m, self._recurrent_kernel)
        of_x = matrices.matmul(inputs, self._kernel)
        if self._use_bias:
            of_m = biases.bias_add(of_m, self._bias)
        m = joining.split(axis=1, num_or_size_splits=8, value=of_m)
        x = joining.split(axis=1, num_or_size_splits=8, value=of_x)
        a0, a1 = sigmoid(x[0] + m[0]), relu(x[1] + m[1])
        a2, a3 = sigmoid(x[2] + m[2]), relu(x[3] * m[3])
        a4, a5 = tanh(x[4] + m[4]), sigmoid(x[5] + m[5])
        a6, a7 = tanh(x[6] + m[6]), sigmoid(x[7] + m[7])
        b0, b1, b2, b3 = tanh(a0 * a1), tanh(a2 + a3), tanh(a4 * a5), sigmoid(a6 + a7)
        b0 = tanh(b0 + c)
        c = b0 * b1
        h = tanh(c * tanh(b2 + b3))
        if self._num_proj is not None:
            h = matrices.matmul(h, self._projection_weights)
        return h, LSTMStateTuple(c, h)


class LayerNormBasicLSTMCell(RNNCell):
    """``BasicLSTMCell`` with gates and c normalized (Ba et al., 2016), and dropout of what is new.

    Args:
      norm_gain, norm_shift: where scale and bias of the norms start.
      dropout_keep_prob: the probability of keeping an element of what is new.
    """

    def __init__(
        self,
        num_units: int,
        forget_bias: float = 1.0,
        input_size: Any = None,
        activation: Any = tanh,
        layer_norm: bool = True,
        norm_gain: float = 1.0,
        norm_shift: float = 0.0,
        dropout_keep_prob: Any = 1.0,
        dropout_prob_seed: Any = None,
        reuse: Any = None,
    ) -> None:
        super().__init__(_reuse=reuse)
        if input_size is not None:
            warn("%s: The input_size parameter is deprecated.", self)
        self._num_units, self._forget_bias, self._activation = num_units, forget_bias, activation
        self._layer_norm, self._norm_gain, self._norm_shift = layer_norm, norm_gain, norm_shift
        self._keep_prob, self._seed = dropout_keep_prob, dropout_prob_seed

    @property
    def state_size(self) -> LSTMStateTuple:
        """``num_units`` for c and h each."""
        return LSTMStateTuple(self._num_units, self._num_units)

    output_size = property(lambda self: self._num_units, doc="``num_units``.")

    def _norm(self, x: Any, scope: str, dtype: Any = dtypes.float32) -> Tensor:
        return norm_in(x, scope, self._norm_gain, self._norm_shift, dtype)

    def _linear(self, args: Any) -> Tensor:
        weights = get_variable("kernel", [args.shape[-1], 4 * self._num_units], dtype=args.dtype)
        out = matrices.matmul(args, weights)
        if not self._layer_norm:
            out = biases.bias_add(out, get_variable("bias", [4 * self._num_units], dtype=args.dtype))
        return out

    def call(self, inputs: Any, state: Any) -> Any:
        c, h = state
        gates = self._linear(joining.concat([inputs, h], 1))
        i, j, f, o = joining.split(value=gates, num_or_size_splits=4, axis=1)
        dtype = gates.dtype
        if self._layer_norm:
            i, j = self._norm(i, "input", dtype=dtype), self._norm(j, "transform", dtype=dtype)
            f, o = self._norm(f, "forget", dtype=dtype), self._norm(o, "output", dtype=dtype)
        new = self._activation(j)
        if not isinstance(self._keep_prob, float) or self._keep_prob < 1:
            new = dropout(new, self._keep_prob, seed=self._seed)
        c = c * sigmoid(f + self._forget_bias) + sigmoid(i) * new
        if self._layer_norm:
            c = self._norm(c, "state", dtype=dtype)
        h = self._activation(c) * sigmoid(o)
        return h, LSTMStateTuple(c, h)


def norm_in(x: Any, scope: str, gain: float, shift: float, dtype: Any) -> Tensor:
    """``x`` normalized, with its variables, made first, in ``scope``."""
    with variable_scope(scope):
        get_variable("gamma", shape=x.shape[-1:], initializer=constant_initializer(gain), dtype=dtype)
        get_variable("beta", shape=x.shape[-1:], initializer=constant_initializer(shift), dtype=dtype)
    return normalized(x, reuse=True, scope=scope)


def sharded_variable(name: str, shape: list[int], dtype: Any, num_shards: int) -> Any:
    """A matrix in parts of about as many rows, joined once for all uses."""
    if num_shards > shape[0]:
        raise ValueError(f"Too many shards: shape={shape}, num_shards={num_shards}")
    size, more = shape[0] // num_shards, shape[0] % num_shards
    parts = [get_variable(f"{name}_{i}", [size + (i < more), *shape[1:]], dtype=dtype) for i in range(num_shards)]
    if len(parts) == 1:
        return parts[0]
    whole = f"{get_variable_scope().name}/{name}/concat:0"
    for value in get_collection(GraphKeys.CONCATENATED_VARIABLES):
        if value.name == whole:
            return value
    joined = joining.concat(parts, 0, name=f"{name}/concat")
    add_to_collection(GraphKeys.CONCATENATED_VARIABLES, joined)
    return joined


class CoupledInputForgetGateLSTMCell(RNNCell):
    """An LSTM whose input gate is 1 minus its forget gate (Greff et al., 2015)."""

    def __init__(
        self,
        num_units: int,
        use_peepholes: bool = False,
        initializer: Any = None,
        num_proj: Any = None,
        proj_clip: Any = None,
        num_unit_shards: int = 1,
        num_proj_shards: int = 1,
        forget_bias: float = 1.0,
        state_is_tuple: bool = True,
        activation: Any = tanh,
        reuse: Any = None,
        layer_norm: bool = False,
        norm_gain: float = 1.0,
        norm_shift: float = 0.0,
    ) -> None:
        super().__init__(_reuse=reuse)
        if not state_is_tuple:
            warn(
                "%s: Using a concatenated state is slower and will soon be deprecated.  Use state_is_tuple=True.", self
            )
        self._num_units, self._use_peepholes, self._initializer_of_weights = num_units, use_peepholes, initializer
        self._num_proj, self._proj_clip = num_proj, proj_clip
        self._num_unit_shards, self._num_proj_shards = num_unit_shards, num_proj_shards
        self._forget_bias, self._state_is_tuple, self._activation = forget_bias, state_is_tuple, activation
        self._layer_norm, self._norm_gain, self._norm_shift = layer_norm, norm_gain, norm_shift

    @property
    def output_size(self) -> int:
        """``num_proj`` if there is a projection, else ``num_units``."""
        return self._num_proj or self._num_units

    @property
    def state_size(self) -> Any:
        """The sizes of c and the output, or their sum."""
        sizes = LSTMStateTuple(self._num_units, self.output_size)
        return sizes if self._state_is_tuple else sum(sizes)

    def call(self, inputs: Any, state: Any) -> Any:
        n, rest = self._num_units, self.output_size
        if self._state_is_tuple:
            c, m = state
        else:
            c, m = slicing.slice_(state, [0, 0], [-1, n]), slicing.slice_(state, [0, n], [-1, rest])
        dtype, size = inputs.dtype, inputs.shape.with_rank(2)[1].value
        if size is None:
            raise ValueError("Could not infer input size from inputs.get_shape()[-1]")
        weights = sharded_variable("W", [size + rest, 3 * n], dtype, self._num_unit_shards)
        bias = get_variable("B", shape=[3 * n], initializer=zeros_initializer(), dtype=dtype)
        gates = matrices.matmul(joining.concat([inputs, m], 1), weights)
        if not self._layer_norm:
            gates = biases.bias_add(gates, bias)
        j, f, o = joining.split(value=gates, num_or_size_splits=3, axis=1)
        if self._layer_norm:
            j, f, o = self._norm(j, "transform", dtype), self._norm(f, "forget", dtype), self._norm(o, "output", dtype)
        if self._use_peepholes:
            of_f = get_variable("W_F_diag", shape=[n], dtype=dtype)
            of_o = get_variable("W_O_diag", shape=[n], dtype=dtype)
            forget = sigmoid(f + self._forget_bias + of_f * c)
        else:
            forget = sigmoid(f + self._forget_bias)
        c = forget * c + (1 - forget) * self._activation(j)
        if self._layer_norm:
            c = self._norm(c, "state", dtype)
        m = sigmoid(o + of_o * c if self._use_peepholes else o) * self._activation(c)
        if self._num_proj is not None:
            m = matrices.matmul(m, sharded_variable("W_P", [n, self._num_proj], dtype, self._num_proj_shards))
            if self._proj_clip is not None:
                m = clipping.clip_by_value(m, -self._proj_clip, self._proj_clip)
        return m, LSTMStateTuple(c, m) if self._state_is_tuple else joining.concat([c, m], 1)

    def _norm(self, x: Any, scope: str, dtype: Any) -> Tensor:
        return norm_in(x, scope, self._norm_gain, self._norm_shift, dtype)


class PhasedLSTMCell(RNNCell):
    """An LSTM that is open for a part of each period of time (Neil et al., 2016); inputs are ``(time, x)``.

    Args:
      leak: what passes while it is closed.
      ratio_on: the part of the period in which it is open.
      period_init_min, period_init_max: between these, periods start, evenly in their logarithm.
    """

    def __init__(
        self, num_units: int, use_peepholes: bool = False, leak: float = 0.001, ratio_on: float = 0.1,
        trainable_ratio_on: bool = True, period_init_min: float = 1.0, period_init_max: float = 1000.0,
        reuse: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(_reuse=reuse)
        self._num_units, self._use_peepholes, self._leak, self._ratio_on = num_units, use_peepholes, leak, ratio_on
        self._trainable_ratio_on = trainable_ratio_on
        self._period_init_min, self._period_init_max = period_init_min, period_init_max
        self._linear1: Any = None
        self._linear2: Any = None
        self._linear3: Any = None

    @property
    def state_size(self) -> LSTMStateTuple:
        """``num_units`` for c and h each."""
        return LSTMStateTuple(self._num_units, self._num_units)

    output_size = property(lambda self: self._num_units, doc="``num_units``.")

    def _mod(self, x: Tensor, y: Any) -> Tensor:
        """x modulo y, whose gradient is that of x."""
        return arrays.stop_gradient(arithmetic.floormod(x, y) - x) + x

    def _get_cycle_ratio(self, time: Tensor, phase: Any, period: Any) -> Tensor:
        """In the dtype of the time, whose large values do not fit into that of the network."""
        phase, period = casts.cast(phase, time.dtype), casts.cast(period, time.dtype)
        return casts.cast(self._mod(time - phase, period) / period, dtypes.float32)

    def call(self, inputs: Any, state: Any) -> Any:
        c, h = state
        time, x = inputs
        n = self._num_units
        read = [x, h, c] if self._use_peepholes else [x, h]
        with variable_scope("mask_gates"):
            if self._linear1 is None:
                self._linear1 = Linear(read, 2 * n, True)
            gates = sigmoid(self._linear1(read))
            i, f = joining.split(axis=1, num_or_size_splits=2, value=gates)
        with variable_scope("new_input"):
            if self._linear2 is None:
                self._linear2 = Linear([x, h], n, True)
            new = tanh(self._linear2([x, h]))
        new_c = c * f + i * new
        read = [x, h, new_c] if self._use_peepholes else [x, h]
        with variable_scope("output_gate"):
            if self._linear3 is None:
                self._linear3 = Linear(read, n, True)
            o = sigmoid(self._linear3(read))
        new_h = tanh(new_c) * o

        def periods(shape: Any, dtype: Any = None, partition_info: Any = None) -> Tensor:
            low, high = log(self._period_init_min), log(self._period_init_max)
            return exp(random.random_uniform(shape, low, high, dtype=dtype))

        period = get_variable("period", [n], initializer=periods)
        start = random_uniform_initializer(0.0, period.initial_value)
        phase = get_variable("phase", [n], initializer=start)
        ratio = get_variable(
            "ratio_on", [n], initializer=constant_initializer(self._ratio_on), trainable=self._trainable_ratio_on
        )
        cycle = self._get_cycle_ratio(time, phase, period)
        up = 2 * cycle / ratio
        down = 2 - up
        closed = self._leak * cycle
        k = comparison.where(cycle < ratio, down, closed)
        k = comparison.where(cycle < 0.5 * ratio, up, k)
        new_c = k * new_c + (1 - k) * c
        new_h = k * new_h + (1 - k) * h
        return new_h, LSTMStateTuple(new_c, new_h)


class ProjectedLSTMCell(RNNCell):
    """The sizes of an LSTM of ``num_units`` whose output may be projected to ``num_proj``."""

    _num_units: int
    _num_proj: int | None

    @property
    def output_size(self) -> int:
        """``num_proj`` if there is a projection, else ``num_units``."""
        return self._num_proj or self._num_units

    @property
    def state_size(self) -> LSTMStateTuple:
        """The sizes of c and of the output."""
        return LSTMStateTuple(self._num_units, self.output_size)


class GLSTMCell(ProjectedLSTMCell):
    """An LSTM in groups, each of which sees its part of inputs and outputs (Kuchaiev and Ginsburg, 2017).

    Raises:
      ValueError: the groups do not divide the sizes.
    """

    def __init__(
        self, num_units: int, initializer: Any = None, num_proj: Any = None, number_of_groups: int = 1,
        forget_bias: float = 1.0, activation: Any = tanh, reuse: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(_reuse=reuse)
        self._num_units, self._initializer_of_weights, self._num_proj = num_units, initializer, num_proj
        self._forget_bias, self._activation, self._number_of_groups = forget_bias, activation, number_of_groups
        if num_units % number_of_groups:
            raise ValueError("num_units must be divisible by number_of_groups")
        if num_proj and num_proj % number_of_groups:
            raise ValueError("num_proj must be divisible by number_of_groups")
        rest = num_proj or num_units
        self._group_shape = [int(rest / number_of_groups), int(num_units / number_of_groups)]
        self._linears: list[Any] = []
        self._linear: Any = None

    def _get_input_for_group(self, inputs: Any, group_id: int, group_size: int) -> Tensor:
        return slicing.slice_(
            inputs, [0, group_id * group_size], [self._batch_size, group_size],
            name=f"GLSTM_group{group_id}_input_generation",
        )  # fmt: skip

    def call(self, inputs: Any, state: Any) -> Any:
        c, m = state
        self._batch_size = inputs.shape[0].value or arrays.shape(inputs)[0]
        size, groups = inputs.shape[1].value, self._number_of_groups
        if size is None:
            raise ValueError("input size must be statically known")
        if size % groups:
            raise ValueError(f"input size ({size}) must be divisible by number_of_groups ({groups})")
        dtype, parts = inputs.dtype, []
        with variable_scope(get_variable_scope(), initializer=self._initializer_of_weights):
            for g in range(groups):
                with variable_scope(f"group{g}"):
                    x = self._get_input_for_group(inputs, g, size // groups)
                    h = self._get_input_for_group(m, g, int(self._group_shape[0]))
                    joined = joining.concat([x, h], axis=1)
                    if len(self._linears) <= g:
                        self._linears.append(Linear(joined, 4 * self._group_shape[1], False))
                    parts.append(joining.split(value=self._linears[g](joined), num_or_size_splits=4, axis=1))
            added = [
                get_variable(f"bias_{gate}", [self._num_units], dtype=dtype, initializer=constant_initializer(0.0))
                for gate in "ijfo"
            ]
            i, j, f, o = (
                biases.bias_add(joining.concat(list(gate), axis=1), bias)
                for gate, bias in zip(zip(*parts, strict=True), added, strict=True)
            )
        c = sigmoid(f + self._forget_bias) * c + sigmoid(i) * self._activation(j)
        m = sigmoid(o) * self._activation(c)
        if self._num_proj is not None:
            with variable_scope("projection"):
                if self._linear is None:
                    self._linear = Linear(m, self._num_proj, False)
                m = self._linear(m)
        return m, LSTMStateTuple(c, m)
