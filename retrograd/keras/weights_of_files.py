"""Values of layers as files hold them, made the values that the layers of today take.

Files of Keras 1 hold the gates of recurrent layers apart and some kernels with other axes; those of cuDNN's layers
hold the same numbers as their counterparts' in another order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

Values = list[Any]


def legacy_weights(layer: Any) -> list[Any]:
    """The variables in the order of the files: first those that are trained."""
    return [*layer.trainable_weights, *layer.non_trainable_weights]


def preprocess_weights_for_loading(
    layer: Any, weights: Values, original_keras_version: str | None = None, original_backend: str | None = None
) -> Values:
    """The stored values ``weights`` as ``layer`` takes them.

    Args:
      layer: the layer that gets the values; a wrapper or a model, for the layers inside.
      weights: arrays, or what a file has in their place, in the order of the file, first those that are trained.
      original_keras_version: of the Keras that wrote the file; values of version ``"1"`` are put together.
      original_backend: of that Keras; kernels of Theano are mirrored.

    Raises:
      ValueError: a bias fits neither kind of layer, or a GRU's bias is of the other kind.
    """
    kind = type(layer).__name__

    def inside(part: Any, values: Values) -> Values:
        return preprocess_weights_for_loading(part, values, original_keras_version, original_backend)

    if kind == "Bidirectional":
        half = len(weights) // 2
        weights = inside(layer.forward_layer, weights[:half]) + inside(layer.backward_layer, weights[half:])
    if kind == "TimeDistributed" and original_keras_version == "1":
        weights = inside(layer.layer, weights)
    elif kind in ("Model", "Sequential"):
        weights = _of_model(layer, weights, inside)
    if original_keras_version == "1" and kind in _OF_KERAS_1:
        weights = _OF_KERAS_1[kind](layer, weights)
    if kind in _CONVOLUTIONS and weights:
        weights = _of_convolution(layer, weights, original_backend)
    return convert_rnn_weights(layer, weights)


def _of_model(model: Any, weights: Values, inside: Callable[[Any, Values], Values]) -> Values:
    """What is trained of all layers, then the rest of all layers; each layer gets its own of both."""
    counts = [(len(layer.trainable_weights), len(layer.non_trainable_weights)) for layer in model.layers]
    if sum(map(sum, counts)) != len(weights):
        return weights
    split = sum(n for n, _ in counts)
    trained, others = list(weights[:split]), list(weights[split:])
    first: Values = []
    rest: Values = []
    for layer, (n, m) in zip(model.layers, counts, strict=True):
        values = inside(layer, trained[:n] + others[:m])
        trained, others = trained[n:], others[m:]
        first += values[:n]
        rest += values[n:]
    return first + rest


# -- Keras 1 ------------------------------------------------------------------------------------


def _transposed(order: Sequence[int]) -> Callable[[Any, Values], Values]:
    return lambda layer, weights: [np.transpose(weights[0], order), *weights[1:]]


def _channels_first(order: Sequence[int]) -> Callable[[Any, Values], Values]:
    """Kernels of convolutions over images with channels first, whose outputs were the first axis."""
    move = _transposed(order)
    return lambda layer, weights: move(layer, weights) if layer.data_format == "channels_first" else weights


def _conv1d_of_keras_1(layer: Any, weights: Values) -> Values:
    """A kernel that was one over images of height or width one."""
    kernel = weights[0]
    if kernel.shape[:2] != (layer.kernel_size[0], 1) or kernel.shape[3] != layer.filters:
        kernel = np.transpose(kernel, (2, 3, 1, 0))
    return [kernel[:, 0], *weights[1:]]


def _transpose_of_keras_1(layer: Any, weights: Values) -> Values:
    order = (0, 1, 3, 2) if layer.data_format == "channels_last" else (2, 3, 0, 1)
    return [np.transpose(weights[0], order), *weights[1:]]


def _gates_of_keras_1(order: Sequence[int]) -> Callable[[Any, Values], Values]:
    """A kernel, a recurrent kernel and a bias for each gate, which now stand side by side, in this order."""

    def joined(layer: Any, weights: Values) -> Values:
        if len(weights) != 3 * len(order):
            return weights
        return [np.concatenate([weights[3 * gate + i] for gate in order], axis=-1) for i in range(3)]

    return joined


_lstm_of_keras_1 = _gates_of_keras_1((0, 2, 1, 3))


def _conv_lstm_of_keras_1(layer: Any, weights: Values) -> Values:
    weights = _lstm_of_keras_1(layer, weights)
    if layer.data_format == "channels_first":
        weights = [np.transpose(weights[0], (2, 3, 1, 0)), np.transpose(weights[1], (2, 3, 1, 0)), *weights[2:]]
    return weights


_OF_KERAS_1: dict[str, Callable[[Any, Values], Values]] = {
    "Conv1D": _conv1d_of_keras_1,
    "Conv2D": _channels_first((2, 3, 1, 0)),
    "Conv2DTranspose": _transpose_of_keras_1,
    "Conv3D": _channels_first((2, 3, 4, 1, 0)),
    "GRU": _gates_of_keras_1((0, 1, 2)),
    "LSTM": _lstm_of_keras_1,
    "ConvLSTM2D": _conv_lstm_of_keras_1,
}


# -- other libraries ----------------------------------------------------------------------------

_CONVOLUTIONS = ("Conv1D", "Conv2D", "Conv3D", "Conv2DTranspose", "ConvLSTM2D")


def _of_convolution(layer: Any, weights: Values, backend: str | None) -> Values:
    """Kernels of Theano are mirrored; those of another shape than the layer's have outputs and inputs first."""
    count = 2 if type(layer).__name__ == "ConvLSTM2D" else 1
    weights = list(weights)
    if backend == "theano":
        weights[:count] = [_mirrored(kernel) for kernel in weights[:count]]
    if tuple(layer.weights[0].shape.as_list()) != weights[0].shape:
        weights[:count] = [np.transpose(kernel, (3, 2, 0, 1)) for kernel in weights[:count]]
    return weights


def _mirrored(kernel: Any) -> Any:
    """The kernel of a correlation from that of a convolution."""
    return np.asarray(kernel)[(slice(None, None, -1),) * (kernel.ndim - 2)]


def convert_rnn_weights(layer: Any, weights: Values) -> Values:
    """Values of a recurrent layer from those of cuDNN's layer of its kind, or the other way round.

    The biases tell whose they are: an LSTM of cuDNN has two for each gate, where Keras has their sum; a GRU has one
    for each gate, or two in two rows, or cuDNN's two in one row.
    """
    kind = type(layer).__name__
    if len(weights) != 3 or kind not in ("LSTM", "CuDNNLSTM", "GRU", "CuDNNGRU"):
        return weights
    kernel, recurrent, bias = weights
    units = recurrent.shape[0]
    if kind.endswith("LSTM"):
        count = 4
        stored = {(4 * units,): "LSTM", (8 * units,): "CuDNNLSTM"}.get(bias.shape)
        wanted = kind
    else:
        count = 3
        stored = {
            (3 * units,): "GRU(reset_after=False)", (2, 3 * units): "GRU(reset_after=True)", (6 * units,): "CuDNNGRU"
        }.get(bias.shape)  # fmt: skip
        wanted = kind if kind == "CuDNNGRU" else f"GRU(reset_after={bool(layer.reset_after)})"
    if stored is None:
        raise ValueError(f"Invalid bias shape: {bias.shape}")
    if stored == wanted:
        return weights
    if "GRU(reset_after=False)" in (stored, wanted):
        raise ValueError(f"{stored} is not compatible with {wanted}")
    of_cudnn = stored.startswith("CuDNN")
    order: Any = "F" if of_cudnn else "C"

    def by_gates(change: Callable[[Any], Any], array: Any) -> Any:
        return np.hstack([change(gate) for gate in np.hsplit(np.asarray(array), count)])

    kernel = by_gates(lambda gate: gate.T.reshape(gate.shape, order=order), kernel)
    bias = np.asarray(bias)
    if count == 3:
        bias = bias.reshape((2, -1) if of_cudnn else -1)
    else:
        bias = np.sum(np.split(bias, 2), axis=0) if of_cudnn else np.tile(0.5 * bias, 2)
    return [kernel, by_gates(np.transpose, recurrent), bias]
