"""Cells of recurrent layers: one step, with its weights and its dropout."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.graph import nest
from retrograd.graph.shapes import TensorShape
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.graph.untracked import NoDependency
from retrograd.keras import backend as K
from retrograd.keras.nesting import Nesting
from retrograd.nn.keras import activations, constraints, initializers, regularizers
from retrograd.nn.layers.engine import Layer
from retrograd.nn.layers.parameters import taking
from retrograd.ops import arrays, biases, constants, joining, matrices


def initial_state(cell: Any, inputs: Any, batch_size: Any, dtype: Any) -> Any:
    """Zeros for each state of a cell."""
    if inputs is not None:
        batch_size, dtype = arrays.shape(inputs)[0], inputs.dtype
    if batch_size is None or dtype is None:
        raise ValueError(
            f"batch_size and dtype cannot be None while constructing initial state: batch_size={batch_size}, "
            f"dtype={dtype}"
        )

    def zeros(size: Any) -> Any:
        return constants.zeros([batch_size, *TensorShape(size).as_list()], dtype=dtype)

    sizes = cell.state_size
    return nest.map_structure(zeros, sizes) if nest.is_sequence(sizes) else zeros(sizes)


class AbstractRNNCell(Layer):
    """A cell: ``call(inputs, states)`` gives the output and the new states, of ``state_size``."""

    def call(self, inputs: Any, states: Any) -> Any:
        raise NotImplementedError("Abstract method")

    @property
    def state_size(self) -> Any:
        """The size of the states."""
        raise NotImplementedError("Abstract method")

    @property
    def output_size(self) -> Any:
        """The size of the output."""
        raise NotImplementedError("Abstract method")

    def get_initial_state(self, inputs: Any = None, batch_size: Any = None, dtype: Any = None) -> Any:
        """Zeros."""
        return initial_state(self, inputs, batch_size, dtype)


class DropoutRNNCellMixin:
    """Masks of dropout of a cell's inputs and of its state, which stay the same during a run over time.

    Stands before ``Layer`` in the bases of a cell, which has the rates ``dropout`` and ``recurrent_dropout``.
    """

    dropout: float
    recurrent_dropout: float

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._masks: dict[tuple[str, bool], Any] = {}  # those that have their values apart from those of a graph
        super().__init__(*args, **kwargs)

    def reset_dropout_mask(self) -> None:
        """Draw new masks of the inputs at the next step: each run over time has some of its own."""
        self._forget_masks("input")

    def reset_recurrent_dropout_mask(self) -> None:
        """Draw new masks of the state at the next step."""
        self._forget_masks("state")

    def _forget_masks(self, of: str) -> None:
        for at_once in (True, False):
            self._masks.pop((of, at_once), None)

    def get_dropout_mask_for_cell(self, inputs: Any, training: Any, count: int = 1) -> list[Tensor] | None:
        """So many masks of the inputs: those of this run over time, or new ones; None without dropout."""
        return self._mask("input", inputs, self.dropout, training, count)

    def get_recurrent_dropout_mask_for_cell(self, inputs: Any, training: Any, count: int = 1) -> list[Tensor] | None:
        """So many masks of the state."""
        return self._mask("state", inputs, self.recurrent_dropout, training, count)

    def _mask(self, of: str, x: Any, rate: float, training: Any, count: int) -> list[Tensor] | None:
        if rate == 0:
            return None
        key = of, default_graph().is_eager
        if key not in self._masks:
            ones = constants.ones_like(x)
            self._masks[key] = [
                K.in_train_phase(lambda: K.dropout(ones, rate), ones, training=training) for _ in range(count)
            ]
        found: list[Tensor] = self._masks[key]
        return found


INITIALIZERS: dict[str, Any] = {
    "kernel_initializer": "glorot_uniform", "recurrent_initializer": "orthogonal", "bias_initializer": "zeros",
}  # fmt: skip
REGULARIZERS = {"kernel_regularizer": None, "recurrent_regularizer": None, "bias_regularizer": None}
CONSTRAINTS = {"kernel_constraint": None, "recurrent_constraint": None, "bias_constraint": None}
DROPOUTS: dict[str, Any] = {"dropout": 0.0, "recurrent_dropout": 0.0}
PARTS = {**INITIALIZERS, **REGULARIZERS, **CONSTRAINTS, **DROPOUTS}
PLAIN: dict[str, Any] = {"activation": "tanh", "use_bias": True}
GATED: dict[str, Any] = {"activation": "tanh", "recurrent_activation": "hard_sigmoid", "use_bias": True}


def with_forget_bias(defaults: dict[str, Any]) -> dict[str, Any]:
    """Parameters with ``unit_forget_bias`` where TensorFlow has it: behind the initializers."""
    rest = {key: value for key, value in defaults.items() if key not in INITIALIZERS}
    return {**INITIALIZERS, "unit_forget_bias": True, **rest}


_IN_ORDER = (
    "filters", "kernel_size", "strides", "padding", "data_format", "dilation_rate", "units", "activation",
    "recurrent_activation", "use_bias", "kernel_initializer", "recurrent_initializer", "bias_initializer",
    "unit_forget_bias", "kernel_regularizer", "recurrent_regularizer", "bias_regularizer", "activity_regularizer",
    "kernel_constraint", "recurrent_constraint", "bias_constraint", "dropout", "recurrent_dropout", "implementation",
    "reset_after",
)  # fmt: skip


def in_order(config: dict[str, Any]) -> dict[str, Any]:
    """A configuration whose entries stand as in TensorFlow's."""
    others = {key: value for key, value in config.items() if key not in _IN_ORDER}
    return {**others, **{key: config[key] for key in _IN_ORDER if key in config}}


class Cell(DropoutRNNCellMixin, Layer):
    """What the three cells share: a kernel for the inputs, one for the state, a bias, and dropout of both."""

    gates = 1

    def __init__(
        self,
        units: int,
        activation: Any = "tanh",
        use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform",
        recurrent_initializer: Any = "orthogonal",
        bias_initializer: Any = "zeros",
        kernel_regularizer: Any = None,
        recurrent_regularizer: Any = None,
        bias_regularizer: Any = None,
        kernel_constraint: Any = None,
        recurrent_constraint: Any = None,
        bias_constraint: Any = None,
        dropout: float = 0.0,
        recurrent_dropout: float = 0.0,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.units, self.use_bias, self.activation = units, use_bias, activations.get(activation)
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.recurrent_initializer = initializers.get(recurrent_initializer)
        self.bias_initializer = initializers.get(bias_initializer)
        self.kernel_regularizer = regularizers.get(kernel_regularizer)
        self.recurrent_regularizer = regularizers.get(recurrent_regularizer)
        self.bias_regularizer = regularizers.get(bias_regularizer)
        self.kernel_constraint = constraints.get(kernel_constraint)
        self.recurrent_constraint = constraints.get(recurrent_constraint)
        self.bias_constraint = constraints.get(bias_constraint)
        self.dropout, self.recurrent_dropout = (min(1.0, max(0.0, d)) for d in (dropout, recurrent_dropout))
        self.state_size: Any = units
        self.output_size = units
        self.bias: Any = None

    def build(self, input_shape: Any) -> None:
        width = TensorShape(input_shape)[-1].value
        self.kernel = self.add_weight(
            shape=(width, self.units * self.gates), name="kernel", initializer=self.kernel_initializer,
            regularizer=self.kernel_regularizer, constraint=self.kernel_constraint,
        )  # fmt: skip
        self.recurrent_kernel = self.add_weight(
            shape=(self.units, self.units * self.gates), name="recurrent_kernel",
            initializer=self.recurrent_initializer, regularizer=self.recurrent_regularizer,
            constraint=self.recurrent_constraint,
        )  # fmt: skip
        if self.use_bias:
            self.bias = self.add_weight(
                shape=self._bias_shape(), name="bias", initializer=self._bias_initializer(),
                regularizer=self.bias_regularizer, constraint=self.bias_constraint,
            )  # fmt: skip
        self.built = True

    def _bias_shape(self) -> tuple[int, ...]:
        return (self.units * self.gates,)

    def _bias_initializer(self) -> Any:
        return self.bias_initializer

    def get_initial_state(self, inputs: Any = None, batch_size: Any = None, dtype: Any = None) -> Any:
        """Zeros."""
        return initial_state(self, inputs, batch_size, dtype)

    def get_config(self) -> dict[str, Any]:
        config = {
            "units": self.units, "activation": activations.serialize(self.activation), "use_bias": self.use_bias,
            "kernel_initializer": initializers.serialize(self.kernel_initializer),
            "recurrent_initializer": initializers.serialize(self.recurrent_initializer),
            "bias_initializer": initializers.serialize(self.bias_initializer),
            "kernel_regularizer": regularizers.serialize(self.kernel_regularizer),
            "recurrent_regularizer": regularizers.serialize(self.recurrent_regularizer),
            "bias_regularizer": regularizers.serialize(self.bias_regularizer),
            "kernel_constraint": constraints.serialize(self.kernel_constraint),
            "recurrent_constraint": constraints.serialize(self.recurrent_constraint),
            "bias_constraint": constraints.serialize(self.bias_constraint), "dropout": self.dropout,
            "recurrent_dropout": self.recurrent_dropout,
        }  # fmt: skip
        return {**super().get_config(), **config}


class SimpleRNNCell(Cell):
    """``h = tanh(x W + b + h U)``."""

    def call(self, inputs: Any, states: Any, training: Any = None) -> Any:
        before = states[0]
        mask = self._mask("input", inputs, self.dropout, training, 1)
        state_mask = self._mask("state", before, self.recurrent_dropout, training, 1)
        h = matrices.matmul(inputs * mask[0] if mask is not None else inputs, self.kernel)
        if self.bias is not None:
            h = biases.bias_add(h, self.bias)
        if state_mask is not None:
            before = before * state_mask[0]
        output = h + matrices.matmul(before, self.recurrent_kernel)
        if self.activation is not None:
            output = self.activation(output)
        return output, [output]


class GatedCell(Cell):
    """A cell with gates, computed one by one (``implementation=1``) or at once (2)."""

    def __init__(self, units: int, recurrent_activation: Any, implementation: int, **kwargs: Any) -> None:
        super().__init__(units, **kwargs)
        self.recurrent_activation = activations.get(recurrent_activation)
        self.implementation = implementation

    def _products(self, inputs: Any, training: Any) -> list[Any]:
        """``x W`` for each gate."""
        masks = self._mask("input", inputs, self.dropout, training, self.gates)
        given = [inputs * m for m in masks] if masks is not None else [inputs] * self.gates
        return [matrices.matmul(x, kernel()) for x, kernel in zip(given, self._kernels(), strict=True)]

    def _kernels(self) -> list[Callable[[], Any]]:
        """What makes the kernel of each gate."""
        raise NotImplementedError

    def get_config(self) -> dict[str, Any]:
        gates = activations.serialize(self.recurrent_activation)
        own = {"recurrent_activation": gates, "implementation": self.implementation}
        return in_order({**super().get_config(), **own})


def forget_bias(cell: Any) -> Callable[..., Any]:
    """An initializer of the biases of four gates: ones for that which forgets."""
    one, units = initializers.get("ones"), cell.units

    def with_ones(_: Any, *args: Any, **kwargs: Any) -> Any:
        parts = [
            cell.bias_initializer((units,), *args, **kwargs), one((units,), *args, **kwargs),
            cell.bias_initializer((units * 2,), *args, **kwargs),
        ]  # fmt: skip
        return K.concatenate(parts)

    return with_ones


@taking("units", **GATED, **PARTS, implementation=1, reset_after=False)
class GRUCell(GatedCell):
    """Cho et al., 2014: ``h = z * h + (1 - z) * tanh(x W + (r * h) U)`` with gates z and r."""

    _is_in_version_2 = False

    gates = 3

    def __init__(self, units: int, reset_after: bool, **kwargs: Any) -> None:
        super().__init__(units, **kwargs)
        self.reset_after = reset_after

    def _bias_shape(self) -> tuple[int, ...]:
        return (2, 3 * self.units) if self.reset_after else (3 * self.units,)

    def call(self, inputs: Any, states: Any, training: Any = None) -> Any:
        h = states[0]
        self._mask("input", inputs, self.dropout, training, 3)  # drawn before those of the state
        state_masks = self._mask("state", h, self.recurrent_dropout, training, 3)
        input_bias = recurrent_bias = None
        if self.use_bias:
            input_bias = self.bias
            if self.reset_after:
                input_bias, recurrent_bias = joining.unstack(self.bias)
        one_by_one = self._one_by_one if self.implementation == 1 else self._at_once
        z, candidate, h = one_by_one(inputs, h, input_bias, recurrent_bias, state_masks, training)
        new = z * h + (1 - z) * candidate
        return new, [new]

    def _kernels(self) -> list[Callable[[], Any]]:
        n = self.units
        return [
            lambda: self.kernel[:, :n], lambda: self.kernel[:, n : n * 2], lambda: self.kernel[:, n * 2 :]
        ]  # fmt: skip

    def _one_by_one(self, inputs: Any, h: Any, bias: Any, recurrent_bias: Any, masks: Any, training: Any) -> Any:
        n = self.units
        x_z, x_r, x_h = self._products(inputs, training)
        if self.use_bias:
            x_z = biases.bias_add(x_z, bias[:n])
            x_r = biases.bias_add(x_r, bias[n : n * 2])
            x_h = biases.bias_add(x_h, bias[n * 2 :])
        h_z, h_r, h_h = [h * m for m in masks] if masks is not None else [h] * 3
        rec_z = matrices.matmul(h_z, self.recurrent_kernel[:, :n])
        rec_r = matrices.matmul(h_r, self.recurrent_kernel[:, n : n * 2])
        if self.reset_after and self.use_bias:
            rec_z = biases.bias_add(rec_z, recurrent_bias[:n])
            rec_r = biases.bias_add(rec_r, recurrent_bias[n : n * 2])
        z, r = self.recurrent_activation(x_z + rec_z), self.recurrent_activation(x_r + rec_r)
        if self.reset_after:
            rec_h = matrices.matmul(h_h, self.recurrent_kernel[:, n * 2 :])
            if self.use_bias:
                rec_h = biases.bias_add(rec_h, recurrent_bias[n * 2 :])
            rec_h = r * rec_h
        else:
            rec_h = matrices.matmul(r * h_h, self.recurrent_kernel[:, n * 2 :])
        return z, self.activation(x_h + rec_h), h

    def _at_once(self, inputs: Any, h: Any, bias: Any, recurrent_bias: Any, masks: Any, training: Any) -> Any:
        n = self.units
        input_masks = self._mask("input", inputs, self.dropout, training, 3)
        x = matrices.matmul(inputs * input_masks[0] if input_masks is not None else inputs, self.kernel)
        if self.use_bias:
            x = biases.bias_add(x, bias)
        x_z, x_r, x_h = x[:, :n], x[:, n : 2 * n], x[:, 2 * n :]
        h = h * masks[0] if masks is not None else h
        if self.reset_after:
            rec = matrices.matmul(h, self.recurrent_kernel)
            if self.use_bias:
                rec = biases.bias_add(rec, recurrent_bias)
        else:
            rec = matrices.matmul(h, self.recurrent_kernel[:, : 2 * n])
        rec_z, rec_r = rec[:, :n], rec[:, n : 2 * n]
        z, r = self.recurrent_activation(x_z + rec_z), self.recurrent_activation(x_r + rec_r)
        rec_h = r * rec[:, 2 * n :] if self.reset_after else matrices.matmul(r * h, self.recurrent_kernel[:, 2 * n :])
        return z, self.activation(x_h + rec_h), h  # as in TensorFlow, the state that goes on is dropped out too

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "reset_after": self.reset_after}


@taking("units", **GATED, **with_forget_bias(PARTS), implementation=1)
class LSTMCell(GatedCell):
    """Hochreiter and Schmidhuber, 1997: ``c = f * c + i * tanh(x W + h U)``, ``h = o * tanh(c)``."""

    _is_in_version_2 = False

    gates = 4

    def __init__(self, units: int, unit_forget_bias: bool, **kwargs: Any) -> None:
        super().__init__(units, **kwargs)
        self.unit_forget_bias = unit_forget_bias
        self.state_size = NoDependency([units, units])

    def _bias_initializer(self) -> Any:
        return forget_bias(self) if self.unit_forget_bias else self.bias_initializer

    def _kernels(self) -> list[Callable[[], Any]]:
        parts = joining.split(self.kernel, num_or_size_splits=4, axis=1)
        return [lambda part=part: part for part in parts]  # type: ignore[misc]

    def call(self, inputs: Any, states: Any, training: Any = None) -> Any:
        h, c = states[0], states[1]
        self._mask("input", inputs, self.dropout, training, 4)  # drawn before those of the state
        masks = self._mask("state", h, self.recurrent_dropout, training, 4)
        n = self.units
        if self.implementation == 1:
            x = self._products(inputs, training)
            if self.use_bias:
                parts = joining.split(self.bias, num_or_size_splits=4, axis=0)
                x = [biases.bias_add(v, b) for v, b in zip(x, parts, strict=True)]
            h_i, h_f, h_c, h_o = [h * m for m in masks] if masks is not None else [h] * 4
            act, kernel = self.recurrent_activation, self.recurrent_kernel
            i = act(self._looking("input", x[0] + matrices.matmul(h_i, kernel[:, :n]), c))
            f = act(self._looking("forget", x[1] + matrices.matmul(h_f, kernel[:, n : n * 2]), c))
            c = f * c + i * self.activation(x[2] + matrices.matmul(h_c, kernel[:, n * 2 : n * 3]))
            o = act(self._looking("output", x[3] + matrices.matmul(h_o, kernel[:, n * 3 :]), c))
        else:
            input_masks = self._mask("input", inputs, self.dropout, training, 4)
            z = matrices.matmul(inputs * input_masks[0] if input_masks is not None else inputs, self.kernel)
            z = z + matrices.matmul(h * masks[0] if masks is not None else h, self.recurrent_kernel)
            if self.use_bias:
                z = biases.bias_add(z, self.bias)
            z0, z1, z2, z3 = joining.split(z, num_or_size_splits=4, axis=1)
            i = self.recurrent_activation(self._looking("input", z0, c))
            f = self.recurrent_activation(self._looking("forget", z1, c))
            c = f * c + i * self.activation(z2)
            o = self.recurrent_activation(self._looking("output", z3, c))
        h = o * self.activation(c)
        return h, [h, c]

    def _looking(self, gate: str, z: Any, c: Any) -> Any:
        """What a gate gets beside its sum ``z`` from the cell's state ``c``: nothing."""
        return z

    def get_config(self) -> dict[str, Any]:
        return in_order({**super().get_config(), "unit_forget_bias": self.unit_forget_bias})


class PeepholeLSTMCell(LSTMCell):
    """An LSTM cell whose gates see its state (Gers, Schraudolph and Schmidhuber, 2002)."""

    def build(self, input_shape: Any) -> None:
        super().build(input_shape)
        for gate in ("input", "forget", "output"):
            name = f"{gate}_gate_peephole_weights"
            weights = self.add_weight(shape=(self.units,), name=name, initializer=self.kernel_initializer)
            setattr(self, name, weights)

    def _looking(self, gate: str, z: Any, c: Any) -> Any:
        """``z + w * c``."""
        return z + getattr(self, f"{gate}_gate_peephole_weights") * c


class StackedRNNCells(Nesting, Layer):
    """Cells one above the other, as one cell."""

    def __init__(self, cells: Any, **kwargs: Any) -> None:
        for cell in cells:
            if not hasattr(cell, "call"):
                raise ValueError(f"All cells must have a `call` method. received cells: {cells}")
            if not hasattr(cell, "state_size"):
                raise ValueError(f"All cells must have a `state_size` attribute. received cells: {cells}")
        self.cells = list(cells)
        self.reverse_state_order = kwargs.pop("reverse_state_order", False)
        super().__init__(**kwargs)

    @property
    def state_size(self) -> tuple[Any, ...]:
        """The sizes of the cells' states."""
        cells = self.cells[::-1] if self.reverse_state_order else self.cells
        return tuple(c.state_size for c in cells)

    @property
    def output_size(self) -> Any:
        """The size of the last cell's output."""
        return output_size_of(self.cells[-1])

    def get_initial_state(self, inputs: Any = None, batch_size: Any = None, dtype: Any = None) -> Any:
        """The initial states of the cells."""
        cells = self.cells[::-1] if self.reverse_state_order else self.cells
        return tuple(initial_of(cell, inputs, batch_size, dtype) for cell in cells)

    def call(self, inputs: Any, states: Any, constants: Any = None, **kwargs: Any) -> Any:
        nested = nest.pack_sequence_as(self.state_size, nest.flatten(states))
        new = []
        for cell, state in zip(self.cells, nested, strict=True):
            state = state if nest.is_sequence(state) else [state]
            given = kwargs if constants is None else {**kwargs, "constants": constants}
            inputs, state = cell.call(inputs, state, **accepted_by(cell, given))
            new.append(state)
        return inputs, nest.pack_sequence_as(self.state_size, nest.flatten(new))

    def build(self, input_shape: Any) -> None:
        for cell in self.cells:
            if isinstance(cell, Layer):
                if not cell.built:
                    cell.build(input_shape)
                cell.built = True
            input_shape = TensorShape([None, *TensorShape(output_size_of(cell)).as_list()])
        self.built = True

    def get_config(self) -> dict[str, Any]:
        cells = [{"class_name": type(c).__name__, "config": c.get_config()} for c in self.cells]
        return {**super().get_config(), "cells": cells}


def output_size_of(cell: Any) -> Any:
    """The size of a cell's output: its own word, or its first state's."""
    size = getattr(cell, "output_size", None)
    if size is not None:
        return size
    return cell.state_size[0] if nest.is_sequence(cell.state_size) else cell.state_size


def initial_of(cell: Any, inputs: Any, batch_size: Any, dtype: Any) -> Any:
    make = getattr(cell, "get_initial_state", None)
    if make is not None:
        return make(inputs=inputs, batch_size=batch_size, dtype=dtype)
    return initial_state(cell, inputs, batch_size, dtype)


def accepted_by(cell: Any, kwargs: dict[str, Any]) -> dict[str, Any]:
    from retrograd.nn.layers.engine import parameters_of

    names = parameters_of(type(cell).call)
    return {k: v for k, v in kwargs.items() if k in names}
