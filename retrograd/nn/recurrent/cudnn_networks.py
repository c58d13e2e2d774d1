"""Functions of cuDNN's recurrent networks on a vector of parameters; see ``ops/cudnn.py`` for what they compute.

Source: TensorFlow 1.15.5, ``contrib/cudnn_rnn/python/ops/cudnn_rnn_ops.py``: arguments, order of ops.
"""

from __future__ import annotations

import os
from typing import Any, ClassVar

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, constants, cudnn, random

CUDNN_RNN_UNIDIRECTION, CUDNN_RNN_BIDIRECTION = "unidirectional", "bidirectional"
CUDNN_LSTM, CUDNN_GRU, CUDNN_RNN_RELU, CUDNN_RNN_TANH = "lstm", "gru", "rnn_relu", "rnn_tanh"
CUDNN_INPUT_LINEAR_MODE, CUDNN_INPUT_SKIP_MODE, CUDNN_INPUT_AUTO_MODE = "linear_input", "skip_input", "auto_select"
CUDNN_LSTM_PARAMS_PER_LAYER, CUDNN_GRU_PARAMS_PER_LAYER = 8, 6
CUDNN_RNN_TANH_PARAMS_PER_LAYER, CUDNN_RNN_RELU_PARAMS_PER_LAYER = 2, 2

PARAMS_PER_LAYER = {
    CUDNN_LSTM: CUDNN_LSTM_PARAMS_PER_LAYER,
    CUDNN_GRU: CUDNN_GRU_PARAMS_PER_LAYER,
    CUDNN_RNN_TANH: CUDNN_RNN_TANH_PARAMS_PER_LAYER,
    CUDNN_RNN_RELU: CUDNN_RNN_RELU_PARAMS_PER_LAYER,
}


def check_direction(direction: str) -> None:
    """That a network reads in one direction or in both.

    Raises:
      ValueError: it does not.
    """
    if direction not in (CUDNN_RNN_UNIDIRECTION, CUDNN_RNN_BIDIRECTION):
        raise ValueError(
            f"Invalid direction: {direction}, expecting {CUDNN_RNN_UNIDIRECTION} or {CUDNN_RNN_BIDIRECTION}"
        )


def check_input_mode(input_mode: str) -> None:
    """That the first layer's input is multiplied by a matrix, or not, or whatever fits.

    Raises:
      ValueError: it is something else.
    """
    modes = (CUDNN_INPUT_LINEAR_MODE, CUDNN_INPUT_SKIP_MODE, CUDNN_INPUT_AUTO_MODE)
    if input_mode not in modes:
        raise ValueError(f"Invalid input_mode: {input_mode}, expect one of ({', '.join(modes)})")


def _check(rnn_mode: str, direction: str, input_mode: str) -> None:
    modes = (CUDNN_LSTM, CUDNN_GRU, CUDNN_RNN_TANH, CUDNN_RNN_RELU)
    if rnn_mode not in modes:
        raise ValueError(f"Invalid rnn_mode: {rnn_mode}, expect one of ({', '.join(modes)})")
    check_direction(direction)
    check_input_mode(input_mode)


def _attrs(rnn_mode: str, direction: str, input_mode: str, dropout: float, seed: int | None) -> dict[str, Any]:
    return {
        "rnn_mode": rnn_mode, "input_mode": input_mode, "direction": direction, "dropout": dropout,
        **random.seed_attrs(seed),
    }  # fmt: skip


def _cudnn_rnn(
    inputs: Any, input_h: Any, input_c: Any, params: Any, is_training: bool, rnn_mode: str,
    sequence_lengths: Any = None, time_major: bool = True, input_mode: str = CUDNN_INPUT_LINEAR_MODE,
    direction: str = CUDNN_RNN_UNIDIRECTION, dropout: float = 0.0, seed: int | None = 0, num_proj: int | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """The outputs of all steps and the last states of a network.

    Args:
      inputs: ``[time, batch, depth]``, or ``[batch, time, depth]`` without ``time_major``.
      input_h, input_c: the first states, ``[layers * directions, batch, units]``; c counts in an LSTM alone.
      sequence_lengths: how many steps each sequence has; zeros are put out behind.
      input_mode: "skip_input" takes the inputs of the first layer as they are; "auto_select" does so where it can.
      num_proj: how many numbers an LSTM projects its state to.

    Raises:
      ValueError: there is no such network, direction or way to read inputs.
    """
    _check(rnn_mode, direction, input_mode)
    attrs = {**_attrs(rnn_mode, direction, input_mode, dropout, seed), "is_training": is_training, "name": name}
    if sequence_lengths is None and (not time_major or num_proj):
        batch, time = (1, 0) if time_major else (0, 1)
        count, steps = arrays.shape(inputs)[batch], arrays.shape(inputs)[time]
        sequence_lengths = constants.fill([count], steps)
    if sequence_lengths is not None:
        attrs.update(num_proj=num_proj or 0, time_major=time_major)
        found = apply(cudnn.CUDNN_RNN_V3, inputs, input_h, input_c, params, sequence_lengths, **attrs)
    elif os.environ.get("TF_CUDNN_RNN_USE_V2", "0") == "1":
        found = apply(cudnn.CUDNN_RNN_V2, inputs, input_h, input_c, params, **attrs)
    else:
        found = apply(cudnn.CUDNN_RNN, inputs, input_h, input_c, params, **attrs)
    return tuple(found[:3])


def cudnn_lstm(
    inputs: Any, input_h: Any, input_c: Any, params: Any, is_training: bool, sequence_lengths: Any = None,
    time_major: bool = True, input_mode: str = CUDNN_INPUT_LINEAR_MODE, direction: str = CUDNN_RNN_UNIDIRECTION,
    dropout: float = 0.0, seed: int | None = 0, num_proj: int | None = None, name: str | None = None,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """The outputs of all steps of an LSTM, and the last ``h`` and ``c`` of all layers."""
    return _cudnn_rnn(
        inputs, input_h, input_c, params, is_training, CUDNN_LSTM, sequence_lengths, time_major, input_mode, direction,
        dropout, seed, num_proj, name,
    )  # fmt: skip


def _cudnn_rnn_no_input_c(
    inputs: Any, input_h: Any, params: Any, is_training: bool, rnn_mode: str, sequence_lengths: Any = None,
    time_major: bool = True, input_mode: str = CUDNN_INPUT_LINEAR_MODE, direction: str = CUDNN_RNN_UNIDIRECTION,
    dropout: float = 0.0, seed: int | None = 0, name: str | None = None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    input_c = constants.constant([], dtype=input_h.dtype)
    outputs, output_h, _ = _cudnn_rnn(
        inputs, input_h, input_c, params, is_training, rnn_mode, sequence_lengths, time_major, input_mode, direction,
        dropout, seed, None, name,
    )  # fmt: skip
    return outputs, output_h


def cudnn_gru(
    inputs: Any, input_h: Any, params: Any, is_training: bool, sequence_lengths: Any = None, time_major: bool = True,
    input_mode: str = CUDNN_INPUT_LINEAR_MODE, direction: str = CUDNN_RNN_UNIDIRECTION, dropout: float = 0.0,
    seed: int | None = 0, name: str | None = None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """The outputs of all steps of gated recurrent units, and the last states of all layers."""
    return _cudnn_rnn_no_input_c(
        inputs, input_h, params, is_training, CUDNN_GRU, sequence_lengths, time_major, input_mode, direction, dropout,
        seed, name,
    )  # fmt: skip


def cudnn_rnn_relu(
    inputs: Any, input_h: Any, params: Any, is_training: bool, input_mode: str = CUDNN_INPUT_LINEAR_MODE,
    direction: str = CUDNN_RNN_UNIDIRECTION, dropout: float = 0.0, seed: int | None = 0,
    sequence_lengths: Any = None, time_major: bool = True, name: str | None = None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """The outputs of all steps of ``h' = relu(...)``, and the last states of all layers."""
    return _cudnn_rnn_no_input_c(
        inputs, input_h, params, is_training, CUDNN_RNN_RELU, sequence_lengths, time_major, input_mode, direction,
        dropout, seed, name,
    )  # fmt: skip


def cudnn_rnn_tanh(
    inputs: Any, input_h: Any, params: Any, is_training: bool, sequence_lengths: Any = None, time_major: bool = True,
    input_mode: str = CUDNN_INPUT_LINEAR_MODE, direction: str = CUDNN_RNN_UNIDIRECTION, dropout: float = 0.0,
    seed: int | None = 0, name: str | None = None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """The outputs of all steps of ``h' = tanh(...)``, and the last states of all layers."""
    return _cudnn_rnn_no_input_c(
        inputs, input_h, params, is_training, CUDNN_RNN_TANH, sequence_lengths, time_major, input_mode, direction,
        dropout, seed, name,
    )  # fmt: skip


# -- parameters ----------------------------------------------------------------------------------


def cudnn_rnn_opaque_params_to_canonical(
    rnn_mode: str, num_layers: int, num_units: int, input_size: int, params: Any,
    input_mode: str = CUDNN_INPUT_LINEAR_MODE, direction: str = CUDNN_RNN_UNIDIRECTION, dropout: float = 0.0,
    seed: int | None = 0, num_proj: int | None = None, name: str | None = None,
) -> tuple[list[Tensor], list[Tensor]]:  # fmt: skip
    """The matrices and the biases in a vector of parameters."""
    _check(rnn_mode, direction, input_mode)
    attrs = {**_attrs(rnn_mode, direction, input_mode, dropout, seed), "name": name}
    return parted((num_layers, num_units, input_size), params, num_proj, **attrs)


def cudnn_rnn_canonical_to_opaque_params(
    rnn_mode: str, num_layers: int, num_units: int, input_size: int, weights: Any, biases: Any,
    input_mode: str = CUDNN_INPUT_LINEAR_MODE, direction: str = CUDNN_RNN_UNIDIRECTION, dropout: float = 0.0,
    seed: int | None = 0, num_proj: int | None = None, name: str | None = None,
) -> Tensor:  # fmt: skip
    """The vector of parameters that holds the matrices and the biases."""
    _check(rnn_mode, direction, input_mode)
    attrs = {**_attrs(rnn_mode, direction, input_mode, dropout, seed), "name": name}
    return joined((num_layers, num_units, input_size), weights, biases, num_proj, **attrs)


def parted(
    sizes: tuple[int, int, int], params: Any, num_proj: int | None, *, rnn_mode: str, direction: str, **attrs: Any
) -> tuple[list[Tensor], list[Tensor]]:
    """The matrices and the biases in the parameters of a network of so many layers, units and inputs."""
    parts = sizes[0] * (1 if direction == CUDNN_RNN_UNIDIRECTION else 2)
    count = parts * PARAMS_PER_LAYER[rnn_mode]
    attrs |= {"rnn_mode": rnn_mode, "direction": direction}
    if num_proj:
        found = apply(
            cudnn.CUDNN_RNN_PARAMS_TO_CANONICAL_V2, *sizes, params, num_proj=num_proj,
            num_params_weights=count + parts, num_params_biases=count, **attrs,
        )  # fmt: skip
    else:
        found = apply(cudnn.CUDNN_RNN_PARAMS_TO_CANONICAL, *sizes, params, num_params=count, **attrs)
    return found[:-count], found[-count:]


def joined(sizes: tuple[int, int, int], weights: Any, biases: Any, num_proj: int | None, **attrs: Any) -> Tensor:
    """The parameters with these matrices and biases."""
    params: Tensor
    if num_proj:
        params = apply(cudnn.CUDNN_RNN_CANONICAL_TO_PARAMS_V2, *sizes, weights, biases, num_proj=num_proj, **attrs)
    else:
        params = apply(cudnn.CUDNN_RNN_CANONICAL_TO_PARAMS, *sizes, weights, biases, **attrs)
    return params


def cudnn_rnn_opaque_params_size(
    rnn_mode: str, num_layers: int, num_units: int, input_size: int, input_mode: str = CUDNN_INPUT_LINEAR_MODE,
    direction: str = CUDNN_RNN_UNIDIRECTION, dtype: Any = dtypes.float32, dropout: float = 0.0, seed: int | None = 0,
    num_proj: int | None = None, name: str | None = None,
) -> Tensor:  # fmt: skip
    """How many parameters a network has."""
    _check(rnn_mode, direction, input_mode)
    size: Tensor = apply(
        cudnn.CUDNN_RNN_PARAMS_SIZE, num_layers, num_units, input_size, T=dtypes.as_dtype(dtype), S=dtypes.int32,
        num_proj=num_proj or 0, **_attrs(rnn_mode, direction, input_mode, dropout, seed), name=name,
    )[0]  # fmt: skip
    return size


# -- networks whose parameters the program keeps -------------------------------------------------


class _CudnnRNN:
    """A network as a function of its parameters.

    Args:
      dtype: of the parameters, which are counted by ``params_size``.

    Raises:
      ValueError: there is no such direction.
    """

    _rnn_mode: ClassVar[str] = ""

    def __init__(
        self, num_layers: int, num_units: int, input_size: int, input_mode: str = CUDNN_INPUT_LINEAR_MODE,
        direction: str = CUDNN_RNN_UNIDIRECTION, dtype: Any = dtypes.float32, dropout: float = 0.0,
        seed: int | None = 0, num_proj: int | None = None,
    ) -> None:  # fmt: skip
        self.num_layers, self.num_units, self.input_size = num_layers, num_units, input_size
        self.input_mode, self.direction, self.num_proj = input_mode, direction, num_proj
        self._dtype, self._dropout, self._seed = dtype, dropout, seed

    @property
    def rnn_mode(self) -> str:
        """ "lstm", "gru", "rnn_relu" or "rnn_tanh"."""
        return self._rnn_mode

    def _sizes(self) -> dict[str, Any]:
        return {
            "rnn_mode": self._rnn_mode, "num_layers": self.num_layers, "num_units": self.num_units,
            "input_size": self.input_size, "input_mode": self.input_mode, "direction": self.direction,
            "dropout": self._dropout, "seed": self._seed, "num_proj": self.num_proj,
        }  # fmt: skip

    def params_size(self) -> Tensor:
        """How many parameters there are."""
        return cudnn_rnn_opaque_params_size(dtype=self._dtype, **self._sizes())

    def params_to_canonical(self, params: Any) -> tuple[list[Tensor], list[Tensor]]:
        """The matrices and the biases in the parameters."""
        return cudnn_rnn_opaque_params_to_canonical(params=params, **self._sizes())

    def canonical_to_params(self, weights: Any, biases: Any) -> Tensor:
        """The parameters that hold the matrices and the biases."""
        return cudnn_rnn_canonical_to_opaque_params(weights=weights, biases=biases, **self._sizes())

    def _computed(
        self, input_data: Any, input_h: Any, input_c: Any, params: Any, is_training: bool, sequence_lengths: Any,
        time_major: bool,
    ) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
        return _cudnn_rnn(
            input_data, input_h, input_c, params, is_training, self._rnn_mode, sequence_lengths=sequence_lengths,
            time_major=time_major, input_mode=self.input_mode, direction=self.direction, dropout=self._dropout,
            seed=self._seed, num_proj=self.num_proj,
        )  # fmt: skip


class CudnnLSTM(_CudnnRNN):
    """An LSTM: ``network(inputs, h, c, params)`` gives the outputs and the last states."""

    _rnn_mode = CUDNN_LSTM

    def __call__(
        self, input_data: Any, input_h: Any, input_c: Any, params: Any, sequence_lengths: Any = None,
        time_major: bool = True, is_training: bool = True,
    ) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
        return self._computed(input_data, input_h, input_c, params, is_training, sequence_lengths, time_major)


class _CudnnRNNNoInputC(_CudnnRNN):
    """A network without states c: ``network(inputs, h, params)``."""

    def __init__(
        self, num_layers: int, num_units: int, input_size: int, input_mode: str = CUDNN_INPUT_LINEAR_MODE,
        direction: str = CUDNN_RNN_UNIDIRECTION, dtype: Any = dtypes.float32, dropout: float = 0.0,
        seed: int | None = 0,
    ) -> None:  # fmt: skip
        check_direction(direction)
        super().__init__(num_layers, num_units, input_size, input_mode, direction, dtype, dropout, seed)

    def __call__(
        self, input_data: Any, input_h: Any, params: Any, sequence_lengths: Any = None, time_major: bool = True,
        is_training: bool = True,
    ) -> tuple[Tensor, Tensor]:  # fmt: skip
        return _cudnn_rnn_no_input_c(
            input_data, input_h, params, is_training, self._rnn_mode, sequence_lengths, time_major, self.input_mode,
            self.direction, self._dropout, self._seed,
        )  # fmt: skip


class CudnnGRU(_CudnnRNNNoInputC):
    """Gated recurrent units."""

    _rnn_mode = CUDNN_GRU


class CudnnRNNTanh(_CudnnRNNNoInputC):
    """``h' = tanh(...)``."""

    _rnn_mode = CUDNN_RNN_TANH


class CudnnRNNRelu(_CudnnRNNNoInputC):
    """``h' = relu(...)``."""

    _rnn_mode = CUDNN_RNN_RELU
