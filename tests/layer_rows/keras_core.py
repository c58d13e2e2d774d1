"""Layers of ``tf.keras`` without convolutions and recurrence, and the functions that merge."""

from __future__ import annotations

from typing import Any

import numpy as np
from case_table import normal
from layer_table import LayerRow as Row
from layer_table import kept, used

from retrograd import tf

K, k, V = tf.keras, tf.keras.layers, tf.compat.v2.keras.layers
X = (normal(4, 3).astype("f"),)
SERIES = (normal(2, 4, 3).astype("f"),)
PAIR = (normal(2, 4, 3).astype("f"), normal(2, 4, 3, seed=1).astype("f"))
IDS = (np.array([[1, 0, 3], [2, 5, 0]], np.int32),)
MASKED = np.array([[[1.0, 2.0], [0.0, 0.0], [3.0, 1.0]], [[0.0, 0.0], [2.0, -1.0], [1.0, 1.0]]], np.float32)
R = K.regularizers


def dense(x: Any) -> Any:
    regular = {
        "kernel_regularizer": R.l1(0.1),
        "bias_regularizer": R.l2(0.1),
        "activity_regularizer": R.l1_l2(0.1, 0.2),
    }
    kinds = {"kernel_initializer": "he_normal", "bias_initializer": K.initializers.Constant(0.5)}
    return [
        used(k.Dense(2), x),
        used(k.Dense(2, activation="relu", use_bias=False), x),
        used(k.Dense(2, "softmax", name="own", **regular), tf.reshape(x, [2, 2, 3])),
        used(k.Dense(2, tf.tanh, kernel_constraint="non_neg", bias_constraint=K.constraints.MaxNorm(1.0), **kinds), x),
        used(k.Dense(2, "elu", trainable=False, dtype="float64"), tf.cast(x, tf.float64)),
        used(V.Dense(3, "selu", kernel_initializer="lecun_normal"), x),
    ]


def shaped(x: Any) -> Any:
    return [
        used(k.Flatten(), x),
        used(k.Flatten("channels_first"), x),
        used(k.Reshape([2, -1]), x),
        used(k.Permute([2, 1]), x),
        used(k.RepeatVector(3), x[:, 0]),
        used(k.Lambda(lambda y, scale: y * scale, arguments={"scale": 2.0}), x),
        used(k.Activation("sigmoid"), x),
        used(k.Activation(tf.nn.softsign), x),
        used(k.ActivityRegularization(0.1, 0.2), x),
        used(k.InputLayer(batch_size=2, input_shape=[3]), x),
        used(k.Masking(0.0), x),
        used(k.Cropping1D((1, 2)), x),
        used(k.ZeroPadding1D((1, 2)), x),
        used(k.UpSampling1D(3), x),
        used(k.Layer(), x),
    ]


def activated(x: Any) -> Any:
    return [
        used(k.LeakyReLU(0.2), x),
        used(k.PReLU(alpha_initializer="ones", alpha_regularizer=R.l2(0.1), shared_axes=[1]), x),
        used(k.PReLU(alpha_constraint="non_neg"), x),
        used(k.ELU(0.5), x),
        used(k.ThresholdedReLU(0.2), x),
        used(k.Softmax(axis=1), x),
        used(k.ReLU(1.0, 0.1, 0.2), x),
        used(k.ReLU(), x),
    ]


def merged(x: Any, y: Any) -> Any:
    return [
        used(k.Add(), [x, y, x]),
        used(k.Subtract(), [x, y]),
        used(k.Multiply(), [x, y]),
        used(k.Average(), [x, y]),
        used(k.Maximum(), [x, y]),
        used(k.Minimum(), [x, y]),
        used(k.Concatenate(1), [x, y]),
        used(k.Dot(2), [x, y]),
        used(k.Dot((1, 1), normalize=True), [x, y]),
        k.add([x, y]),
        k.subtract([x, y]),
        k.multiply([x, y[:, :1]]),
        k.average([x, y], name="a"),
        k.maximum([x, y]),
        k.minimum([x, y]),
        k.concatenate([x, y]),
        k.dot([x, y], 1),
    ]


def normalized(x: Any) -> Any:
    regular = {"beta_regularizer": R.l2(0.1), "gamma_regularizer": R.l1(0.1), "gamma_constraint": "non_neg"}
    clipped = {"rmax": 2.0, "rmin": 0.5, "dmax": 1.0}
    return [
        used(k.BatchNormalization(momentum=0.5), x, training=True),
        used(k.BatchNormalization(1, 0.5, 0.1, scale=False), x, training=True),
        used(k.BatchNormalization(center=False, gamma_initializer="uniform"), x, training=False),
        used(k.BatchNormalization(renorm=True, renorm_clipping=clipped, renorm_momentum=0.5), x, training=True),
        used(k.BatchNormalization(virtual_batch_size=2, **regular), x, training=True),
        used(V.BatchNormalization(momentum=0.5, trainable=False), x, training=True),
        used(V.BatchNormalization(momentum=0.5), x, training=True),
        used(k.LayerNormalization(), x),
        used(k.LayerNormalization([1, 2], 0.1, center=False, **{n: regular[n] for n in list(regular)[1:]}), x),
    ]


def drawn(x: Any) -> Any:
    images, solids = x[:, :, None], x[:, :, None, None]
    return [
        used(k.Dropout(0.4, seed=3), x, training=True),
        used(k.Dropout(0.4, (None, 1, None), seed=3), x, training=True),
        used(k.Dropout(0.4), x),
        used(k.GaussianNoise(0.4), x, training=True),
        used(k.GaussianDropout(0.4), x, training=True),
        used(k.AlphaDropout(0.4, seed=2), x, training=True),
        used(k.SpatialDropout1D(0.4), x, training=True),
        used(k.SpatialDropout2D(0.4), images, training=True),
        used(k.SpatialDropout3D(0.4), solids, training=True),
        used(k.SpatialDropout2D(0.4, "channels_first"), images, training=True),
    ]


def embedded(ids: Any) -> Any:
    layer = k.Embedding(7, 3, mask_zero=True, embeddings_regularizer=R.l2(0.1), activity_regularizer=R.l1(0.1))
    [y, *losses] = used(layer, ids)
    return [y, y._keras_mask, *losses, used(k.Embedding(6, 2, "ones", input_length=3, trainable=False), ids)]


def masked(x: Any) -> Any:
    y = k.Masking()(x)
    return [
        y._keras_mask,
        used(k.GlobalAveragePooling1D(), y),
        used(k.TimeDistributed(k.Dense(2, activity_regularizer=R.l2(0.1))), y),
        k.TimeDistributed(k.BatchNormalization())(x, training=True),
        k.Concatenate(1)([y, y])._keras_mask,
        used(k.Softmax(), y),
    ]


def attended(q: Any, v: Any) -> Any:
    mask = tf.constant([[True, True, False, False], [True, True, True, False]])
    return [
        used(k.Attention(), [q, v]),
        used(k.Attention(use_scale=True, causal=True), [q, v, v + q]),
        used(k.Attention(), [q, v], mask=[mask, mask]),
        used(k.AdditiveAttention(), [q, v]),
        used(k.AdditiveAttention(False, causal=True), [q, v, v + q], mask=[None, mask]),
    ]


class Scaled(k.Layer):  # type: ignore[name-defined, misc]
    """A layer of a program's own."""

    def build(self, shape: Any) -> None:
        self.inner = k.Dense(2, kernel_regularizer="l2")
        self.scale = self.add_weight("scale", [int(shape[-1])], initializer="ones", regularizer=R.l2(0.1))
        self.seen = self.add_weight("seen", [], initializer="zeros", trainable=False)
        super().build(shape)

    def call(self, x: Any) -> Any:
        self.add_update(self.seen.assign_add(1.0))
        self.add_loss(tf.reduce_sum(x), inputs=True)
        return self.inner(x * self.scale + self.seen)


class Wrapped(k.Wrapper):  # type: ignore[name-defined, misc]
    """A layer around another."""

    def call(self, x: Any) -> Any:
        return 2.0 * self.layer(x)


def own(x: Any) -> Any:
    layer = Scaled(name="own")
    return [used(layer, x), layer(x), used(Scaled(), x), used(Wrapped(k.Dense(2)), x)]


def networks(x: Any) -> Any:
    given = k.Input([3])
    tower = k.Dense(2, kernel_regularizer=R.l2(0.1))(k.BatchNormalization(momentum=0.5)(given))
    row = K.Sequential([k.Dense(3, "relu", input_shape=[3]), k.Dropout(0.2, seed=1), k.Dense(1)])
    wide = K.experimental.WideDeepModel(K.experimental.LinearModel(1), K.Sequential([k.Dense(2, "relu"), k.Dense(1)]))
    return [
        kept(K.Model(given, [tower, k.Activation("tanh")(tower)]))(x, training=True),
        used(row, x, training=True),
        row(x),
        used(K.experimental.LinearModel(2, "sigmoid", kernel_initializer="ones"), x),
        used(wide, [x, x]),
    ]


def of_features(x: Any) -> Any:
    """Columns of features as layers."""
    F = tf.feature_column
    words = F.categorical_column_with_vocabulary_list("word", ["a", "b", "c"])
    number = F.numeric_column("x", [3], normalizer_fn=lambda v: v / 2.0)
    columns = [
        number,
        F.bucketized_column(F.numeric_column("x", [3]), [-0.5, 0.5]),
        F.embedding_column(words, 2, "sqrtn", max_norm=0.5),
        F.indicator_column(F.categorical_column_with_hash_bucket("word", 4)),
    ]
    word = tf.SparseTensor([[0, 0], [1, 0], [1, 1], [3, 0]], ["a", "b", "d", "c"], [4, 2])
    features = {"x": x, "word": word}
    steps = tf.SparseTensor([[0, 0], [1, 0], [1, 1], [3, 0]], ["a", "b", "d", "c"], [4, 2])
    listed = F.sequence_categorical_column_with_vocabulary_list("steps", ["a", "b", "c"])
    layer = K.experimental.SequenceFeatures([F.embedding_column(listed, 2), F.indicator_column(listed)])
    return [
        used(k.DenseFeatures(columns), features),
        used(V.DenseFeatures(columns[:3], name="own"), features),
        used(layer, {"steps": steps}),
    ]


ROWS = [
    Row("keras.layers.DenseFeatures", of_features, X),
    Row("keras.layers.Dense", dense, X),
    Row("keras.layers.Reshape", shaped, SERIES),
    Row("keras.layers.LeakyReLU", activated, SERIES),
    Row("keras.layers.Add", merged, PAIR),
    Row("keras.layers.BatchNormalization", normalized, SERIES, rounding=1e-4),
    Row("keras.layers.Dropout", drawn, SERIES),
    Row("keras.layers.Embedding", embedded, IDS),
    Row("keras.layers.Masking", masked, (MASKED,)),
    Row("keras.layers.Attention", attended, PAIR),
    Row("keras.layers.Layer", own, X),
    Row("keras.Model", networks, X),
]
