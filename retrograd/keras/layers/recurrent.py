"""Recurrent layers: a layer that runs a cell over time, and those that make their cells."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import log, nest
from retrograd.graph.convert import as_tensor
from retrograd.graph.shapes import TensorShape
from retrograd.graph.untracked import leave_untracked
from retrograd.keras import backend as K
from retrograd.keras.layers.recurrent_cells import (
    CONSTRAINTS,
    DROPOUTS,
    GATED,
    INITIALIZERS,
    PLAIN,
    REGULARIZERS,
    Cell,
    DropoutRNNCellMixin,
    GRUCell,
    LSTMCell,
    SimpleRNNCell,
    StackedRNNCells,
    accepted_by,
    in_order,
    initial_of,
    output_size_of,
    with_forget_bias,
)
from retrograd.keras.nesting import Nesting
from retrograd.keras.recurrence import rnn
from retrograd.nn.keras import regularizers
from retrograd.nn.layers.engine import Layer, each_shape, shared_config
from retrograd.nn.layers.input_spec import InputSpec
from retrograd.nn.layers.nodes import history_of
from retrograd.nn.layers.parameters import taking
from retrograd.ops import arrays


def parts_of_inputs(
    inputs: Any, initial_state: Any, constants: Any, num_constants: int
) -> tuple[Any, list[Any], list[Any]]:
    """The sequence, the first states and the constants, of which the last two may stand in a list behind the first."""
    if isinstance(inputs, list):  # a tuple is one sequence of several parts
        inputs, *rest = inputs
        if constants is None and num_constants:
            rest, constants = rest[:-num_constants], rest[-num_constants:]
        if rest and initial_state is None:
            initial_state = rest
    states = [] if initial_state is None else nest.flatten(initial_state)
    return inputs, states, [] if constants is None else nest.flatten(constants)


def _no_batch_size() -> ValueError:
    return ValueError(
        "If a RNN is stateful, it needs to know its batch size. Specify the batch size of your input tensors: \n- If "
        "using a Sequential model, specify the batch size by passing a `batch_input_shape` argument to your first "
        "layer.\n- If using the functional API, specify the batch size by passing a `batch_shape` argument to your "
        "Input layer."
    )


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]


class RNN(Nesting, Layer):
    """A cell run over the second dimension of its inputs.

    Args:
      cell: the cell, or a list of cells one above the other.
      return_sequences: give every output, not the last one.
      return_state: give the last states too, behind the output.
      go_backwards: from the last step to the first.
      stateful: the next batch goes on with the last states.
      unroll: no loop, but each step in the graph.
    """

    _limits_steps = False  # whether the loop has a node for the number of its steps

    def __init__(
        self,
        cell: Any,
        return_sequences: bool = False,
        return_state: bool = False,
        go_backwards: bool = False,
        stateful: bool = False,
        unroll: bool = False,
        time_major: bool = False,
        **kwargs: Any,
    ) -> None:
        if isinstance(cell, list | tuple):
            cell = StackedRNNCells(cell)
        for name in ("call", "state_size"):
            if not hasattr(cell, name):
                what = "`call` method" if name == "call" else "attribute `state_size`"
                raise ValueError(f"`cell` should have a {what}. The RNN was passed:", cell)
        self.zero_output_for_mask = kwargs.pop("zero_output_for_mask", False)
        if "input_shape" not in kwargs and ("input_dim" in kwargs or "input_length" in kwargs):
            kwargs["input_shape"] = (kwargs.pop("input_length", None), kwargs.pop("input_dim", None))
        super().__init__(**kwargs)
        self.cell = cell
        self.return_sequences, self.return_state, self.go_backwards = return_sequences, return_state, go_backwards
        self.stateful, self.unroll, self.time_major = stateful, unroll, time_major
        self.supports_masking = True
        leave_untracked(self, "_states")
        self._states: Any = None
        self.constants_spec = None
        self._num_constants = 0

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Any:
        """The layer with these arguments."""
        count = config.get("num_constants", 0)
        own = {key: value for key, value in config.items() if key != "num_constants"}
        layer = super().from_config(own, custom_objects)
        layer._num_constants = count
        return layer

    @property
    def states(self) -> Any:
        """The states that are kept between batches."""
        if self._states is None:
            state = nest.map_structure(lambda _: None, self.cell.state_size)
            return state if nest.is_sequence(self.cell.state_size) else [state]
        return self._states

    @states.setter
    def states(self, states: Any) -> None:
        self._states = states

    def _step_shape(self, shape: Any) -> TensorShape:
        """The shape of one step of a sequence of this shape."""
        sizes = TensorShape(shape).as_list()
        return TensorShape([sizes[1] if self.time_major else sizes[0], *sizes[2:]])

    def build(self, input_shape: Any) -> None:
        if isinstance(input_shape, list):
            input_shape = input_shape[0]
        step_shape = each_shape(self._step_shape, input_shape)
        if isinstance(self.cell, Layer) and not self.cell.built:
            self.cell.build(step_shape)
            self.cell.built = True
        if self.stateful:
            batch = nest.flatten(step_shape)[0].as_list()[0]
            if not batch:
                raise _no_batch_size()
            flat = nest.flatten(self.cell.state_size)
            self._states = [K.zeros([batch, *TensorShape(n).as_list()]) for n in flat]
        self.built = True

    def get_initial_state(self, inputs: Any) -> list[Any]:
        """The states before the first step."""
        first = nest.flatten(inputs)[0]
        batch = arrays.shape(first)[1 if self.time_major else 0]
        made = initial_of(self.cell, None, batch, first.dtype)
        return list(made) if nest.is_sequence(made) else [made]

    def __call__(self, inputs: Any, initial_state: Any = None, constants: Any = None, **kwargs: Any) -> Any:
        """The outputs; with ``initial_state``, from these states on."""
        inputs, states, more = parts_of_inputs(inputs, initial_state, constants, self._num_constants)
        self._num_constants = len(more) or self._num_constants
        if not states and not more:
            return super().__call__(inputs, **kwargs)
        if states:
            self._check_states(states)
        extra = [*states, *more]
        if all(history_of(x) is not None for x in extra):
            self.input_spec = None  # it takes the states too
            return super().__call__([inputs, *extra], **kwargs)
        return super().__call__(inputs, initial_state=states or None, constants=more or None, **kwargs)

    def _check_states(self, states: list[Any]) -> None:
        """Raises ``ValueError`` unless the given states have the sizes of the cell's."""
        sizes = nest.flatten(self.cell.state_size)
        shapes = [as_tensor(x).shape for x in states]
        pairs = zip(shapes, sizes, strict=False)
        if len(sizes) != len(shapes) or not all(TensorShape(n).is_compatible_with(shape[1:]) for shape, n in pairs):
            specs = ", ".join(str(InputSpec(shape=K.int_shape(x))) for x in states)
            raise ValueError(
                "An `initial_state` was passed that is not compatible with `cell.state_size`. Received "
                f"`state_spec`=ListWrapper([{specs}]); however `cell.state_size` is {sizes}"
            )

    def call(
        self, inputs: Any, mask: Any = None, training: Any = None, initial_state: Any = None, constants: Any = None
    ) -> Any:
        if isinstance(inputs, list):
            extra, inputs = inputs[1:], inputs[0]
            count = self._num_constants
            constants = extra[len(extra) - count :] if count else constants
            initial_state = extra[: len(extra) - count] or initial_state
        mask = nest.flatten(mask)[0] if mask is not None else mask
        if isinstance(self.cell, DropoutRNNCellMixin):
            self.cell.reset_dropout_mask()
            self.cell.reset_recurrent_dropout_mask()
        if initial_state is None:
            initial_state = self.states if self.stateful else self.get_initial_state(inputs)
        shape = nest.flatten(inputs)[0].shape.as_list()
        steps = shape[0] if self.time_major else shape[1]
        if self.unroll and steps is None:
            raise ValueError(
                "Cannot unroll a RNN if the time dimension is undefined. \n- If using a Sequential model, specify the "
                "time dimension by passing an `input_shape` or `batch_input_shape` argument to your first layer. If "
                "your first layer is an Embedding, you can also use the `input_length` argument.\n- If using the "
                "functional API, specify the time dimension by passing a `shape` or `batch_shape` argument to your "
                "Input layer."
            )
        kwargs = accepted_by(self.cell, {"training": training})
        is_single = not nest.is_sequence(self.cell.state_size)
        is_tf_cell = hasattr(self.cell, "_is_tf_rnn_cell")

        def step(x: Any, states: Any) -> Any:
            if constants:
                states, more = states[: -len(constants)], states[-len(constants) :]
                return self.cell.call(x, list(states), constants=list(more), **kwargs)
            states = states[0] if len(states) == 1 and is_tf_cell else states
            if is_tf_cell and not is_single:
                states = nest.pack_sequence_as(self.cell.state_size, nest.flatten(states))
            output, new = self.cell.call(x, states, **kwargs)
            return output, (new if nest.is_sequence(new) else [new])

        last, outputs, states = rnn(
            step, inputs, initial_state, constants=constants, go_backwards=self.go_backwards, mask=mask,
            unroll=self.unroll, input_length=steps if self._limits_steps else None, time_major=self.time_major,
            zero_output_for_mask=self.zero_output_for_mask,
        )  # fmt: skip
        if self.stateful:
            pairs = zip(nest.flatten(self.states), nest.flatten(states), strict=True)
            self.add_update([old.assign(new) for old, new in pairs])
        output = outputs if self.return_sequences else last
        return [*_listed(output), *states] if self.return_state else output

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        mask = nest.flatten(mask)[0] if mask is not None else mask
        output = mask if self.return_sequences else None
        if not self.return_state:
            return output
        return [output, *[None for _ in nest.flatten(self.cell.state_size)]]

    def compute_output_shape(self, input_shape: Any) -> Any:
        if isinstance(input_shape, list):
            input_shape = input_shape[0]
        sizes = TensorShape(nest.flatten(each_shape(TensorShape, input_shape))[0]).as_list()
        batch, steps = (sizes[1], sizes[0]) if self.time_major else (sizes[0], sizes[1])
        front = [batch]
        if self.return_sequences:
            front = [steps, batch] if self.time_major else [batch, steps]

        def behind(front: list[Any], size: Any) -> TensorShape:
            return TensorShape([*front, *TensorShape(size).as_list()])

        shape = each_shape(lambda size: behind(front, size), output_size_of(self.cell))
        if not self.return_state:
            return shape
        return [*_listed(shape), *(behind([batch], n) for n in nest.flatten(self.cell.state_size))]

    def reset_states(self, states: Any = None) -> None:
        """Let the kept states be zeros, or these.

        Raises:
          AttributeError: the layer keeps no states.
        """
        if not self.stateful:
            raise AttributeError("Layer must be stateful.")
        kept = nest.flatten(self.states)
        if kept[0] is None:
            raise _no_batch_size()
        given = nest.flatten(states) if states is not None else [np.zeros(v.shape.as_list()) for v in kept]
        if len(given) != len(kept):
            raise ValueError(
                f"Layer {self.name} expects {len(kept)} states, but it received {len(given)} state values. Input "
                f"received: {states}"
            )
        for i, (value, state) in enumerate(zip(given, kept, strict=True)):
            if tuple(np.shape(value)) != tuple(state.shape.as_list()):
                raise ValueError(
                    f"State {i} is incompatible with layer {self.name}: expected shape="
                    f"{(state.shape.as_list()[0], state)}, found shape={np.shape(value)}"
                )
        K.batch_set_value(zip(kept, given, strict=True))

    def get_config(self) -> dict[str, Any]:
        config: dict[str, Any] = {
            "return_sequences": self.return_sequences, "return_state": self.return_state,
            "go_backwards": self.go_backwards, "stateful": self.stateful, "unroll": self.unroll,
            "time_major": self.time_major,
        }  # fmt: skip
        if self._num_constants:
            config["num_constants"] = self._num_constants
        if type(self) is RNN:
            config["cell"] = {"class_name": type(self.cell).__name__, "config": self.cell.get_config()}
        return {**shared_config(self), **config}


OF_WEIGHTS = {**INITIALIZERS, **REGULARIZERS, "activity_regularizer": None, **CONSTRAINTS}
OF_LAYER = {**OF_WEIGHTS, **DROPOUTS}
OVER_TIME = {"return_sequences": False, "return_state": False, "go_backwards": False, "stateful": False}
_OF_RNN = (
    "return_sequences", "return_state", "go_backwards", "stateful", "unroll", "time_major", "name", "trainable",
    "dtype", "input_shape", "batch_input_shape", "batch_size", "weights", "activity_regularizer", "input_dim",
    "input_length", "dynamic", "zero_output_for_mask",
)  # fmt: skip


class WithCell(RNN):
    """A recurrent layer that makes its own cell of its arguments."""

    _cell: type[Cell]

    def __init__(self, **kwargs: Any) -> None:
        own = {key: kwargs.pop(key) for key in _OF_RNN if key in kwargs}
        penalty = own.pop("activity_regularizer", None)
        cell = type(self)._cell(**kwargs)
        if "dtype" in own:
            cell._set_dtype_policy(own["dtype"])
        super().__init__(cell, activity_regularizer=regularizers.get(penalty), **own)
        self.input_spec = InputSpec(ndim=3)

    def __getattr__(self, name: str) -> Any:
        own = getattr(type(self), name, None)
        if isinstance(own, property) and own.fget is not None:
            return own.fget(self)  # which says again what the layer lacks
        cell = self.__dict__.get("cell")
        if cell is None or name.startswith("_"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return getattr(cell, name)

    def get_config(self) -> dict[str, Any]:
        of_cell = self.cell.get_config()
        for key in ("name", "trainable", "dtype"):
            of_cell.pop(key)
        penalty = {"activity_regularizer": regularizers.serialize(self.activity_regularizer)}
        return in_order({**super().get_config(), **of_cell, **penalty})


@taking("units", **PLAIN, **OF_LAYER, **OVER_TIME, unroll=False)
class SimpleRNN(WithCell):
    """``h = tanh(x W + b + h U)`` over time."""

    _cell = SimpleRNNCell

    def __init__(self, **kwargs: Any) -> None:
        if kwargs.pop("implementation", None) is not None:
            log.warning(
                "The `implementation` argument in `SimpleRNN` has been deprecated. Please remove it from your layer "
                "call."
            )
        super().__init__(**kwargs)


@taking("units", **GATED, **OF_LAYER, implementation=1, **OVER_TIME, unroll=False, reset_after=False)
class GRU(WithCell):
    """Gated recurrent units over time."""

    _is_in_version_2 = False
    _cell = GRUCell


@taking("units", **GATED, **with_forget_bias(OF_LAYER), implementation=1, **OVER_TIME, unroll=False)
class LSTM(WithCell):
    """Long short-term memory over time."""

    _is_in_version_2 = False
    _cell = LSTMCell
