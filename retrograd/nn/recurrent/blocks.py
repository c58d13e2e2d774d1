"""Cells and layers whose step is one op, with the variables of LSTM and GRU cells."""

from __future__ import annotations

import abc
from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.deprecation import deprecated_argument_lookup
from retrograd.graph.dtypes import as_dtype
from retrograd.graph.tensor import Tensor
from retrograd.nn.layers.base import Layer
from retrograd.nn.layers.input_spec import InputSpec
from retrograd.nn.rnn_cells import LayerRNNCell, LSTMStateTuple
from retrograd.ops import arrays, casts, constants, grids, indexing, joining, permuting, reductions, repeating
from retrograd.ops.recurrent_blocks import BLOCK_LSTM, GRU_BLOCK_CELL, lstm_block_cell
from retrograd.state.initializers import constant_initializer

_PEEPHOLES = ("w_i_diag", "w_f_diag", "w_o_diag")


class LSTMBlockCell(LayerRNNCell):
    """``LSTMCell`` with the step as one op, and ``BasicLSTMCell``'s order of gates.

    Args:
      cell_clip: cut c to plus and minus this; by default nothing is cut.
      use_peephole: let the gates see c.
    """

    def __init__(
        self, num_units: int, forget_bias: float = 1.0, cell_clip: Any = None, use_peephole: bool = False,
        dtype: Any = None, reuse: Any = None, name: Any = "lstm_cell",
    ) -> None:  # fmt: skip
        super().__init__(_reuse=reuse, dtype=dtype, name=name)
        self._num_units, self._forget_bias, self._use_peephole = num_units, forget_bias, use_peephole
        self._cell_clip = cell_clip if cell_clip is not None else -1
        self._names = {"W": "kernel", "b": "bias", "wci": _PEEPHOLES[0], "wcf": _PEEPHOLES[1], "wco": _PEEPHOLES[2]}
        self.input_spec = InputSpec(ndim=2)

    @property
    def state_size(self) -> LSTMStateTuple:
        """``num_units`` for c and h each."""
        return LSTMStateTuple(self._num_units, self._num_units)

    output_size = property(lambda self: self._num_units, doc="``num_units``.")

    def build(self, inputs_shape: Any) -> None:
        size = inputs_shape.dims[1].value
        if not size:
            raise ValueError(f"Expecting inputs_shape[1] to be set: {inputs_shape}")
        n = self._num_units
        self._kernel = self.add_variable("kernel", [size + n, n * 4])
        self._bias = self.add_variable("bias", [n * 4], initializer=constant_initializer(0.0))
        if self._use_peephole:
            self._w_i_diag, self._w_f_diag, self._w_o_diag = (self.add_variable(name, [n]) for name in _PEEPHOLES)
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        if len(state) != 2:
            raise ValueError("Expecting state to be a tuple with length 2.")
        c, h = state
        diagonals: Any = (self._w_i_diag, self._w_f_diag, self._w_o_diag) if self._use_peephole else (None, None, None)
        wci, wcf, wco = diagonals
        _, c, _, _, _, _, h = lstm_block_cell(
            inputs, c, h, self._kernel, self._bias, wci, wcf, wco, self._forget_bias, self._cell_clip,
            self._use_peephole,
        )  # fmt: skip
        return h, LSTMStateTuple(c, h)


class GRUBlockCell(LayerRNNCell):
    """``GRUCell`` with the step as one op.

    Raises:
      ValueError: no size, or two, are given.
    """

    _variables = ("w_ru", "b_ru", "w_c", "b_c")

    def __init__(self, num_units: Any = None, cell_size: Any = None, reuse: Any = None, name: Any = "gru_cell") -> None:
        super().__init__(_reuse=reuse, name=name)
        num_units = deprecated_argument_lookup("num_units", num_units, "cell_size", cell_size)
        if num_units is None:
            raise ValueError("num_units is a required argument")
        self._cell_size = num_units
        self.input_spec = InputSpec(ndim=2)

    state_size = property(lambda self: self._cell_size, doc="``num_units``.")
    output_size = property(lambda self: self._cell_size, doc="``num_units``.")

    def build(self, input_shape: Any) -> None:
        size = input_shape[1].value
        if size is None:
            raise ValueError("Expecting input_size to be set.")
        n, (w_ru, b_ru, w_c, b_c) = self._cell_size, self._variables
        self._gate_kernel = self.add_variable(w_ru, [size + n, n * 2])
        self._gate_bias = self.add_variable(b_ru, [n * 2], initializer=constant_initializer(1.0))
        self._candidate_kernel = self.add_variable(w_c, [size + n, n])
        self._candidate_bias = self.add_variable(b_c, [n], initializer=constant_initializer(0.0))
        self.built = True

    def call(self, inputs: Any, state: Any) -> Any:
        _, _, _, h = apply(
            GRU_BLOCK_CELL, inputs, state, self._gate_kernel, self._candidate_kernel, self._gate_bias,
            self._candidate_bias,
        )  # fmt: skip
        return h, h


class GRUBlockCellV2(GRUBlockCell):
    """``GRUBlockCell`` with the names of ``GRUCell``'s variables."""

    _variables = ("gates/kernel", "gates/bias", "candidate/kernel", "candidate/bias")


# -- over all steps ----------------------------------------------------------------------------


class LSTMBlockWrapper(Layer):
    """An LSTM over ``[time, batch, size]`` as one layer; a kind of it says how, in ``_call_cell``."""

    @property
    @abc.abstractmethod
    def num_units(self) -> int:
        """The size of the state."""

    @abc.abstractmethod
    def _call_cell(
        self, inputs: Any, initial_cell_state: Any, initial_output: Any, dtype: Any, sequence_length: Any
    ) -> Any:
        """The states c and outputs h of all steps."""

    def call(self, inputs: Any, initial_state: Any = None, dtype: Any = None, sequence_length: Any = None) -> Any:
        """The outputs, zero behind the end of each sequence, and the last state.

        Raises:
          ValueError: there is neither a state nor a dtype, or a state is no pair.
        """
        is_list = isinstance(inputs, list)
        if is_list:
            inputs = joining.stack(inputs)
        shape = inputs.shape.with_rank(3)
        if not shape[2].value:
            raise ValueError(f"Expecting inputs_shape[2] to be set: {shape}")
        batch = shape[1].value or arrays.shape(inputs)[1]
        steps = shape[0].value or arrays.shape(inputs)[0]
        if initial_state is None:
            if dtype is None:
                raise ValueError("Either initial_state or dtype needs to be specified")
            zeros = constants.zeros(joining.stack([batch, self.num_units]), dtype=dtype)
            initial_state = zeros, zeros
        else:
            if len(initial_state) != 2:
                raise ValueError("Expecting initial_state to be a tuple with length 2 or None")
            if dtype is None:
                dtype = initial_state[0].dtype
        if sequence_length is not None:
            sequence_length = as_tensor(sequence_length)
        c, h = initial_state
        states, outputs = self._call_cell(inputs, c, h, dtype, sequence_length)
        if sequence_length is None:
            last_c, last_h = states[-1], outputs[-1]
        else:
            mask = permuting.transpose(grids.sequence_mask(sequence_length, maxlen=steps, dtype=dtype), [1, 0])
            mask = repeating.tile(arrays.expand_dims(mask, [-1]), [1, 1, self.num_units])
            outputs = outputs * mask
            states = joining.concat([arrays.expand_dims(c, [0]), states], 0)
            longer = joining.concat([arrays.expand_dims(h, [0]), outputs], 0)
            last_c = self._gather_states(states, sequence_length, batch)
            last_h = self._gather_states(longer, sequence_length, batch)
        if is_list:
            outputs = joining.unstack(outputs)
        return outputs, LSTMStateTuple(last_c, last_h)

    def _gather_states(self, data: Any, indices: Any, batch_size: Any) -> Tensor:
        """The row of each sequence at its own step."""
        return indexing.gather_nd(data, joining.stack([indices, constants.range_(batch_size)], axis=1))


class LSTMBlockFusedCell(LSTMBlockWrapper):
    """An LSTM over all steps as one op, with the variables of ``LSTMBlockCell``."""

    def __init__(
        self, num_units: int, forget_bias: float = 1.0, cell_clip: Any = None, use_peephole: bool = False,
        reuse: Any = None, dtype: Any = None, name: Any = "lstm_fused_cell",
    ) -> None:  # fmt: skip
        super().__init__(_reuse=reuse, name=name, dtype=dtype)
        self._num_units, self._forget_bias, self._use_peephole = num_units, forget_bias, use_peephole
        self._cell_clip = cell_clip if cell_clip is not None else -1
        self.input_spec = InputSpec(ndim=3)

    num_units = property(lambda self: self._num_units, doc="The size of the state.")  # type: ignore[assignment]

    def build(self, input_shape: Any) -> None:
        size, n = input_shape.dims[2].value, self._num_units
        self._kernel = self.add_variable("kernel", [size + n, n * 4])
        self._bias = self.add_variable("bias", [n * 4], initializer=constant_initializer(0.0))
        if self._use_peephole:
            self._w_i_diag, self._w_f_diag, self._w_o_diag = (self.add_variable(name, [n]) for name in _PEEPHOLES)
        self.built = True

    def _call_cell(
        self, inputs: Any, initial_cell_state: Any = None, initial_output: Any = None, dtype: Any = None,
        sequence_length: Any = None,
    ) -> Any:  # fmt: skip
        steps = inputs.shape.with_rank(3)[0].value or arrays.shape(inputs)[0]
        if self._use_peephole:
            wci, wcf, wco = self._w_i_diag, self._w_f_diag, self._w_o_diag
        else:
            wci = wcf = wco = constants.zeros([self._num_units], dtype=as_dtype(dtype))
        if sequence_length is None:
            longest = casts.cast(steps, dtypes.int64)
        else:
            longest = casts.cast(reductions.reduce_max(sequence_length), dtypes.int64)
        _, c, _, _, _, _, h = apply(
            BLOCK_LSTM, longest, inputs, initial_cell_state, initial_output, self._kernel, wci, wcf, wco, self._bias,
            forget_bias=self._forget_bias, cell_clip=self._cell_clip, use_peephole=self._use_peephole,
        )  # fmt: skip
        return c, h


def block_lstm(
    seq_len_max: Any, x: list[Any], w: Any, b: Any, cs_prev: Any = None, h_prev: Any = None, wci: Any = None,
    wcf: Any = None, wco: Any = None, forget_bias: Any = None, cell_clip: Any = None, use_peephole: Any = None,
    name: str | None = None,
) -> tuple[Any, ...]:  # fmt: skip
    """``(i, cs, f, o, ci, co, h)`` of an LSTM over the steps in ``x``, each a list over the steps.

    Raises:
      ValueError: the size of ``b`` is not known.
    """
    if b.shape.with_rank(1)[0].value is None:
        raise ValueError("`b` shape must not be None.")
    dtype, size = x[0].dtype, b.shape[0].value // 4
    if cs_prev is None or h_prev is None:
        zeros = constants.constant(0, dtype=dtype, shape=[x[0].shape.with_rank(2)[0].value, size])
        cs_prev, h_prev = (zeros if given is None else given for given in (cs_prev, h_prev))
    if wci is None:
        wci = wcf = wco = constants.constant(0, dtype=dtype, shape=[size])
    outputs = apply(
        BLOCK_LSTM, seq_len_max, joining.stack(x), cs_prev, h_prev, w, wci, wcf, wco, b,
        forget_bias=1.0 if forget_bias is None else forget_bias, cell_clip=-1.0 if cell_clip is None else cell_clip,
        use_peephole=bool(use_peephole), name=name,
    )  # fmt: skip
    return tuple(joining.unstack(output) for output in outputs)
