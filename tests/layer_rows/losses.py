"""Losses: ``tf.losses``, ``tf.contrib.losses``, ``tf.keras.losses``."""

from __future__ import annotations

from typing import Any

import numpy as np
from case_table import between, distinct, normal
from layer_table import LayerRow as Row

from retrograd import tf

L, C, K, V = tf.losses, tf.contrib.losses, tf.keras.losses, tf.compat.v2.keras.losses
D = C.metric_learning
TRUE = np.array([[0.0, 1.0, 1.0], [1.0, 0.0, 1.0]], np.float32)
W = np.array([[0.5], [2.0]], np.float32)
EACH = between(0.1, 2.0, 2, 3).astype("f")
PAIR = (TRUE, distinct(2, 3, gap=0.5).astype("f"), W, EACH)
ODDS = (TRUE, between(0.1, 0.9, 2, 3).astype("f"), W[:, 0])
CLASSES = (np.array([2, 0], np.int32), normal(2, 3).astype("f"), W[:, 0])
EMBEDDED = (np.array([0, 1, 0, 1], np.int32), normal(4, 3).astype("f"), normal(4, 3, seed=1).astype("f"))


def of_values(loss: Any, z: Any, x: Any, w: Any, v: Any, **given: Any) -> Any:
    """A loss of ``tf.losses`` with every kind of weights and each reduction."""
    return [
        loss(z, x, **given),
        loss(z, x, weights=2.0, scope="s", **given),
        loss(z, x, weights=v, loss_collection="own", **given),
        loss(z, x, weights=[[0.0], [1.0]], loss_collection=None, **given),
        *[loss(z, x, weights=w, reduction=r, loss_collection="each", **given) for r in L.Reduction.all()],
    ]


def totals(ys: Any) -> Any:
    tf.get_variable("w", [2], regularizer=lambda w: 0.1 * tf.nn.l2_loss(w), initializer=tf.ones_initializer())
    L.add_loss(tf.constant(3.0))
    found = [L.get_total_loss(name="t"), L.get_total_loss(False, scope="s"), L.get_regularization_loss()]
    return [ys, found, L.get_losses(), L.get_losses("s"), L.get_losses(None, "own"), L.get_regularization_losses()]


def plain_row(name: str, **given: Any) -> Row:
    def build(z: Any, x: Any, w: Any, v: Any) -> Any:
        return totals(of_values(getattr(L, name), z, x, w, v, **given))

    return Row(f"losses.{name}", build, PAIR)


def of_odds(z: Any, x: Any, w: Any) -> Any:
    return [
        L.log_loss(z, x, tf.reshape(w, [2, 1]), 1e-3, reduction=r, loss_collection="each") for r in L.Reduction.all()
    ]


def of_distances(z: Any, x: Any, w: Any, v: Any) -> Any:
    return totals([
        of_values(L.cosine_distance, z, x, tf.reshape(w, [2, 1]), tf.ones([2, 1]), axis=1),
        L.mean_pairwise_squared_error(z, x),
        L.mean_pairwise_squared_error(z, x, [[0.0], [2.0]], "s"),
        L.mean_pairwise_squared_error(z, x, w, loss_collection="own"),
        *[L.compute_weighted_loss(x, w, reduction=r, loss_collection="each") for r in L.Reduction.all()],
        L.compute_weighted_loss(x, v, "s", "own"),
    ])  # fmt: skip


def of_scores(z: Any, x: Any, w: Any, v: Any) -> Any:
    one = tf.transpose(w)[0]
    return totals([
        of_values(L.sigmoid_cross_entropy, z, x, w, v, label_smoothing=0.2),
        L.sigmoid_cross_entropy(tf.cast(z, tf.int32), x),
        *[L.softmax_cross_entropy(z, x, one, 0.1, reduction=r, loss_collection="each") for r in L.Reduction.all()],
        L.softmax_cross_entropy(z, x, [0.0, 1.0], scope="s", loss_collection="own"),
    ])  # fmt: skip


def of_classes(z: Any, x: Any, w: Any) -> Any:
    return totals([
        *[L.sparse_softmax_cross_entropy(z, x, w, reduction=r, loss_collection="each") for r in L.Reduction.all()],
        L.sparse_softmax_cross_entropy(tf.expand_dims(z, 1), x, tf.expand_dims(w, 1), "s", "own"),
        C.sparse_softmax_cross_entropy(x, z, w, "t"),
        C.sparse_softmax_cross_entropy(x, z),
    ])  # fmt: skip


def of_contrib(z: Any, x: Any, w: Any, v: Any) -> Any:
    p, one = tf.sigmoid(x), tf.transpose(w)[0]
    C.add_loss(tf.constant(2.0))
    ys = [
        C.absolute_difference(x, z, w),
        C.absolute_difference(x, z, v, "s"),
        C.mean_squared_error(x, z, 2.0),
        C.mean_squared_error(x, z, one),
        C.hinge_loss(x, z, "h"),
        C.log_loss(p, z, v, 1e-3),
        C.cosine_distance(x, z, axis=1, weights=w),
        C.mean_pairwise_squared_error(x, z, one),
        C.sigmoid_cross_entropy(x, z, w, 0.2),
        C.softmax_cross_entropy(x, z, one, 0.1),
        C.compute_weighted_loss(x, v),
    ]
    tf.add_to_collection("regularization_losses", tf.constant(5.0))
    return [ys, C.get_total_loss(), C.get_total_loss(False, "t"), C.get_losses("s"), C.get_regularization_losses()]


def of_pairs(z: Any, x: Any, y: Any) -> Any:
    same = tf.equal(z, 0)
    return [
        D.contrastive_loss(same, x, y),
        D.contrastive_loss(same, x, y, 3.0),
        D.triplet_semihard_loss(z, x, 2.0),
        D.npairs_loss(z, x, y, 0.1, False),
        D.npairs_loss(z, x, y),
        D.npairs_loss_multilabel([tf.SparseTensor([[0, i % 2]], [1], [1, 2]) for i in range(4)], x, y),
        D.lifted_struct_loss(z, x, 2.0),
        tf.contrib.kernel_methods.sparse_multiclass_hinge_loss(tf.expand_dims(z, 1), x, [1.0, 0.5, 2.0, 0.0], "s"),
        tf.contrib.kernel_methods.sparse_multiclass_hinge_loss(tf.expand_dims(z, 1), x, reduction="none"),
        tf.contrib.sparsemax.sparsemax_loss(x, tf.contrib.sparsemax.sparsemax(x), tf.one_hot(z, 3)),
    ]


FUNCTIONS = (
    "mse mae mape msle hinge squared_hinge categorical_hinge logcosh kld poisson cosine_similarity binary_crossentropy "
    "categorical_crossentropy"
)
CLASSED = (
    "MeanSquaredError MeanAbsoluteError MeanAbsolutePercentageError MeanSquaredLogarithmicError Hinge SquaredHinge "
    "CategoricalHinge LogCosh KLDivergence Poisson CosineSimilarity BinaryCrossentropy CategoricalCrossentropy Huber"
)
REDUCTIONS = ("none", "sum", "sum_over_batch_size", "auto")


def of_keras(z: Any, x: Any, w: Any) -> Any:
    return [
        [getattr(K, name)(z, x) for name in FUNCTIONS.split()],
        K.binary_crossentropy(z, x - 0.5, from_logits=True, label_smoothing=0.2),
        K.categorical_crossentropy(z, x - 0.5, from_logits=True, label_smoothing=0.2),
        K.cosine_similarity(z, x, axis=0),
        K.get("mse")(z, x),
    ]


def of_classes_of_keras(z: Any, x: Any, w: Any) -> Any:
    return [
        [[getattr(K, name)(reduction=r)(z, x, sample_weight=w) for r in REDUCTIONS] for name in CLASSED.split()],
        [getattr(V, name)()(z, x) for name in CLASSED.split()],
        K.Huber(0.3, name="own")(z, x, tf.expand_dims(w, 1)),
        K.CosineSimilarity(axis=0)(z, x),
        K.BinaryCrossentropy(True, 0.2)(z, x - 0.5),
        K.CategoricalCrossentropy(True, 0.2)(z, x - 0.5),
    ]


class Own(K.Loss):  # type: ignore[name-defined, misc]
    """A loss of a program's own."""

    def call(self, y_true: Any, y_pred: Any) -> Any:
        return tf.reduce_max(tf.abs(y_true - y_pred), -1)


def of_indices(z: Any, x: Any, w: Any) -> Any:
    p = tf.nn.softmax(x)
    return [
        K.sparse_categorical_crossentropy(z, p),
        K.sparse_categorical_crossentropy(tf.expand_dims(z, 1), x, from_logits=True),
        K.sparse_categorical_crossentropy(tf.stack([z, z], 1), tf.stack([p, 1 - p], 1)),
        [K.SparseCategoricalCrossentropy(reduction=r)(z, p, w) for r in REDUCTIONS],
        V.SparseCategoricalCrossentropy(True, name="own")(z, x),
        [Own(r)(tf.one_hot(z, 3), p, w) for r in REDUCTIONS],
    ]


ROWS = [
    plain_row("absolute_difference"),
    plain_row("mean_squared_error"),
    plain_row("hinge_loss"),
    plain_row("huber_loss", delta=0.4),
    Row("losses.log_loss", of_odds, ODDS),
    Row("losses.cosine_distance", of_distances, PAIR),
    Row("losses.softmax_cross_entropy", of_scores, PAIR),
    Row("losses.sparse_softmax_cross_entropy", of_classes, CLASSES),
    Row("contrib.losses.mean_squared_error", of_contrib, PAIR, rounding=1e-4),
    Row("contrib.losses.metric_learning.npairs_loss", of_pairs, EMBEDDED),
    Row("keras.losses.mse", of_keras, ODDS),
    Row("keras.losses.MeanSquaredError", of_classes_of_keras, ODDS),
    Row("keras.losses.SparseCategoricalCrossentropy", of_indices, CLASSES),
]
