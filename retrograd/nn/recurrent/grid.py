"""Grid recurrent networks: a cell for each dimension of a grid, each with a memory of its own.

The cells read the outputs of all dimensions but the last, and pass the last dimension's output on as their state;
those of priority run after the others, on what these gave.  Source: Kalchbrenner, Danihelka and Graves, "Grid Long
Short-Term Memory", 2016; order of nodes: TensorFlow 1.15.5, ``tf.contrib.grid_rnn``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from retrograd.graph import log
from retrograd.nn.contrib.layers import fully_connected
from retrograd.nn.rnn_cells import BasicLSTMCell, BasicRNNCell, GRUCell, LSTMCell, RNNCell
from retrograd.ops import constants, joining, slicing
from retrograd.ops.activations import relu
from retrograd.ops.matrices import matmul
from retrograd.state.scopes import get_variable, get_variable_scope, variable_scope
from retrograd.state.xavier import xavier_initializer


class GridRNNCell(RNNCell):
    """A cell for each of ``num_dims`` dimensions.

    Args:
      input_dims, output_dims: where the input comes in, and outputs come from.
      priority_dims: what runs last.
      non_recurrent_dims: where a layer with ``non_recurrent_fn`` stands in the place of a cell.
      tied: one cell for all dimensions.
      cell_fn: makes a cell of so many units; an LSTM by default.

    Raises:
      ValueError: there is no such dimension.
      TypeError: ``cell_fn`` makes no cell.
    """

    def __init__(
        self, num_units: int, num_dims: int = 1, input_dims: Any = None, output_dims: Any = None,
        priority_dims: Any = None, non_recurrent_dims: Any = None, tied: bool = False,
        cell_fn: Callable[[int], Any] | None = None, non_recurrent_fn: Callable[[Any], Any] | None = None,
        state_is_tuple: bool = True, output_is_tuple: bool = True,
    ) -> None:  # fmt: skip
        super().__init__()
        for word, is_tuple in (("state", state_is_tuple), ("output", output_is_tuple)):
            if not is_tuple:
                log.warning(
                    "%s: Using a concatenated %s is slower and will soon be deprecated.  Use %s_is_tuple=True.",
                    self, word, word,
                )  # fmt: skip
        if num_dims < 1:
            raise ValueError(f"dims must be >= 1: {num_dims}")
        self._num_units, self._num_dims, self._tied = num_units, num_dims, tied
        self._inputs, self._outputs = _dimensions(input_dims, num_dims), _dimensions(output_dims, num_dims)
        self._priority = _dimensions(priority_dims, num_dims)
        self._plain = _dimensions(non_recurrent_dims, num_dims)
        self._recurrent = [i for i in range(num_dims) if i not in self._plain]
        self._non_recurrent_fn = non_recurrent_fn or relu
        self._state_is_tuple, self._output_is_tuple = state_is_tuple, output_is_tuple

        def made() -> Any:
            return LSTMCell(num_units, state_is_tuple=state_is_tuple) if cell_fn is None else cell_fn(num_units)

        self._cells = [made()] * num_dims if tied else [made() for _ in range(num_dims)]
        if not isinstance(self._cells[0], RNNCell):
            raise TypeError(f"cell_fn must return an RNNCell instance, saw: {type(self._cells[0])}")

    @property
    def output_size(self) -> Any:
        size = self._cells[0].output_size
        return (size,) * len(self._outputs) if self._output_is_tuple else size * len(self._outputs)

    @property
    def state_size(self) -> Any:
        if self._state_is_tuple:
            return (self._cells[0].state_size,) * len(self._recurrent)
        return self._cell_state_size() * len(self._recurrent)

    def _cell_state_size(self) -> int:
        sizes = self._cells[0].state_size
        return sum(sizes) if isinstance(sizes, tuple) else sizes

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> Any:  # type: ignore[override]
        c, m = self._states(state)
        output: list[Any] = [None] * self._num_dims
        new: list[Any] = [None] * self._num_dims
        with variable_scope(scope or type(self).__name__):
            self._project(inputs, c, m)
            others = [i for i in range(self._num_dims) if i not in self._priority]
            self._propagate(others, c, m, output, new, True)
            self._propagate(self._priority, c, m, output, new, False)
            outputs: Any = tuple(output[i] for i in self._outputs)
            if not self._output_is_tuple:
                outputs = joining.concat(outputs, 1) if outputs else constants.zeros([0, 0], inputs.dtype)
            states: Any = tuple(new[i] for i in self._recurrent)
            if not self._state_is_tuple:
                parts = [part for each in states for part in each]
                states = joining.concat(parts, 1) if parts else constants.zeros([0, 0], inputs.dtype)
        return outputs, states

    def _states(self, state: Any) -> tuple[list[Any], list[Any]]:
        """The memories and outputs of each dimension; None where there is none."""
        c: list[Any] = [None] * self._num_dims
        m: list[Any] = [None] * self._num_dims
        total = self._cell_state_size()
        rest = total - self._num_units
        if self._state_is_tuple and len(self._recurrent) != len(state):
            raise ValueError(f"Expected state as a tuple of {len(self._recurrent)} element")
        for k, i in enumerate(self._recurrent):
            if self._state_is_tuple:
                c[i], m[i] = state[k] if rest > 0 else (None, state[k])
            elif rest > 0:
                c[i] = slicing.slice_(state, [0, k * total], [-1, self._num_units])
                m[i] = slicing.slice_(state, [0, k * total + self._num_units], [-1, rest])
            else:
                m[i] = slicing.slice_(state, [0, k * total], [-1, self._num_units])
        return c, m

    def _project(self, inputs: Any, c: list[Any], m: list[Any]) -> None:
        """Put the input in the place of the states of the dimensions where it comes in."""
        if inputs is None or not self._inputs or not inputs.shape.with_rank(2)[1].value > 0:
            return
        parts = joining.split(inputs, len(self._inputs), axis=1)
        shape = [parts[0].shape[1].value, self._num_units]
        for part, i in zip(parts, self._inputs, strict=True):
            m[i] = matmul(part, get_variable(f"project_m_{i}", shape, dtype=inputs.dtype))
            if self._cell_state_size() > self._num_units:
                c[i] = matmul(part, get_variable(f"project_c_{i}", shape, dtype=inputs.dtype))

    def _propagate(
        self, dims: Sequence[int], c: list[Any], m: list[Any], output: list[Any], new: list[Any], is_first: bool
    ) -> None:
        """Let the cells of some dimensions run, all on the same inputs."""
        if not dims:
            return
        if self._num_dims > 1:
            read = [m[i] if output[i] is None else output[i] for i in range(self._num_dims - 1)]
            inputs = joining.concat(read, 1)
        else:
            inputs = constants.zeros([m[0].shape.as_list()[0], 0], m[0].dtype)
        last = m[-1] if output[-1] is None else output[-1]
        for i in dims:
            word = "non_recurrent" if i in self._plain else "recurrent"
            if i in self._plain:
                both = joining.concat([inputs, last], 1) if self._num_dims > 1 else last
            with variable_scope(word if self._tied else f"{word}/cell_{i}"):
                scope = get_variable_scope()
                if self._tied and not (is_first and i == dims[0]):
                    scope.reuse_variables()
                if i in self._plain:
                    output[i] = fully_connected(
                        both, num_outputs=self._num_units, activation_fn=self._non_recurrent_fn,
                        weights_initializer=scope.initializer or xavier_initializer,
                        weights_regularizer=scope.regularizer,
                    )  # fmt: skip
                else:
                    output[i], new[i] = self._cells[i](inputs, last if c[i] is None else (c[i], last))


def _dimensions(given: Any, count: int) -> list[int]:
    given = given if isinstance(given, list | tuple) else [] if given is None else [given]
    found = sorted(set(given))
    if any(i < 0 or i >= count for i in found):
        raise ValueError(f"Invalid dims: {found}. Must be in [0, {count})")
    return found


class _FromFirst(GridRNNCell):
    """Input and output at the first dimension, which has priority; it has a layer if that has a function."""

    def __init__(
        self, num_units: int, num_dims: int, tied: bool, non_recurrent_fn: Any, cell_fn: Any, state_is_tuple: bool,
        output_is_tuple: bool,
    ) -> None:  # fmt: skip
        super().__init__(
            num_units, num_dims, 0, 0, 0, None if non_recurrent_fn is None else 0, tied, cell_fn, non_recurrent_fn,
            state_is_tuple, output_is_tuple,
        )  # fmt: skip


class Grid1BasicRNNCell(_FromFirst):
    """A plain cell."""

    def __init__(self, num_units: int, state_is_tuple: bool = True, output_is_tuple: bool = True) -> None:
        super().__init__(num_units, 1, False, None, BasicRNNCell, state_is_tuple, output_is_tuple)


class Grid2BasicRNNCell(_FromFirst):
    """Plain cells along two dimensions."""

    def __init__(
        self, num_units: int, tied: bool = False, non_recurrent_fn: Any = None, state_is_tuple: bool = True,
        output_is_tuple: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(num_units, 2, tied, non_recurrent_fn, BasicRNNCell, state_is_tuple, output_is_tuple)


class Grid1BasicLSTMCell(_FromFirst):
    """An LSTM without peepholes."""

    def __init__(
        self, num_units: int, forget_bias: float = 1, state_is_tuple: bool = True, output_is_tuple: bool = True
    ) -> None:
        def made(n: int) -> BasicLSTMCell:
            return BasicLSTMCell(n, forget_bias=forget_bias)

        super().__init__(num_units, 1, False, None, made, state_is_tuple, output_is_tuple)


class Grid2BasicLSTMCell(_FromFirst):
    """LSTMs without peepholes along two dimensions."""

    def __init__(
        self, num_units: int, tied: bool = False, non_recurrent_fn: Any = None, forget_bias: float = 1,
        state_is_tuple: bool = True, output_is_tuple: bool = True,
    ) -> None:  # fmt: skip
        def made(n: int) -> BasicLSTMCell:
            return BasicLSTMCell(n, forget_bias=forget_bias)

        super().__init__(num_units, 2, tied, non_recurrent_fn, made, state_is_tuple, output_is_tuple)


class Grid1LSTMCell(_FromFirst):
    """An LSTM."""

    def __init__(
        self, num_units: int, use_peepholes: bool = False, forget_bias: float = 1.0, state_is_tuple: bool = True,
        output_is_tuple: bool = True,
    ) -> None:  # fmt: skip
        def made(n: int) -> LSTMCell:
            return LSTMCell(n, forget_bias=forget_bias, use_peepholes=use_peepholes)

        super().__init__(num_units, 1, False, None, made, state_is_tuple, output_is_tuple)


class _GridLSTMCell(_FromFirst):
    dims: int

    def __init__(
        self, num_units: int, tied: bool = False, non_recurrent_fn: Any = None, use_peepholes: bool = False,
        forget_bias: float = 1.0, state_is_tuple: bool = True, output_is_tuple: bool = True,
    ) -> None:  # fmt: skip
        def made(n: int) -> LSTMCell:
            return LSTMCell(n, forget_bias=forget_bias, use_peepholes=use_peepholes)

        super().__init__(num_units, self.dims, tied, non_recurrent_fn, made, state_is_tuple, output_is_tuple)


class Grid2LSTMCell(_GridLSTMCell):
    """LSTMs along two dimensions."""

    dims = 2


class Grid3LSTMCell(_GridLSTMCell):
    """LSTMs along three dimensions."""

    dims = 3


class Grid2GRUCell(_FromFirst):
    """GRUs along two dimensions."""

    def __init__(
        self, num_units: int, tied: bool = False, non_recurrent_fn: Any = None, state_is_tuple: bool = True,
        output_is_tuple: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(num_units, 2, tied, non_recurrent_fn, GRUCell, state_is_tuple, output_is_tuple)
