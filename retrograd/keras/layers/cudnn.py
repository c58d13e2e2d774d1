"""Recurrent layers with the variables of cuDNN's: kernels as the library reads them, two biases for each gate."""

from __future__ import annotations

from typing import Any

from retrograd.graph.shapes import TensorShape
from retrograd.graph.tensor import Tensor
from retrograd.graph.untracked import leave_untracked
from retrograd.keras import backend as K
from retrograd.keras.layers.recurrent import OF_WEIGHTS, OVER_TIME, WithCell
from retrograd.keras.layers.recurrent_cells import DROPOUTS, GRUCell, LSTMCell, with_forget_bias
from retrograd.nn.keras import initializers
from retrograd.nn.layers.parameters import taking
from retrograd.ops import arrays, permuting, reductions

_SETTLED = ("unroll", "activation", "recurrent_activation", "use_bias", "implementation", "reset_after", *DROPOUTS)


class _OfCuDNN(WithCell):
    """A layer whose cell computes with what its variables mean to cuDNN.

    For each gate the kernel's numbers are those of ``W`` in ``W x``, row by row, and the recurrent kernel is ``R`` in
    ``R h``, where the cell multiplies ``x`` and ``h`` from the left.
    """

    _is_in_version_2 = False

    def __init__(self, **kwargs: Any) -> None:
        leave_untracked(self, "cell")
        super().__init__(recurrent_activation="sigmoid", **kwargs)

    def build(self, input_shape: Any) -> None:
        cell, width = self.cell, TensorShape(input_shape[0] if isinstance(input_shape, list) else input_shape)[-1].value
        shapes = {
            "kernel": (width, cell.units * cell.gates), "recurrent_kernel": (cell.units, cell.units * cell.gates),
            "bias": (cell.units * cell.gates * 2,),
        }  # fmt: skip
        for name, shape in shapes.items():
            kind = name.replace("_kernel", "")
            first = self._first_bias() if name == "bias" else getattr(cell, f"{kind}_initializer")
            penalty, constraint = getattr(cell, f"{kind}_regularizer"), getattr(cell, f"{kind}_constraint")
            made = self.add_weight(name, shape, initializer=first, regularizer=penalty, constraint=constraint)
            setattr(self, name, made)
        cell.built = True
        super().build(input_shape)

    def _first_bias(self) -> Any:
        return self.cell.bias_initializer

    def call(
        self, inputs: Any, mask: Any = None, training: Any = None, initial_state: Any = None, constants: Any = None
    ) -> Any:
        if (mask[0] if isinstance(mask, list) else mask) is not None:
            raise ValueError("Masking is not supported for CuDNN RNNs.")
        units, gates = self.cell.units, self.cell.gates
        kernel = arrays.reshape(self.kernel, [-1, gates, units])
        kernel = arrays.reshape(permuting.transpose(kernel, [1, 0, 2]), [gates, units, -1])
        self.cell.kernel = arrays.reshape(permuting.transpose(kernel, [2, 0, 1]), [-1, gates * units])
        recurrent = arrays.reshape(self.recurrent_kernel, [units, gates, units])
        self.cell.recurrent_kernel = arrays.reshape(permuting.transpose(recurrent, [2, 1, 0]), [units, gates * units])
        self.cell.bias = self._bias_of(arrays.reshape(self.bias, [2, gates * units]))
        return super().call(inputs, None, training, initial_state, constants)

    def _bias_of(self, biases: Tensor) -> Tensor:
        """The cell's bias of the two rows that cuDNN has."""
        raise NotImplementedError

    def get_config(self) -> dict[str, Any]:
        return {name: value for name, value in super().get_config().items() if name not in _SETTLED}


def _check_settled(arguments: dict[str, Any]) -> None:
    for name in arguments:
        if name in _SETTLED:
            raise TypeError("Keyword argument not understood:", name)


@taking("units", **OF_WEIGHTS, **OVER_TIME)
class CuDNNGRU(_OfCuDNN):
    """Gated recurrent units as cuDNN computes them: sigmoid gates, the reset behind the product."""

    _cell = GRUCell

    def __init__(self, **kwargs: Any) -> None:
        _check_settled(kwargs)
        super().__init__(reset_after=True, **kwargs)

    def _bias_of(self, biases: Tensor) -> Tensor:
        return biases


@taking("units", **with_forget_bias(OF_WEIGHTS), **OVER_TIME)
class CuDNNLSTM(_OfCuDNN):
    """Long short-term memory as cuDNN computes it: sigmoid gates."""

    _cell = LSTMCell

    def __init__(self, **kwargs: Any) -> None:
        _check_settled(kwargs)
        super().__init__(**kwargs)

    def _first_bias(self) -> Any:
        """Of the second biases, ones for the gate that forgets."""
        cell = self.cell
        if not cell.unit_forget_bias:
            return cell.bias_initializer

        def with_ones(_: Any, *args: Any, **kwargs: Any) -> Any:
            parts = [
                cell.bias_initializer((5 * cell.units,), *args, **kwargs),
                initializers.get("ones")((cell.units,), *args, **kwargs),
                cell.bias_initializer((2 * cell.units,), *args, **kwargs),
            ]
            return K.concatenate(parts)

        return with_ones

    def _bias_of(self, biases: Tensor) -> Tensor:
        return reductions.reduce_sum(biases, 0)
