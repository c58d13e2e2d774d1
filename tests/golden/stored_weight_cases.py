"""Values of layers as older files and other libraries hold them, made the layers' own: TensorFlow 1.15.5 and here."""

import numpy as np

U, N = 3, 4  # units and inputs
GATE = [(N, U), (U, U), (U,)]
SEQUENCE = (5, N)
LSTM, GRU = [(N, 4 * U), (U, 4 * U)], [(N, 3 * U), (U, 3 * U)]
FIRST = "channels_first"


def layers(tf):
    """By name: what makes a layer, the shape of its inputs, the Keras and backend of the file, shapes in the file."""
    k, old = tf.keras.layers, tf.compat.v1.keras.layers
    kernel, moved, image, first = (2, 3, N, 6), (6, N, 2, 3), (9, 9, N), (N, 9, 9)

    def inside():
        return tf.keras.Sequential([k.LSTM(U, return_sequences=True), k.BatchNormalization(), k.Dense(2)])

    return {
        "LSTM of Keras 1": (lambda: k.LSTM(U), SEQUENCE, "1", None, GATE * 4),
        "GRU of Keras 1": (lambda: k.GRU(U), SEQUENCE, "1", None, GATE * 3),
        "Conv1D of Keras 1": (lambda: k.Conv1D(6, 2), (9, N), "1", None, [(2, 1, N, 6), (6,)]),
        "Conv1D, moved": (lambda: k.Conv1D(6, 2), (9, N), "1", None, [(6, N, 2, 1), (6,)]),
        "Conv2D of Keras 1": (lambda: k.Conv2D(6, (2, 3)), image, "1", None, [kernel, (6,)]),
        "channels first": (lambda: k.Conv2D(6, (2, 3), data_format=FIRST), first, "1", None, [moved, (6,)]),
        "transpose": (lambda: k.Conv2DTranspose(6, (2, 3)), image, "1", None, [kernel, (6,)]),
        "transpose, channels first": (
            lambda: k.Conv2DTranspose(6, (2, 3), data_format=FIRST), first, "1", None, [(N, 6, 2, 3), (6,)]
        ),
        "Conv3D": (lambda: k.Conv3D(6, 2, data_format=FIRST), (N, 9, 9, 9), "1", None, [(6, N, 2, 2, 2), (6,)]),
        "Theano": (lambda: k.Conv2D(6, (2, 3)), image, "2.1", "theano", [kernel, (6,)]),
        "Theano, moved": (lambda: k.Conv2D(6, (2, 3)), image, "2.1", "theano", [moved, (6,)]),
        "moved": (lambda: k.Conv2D(6, (2, 3)), image, "2.1", "tensorflow", [moved, (6,)]),
        "ConvLSTM2D of Keras 1": (
            lambda: k.ConvLSTM2D(U, (2, 2)), (5, *image), "1", None, [(2, 2, N, U), (2, 2, U, U), (U,)] * 4
        ),
        "ConvLSTM2D, channels first": (
            lambda: k.ConvLSTM2D(U, (2, 2), data_format=FIRST), (5, *first), "1", None,
            [(U, N, 2, 2), (U, U, 2, 2), (U,)] * 4,
        ),
        "ConvLSTM2D of Theano": (
            lambda: k.ConvLSTM2D(U, (2, 2)), (5, *image), "2", "theano",
            [(2, 2, N, 4 * U), (2, 2, U, 4 * U), (4 * U,)],
        ),
        "time distributed": (
            lambda: k.TimeDistributed(k.Conv2D(6, (2, 3), data_format=FIRST)), (5, *first), "1", None, [moved, (6,)]
        ),
        "both ways, of cuDNN": (lambda: k.Bidirectional(k.LSTM(U)), SEQUENCE, "2", None, [*LSTM, (8 * U,)] * 2),
        "both ways, of Keras 1": (lambda: k.Bidirectional(k.LSTM(U)), SEQUENCE, "1", None, GATE * 8),
        "LSTM of cuDNN": (lambda: k.LSTM(U), SEQUENCE, "2", None, [*LSTM, (8 * U,)]),
        "LSTM for cuDNN": (lambda: old.CuDNNLSTM(U), SEQUENCE, "2", None, [*LSTM, (4 * U,)]),
        "LSTM from cuDNN to cuDNN": (lambda: old.CuDNNLSTM(U), SEQUENCE, "2", None, [*LSTM, (8 * U,)]),
        "another bias": (lambda: k.LSTM(U), SEQUENCE, "2", None, [*LSTM, (5 * U,)]),
        "no bias": (lambda: k.LSTM(U, use_bias=False), SEQUENCE, "2", None, LSTM),
        "GRU of cuDNN": (lambda: k.GRU(U, reset_after=True), SEQUENCE, "2", None, [*GRU, (6 * U,)]),
        "GRU of cuDNN, reset before": (lambda: k.GRU(U), SEQUENCE, "2", None, [*GRU, (6 * U,)]),
        "GRU for cuDNN": (lambda: old.CuDNNGRU(U), SEQUENCE, "2", None, [*GRU, (2, 3 * U)]),
        "GRU for cuDNN, reset before": (lambda: old.CuDNNGRU(U), SEQUENCE, "2", None, [*GRU, (3 * U,)]),
        "reset before and after": (lambda: k.GRU(U, reset_after=True), SEQUENCE, "2", None, [*GRU, (3 * U,)]),
        "reset after and before": (lambda: k.GRU(U), SEQUENCE, "2", None, [*GRU, (2, 3 * U)]),
        "another bias of a GRU": (lambda: k.GRU(U), SEQUENCE, "2", None, [*GRU, (4 * U,)]),
        "a model": (
            inside, SEQUENCE, "2", None, [*LSTM, (8 * U,), (U,), (U,), (U, 2), (2,), (U,), (U,)],
        ),
    }  # fmt: skip


def outcomes(tf, preprocess):
    """By name: of each value its shape and a sum in which each number has another weight, or the error."""
    record = {}
    for name, (made, shape, version, backend, stored) in layers(tf).items():
        draw = np.random.RandomState(0)
        layer = made()
        layer(tf.keras.Input(shape))
        try:
            values = preprocess(layer, [draw.randn(*dims) for dims in stored], version, backend)
            record[name] = [
                [*v.shape, round(float((v * np.cos(np.arange(v.size)).reshape(v.shape)).sum()), 6)] for v in values
            ]
        except ValueError as error:
            record[name] = str(error)
    return record
