"""Layers of bidirectional networks, and cells that take all steps at once."""

from __future__ import annotations

import abc
from typing import Any

from retrograd.nn.rnn import bidirectional_dynamic_rnn, dynamic_rnn, static_bidirectional_rnn, static_rnn
from retrograd.ops import joining, permuting
from retrograd.state.scopes import variable_scope


def _check_cells(cells_fw: Any, cells_bw: Any, states_fw: Any, states_bw: Any) -> None:
    for way, cells in (("fw", cells_fw), ("bw", cells_bw)):
        if not cells:
            raise ValueError(f"Must specify at least one {way} cell for BidirectionalRNN.")
    for way, cells in (("Forward", cells_fw), ("Backward", cells_bw)):
        if not isinstance(cells, list):
            raise ValueError(f"cells_{way[0].lower()}w must be a list of RNNCells (one per layer).")
    if len(cells_fw) != len(cells_bw):
        raise ValueError("Forward and Backward cells must have the same depth.")
    for way, cells, states in (("fw", cells_fw, states_fw), ("bw", cells_bw, states_bw)):
        if states is not None and (not isinstance(states, list) or len(states) != len(cells)):
            raise ValueError(f"initial_states_{way} must be a list of state tensors (one per layer).")


def stack_bidirectional_rnn(
    cells_fw: Any, cells_bw: Any, inputs: Any, initial_states_fw: Any = None, initial_states_bw: Any = None,
    dtype: Any = None, sequence_length: Any = None, scope: Any = None,
) -> tuple[Any, tuple[Any, ...], tuple[Any, ...]]:  # fmt: skip
    """``static_bidirectional_rnn`` of each pair of cells on the outputs of the pair before.

    Returns:
      The outputs of the last pair, and the last states forwards and backwards of all.

    Raises:
      ValueError: there are no cells, or not as many of one kind as of the other.
    """
    _check_cells(cells_fw, cells_bw, initial_states_fw, initial_states_bw)
    states_fw, states_bw, layer = [], [], inputs
    with variable_scope(scope or "stack_bidirectional_rnn"):
        for i, (cell_fw, cell_bw) in enumerate(zip(cells_fw, cells_bw, strict=True)):
            with variable_scope(f"cell_{i}") as opened:
                layer, state_fw, state_bw = static_bidirectional_rnn(
                    cell_fw, cell_bw, layer,
                    initial_state_fw=initial_states_fw[i] if initial_states_fw else None,
                    initial_state_bw=initial_states_bw[i] if initial_states_bw else None,
                    sequence_length=sequence_length, dtype=dtype, scope=opened,
                )  # fmt: skip
            states_fw.append(state_fw)
            states_bw.append(state_bw)
    return layer, tuple(states_fw), tuple(states_bw)


def stack_bidirectional_dynamic_rnn(
    cells_fw: Any, cells_bw: Any, inputs: Any, initial_states_fw: Any = None, initial_states_bw: Any = None,
    dtype: Any = None, sequence_length: Any = None, parallel_iterations: Any = None, time_major: bool = False,
    scope: Any = None, swap_memory: bool = False,
) -> tuple[Any, tuple[Any, ...], tuple[Any, ...]]:  # fmt: skip
    """``bidirectional_dynamic_rnn`` of each pair of cells on the joined outputs of the pair before.

    Raises:
      ValueError: there are no cells, or not as many of one kind as of the other.
    """
    _check_cells(cells_fw, cells_bw, initial_states_fw, initial_states_bw)
    states_fw, states_bw, layer = [], [], inputs
    with variable_scope(scope or "stack_bidirectional_rnn"):
        for i, (cell_fw, cell_bw) in enumerate(zip(cells_fw, cells_bw, strict=True)):
            with variable_scope(f"cell_{i}"):
                outputs, (state_fw, state_bw) = bidirectional_dynamic_rnn(
                    cell_fw, cell_bw, layer,
                    initial_state_fw=initial_states_fw[i] if initial_states_fw else None,
                    initial_state_bw=initial_states_bw[i] if initial_states_bw else None,
                    sequence_length=sequence_length, parallel_iterations=parallel_iterations, dtype=dtype,
                    swap_memory=swap_memory, time_major=time_major,
                )  # fmt: skip
                layer = joining.concat(outputs, 2)
            states_fw.append(state_fw)
            states_bw.append(state_bw)
    return layer, tuple(states_fw), tuple(states_bw)


# -- all steps at once -------------------------------------------------------------------------


class FusedRNNCell(abc.ABC):
    """A network over ``[time, batch, size]``: ``outputs, state = cell(inputs, ...)``."""

    @abc.abstractmethod
    def __call__(
        self, inputs: Any, initial_state: Any = None, dtype: Any = None, sequence_length: Any = None, scope: Any = None
    ) -> Any:
        """The outputs of all steps, and the last state."""


class FusedRNNCellAdaptor(FusedRNNCell):
    """A cell as a network over all steps, in a loop or unrolled."""

    def __init__(self, cell: Any, use_dynamic_rnn: bool = False) -> None:
        self._cell, self._use_dynamic_rnn = cell, use_dynamic_rnn

    def __call__(
        self, inputs: Any, initial_state: Any = None, dtype: Any = None, sequence_length: Any = None, scope: Any = None
    ) -> Any:
        is_list = isinstance(inputs, list)
        if self._use_dynamic_rnn:
            if is_list:
                inputs = joining.stack(inputs)
            outputs, state = dynamic_rnn(
                self._cell, inputs, sequence_length=sequence_length, initial_state=initial_state, dtype=dtype,
                time_major=True, scope=scope,
            )  # fmt: skip
            return (joining.unstack(outputs) if is_list else outputs), state
        if not is_list:
            inputs = joining.unstack(inputs)
        outputs, state = static_rnn(
            self._cell, inputs, initial_state=initial_state, dtype=dtype, sequence_length=sequence_length, scope=scope
        )
        return (outputs if is_list else joining.stack(outputs)), state


class TimeReversedFusedRNN(FusedRNNCell):
    """A network from the last step of each sequence to the first."""

    def __init__(self, cell: Any) -> None:
        self._cell = cell

    def _reverse(self, t: Any, lengths: Any) -> Any:
        if isinstance(t, list):
            return list(reversed(t))
        if lengths is None:
            return permuting.reverse(t, [0])
        return permuting.reverse_sequence(t, lengths, 0, 1)

    def __call__(
        self, inputs: Any, initial_state: Any = None, dtype: Any = None, sequence_length: Any = None, scope: Any = None
    ) -> Any:
        inputs = self._reverse(inputs, sequence_length)
        outputs, state = self._cell(
            inputs, initial_state=initial_state, dtype=dtype, sequence_length=sequence_length, scope=scope
        )
        return self._reverse(outputs, sequence_length), state
