"""LSTM cells over time and frequency: a spectrum is cut into blocks, which a cell reads one after another."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from retrograd.graph.log import warn
from retrograd.graph.tensor import Tensor
from retrograd.nn.recurrent.lstms import sharded_variable
from retrograd.nn.rnn_cells import RNNCell
from retrograd.ops import biases, clipping, constants, joining, matrices, slicing
from retrograd.ops.exponentials import sigmoid
from retrograd.ops.trigonometry import tanh
from retrograd.state.initializers import zeros_initializer
from retrograd.state.scopes import get_variable, variable_scope


class TimeFreqLSTMCell(RNNCell):
    """An LSTM over blocks of ``feature_size``, ``frequency_skip`` apart, with one matrix (Li et al., 2015)."""

    def __init__(
        self, num_units: int, use_peepholes: bool = False, cell_clip: Any = None, initializer: Any = None,
        num_unit_shards: int = 1, forget_bias: float = 1.0, feature_size: Any = None, frequency_skip: int = 1,
        reuse: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(_reuse=reuse)
        self._num_units, self._use_peepholes, self._cell_clip = num_units, use_peepholes, cell_clip
        self._initializer_of_weights, self._num_unit_shards, self._forget_bias = (
            initializer,
            num_unit_shards,
            forget_bias,
        )
        self._feature_size, self._frequency_skip = feature_size, frequency_skip
        self._state_size, self._output_size = 2 * num_units, num_units

    output_size = property(lambda self: self._output_size, doc="``num_units``.")
    state_size = property(lambda self: self._state_size, doc="Twice ``num_units``.")

    def call(self, inputs: Any, state: Any) -> Any:
        blocks, n = self._make_tf_features(inputs), self._num_units
        dtype, size = inputs.dtype, blocks[0].shape.with_rank(2)[1].value
        weights = sharded_variable("W", [size + 2 * n, 4 * n], dtype, self._num_unit_shards)
        bias = get_variable("B", shape=[4 * n], initializer=zeros_initializer(), dtype=dtype)
        if self._use_peepholes:
            of_f, of_i, of_o = (get_variable(f"W_{gate}_diag", shape=[n], dtype=dtype) for gate in "FIO")
        below = constants.zeros([int(inputs.shape[0]), n], dtype)
        states: Any = None
        outputs: Any = None
        for k, block in enumerate(blocks):
            c = slicing.slice_(state, [0, 2 * k * n], [-1, n])
            m = slicing.slice_(state, [0, (2 * k + 1) * n], [-1, n])
            joined = joining.concat([block, m, below], 1)
            gates = biases.bias_add(matrices.matmul(joined, weights), bias)
            i, j, f, o = joining.split(value=gates, num_or_size_splits=4, axis=1)
            if self._use_peepholes:
                kept = sigmoid(f + self._forget_bias + of_f * c) * c
                c = kept + sigmoid(i + of_i * c) * tanh(j)
            else:
                c = sigmoid(f + self._forget_bias) * c + sigmoid(i) * tanh(j)
            if self._cell_clip is not None:
                c = clipping.clip_by_value(c, -self._cell_clip, self._cell_clip)
            m = sigmoid(o + of_o * c if self._use_peepholes else o) * tanh(c)
            states = joining.concat([states, c, m] if k else [c, m], 1)
            outputs = joining.concat([outputs, m], 1) if k else m
            below = m
        return outputs, states

    def _make_tf_features(self, inputs: Tensor) -> list[Tensor]:
        """The blocks of a spectrum."""
        size = inputs.shape.with_rank(2)[1].value
        if size is None:
            raise ValueError("Cannot infer input_size from static shape inference.")
        count = int((size - self._feature_size) / self._frequency_skip) + 1
        return [slicing.slice_(inputs, [0, k * self._frequency_skip], [-1, self._feature_size]) for k in range(count)]


class GridLSTMCell(RNNCell):
    """An LSTM along time and one along frequency, each with a state for each block (Kalchbrenner et al., 2015).

    Args:
      share_time_frequency_weights: one matrix for both.
      num_frequency_blocks: the number of blocks in each part of the spectrum.
      start_freqindex_list, end_freqindex_list: where the parts are.
      couple_input_forget_gates: the forget gate is 1 minus the input gate.

    Raises:
      ValueError: there is no number of blocks.
    """

    def __init__(
        self,
        num_units: int,
        use_peepholes: bool = False,
        share_time_frequency_weights: bool = False,
        cell_clip: Any = None,
        initializer: Any = None,
        num_unit_shards: int = 1,
        forget_bias: float = 1.0,
        feature_size: Any = None,
        frequency_skip: Any = None,
        num_frequency_blocks: Any = None,
        start_freqindex_list: Any = None,
        end_freqindex_list: Any = None,
        couple_input_forget_gates: bool = False,
        state_is_tuple: bool = True,
        reuse: Any = None,
    ) -> None:
        super().__init__(_reuse=reuse)
        if not state_is_tuple:
            warn(
                "%s: Using a concatenated state is slower and will soon be deprecated.  Use state_is_tuple=True.", self
            )
        self._num_units, self._use_peepholes = num_units, use_peepholes
        self._share_time_frequency_weights, self._couple_input_forget_gates = (
            share_time_frequency_weights,
            couple_input_forget_gates,
        )
        self._state_is_tuple, self._cell_clip, self._initializer_of_weights = state_is_tuple, cell_clip, initializer
        self._num_unit_shards, self._forget_bias = num_unit_shards, forget_bias
        self._feature_size, self._frequency_skip = feature_size, frequency_skip
        self._start_freqindex_list, self._end_freqindex_list = start_freqindex_list, end_freqindex_list
        self._num_frequency_blocks = num_frequency_blocks
        self._total_blocks = 0
        self._reuse = reuse
        if num_frequency_blocks is None:
            raise ValueError("Must specify num_frequency_blocks")
        names = []
        for part, count in enumerate(num_frequency_blocks):
            for k in range(int(count)):
                names += [f"state_f{k:02d}_b{part:02d}_{kind}" for kind in "cm"]
            self._total_blocks += int(count)
        self._state_tuple_type: Any
        self._state_size: Any
        if state_is_tuple:
            self._state_tuple_type = namedtuple("GridLSTMStateTuple", names)  # type: ignore[misc]
            self._state_size = self._state_tuple_type(*([num_units] * len(names)))
        else:
            self._state_tuple_type, self._state_size = None, num_units * self._total_blocks * 2
        self._output_size = num_units * self._total_blocks * 2

    output_size = property(lambda self: self._output_size, doc="Twice ``num_units`` for each block.")
    state_size = property(lambda self: self._state_size, doc="``num_units`` for c and m of each block.")
    state_tuple_type = property(lambda self: self._state_tuple_type, doc="The class of the state.")

    def call(self, inputs: Any, state: Any) -> Any:
        batch = inputs.shape[0].value or None
        outputs, parts = [], []
        for part, blocks in enumerate(self._make_tf_features(inputs)):
            output, states = self._compute(blocks, part, state, batch, state_is_tuple=self._state_is_tuple)
            outputs += output
            parts += states
        new_state = self._state_tuple_type(*parts) if self._state_is_tuple else joining.concat(parts, 1)
        return joining.concat(outputs, 1), new_state

    def _compute(
        self, freq_inputs: Any, block: int, state: Any, batch_size: Any, state_prefix: str = "state",
        state_is_tuple: bool = True,
    ) -> tuple[list[Any], list[Any]]:  # fmt: skip
        """The outputs along time and frequency, and the states, of the blocks of one part."""
        n, gates = self._num_units, 3 if self._couple_input_forget_gates else 4
        dtype = freq_inputs[0].dtype
        size = freq_inputs[0].shape.with_rank(2)[1].value
        if size is None:
            raise ValueError("Cannot infer input_size from static shape inference.")
        sides = ["f"] if self._share_time_frequency_weights else ["f", "t"]
        weights, added = {}, {}
        for side in sides:
            shape = [size + 2 * n, gates * n]
            weights[side] = sharded_variable(f"W_{side}_{block}", shape, dtype, self._num_unit_shards)
            added[side] = get_variable(
                f"B_{side}_{block}", shape=[gates * n], initializer=zeros_initializer(), dtype=dtype
            )
        diagonal: dict[str, Any] = {}
        if self._use_peepholes:
            kinds = "IO" if self._couple_input_forget_gates else "FIO"
            for side in sides:
                for kind in kinds:
                    for of in "ft":
                        name = f"W_{kind}_diag_freq{of}_{block}" if side == "f" else f"W_{kind}_diag_time{of}_{block}"
                        diagonal[kind + side + of] = get_variable(name, shape=[n], dtype=dtype)
        m_f = constants.zeros([int(batch_size), n], dtype)
        c_f = constants.zeros([int(batch_size), n], dtype)
        outputs, states = [], []
        for k, x in enumerate(freq_inputs):
            if state_is_tuple:
                c_t, m_t = (getattr(state, f"{state_prefix}_f{k:02d}_b{block:02d}_{kind}") for kind in "cm")
            else:
                c_t = slicing.slice_(state, [0, 2 * k * n], [-1, n])
                m_t = slicing.slice_(state, [0, (2 * k + 1) * n], [-1, n])
            joined = joining.concat([x, m_t, m_f], 1)
            cut = {}
            for side in sides:
                product = biases.bias_add(matrices.matmul(joined, weights[side]), added[side])
                pieces = joining.split(value=product, num_or_size_splits=gates, axis=1)
                cut[side] = dict(zip("ijo" if gates == 3 else "ijfo", pieces, strict=True))
            new = {}
            for along, before in (("f", c_f), ("t", c_t)):
                side = along if along in sides else "f"
                new[along] = self._next(cut[side], diagonal, side, before, c_f, c_t)
            said = {}
            for along in "ft":
                side = along if along in sides else "f"
                o = cut[side]["o"]
                if self._use_peepholes:
                    o = o + diagonal[f"O{side}f"] * new["f"] + diagonal[f"O{side}t"] * new["t"]
                said[along] = sigmoid(o) * tanh(new[along])
            c_f, m_f = new["f"], said["f"]
            outputs += [said["t"], said["f"]]
            states += [new["t"], said["t"]]
        return outputs, states

    def _next(self, cut: dict[str, Any], diagonal: dict[str, Any], side: str, before: Any, c_f: Any, c_t: Any) -> Any:
        """The new cell along one direction: ``f before + i tanh(j)``."""
        i = cut["i"]
        if self._use_peepholes:
            i = i + diagonal[f"I{side}f"] * c_f + diagonal[f"I{side}t"] * c_t
        i = sigmoid(i)
        if self._couple_input_forget_gates:
            f = 1.0 - i
        else:
            f = cut["f"] + self._forget_bias
            if self._use_peepholes:
                f = f + diagonal[f"F{side}f"] * c_f + diagonal[f"F{side}t"] * c_t
            f = sigmoid(f)
        c = f * before + i * tanh(cut["j"])
        if self._cell_clip is not None:
            c = clipping.clip_by_value(c, -self._cell_clip, self._cell_clip)
        return c

    def _make_tf_features(self, inputs: Tensor, slice_offset: int = 0) -> list[list[Tensor]]:
        """The blocks of each part of a spectrum."""
        size = inputs.shape.with_rank(2)[1].value
        if size is None:
            raise ValueError("Cannot infer input_size from static shape inference.")
        if slice_offset > 0:
            inputs = _padded(inputs, [[0, 0], [0, slice_offset]])
        elif slice_offset < 0:
            inputs = _padded(inputs, [[0, 0], [-slice_offset, 0]])
            slice_offset = 0
        if not self._start_freqindex_list:
            if len(self._num_frequency_blocks) != 1:
                raise ValueError(
                    "Length of num_frequency_blocks is not 1, but instead is %d", len(self._num_frequency_blocks)
                )
            count = int((size - self._feature_size) / self._frequency_skip) + 1
            if count != self._num_frequency_blocks[0]:
                raise ValueError(
                    f"Invalid num_frequency_blocks, requires {self._num_frequency_blocks[0]} but gets {count}, please "
                    "check the input size and filter config are correct."
                )
            begins = [[slice_offset + k * self._frequency_skip for k in range(count)]]
        else:
            begins = []
            starts, ends = self._start_freqindex_list, self._end_freqindex_list
            if len(starts) != len(ends):
                raise ValueError("Length of start and end freqindex_list does not match")
            if len(self._num_frequency_blocks) != len(starts):
                raise ValueError("Length of num_frequency_blocks is not equal to start_freqindex_list")
            for part, (start, end) in enumerate(zip(starts, ends, strict=True)):
                count = int((end - start - self._feature_size) / self._frequency_skip) + 1
                if count != self._num_frequency_blocks[part]:
                    raise ValueError(
                        f"Invalid num_frequency_blocks, requires {self._num_frequency_blocks[part]} but gets {count}"
                    )
                begins.append([start + slice_offset + k * self._frequency_skip for k in range(count)])
        return [[slicing.slice_(inputs, [0, begin], [-1, self._feature_size]) for begin in part] for part in begins]


def _padded(inputs: Tensor, widths: Any) -> Tensor:
    from retrograd.ops.padding import pad

    return pad(inputs, constants.constant(widths), mode="CONSTANT")


class BidirectionalGridLSTMCell(GridLSTMCell):
    """``GridLSTMCell`` over the blocks upwards and, with variables of its own, downwards.

    ``backward_slice_offset`` moves the blocks of the second.
    """

    def __init__(
        self,
        num_units: int,
        use_peepholes: bool = False,
        share_time_frequency_weights: bool = False,
        cell_clip: Any = None,
        initializer: Any = None,
        num_unit_shards: int = 1,
        forget_bias: float = 1.0,
        feature_size: Any = None,
        frequency_skip: Any = None,
        num_frequency_blocks: Any = None,
        start_freqindex_list: Any = None,
        end_freqindex_list: Any = None,
        couple_input_forget_gates: bool = False,
        backward_slice_offset: int = 0,
        reuse: Any = None,
    ) -> None:
        super().__init__(
            num_units, use_peepholes, share_time_frequency_weights, cell_clip, initializer, num_unit_shards,
            forget_bias, feature_size, frequency_skip, num_frequency_blocks, start_freqindex_list, end_freqindex_list,
            couple_input_forget_gates, True, reuse,
        )  # fmt: skip
        self._backward_slice_offset = int(backward_slice_offset)
        names = [
            f"{way}_state_f{k:02d}_b{part:02d}_{kind}"
            for way in ("fwd", "bwd")
            for part, count in enumerate(self._num_frequency_blocks)
            for k in range(int(count))
            for kind in "cm"
        ]
        self._state_tuple_type = namedtuple("BidirectionalGridLSTMStateTuple", names)  # type: ignore[misc]
        self._state_size = self._state_tuple_type(*([num_units] * len(names)))
        self._output_size = 2 * num_units * self._total_blocks * 2

    def call(self, inputs: Any, state: Any) -> Any:
        batch = inputs.shape[0].value or None
        ways = [("fwd", self._make_tf_features(inputs))]
        if self._backward_slice_offset:
            ways.append(("bwd", self._make_tf_features(inputs, self._backward_slice_offset)))
        else:
            ways.append(("bwd", ways[0][1]))
        outputs, parts = [], []
        for way, features in ways:
            with variable_scope(way):
                for part, blocks in enumerate(features):
                    blocks = blocks if way == "fwd" else list(reversed(blocks))
                    output, states = self._compute(blocks, part, state, batch, state_prefix=f"{way}_state")
                    outputs += output
                    parts += states
        return joining.concat(outputs, 1), self._state_tuple_type(*parts)
