"""Recurrent layers, cells and wrappers of ``tf.keras``."""

from __future__ import annotations

from typing import Any

import numpy as np
from case_table import normal
from layer_table import LayerRow as Row
from layer_table import kept, used

from retrograd import tf

k, V, R, E = tf.keras.layers, tf.compat.v2.keras.layers, tf.keras.regularizers, tf.keras.experimental
X = (normal(2, 4, 3).astype("f"),)
STARTED = (*X, normal(2, 2, seed=1).astype("f"))
FILMS = (normal(2, 3, 4, 4, 2).astype("f"),)
REGULAR = {
    "kernel_regularizer": R.l2(0.1),
    "recurrent_regularizer": R.l1(0.1),
    "bias_regularizer": R.l2(0.1),
    "activity_regularizer": R.l2(0.1),
}
KINDS = {"kernel_initializer": "he_normal", "recurrent_initializer": "uniform", "bias_initializer": "ones"}
LIMITS = {"kernel_constraint": "max_norm", "recurrent_constraint": "non_neg", "bias_constraint": "non_neg"}
ALL = {"return_sequences": True, "return_state": True}
MASK = np.array([[True, True, False, False], [True, True, True, True]])


def of_kind(layer: Any, x: Any, state: Any) -> Any:
    """One recurrent layer in what its arguments make of it."""
    return [
        used(layer(2), x),
        used(layer(2, **ALL), x),
        used(layer(2, unroll=True, go_backwards=True, **ALL), x),
        used(layer(2, activation="relu", use_bias=False, return_sequences=True), x, mask=tf.constant(MASK)),
        used(layer(2, **REGULAR, **KINDS, **LIMITS), x, initial_state=state),
        used(layer(2, stateful=True, batch_input_shape=(2, 4, 3)), x),
        used(layer(2, dropout=0.3, recurrent_dropout=0.2), x, training=True),
    ]


def simple(x: Any, s: Any) -> Any:
    return [of_kind(k.SimpleRNN, x, s), used(k.SimpleRNN(2, return_sequences=True, time_major=False), x)]


def gated(x: Any, s: Any) -> Any:
    return [
        of_kind(k.GRU, x, s),
        used(k.GRU(2, reset_after=True, implementation=2, **ALL), x),
        used(k.GRU(2, recurrent_activation="sigmoid", implementation=2), x),
    ]


def long(x: Any, s: Any) -> Any:
    return [
        of_kind(k.LSTM, x, [s, s + 1]),
        used(k.LSTM(2, unit_forget_bias=False, implementation=2, **ALL), x),
        used(k.LSTM(2, recurrent_activation="sigmoid", go_backwards=True), x),
    ]


def gated_2(x: Any, s: Any) -> Any:
    return [of_kind(V.GRU, x, s), used(V.GRU(2, reset_after=False, implementation=1, **ALL), x)]


def long_2(x: Any, s: Any) -> Any:
    return [of_kind(V.LSTM, x, [s, s + 1]), used(V.LSTM(2, unit_forget_bias=False, time_major=True, **ALL), x)]


class Own(k.AbstractRNNCell):  # type: ignore[name-defined, misc]
    """A cell of a program's own."""

    state_size = output_size = 2

    def build(self, shape: Any) -> None:
        self.kernel = self.add_weight("kernel", [int(shape[-1]), 2], initializer="glorot_uniform")
        self.built = True

    def call(self, x: Any, states: Any) -> Any:
        y = tf.tanh(tf.matmul(x, self.kernel) + states[0])
        return y, [y]


def cells(x: Any, s: Any) -> Any:
    first = x[:, 0]
    return [
        used(k.SimpleRNNCell(2, **REGULAR), first, [s]),
        used(k.GRUCell(2, **LIMITS), first, [s]),
        used(k.GRUCell(2, reset_after=True, implementation=2, use_bias=False), first, [s]),
        used(k.LSTMCell(2, **KINDS), first, [s, s + 1]),
        used(k.LSTMCell(2, implementation=2, dropout=0.3, recurrent_dropout=0.2), first, [s, s + 1], training=True),
        used(V.GRUCell(2), first, [s]),
        used(V.LSTMCell(2), first, [s, s + 1]),
        used(E.PeepholeLSTMCell(2), first, [s, s + 1]),
        used(k.StackedRNNCells([k.GRUCell(2), k.LSTMCell(3)]), first, [s, tf.zeros([2, 3]), tf.ones([2, 3])]),
        used(Own(), first, [s]),
    ]


def run_through(x: Any, s: Any) -> Any:
    return [
        used(k.RNN(k.SimpleRNNCell(2), return_sequences=True), x),
        used(k.RNN([k.GRUCell(2), k.LSTMCell(3)], return_state=True), x),
        used(k.RNN(Own()), x, initial_state=s),
        used(k.RNN(E.PeepholeLSTMCell(2), unroll=True), x),
        used(k.RNN(tf.nn.rnn_cell.GRUCell(2), go_backwards=True), x),
        used(k.RNN(k.LSTMCell(2), time_major=True, return_sequences=True), x),
    ]


def both_ways(x: Any, s: Any) -> Any:
    return [
        used(k.Bidirectional(k.GRU(2, return_sequences=True)), x),
        used(k.Bidirectional(k.LSTM(2, return_state=True), merge_mode="sum"), x),
        used(k.Bidirectional(k.SimpleRNN(2), merge_mode="mul", name="own"), x, initial_state=[s, s]),
        used(k.Bidirectional(k.GRU(2), merge_mode="ave", backward_layer=k.LSTM(2, go_backwards=True)), x),
        used(k.Bidirectional(V.LSTM(2), merge_mode=None), x, mask=tf.constant(MASK)),
    ]


def convolved(x: Any) -> Any:
    return [
        used(k.ConvLSTM2D(2, 2), x),
        used(k.ConvLSTM2D(2, (2, 3), padding="same", activation="relu", **ALL, **REGULAR), x),
        used(k.ConvLSTM2D(2, 2, (2, 1), use_bias=False, go_backwards=True, unit_forget_bias=False), x),
        used(k.TimeDistributed(k.Conv2D(2, 2)), x),
    ]


def wrapped(x: Any, s: Any) -> Any:
    W, first = tf.compat.v2.nn, x[:, 0]
    return [
        kept(W.RNNCellDropoutWrapper(k.GRUCell(2), 0.5, 0.6, 0.7, seed=3))(first, [s]),
        kept(W.RNNCellResidualWrapper(k.SimpleRNNCell(3)))(first, [tf.ones([2, 3])]),
        kept(W.RNNCellDeviceWrapper(k.LSTMCell(2), "/cpu:0"))(first, [s, s]),
    ]


ROWS = [
    Row("keras.layers.SimpleRNN", simple, STARTED),
    Row("keras.layers.GRU", gated, STARTED),
    Row("keras.layers.LSTM", long, STARTED),
    Row("compat.v2.keras.layers.GRU", gated_2, STARTED),
    Row("compat.v2.keras.layers.LSTM", long_2, STARTED),
    Row("keras.layers.GRUCell", cells, STARTED),
    Row("keras.layers.RNN", run_through, STARTED),
    Row("keras.layers.Bidirectional", both_ways, STARTED),
    Row("keras.layers.ConvLSTM2D", convolved, FILMS),
    Row("compat.v2.nn.RNNCellDropoutWrapper", wrapped, STARTED),
]
