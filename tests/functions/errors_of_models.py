"""Losses: ``tf.losses``, ``tf.keras.losses``, ``tf.contrib.losses`` and those of sequences."""

from __future__ import annotations

from typing import Any

import numpy as np
from case_table import between, distinct, normal
from function_table import SINGLE
from function_table import FunctionRow as Row

from retrograd import tf

L, C, K, D = tf.losses, tf.contrib.losses, tf.keras.losses, tf.contrib.losses.metric_learning
W = np.array([[0.5], [2.0]], np.float32)
Z = np.array([[0.0, 1.0, 1.0], [1.0, 0.0, 1.0]], np.float32)
ODDS = np.array([[0.2, 0.3, 0.5], [0.6, 0.4, 0.0]], np.float32)
X = (distinct(2, 3, gap=0.5).astype("f"),)
P = (between(0.15, 0.45, 2, 3).astype("f"), between(0.55, 0.9, 2, 3, seed=1).astype("f"))
E = (normal(4, 3).astype("f"), normal(4, 3, seed=1).astype("f"))
CLASSES = np.array([0, 1, 0, 1], np.int32)
PER = tf.losses.Reduction


def plain_losses(x: Any) -> Any:
    L.mean_squared_error(Z, x)
    total = L.get_total_loss()
    return [
        L.absolute_difference(Z, x, W),
        L.mean_squared_error(Z, x, W, reduction=PER.MEAN),
        L.huber_loss(Z, x, 0.5, 1.3),
        L.hinge_loss(Z, x, W, reduction=PER.NONE),
        L.mean_pairwise_squared_error(Z, x, W),
        L.cosine_distance(Z, x, axis=1, weights=W),
        L.sigmoid_cross_entropy(Z, x, W, label_smoothing=0.1),
        L.softmax_cross_entropy(ODDS, x, [0.5, 2.0], 0.1),
        L.sparse_softmax_cross_entropy([2, 0], x, [0.5, 2.0], reduction=PER.SUM),
        L.compute_weighted_loss(x, W, reduction=PER.SUM_OVER_BATCH_SIZE),
        total,
    ]


def older_losses(x: Any) -> Any:
    w, z = tf.constant(W), tf.constant(Z)
    return [
        C.absolute_difference(x, z, w[:, 0]),
        C.mean_squared_error(x, z, w),
        C.hinge_loss(x, z),
        C.mean_pairwise_squared_error(x, z, w[:, 0]),
        C.cosine_distance(x, z, 1, w[:, 0]),
        C.sigmoid_cross_entropy(x, z, 0.5, 0.1),
        C.softmax_cross_entropy(x, tf.constant(ODDS), 0.7),
        C.sparse_softmax_cross_entropy(x, tf.constant([2, 0]), tf.constant([0.5, 2.0])),
        C.compute_weighted_loss(x, w),
        C.get_total_loss(),
    ]


def keras_losses(x: Any, z: Any) -> Any:
    """Of odds."""
    return [
        K.MSE(z, x),
        K.MAE(z, x),
        K.MAPE(z, x),
        K.MSLE(z, x),
        K.KLD(z, x),
        K.poisson(z, x),
        K.logcosh(z, x),
        K.cosine(z, x),
        K.hinge(z, x),
        K.squared_hinge(z, x),
        K.categorical_hinge(tf.constant(Z), x),
        K.binary_crossentropy(tf.constant(Z), x),
        K.binary_crossentropy(tf.constant(Z), x, label_smoothing=0.1),
        K.categorical_crossentropy(z, x),
        K.categorical_crossentropy(tf.constant(ODDS), x, from_logits=True),
        K.sparse_categorical_crossentropy(tf.constant([2, 0]), x),
        K.sparse_categorical_crossentropy(tf.constant([2, 0]), x, from_logits=True),
        L.log_loss(Z, x, W),
        C.log_loss(x, tf.constant(Z), 0.7),
    ]


def learned_distances(x: Any, y: Any) -> Any:
    labels = tf.constant(CLASSES)
    return [
        D.contrastive_loss(labels, x, y, 2.1),
        D.triplet_semihard_loss(labels, tf.nn.l2_normalize(x, 1), 0.7),
        D.npairs_loss(labels, x, y),
        D.lifted_struct_loss(labels, x, 1.3),
    ]


def of_sequences(x: Any) -> Any:
    """``x`` [2, 3, 3]."""
    weights = np.array([[1, 1, 0], [1, 0, 0]], "f")
    ids = np.array([[0, 2, 1], [1, 0, 0]], np.int32)
    steps, targets, masks = tf.unstack(x, axis=1), list(map(tf.constant, ids.T)), list(map(tf.constant, weights.T))
    S, O = tf.contrib.seq2seq, tf.contrib.legacy_seq2seq  # noqa: E741
    return [
        S.sequence_loss(x, tf.constant(ids), tf.constant(weights)),
        S.sequence_loss(x, tf.constant(ids), tf.constant(weights), False, True),
        O.sequence_loss(steps, targets, masks),
        O.sequence_loss_by_example(steps, targets, masks, False),
    ]


def fields(x: Any, t: Any) -> Any:
    """``x`` [2, 3, 2], ``t`` [2, 2]."""
    F = tf.contrib.crf
    tags, lengths = tf.constant([[0, 1, 1], [1, 0, 0]]), tf.constant([3, 2])
    allowed = tf.constant(np.array([[[1, 0], [1, 1], [0, 1]], [[1, 1], [1, 1], [1, 1]]], bool))
    return [
        F.crf_log_likelihood(x, tags, lengths, t)[0],
        F.crf_sequence_score(x, tags, lengths, t),
        F.crf_multitag_sequence_score(x, allowed, lengths, t),
        F.crf_log_norm(x, lengths, t),
        F.crf_unary_score(tags, lengths, x),
        F.crf_binary_score(tags, lengths, t),
        F.crf_decode(x, t, lengths)[1],
    ]


ROWS = [
    Row(
        "losses.absolute_difference losses.mean_squared_error losses.huber_loss losses.hinge_loss "
        "losses.mean_pairwise_squared_error losses.cosine_distance losses.sigmoid_cross_entropy "
        "losses.softmax_cross_entropy losses.sparse_softmax_cross_entropy losses.compute_weighted_loss",
        plain_losses,
        X,
        **SINGLE,
    ),
    Row(
        "contrib.losses.absolute_difference contrib.losses.mean_squared_error contrib.losses.hinge_loss "
        "contrib.losses.mean_pairwise_squared_error contrib.losses.cosine_distance "
        "contrib.losses.sigmoid_cross_entropy contrib.losses.softmax_cross_entropy "
        "contrib.losses.sparse_softmax_cross_entropy contrib.losses.compute_weighted_loss",
        older_losses,
        X,
        **SINGLE,
    ),
    Row(
        "keras.losses.MSE keras.losses.MAE keras.losses.MAPE keras.losses.MSLE keras.losses.KLD "
        "keras.losses.poisson keras.losses.logcosh keras.losses.cosine keras.losses.hinge "
        "keras.losses.squared_hinge keras.losses.categorical_hinge keras.losses.binary_crossentropy "
        "keras.losses.categorical_crossentropy keras.losses.sparse_categorical_crossentropy "
        "losses.log_loss contrib.losses.log_loss",
        keras_losses,
        P,
        still=(1,),
        **SINGLE,
    ),
    Row(
        "losses.mean_squared_error",
        lambda x, w: [L.mean_squared_error(Z, x, tf.abs(w)), L.huber_loss(Z, x, tf.abs(w))],
        (*X, normal(2, 1).astype("f")),
        label="of weights",
        **SINGLE,
    ),
    Row(
        "contrib.losses.metric_learning.contrastive_loss "
        "contrib.losses.metric_learning.triplet_semihard_loss contrib.losses.metric_learning.npairs_loss "
        "contrib.losses.metric_learning.lifted_struct_loss",
        learned_distances,
        E,
        **SINGLE,
    ),
    Row(
        "contrib.seq2seq.sequence_loss contrib.legacy_seq2seq.sequence_loss "
        "contrib.legacy_seq2seq.sequence_loss_by_example",
        of_sequences,
        (normal(2, 3, 3).astype("f"),),
        **SINGLE,
    ),
    Row(
        "contrib.crf.crf_log_likelihood contrib.crf.crf_sequence_score "
        "contrib.crf.crf_multitag_sequence_score contrib.crf.crf_log_norm contrib.crf.crf_unary_score "
        "contrib.crf.crf_binary_score contrib.crf.crf_decode",
        fields,
        (normal(2, 3, 2).astype("f"), normal(2, 2).astype("f")),
        **SINGLE,
    ),
]
