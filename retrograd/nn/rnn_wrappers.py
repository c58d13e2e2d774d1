"""Cells made of cells: stacked, with dropout, with a bypass, on a device."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from typing import Any

from retrograd.graph import log, nest
from retrograd.graph.convert import as_tensor
from retrograd.graph.errors import taught
from retrograd.graph.scopes import device, name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.static import constant_value
from retrograd.graph.tensor import Tensor
from retrograd.nn.dropout import dropout
from retrograd.nn.rnn_cells import LSTMStateTuple, RNNCell, assert_like_rnncell
from retrograd.ops import arithmetic, joining, random, rounding, slicing
from retrograd.state.scopes import variable_scope


class WrapperBase:
    """What all cells that call another cell share; it has no scope and no variables of its own."""

    cell: Any

    def call(self, inputs: Any, state: Any, **kwargs: Any) -> Any:
        return self._wrapped(inputs, state, self.cell.call, **kwargs)

    def _wrapped(self, inputs: Any, state: Any, function: Callable[..., Any], **kwargs: Any) -> Any:
        raise NotImplementedError

    @property
    def wrapped_cell(self) -> Any:
        """The cell that is called."""
        return self.cell

    state_size = property(lambda self: self.cell.state_size, doc="The wrapped cell's.")
    output_size = property(lambda self: self.cell.output_size, doc="The wrapped cell's.")

    def build(self, inputs_shape: Any) -> None:
        self.cell.build(inputs_shape)
        self.built = True

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        with name_scope(f"{type(self).__name__}ZeroState", values=[batch_size]):
            return self.cell.zero_state(batch_size, dtype)

    def get_config(self) -> dict[str, Any]:
        cell = {"class_name": type(self.cell).__name__, "config": self.cell.get_config()}
        return {**super().get_config(), "cell": cell}  # type: ignore[misc]


class _Wrapper(WrapperBase, RNNCell):
    """A cell of ``tf.nn.rnn_cell`` that calls another one."""

    def __init__(self, cell: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        assert_like_rnncell("cell", cell)
        self.cell = self._track_trackable(cell, "cell")

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> Any:
        """The output and the next state."""
        return self._wrapped(inputs, state, self.cell.__call__, scope=scope)


def _keeps_all_but_c(state: Any) -> Any:
    """Which parts of a state are dropped out: not the cell of an LSTM."""
    return LSTMStateTuple(c=False, h=True) if isinstance(state, LSTMStateTuple) else True


class DropoutWrapperBase(WrapperBase):
    """A cell with dropout of its inputs, its outputs and its state.

    Args:
      input_keep_prob, output_keep_prob, state_keep_prob: the probabilities of keeping an element.
      variational_recurrent: drop the same elements in each step and example (Gal and Ghahramani, 2016);
        needs ``dtype``, and ``input_size`` unless all inputs are kept.
      dropout_state_filter_visitor: says of a state, or of its parts, whether they are dropped out; by
        default all but the c of an LSTM.

    Raises:
      TypeError: ``cell`` is none, or the visitor is not callable.
      ValueError: a probability is out of range, or something is missing.
    """

    def __init__(
        self,
        cell: Any,
        input_keep_prob: Any = 1.0,
        output_keep_prob: Any = 1.0,
        state_keep_prob: Any = 1.0,
        variational_recurrent: bool = False,
        input_size: Any = None,
        dtype: Any = None,
        seed: Any = None,
        dropout_state_filter_visitor: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(cell, dtype=dtype, **kwargs)  # type: ignore[call-arg]
        if dropout_state_filter_visitor is not None and not callable(dropout_state_filter_visitor):
            raise TypeError("dropout_state_filter_visitor must be callable")
        self._dropout_state_filter = dropout_state_filter_visitor or _keeps_all_but_c
        with name_scope("DropoutWrapperInit"):
            self._input_keep_prob = _checked_probability("input_keep_prob", input_keep_prob)
            self._state_keep_prob = _checked_probability("state_keep_prob", state_keep_prob)
            self._output_keep_prob = _checked_probability("output_keep_prob", output_keep_prob)
        self._variational_recurrent, self._input_size, self._seed = variational_recurrent, input_size, seed
        self._input_noise = self._state_noise = self._output_noise = None
        if variational_recurrent:
            self._draw_noise(input_size, dtype)

    def _draw_noise(self, input_size: Any, dtype: Any) -> None:
        if dtype is None:
            raise ValueError("When variational_recurrent=True, dtype must be provided")

        def noise(salt: str, sizes: Any) -> Any:
            def one(i: int, size: Any) -> Tensor:
                shape = joining.concat(([1], TensorShape(size).as_list()), 0)
                return random.random_uniform(shape, seed=self._seed_of(salt, i), dtype=dtype)

            return _numbered(sizes, one, sizes)

        if _drops(self._input_keep_prob):
            if input_size is None:
                raise ValueError(
                    "When variational_recurrent=True and input_keep_prob < 1.0 or is unknown, input_size must be "
                    "provided"
                )
            self._input_noise = noise("input", input_size)
        self._state_noise = noise("state", self.cell.state_size)
        self._output_noise = noise("output", self.cell.output_size)

    def _seed_of(self, salt: str, index: int) -> int | None:
        """A seed for each place that drops, from the one given."""
        if self._seed is None:
            return None
        text = f"{self._seed}{salt}_{index}"
        return int(hashlib.md5(text.encode()).hexdigest()[:8], 16) & 0x7FFFFFFF

    def _wrapped(self, inputs: Any, state: Any, function: Callable[..., Any], **kwargs: Any) -> Any:
        if _drops(self._input_keep_prob):
            inputs = self._dropped(inputs, "input", self._input_noise, self._input_keep_prob)
        output, state = function(inputs, state, **kwargs)
        if _drops(self._state_keep_prob):
            which = nest.get_traverse_shallow_structure(self._dropout_state_filter, state)
            state = self._dropped(state, "state", self._state_noise, self._state_keep_prob, which)
        if _drops(self._output_keep_prob):
            output = self._dropped(output, "output", self._output_noise, self._output_keep_prob)
        return output, state

    def _dropped(self, values: Any, salt: str, noise: Any, keep_prob: Any, which: Any = None) -> Any:
        which = values if which is None else which

        def one(i: int, drops: Any, value: Any, *noise: Any) -> Any:
            if (isinstance(drops, bool) and not drops) or not isinstance(value, Tensor):
                return value
            if self._variational_recurrent:
                return _with_noise(value, noise[0], keep_prob)
            return dropout(value, keep_prob=keep_prob, seed=self._seed_of(salt, i))

        return _numbered(which, one, which, values, *([noise] if self._variational_recurrent else []))

    def get_config(self) -> dict[str, Any]:
        config = {
            "input_keep_prob": self._input_keep_prob, "output_keep_prob": self._output_keep_prob,
            "state_keep_prob": self._state_keep_prob, "variational_recurrent": self._variational_recurrent,
            "input_size": self._input_size, "seed": self._seed,
        }  # fmt: skip
        if self._dropout_state_filter is not _keeps_all_but_c:
            config["dropout_state_filter_visitor"] = self._dropout_state_filter
        return {**super().get_config(), **config}


def _checked_probability(name: str, given: Any) -> Any:
    known = constant_value(as_tensor(given))
    if known is None:
        return as_tensor(given)
    if not 0 <= known <= 1:
        raise ValueError(f"Parameter {name} must be between 0 and 1: {int(known)}")
    return float(known)


def _drops(keep_prob: Any) -> bool:
    return not isinstance(keep_prob, float) or keep_prob < 1


def _with_noise(value: Tensor, noise: Tensor, keep_prob: Any) -> Tensor:
    """``value / keep_prob`` where ``keep_prob + noise`` reaches 1, else 0."""
    kept = rounding.floor(keep_prob + noise)
    result = arithmetic.div(value, keep_prob) * kept
    result.set_shape(value.dims)
    return result


def _numbered(shallow: Any, function: Callable[..., Any], *structures: Any) -> Any:
    """``map_structure_up_to`` with the number of the place as the first argument."""
    count = iter(range(1 << 30))
    return nest.map_structure_up_to(shallow, lambda *items: function(next(count), *items), *structures)


class ResidualWrapperBase(WrapperBase):
    """A cell whose output is ``inputs + output``, or ``residual_fn(inputs, output)``."""

    def __init__(self, cell: Any, residual_fn: Any = None, **kwargs: Any) -> None:
        super().__init__(cell, **kwargs)  # type: ignore[call-arg]
        self._residual_fn = residual_fn

    def _wrapped(self, inputs: Any, state: Any, function: Callable[..., Any], **kwargs: Any) -> Any:
        outputs, state = function(inputs, state, **kwargs)
        if self._residual_fn is not None:
            result = self._residual_fn(inputs, outputs)
        else:
            nest.assert_same_structure(inputs, outputs)
            nest.map_structure(lambda i, o: i.shape.assert_is_compatible_with(o.shape), inputs, outputs)
            result = nest.map_structure(lambda i, o: i + o, inputs, outputs)
        nest.assert_same_structure(outputs, result)
        return result, state

    def get_config(self) -> dict[str, Any]:
        own = {} if self._residual_fn is None else {"residual_fn": self._residual_fn}
        return {**super().get_config(), **own}


class DeviceWrapperBase(WrapperBase):
    """A cell whose ops stand on ``device``."""

    def __init__(self, cell: Any, device: Any, **kwargs: Any) -> None:
        super().__init__(cell, **kwargs)  # type: ignore[call-arg]
        self._device = device

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        with name_scope(f"{type(self).__name__}ZeroState", values=[batch_size]), device(self._device):
            return self.cell.zero_state(batch_size, dtype)

    def _wrapped(self, inputs: Any, state: Any, function: Callable[..., Any], **kwargs: Any) -> Any:
        with device(self._device):
            return function(inputs, state, **kwargs)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "device": self._device}


class DropoutWrapper(DropoutWrapperBase, _Wrapper):
    __doc__ = DropoutWrapperBase.__doc__


class ResidualWrapper(ResidualWrapperBase, _Wrapper):
    __doc__ = ResidualWrapperBase.__doc__


class DeviceWrapper(DeviceWrapperBase, _Wrapper):
    __doc__ = DeviceWrapperBase.__doc__


class MultiRNNCell(RNNCell):
    """Cells in a row: the output of each is the input of the next; the state is the tuple of theirs.

    Raises:
      TypeError: ``cells`` is no list of cells.
      ValueError: there are none, or their states cannot be joined as ``state_is_tuple=False`` asks.
    """

    def __init__(self, cells: Any, state_is_tuple: bool = True) -> None:
        super().__init__()
        if not cells:
            raise ValueError("Must specify at least one cell for MultiRNNCell.")
        if not nest.is_nested(cells):
            raise TypeError(f"cells must be a list or tuple, but saw: {cells}.")
        if len({id(cell) for cell in cells}) < len(cells):
            log.log_first_n(
                log.WARN,
                "At least two cells provided to MultiRNNCell are the same object and will share weights.",
                1,
            )
        self._cells, self._state_is_tuple = cells, state_is_tuple
        for i, cell in enumerate(cells):
            self._track_trackable(cell, f"cell-{i}")
        if not state_is_tuple and any(nest.is_nested(cell.state_size) for cell in cells):
            raise ValueError(
                "Some cells return tuples of states, but the flag state_is_tuple is not set.  State sizes are: "
                f"{[cell.state_size for cell in cells]}"
            )

    @property
    def state_size(self) -> Any:
        """The sizes of the cells' states, or their sum."""
        sizes = tuple(cell.state_size for cell in self._cells)
        return sizes if self._state_is_tuple else sum(sizes)

    @property
    def output_size(self) -> Any:
        """The size of the last cell's output."""
        return self._cells[-1].output_size

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        with name_scope(f"{type(self).__name__}ZeroState", values=[batch_size]):
            if self._state_is_tuple:
                return tuple(cell.zero_state(batch_size, dtype) for cell in self._cells)
            return super().zero_state(batch_size, dtype)

    @property
    def trainable_weights(self) -> list[Any]:
        """The trainable variables of the cells."""
        return self._of_cells("trainable_weights") if self.trainable else []

    @property
    def non_trainable_weights(self) -> list[Any]:
        """The other variables of the cells."""
        others = self._of_cells("non_trainable_weights")
        return others if self.trainable else [*self._of_cells("trainable_weights"), *others]

    def _of_cells(self, name: str) -> list[Any]:
        return [v for cell in self._cells if hasattr(cell, "trainable_weights") for v in getattr(cell, name)]

    def call(self, inputs: Any, state: Any) -> Any:
        output, states = inputs, []
        for i, (cell, own) in enumerate(zip(self._cells, self._own_states(state), strict=False)):
            with variable_scope(f"cell_{i}"):
                output, new = cell(output, own())
                states.append(new)
        return output, tuple(states) if self._state_is_tuple else joining.concat(states, 1)

    def _own_states(self, state: Any) -> Iterator[Callable[[], Any]]:
        """Each cell's state, taken in the cell's scope."""
        if self._state_is_tuple and not nest.is_nested(state):
            raise taught(
                ValueError(f"Expected state to be a tuple of length {len(self.state_size)}, but received: {state}"),
                fix="cell.zero_state(batch_size, tf.float32), or a tuple with the state of each cell",
            )
        place = 0
        for i, cell in enumerate(self._cells):
            if self._state_is_tuple:
                yield lambda i=i: state[i]  # type: ignore[misc]
            else:
                yield lambda place=place, n=cell.state_size: slicing.slice_(state, [0, place], [-1, n])  # type: ignore[misc]
                place += cell.state_size

    def get_config(self) -> dict[str, Any]:
        cells = [{"class_name": type(cell).__name__, "config": cell.get_config()} for cell in self._cells]
        return {**super().get_config(), "cells": cells}
