"""Recurrent networks, decoders with attention and sequences to sequences, with respect to what goes into them."""

from __future__ import annotations

from typing import Any

import numpy as np
from case_table import normal
from function_table import SINGLE
from function_table import FunctionRow as Row

from retrograd import tf

N, R, Q, S = tf.nn, tf.nn.rnn_cell, tf.contrib.legacy_seq2seq, tf.contrib.seq2seq
X = (normal(2, 3, 2).astype("f"),)
IDS = np.array([[0, 2], [1, 1]], np.int32)


def cell(kind: Any = R.GRUCell) -> Any:
    return kind(2)


def run_through(x: Any) -> Any:
    """``x`` [2, 3, 2]: two sequences, of three and two steps."""
    lengths, steps = tf.constant([3, 2]), tf.unstack(x, 3, 1)
    given = {"dtype": tf.float32}

    def raw(time: Any, output: Any, state: Any, _: Any) -> Any:
        following = tf.zeros([2, 2]) if state is None else state
        return time >= 2, tf.squeeze(x[:, 1:2], 1), following, output, None

    return [
        N.dynamic_rnn(R.BasicLSTMCell(2), x, lengths, scope="a", **given)[0],
        N.bidirectional_dynamic_rnn(cell(), cell(R.BasicRNNCell), x, lengths, scope="b", **given)[0],
        N.static_rnn(cell(), steps, scope="c", **given)[0],
        N.static_bidirectional_rnn(cell(), cell(), steps, scope="d", **given)[0],
        N.raw_rnn(cell(), raw, scope="e")[0].stack(),
        tf.contrib.rnn.stack_bidirectional_rnn([cell()], [cell()], steps, scope="f", **given)[0],
        tf.contrib.rnn.stack_bidirectional_dynamic_rnn([cell()], [cell()], x, scope="g", **given)[0],
    ]


def flat(x: Any) -> Any:
    return tf.contrib.framework.nest.flatten(run_through(x))


def attended(x: Any) -> Any:
    steps, start = tf.unstack(x, 3, 1), tf.squeeze(x[:, :1], 1)
    return [
        *Q.rnn_decoder(steps, start, cell())[0],
        *Q.basic_rnn_seq2seq(steps, steps, cell())[0],
        *Q.tied_rnn_seq2seq(steps, steps, cell())[0],
        *Q.attention_decoder(steps, start, x, cell())[0],
    ]


def decoded(x: Any) -> Any:
    helper = S.TrainingHelper(x, [3, 2])
    basic = S.dynamic_decode(S.BasicDecoder(cell(), helper, tf.zeros([2, 2])))[0].rnn_output
    p = tf.sigmoid(x[:, :, 0])
    return [
        basic,
        S.tile_batch(x, 2),
        S.safe_cumprod(p, 1),
        *[S.monotonic_attention(p, tf.nn.softmax(x[:, :, 1]), mode) for mode in ("recursive", "parallel", "hard")],
    ]


ROWS = [
    Row(
        "nn.dynamic_rnn nn.bidirectional_dynamic_rnn nn.static_rnn nn.static_bidirectional_rnn "
        "nn.raw_rnn contrib.rnn.stack_bidirectional_rnn contrib.rnn.stack_bidirectional_dynamic_rnn",
        flat,
        X,
        **SINGLE,
    ),
    Row(
        "contrib.legacy_seq2seq.rnn_decoder contrib.legacy_seq2seq.basic_rnn_seq2seq "
        "contrib.legacy_seq2seq.tied_rnn_seq2seq contrib.legacy_seq2seq.attention_decoder",
        attended,
        X,
        **SINGLE,
    ),
    Row(
        "contrib.seq2seq.dynamic_decode contrib.seq2seq.tile_batch contrib.seq2seq.safe_cumprod "
        "contrib.seq2seq.monotonic_attention",
        decoded,
        X,
        **SINGLE,
    ),
]
