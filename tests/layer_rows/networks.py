"""Recurrent networks, and sequences to sequences: ``tf.nn``, ``tf.contrib.rnn``, ``seq2seq`` and ``crf``."""

from __future__ import annotations

from typing import Any

import numpy as np
from case_table import normal
from layer_table import LayerRow as Row
from layer_table import kept

from retrograd import tf

N, R, B, S, Q = tf.nn, tf.nn.rnn_cell, tf.contrib.rnn, tf.contrib.seq2seq, tf.contrib.legacy_seq2seq
X = (normal(2, 3, 4).astype("f"),)
IDS = (np.array([[1, 0, 3], [2, 4, 0]], np.int32), normal(2, 3, 4).astype("f"))
F32 = {"dtype": tf.float32}
LENGTHS = [3, 2]


def dynamic(x: Any) -> Any:
    both = R.MultiRNNCell([R.BasicLSTMCell(3), R.GRUCell(2)])
    turned = tf.transpose(x, [1, 0, 2])

    def raw(time: Any, output: Any, state: Any, _: Any) -> Any:
        following = tf.zeros([2, 3]) if state is None else state
        return time >= LENGTHS, tf.squeeze(x[:, 1:2], 1), following, output, None

    outputs, last, _ = N.raw_rnn(R.GRUCell(3), raw, scope="raw")
    return [
        N.dynamic_rnn(R.LSTMCell(3, use_peepholes=True), x, **F32),
        N.dynamic_rnn(both, x, LENGTHS, swap_memory=True, scope="own", **F32),
        N.dynamic_rnn(R.GRUCell(3), turned, LENGTHS, tf.ones([2, 3]), time_major=True, scope="t"),
        N.bidirectional_dynamic_rnn(R.GRUCell(3), R.BasicRNNCell(2), x, LENGTHS, **F32),
        outputs.stack(),
        last,
        B.stack_bidirectional_dynamic_rnn([R.GRUCell(2), R.GRUCell(3)], [R.GRUCell(2), R.GRUCell(3)], x, **F32),
        B.transpose_batch_time(x),
    ]


def static(x: Any) -> Any:
    steps = tf.unstack(x, 3, 1)

    class Saver:
        """What keeps the state between batches."""

        def state(self, name: str) -> Any:
            return tf.ones([2, 3])

        def save_state(self, name: str, value: Any) -> Any:
            return tf.identity(value)

    return [
        N.static_rnn(R.LSTMCell(3), steps, **F32),
        N.static_rnn(R.GRUCell(3), steps, tf.ones([2, 3]), sequence_length=LENGTHS, scope="own"),
        N.static_bidirectional_rnn(R.GRUCell(3), R.BasicLSTMCell(2), steps, sequence_length=LENGTHS, **F32),
        N.static_state_saving_rnn(R.GRUCell(3), steps, Saver(), "s", scope="saved"),
        B.stack_bidirectional_rnn([R.GRUCell(2)], [R.GRUCell(2)], steps, **F32),
    ]


def attention(kind: Any, x: Any, **given: Any) -> Any:
    return kind(4, x, memory_sequence_length=LENGTHS, **given)


def attended(x: Any) -> Any:
    kinds = [
        (S.LuongAttention, {}),
        (S.LuongAttention, {"scale": True, "name": "own"}),
        (S.BahdanauAttention, {}),
        (S.BahdanauAttention, {"normalize": True, "probability_fn": tf.sigmoid, "name": "normalized"}),
        (S.LuongMonotonicAttention, {"sigmoid_noise": 0.5, "sigmoid_noise_seed": 3, "scale": True, "mode": "hard"}),
        (S.BahdanauMonotonicAttention, {"normalize": True, "score_bias_init": 0.5}),
    ]
    found = []
    for i, (kind, given) in enumerate(kinds):
        with tf.variable_scope(f"a{i}"):
            cell = S.AttentionWrapper(
                R.GRUCell(4), attention(kind, x, **given), attention_layer_size=3 if i % 2 else None,
                alignment_history=i == 1, output_attention=i != 2, name=None if i else "own",
            )  # fmt: skip
            y, state = kept(cell)(x[:, 0], cell.zero_state(2, tf.float32))
            y, state = cell(x[:, 1], state)
            found += [y, state.cell_state, state.attention, state.alignments, state.time]
    return found


def decoded(ids: Any, x: Any) -> Any:
    table = tf.get_variable("table", [5, 4])
    cell, layer = R.GRUCell(4), tf.layers.Dense(5, name="out")
    helpers = [
        S.TrainingHelper(x, LENGTHS),
        S.GreedyEmbeddingHelper(table, [1, 1], 0),
        S.SampleEmbeddingHelper(table, [1, 1], 0, 0.7, seed=3),
        S.ScheduledEmbeddingTrainingHelper(x, LENGTHS, table, 0.5, seed=3, scheduling_seed=4),
        S.ScheduledOutputTrainingHelper(x[:, :, :4], LENGTHS, 0.5, seed=3),
        S.CustomHelper(
            lambda: (tf.fill([2], False), x[:, 0]),
            lambda time, outputs, state: tf.argmax(outputs, -1, output_type=tf.int32),
            lambda time, outputs, state, sample_ids: (tf.fill([2], time > 1), x[:, 1], state),
        ),
        S.InferenceHelper(
            lambda outputs: tf.argmax(outputs, -1, output_type=tf.int32), [], tf.int32, x[:, 0], lambda ids: ids > 3,
            lambda ids: tf.gather(table, ids),
        ),
    ]  # fmt: skip
    found = []
    for i, helper in enumerate(helpers):
        given = None if isinstance(helper, S.ScheduledOutputTrainingHelper) else layer
        decoder = S.BasicDecoder(cell, helper, tf.zeros([2, 4]), given)
        found.append(S.dynamic_decode(decoder, maximum_iterations=3, impute_finished=i % 2 == 0, scope=f"d{i}"))
    beams = S.BeamSearchDecoder(
        cell, table, [1, 1], 0, S.tile_batch(tf.ones([2, 4]), 2), 2, layer, length_penalty_weight=0.6
    )
    outputs, state, lengths = S.dynamic_decode(beams, maximum_iterations=3, output_time_major=True, scope="beams")
    weights = tf.sequence_mask(LENGTHS, 3, tf.float32)
    logits = tf.tensordot(x, table, [[2], [1]])
    p = tf.sigmoid(x[:, :, 0])
    return [
        found,
        outputs.predicted_ids,
        state.log_probs,
        lengths,
        S.sequence_loss(logits, ids, weights),
        S.sequence_loss(logits, ids, weights, False, True, name="own"),
        S.sequence_loss(logits, ids, weights, False, False, sum_over_timesteps=True),
        S.sequence_loss(logits, ids, weights, False, True, lambda labels, logits: logits[:, 0]),
        S.hardmax(x),
        S.gather_tree(tf.ones([3, 2, 2], tf.int32), tf.zeros([3, 2, 2], tf.int32), LENGTHS, 0),
        S.safe_cumprod(p, 1, exclusive=True),
        [S.monotonic_attention(p, tf.nn.softmax(x[:, :, 1]), mode) for mode in ("recursive", "parallel", "hard")],
    ]


def older(ids: Any, x: Any) -> Any:
    steps, words = tf.unstack(x, 3, 1), tf.unstack(ids, 3, 1)
    weights = [tf.ones([2]), tf.constant([1.0, 0.5]), tf.zeros([2])]
    state, table = tf.zeros([2, 4]), tf.ones([4, 5])

    def cell() -> Any:
        return R.GRUCell(4)

    def scoped(name: str, build: Any, *args: Any, **given: Any) -> Any:
        with tf.variable_scope(name):
            return build(*args, **given)

    logits = [tf.matmul(step, table) for step in steps]
    projected = (tf.ones([4, 5]), tf.zeros([5]))
    buckets = scoped(
        "b", Q.model_with_buckets, words, words, words, weights, [(2, 2), (3, 3)],
        lambda a, b: Q.embedding_rnn_seq2seq(a, b, cell(), 5, 5, 3),
    )  # fmt: skip
    return [
        scoped("a", Q.rnn_decoder, steps, state, cell(), lambda y, i: y),
        scoped("c", Q.basic_rnn_seq2seq, steps, steps, cell()),
        scoped("d", Q.tied_rnn_seq2seq, steps, steps, cell(), lambda y, i: y),
        scoped("e", Q.embedding_rnn_decoder, words, state, cell(), 5, 4, projected, True, False),
        scoped("f", Q.embedding_rnn_seq2seq, words, words, cell(), 5, 5, 3, feed_previous=True),
        scoped("g", Q.embedding_tied_rnn_seq2seq, words, words, cell(), 5, 3),
        scoped("h", Q.attention_decoder, steps, state, x, cell(), 5, 2),
        scoped("i", Q.embedding_attention_decoder, words, state, x, cell(), 5, 3),
        scoped("j", Q.embedding_attention_seq2seq, words, words, cell(), 5, 5, 3),
        scoped("k", Q.one2many_rnn_seq2seq, words, {"u": words, "v": words}, cell(), {"u": cell(), "v": cell()}, 5,
               {"u": 5, "v": 6}, 3),
        Q.sequence_loss(logits, words, weights),
        Q.sequence_loss_by_example(logits, words, weights, False, name="own"),
        buckets,
    ]  # fmt: skip


def tagged(ids: Any, x: Any) -> Any:
    C, lengths = tf.contrib.crf, tf.constant(LENGTHS)
    paths, scores = C.crf_decode(x, tf.constant(np.cos(np.arange(16.0)).reshape(4, 4).astype("f")), lengths)
    likelihood, transitions = C.crf_log_likelihood(x, tf.minimum(ids, 3), lengths)
    low = tf.minimum(ids, 3)
    start = tf.zeros([2, 4])
    return [
        paths,
        scores,
        likelihood,
        C.crf_log_norm(x, lengths, transitions),
        C.crf_sequence_score(x, low, lengths, transitions),
        C.crf_multitag_sequence_score(x, tf.one_hot(low, 4, True, False, dtype=tf.bool), lengths, transitions),
        C.crf_unary_score(low, lengths, x),
        C.crf_binary_score(low, lengths, transitions),
        C.CrfForwardRnnCell(transitions)(x[:, 0], start),
        C.CrfDecodeForwardRnnCell(transitions)(x[:, 0], start),
        C.CrfDecodeBackwardRnnCell(4)(tf.ones([2, 4], tf.int32), tf.ones([2, 1], tf.int32)),
    ]


ROWS = [
    Row("nn.dynamic_rnn", dynamic, X),
    Row("nn.static_rnn", static, X),
    Row("contrib.seq2seq.AttentionWrapper", attended, X),
    Row("contrib.seq2seq.BasicDecoder", decoded, IDS),
    Row("contrib.legacy_seq2seq.rnn_decoder", older, IDS),
    Row("contrib.crf.crf_log_likelihood", tagged, IDS),
]
