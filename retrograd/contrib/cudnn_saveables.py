"""cuDNN's parameters in the form of TensorFlow's cells: converted, and saved under the names of those.

A checkpoint of a network of cuDNN is one of ``CudnnCompatibleLSTMCell`` and its kin, and the other way round.  cuDNN
has two biases where a cell has one: their sum is saved, and half of it restored to each.  Source: TensorFlow 1.15.5,
``contrib/cudnn_rnn/python/ops/cudnn_rnn_ops.py``: order of ops, names in checkpoints.
"""

from __future__ import annotations

from typing import Any, ClassVar

from retrograd.graph.scopes import device
from retrograd.graph.tensor import Tensor
from retrograd.io.saveables import SaveableObject, SaveSpec
from retrograd.nn.recurrent.cudnn_networks import (
    CUDNN_GRU,
    CUDNN_INPUT_LINEAR_MODE,
    CUDNN_LSTM,
    CUDNN_RNN_RELU,
    CUDNN_RNN_TANH,
    CUDNN_RNN_UNIDIRECTION,
    joined,
    parted,
)
from retrograd.ops import arrays, state
from retrograd.ops.joining import concat, split
from retrograd.ops.permuting import transpose
from retrograd.state.scopes import VariableScope

# -- conversion ----------------------------------------------------------------------------------


class CudnnParamsFormatConverter:
    """Between the vector of parameters and the matrices and biases of TensorFlow's cells.

    Args:
      num_proj: how many numbers an LSTM projects its state to.
    """

    _rnn_mode: ClassVar[str]

    def __init__(
        self, num_layers: int, num_units: int, input_size: int, num_proj: int | None = None,
        input_mode: str = CUDNN_INPUT_LINEAR_MODE, direction: str = CUDNN_RNN_UNIDIRECTION,
    ) -> None:  # fmt: skip
        self._num_layers, self._num_units, self._input_size = num_layers, num_units, input_size
        self._sizes = num_layers, num_units, input_size
        self._input_mode, self._direction, self._num_proj = input_mode, direction, num_proj
        self._num_dirs = 1 if direction == CUDNN_RNN_UNIDIRECTION else 2

    def _attrs(self) -> dict[str, str]:
        return {"rnn_mode": self._rnn_mode, "input_mode": self._input_mode, "direction": self._direction}

    def tf_canonical_to_opaque(self, tf_canonicals: Any, weights_proj: Any = None) -> Tensor:
        """The vector of the cells' weights, which stand before their biases."""
        cu_weights, cu_biases = self._tf_canonical_to_cu_canonical(tf_canonicals, weights_proj)
        return self._cu_canonical_to_opaque([arrays.reshape(w, [-1]) for w in cu_weights], cu_biases)

    def opaque_to_tf_canonical(self, opaque_param: Any) -> tuple[list[Tensor], ...]:
        """The cells' weights and biases, and the projections where there are some."""
        weights, biases, projections = self._cu_canonical_to_tf_canonical(*self._opaque_to_cu_canonical(opaque_param))
        return (weights, biases, projections) if self._num_proj else (weights, biases)

    def _opaque_to_cu_canonical(self, opaque_param: Any) -> tuple[list[Tensor], list[Tensor]]:
        with device("/gpu:0"):
            return parted(self._sizes, opaque_param, self._num_proj, **self._attrs())

    def _cu_canonical_to_opaque(self, cu_weights: list[Tensor], cu_biases: list[Tensor]) -> Tensor:
        with device("/gpu:0"):
            return joined(self._sizes, cu_weights, cu_biases, self._num_proj, **self._attrs())

    def _cu_canonical_to_tf_canonical(
        self, cu_weights: list[Tensor], cu_biases: list[Tensor]
    ) -> tuple[list[Tensor], list[Tensor], list[Tensor]]:
        weights: list[Tensor] = []
        biases: list[Tensor] = []
        projections: list[Tensor] = []
        for w, b in zip(self._parts(cu_weights), self._parts(cu_biases), strict=True):
            made = list(self._cudnn_to_tf_weights(*w))
            if self._num_proj:
                projections.append(made.pop())
            weights += made
            biases += self._cudnn_to_tf_biases(*b)
        return weights, biases, projections

    def _tf_canonical_to_cu_canonical(self, tf_canonicals: Any, weights_proj: Any) -> tuple[list[Tensor], list[Tensor]]:
        half = len(tf_canonicals) // 2
        cu_weights: list[Tensor] = []
        cu_biases: list[Tensor] = []
        parts = zip(self._parts(tf_canonicals[:half]), self._parts(tf_canonicals[half:]), strict=True)
        for i, (weights, biases) in enumerate(parts):
            cu_weights += self._tf_to_cudnn_weights(i // self._num_dirs, *weights)
            if weights_proj is not None:
                cu_weights.append(transpose(weights_proj[i]))
            cu_biases += self._tf_to_cudnn_biases(*biases)
        return cu_weights, cu_biases

    def _parts(self, tensors: Any) -> list[Any]:
        """The tensors of each layer in each direction."""
        count = self._num_layers * self._num_dirs
        each = len(tensors) // count
        return [tensors[i * each : (i + 1) * each] for i in range(count)]

    def _widths(self, layer: int) -> list[int]:
        """How many numbers a layer gets from its input, and from its state."""
        size = self._num_proj or self._num_units
        return [size * self._num_dirs if layer else self._input_size, size]

    def _cudnn_to_tf_weights(self, *cu_weights: Tensor) -> tuple[Tensor, ...]:
        raise NotImplementedError("Abstract method")

    def _tf_to_cudnn_weights(self, layer: int, *tf_weights: Tensor) -> tuple[Tensor, ...]:
        raise NotImplementedError("Abstract method")

    def _cudnn_to_tf_biases(self, *cu_biases: Tensor) -> tuple[Tensor, ...]:
        raise NotImplementedError("Abstract method")

    def _tf_to_cudnn_biases(self, *tf_biases: Tensor) -> tuple[Tensor, ...]:
        raise NotImplementedError("Abstract method")


class CudnnParamsFormatConverterLSTM(CudnnParamsFormatConverter):
    """Gates stand in the order i, f, c, o in cuDNN, and i, c, f, o in a cell."""

    _rnn_mode = CUDNN_LSTM

    def _cudnn_to_tf_gate_params(self, i: Any, f: Any, c: Any, o: Any) -> list[Any]:
        return [i, c, f, o]

    def _tf_to_cudnn_gate_params(self, i: Any, c: Any, f: Any, o: Any) -> list[Any]:
        return [i, f, c, o]

    def _cudnn_to_tf_weights(self, *cu_weights: Tensor) -> tuple[Tensor, ...]:
        gates = [concat([w, r], axis=1) for w, r in zip(cu_weights[:4], cu_weights[4:8], strict=True)]
        kernel = transpose(concat(self._cudnn_to_tf_gate_params(*gates), axis=0))
        return (kernel, transpose(cu_weights[8])) if self._num_proj else (kernel,)

    def _tf_to_cudnn_weights(self, layer: int, *tf_weights: Tensor) -> tuple[Tensor, ...]:
        gates = split(transpose(tf_weights[0]), 4, axis=0)
        parts = [split(gate, self._widths(layer), axis=1) for gate in gates]
        parts = self._tf_to_cudnn_gate_params(*parts)
        return (*(w for w, _ in parts), *(r for _, r in parts))

    def _cudnn_to_tf_biases(self, *cu_biases: Tensor) -> tuple[Tensor, ...]:
        gates = [b + d for b, d in zip(cu_biases[:4], cu_biases[4:], strict=True)]
        return (concat(self._cudnn_to_tf_gate_params(*gates), axis=0),)

    def _tf_to_cudnn_biases(self, *tf_biases: Tensor) -> tuple[Tensor, ...]:
        halves = [b * 0.5 for b in self._tf_to_cudnn_gate_params(*split(tf_biases[0], 4, axis=0))]
        return (*halves, *halves)


class CudnnParamsFormatConverterGRU(CudnnParamsFormatConverter):
    """A cell has one matrix of both gates, and two of the candidate."""

    _rnn_mode = CUDNN_GRU

    def _cudnn_to_tf_weights(self, *cu_weights: Tensor) -> tuple[Tensor, ...]:
        w_i, w_r, w_h, r_i, r_r, r_h = cu_weights
        gates = [concat([w_i, r_i], axis=1), concat([w_r, r_r], axis=1)]
        return transpose(concat(gates, axis=0)), transpose(w_h), transpose(r_h)

    def _tf_to_cudnn_weights(self, layer: int, *tf_weights: Tensor) -> tuple[Tensor, ...]:
        both, w_h, r_h = (transpose(w) for w in tf_weights)
        (w_i, r_i), (w_r, r_r) = [split(gate, self._widths(layer), axis=1) for gate in split(both, 2, axis=0)]
        return w_i, w_r, w_h, r_i, r_r, r_h

    def _cudnn_to_tf_biases(self, *cu_biases: Tensor) -> tuple[Tensor, ...]:
        b_wi, b_wr, b_wh, b_ri, b_rr, b_rh = cu_biases
        return concat([b_wi, b_wr], axis=0) + concat([b_ri, b_rr], axis=0), b_wh, b_rh

    def _tf_to_cudnn_biases(self, *tf_biases: Tensor) -> tuple[Tensor, ...]:
        both, b_wh, b_rh = tf_biases
        of_input, of_state = both * 0.5, both * 0.5
        b_wi, b_wr = split(of_input, 2, axis=0)
        b_ri, b_rr = split(of_state, 2, axis=0)
        return b_wi, b_wr, b_wh, b_ri, b_rr, b_rh


class CudnnParamsFormatConverterBasic(CudnnParamsFormatConverterLSTM):
    """One matrix, one bias."""

    def _cudnn_to_tf_weights(self, *cu_weights: Tensor) -> tuple[Tensor, ...]:
        return (transpose(concat(list(cu_weights), axis=1)),)

    def _tf_to_cudnn_weights(self, layer: int, *tf_weights: Tensor) -> tuple[Tensor, ...]:
        return tuple(split(transpose(tf_weights[0]), self._widths(layer), axis=1))

    def _cudnn_to_tf_biases(self, *cu_biases: Tensor) -> tuple[Tensor, ...]:
        return (cu_biases[0] + cu_biases[1],)

    def _tf_to_cudnn_biases(self, *tf_biases: Tensor) -> tuple[Tensor, ...]:
        return tf_biases[0] * 0.5, tf_biases[0] * 0.5


class CudnnParamsFormatConverterTanh(CudnnParamsFormatConverterBasic):
    """``h' = tanh(...)``."""

    _rnn_mode = CUDNN_RNN_TANH


class CudnnParamsFormatConverterRelu(CudnnParamsFormatConverterBasic):
    """``h' = relu(...)``."""

    _rnn_mode = CUDNN_RNN_RELU


# -- in checkpoints ------------------------------------------------------------------------------


class CudnnOpaqueParamsSaveable(SaveableObject):
    """A variable of parameters, saved as the weights and biases of cells.

    Args:
      opaque_params: the variable.
      scope: the variable scope in which the cells would stand.
    """

    _format_converter_cls: ClassVar[type[CudnnParamsFormatConverter]]
    _rnn_cell_name: ClassVar[str]

    def __init__(
        self, opaque_params: Any, num_layers: int, num_units: int, input_size: int,
        input_mode: str = CUDNN_INPUT_LINEAR_MODE, direction: str = CUDNN_RNN_UNIDIRECTION, scope: Any = None,
        name: str = "cudnn_rnn_saveable",
    ) -> None:  # fmt: skip
        self._num_layers, self._direction = num_layers, direction
        self._variables = opaque_params
        self.format_converter = self._format_converter_cls(
            num_layers, num_units, input_size, input_mode=input_mode, direction=direction
        )
        params = self._canonical()
        self._weight_names, self._bias_names = self._tf_canonical_names()
        self._param_names = self._weight_names + self._bias_names
        path = scope.name if isinstance(scope, VariableScope) else scope
        specs = [
            SaveSpec(param, "", f"{path}/{param_name}" if path else param_name)
            for param, param_name in zip(params, self._param_names, strict=True)
        ]
        super().__init__(arrays.identity(self._variables), specs, name)

    def _canonical(self) -> list[Tensor]:
        weights, biases, *_ = self.format_converter.opaque_to_tf_canonical(self._variables)
        return weights + biases

    def restore(self, restored_tensors: list[Any], restored_shapes: Any) -> Any:
        """An op that makes the parameters those of the cells."""
        params = self.format_converter.tf_canonical_to_opaque(restored_tensors)
        return state.assign(self._variables, params, validate_shape=False)

    def _tf_canonical_names(self) -> tuple[list[str], list[str]]:
        weights: list[str] = []
        biases: list[str] = []
        for layer in range(self._num_layers):
            if self._direction == CUDNN_RNN_UNIDIRECTION:
                prefixes = [f"rnn/multi_rnn_cell/cell_{layer}"]
            else:
                prefixes = [f"stack_bidirectional_rnn/cell_{layer}/bidirectional_rnn/{way}" for way in ("fw", "bw")]
            for prefix in prefixes:
                self._tf_canonical_names_single_layer(f"{prefix}/{self._rnn_cell_name}", weights, biases)
        return weights, biases

    def _tf_canonical_names_single_layer(self, prefix: str, weights: list[str], biases: list[str]) -> None:
        weights.append(f"{prefix}/kernel")
        biases.append(f"{prefix}/bias")


class CudnnLSTMSaveable(CudnnOpaqueParamsSaveable):
    """Saved as ``CudnnCompatibleLSTMCell``."""

    _format_converter_cls = CudnnParamsFormatConverterLSTM
    _rnn_cell_name = "cudnn_compatible_lstm_cell"


class CudnnGRUSaveable(CudnnOpaqueParamsSaveable):
    """Saved as ``CudnnCompatibleGRUCell``."""

    _format_converter_cls = CudnnParamsFormatConverterGRU
    _rnn_cell_name = "cudnn_compatible_gru_cell"

    def _tf_canonical_names_single_layer(self, prefix: str, weights: list[str], biases: list[str]) -> None:
        for part in ("gates", "candidate/input_projection", "candidate/hidden_projection"):
            weights.append(f"{prefix}/{part}/kernel")
            biases.append(f"{prefix}/{part}/bias")


class CudnnRNNTanhSaveable(CudnnLSTMSaveable):
    """Saved as ``BasicRNNCell``."""

    _format_converter_cls = CudnnParamsFormatConverterTanh
    _rnn_cell_name = "basic_rnn_cell"


class CudnnRNNReluSaveable(CudnnLSTMSaveable):
    """Saved as ``BasicRNNCell``."""

    _format_converter_cls = CudnnParamsFormatConverterRelu
    _rnn_cell_name = "basic_rnn_cell"
