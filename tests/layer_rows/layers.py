"""``tf.layers``."""

from __future__ import annotations

from typing import Any

from case_table import distinct, normal
from layer_table import LayerRow as Row
from layer_table import used

from retrograd import tf

L = tf.layers
X = (normal(4, 3).astype("f"),)
SERIES = (distinct(2, 6, 3, gap=0.07).astype("f"),)
IMAGES = (distinct(2, 5, 6, 3, gap=0.02).astype("f"),)
SOLIDS = (distinct(2, 4, 3, 4, 2, gap=0.02).astype("f"),)
HALF = tf.constant_initializer(0.5)


def l2(w: Any) -> Any:
    return 0.1 * tf.nn.l2_loss(w)


SQUARED = {"kernel_regularizer": l2, "bias_regularizer": l2, "activity_regularizer": tf.nn.l2_loss}


def dense(x: Any) -> Any:
    return [
        L.dense(x, 2),
        L.dense(x, 2, tf.nn.relu, False, name="q"),
        L.dense(x, 2, name="q", use_bias=False, reuse=True),
        L.dense(x, 2, kernel_initializer=HALF, bias_initializer=tf.ones_initializer(), trainable=False),
        L.dense(tf.reshape(x, [2, 2, 3]), 2, tf.tanh, **SQUARED),
        L.dense(x, 2, kernel_constraint=tf.abs, bias_constraint=tf.abs, kernel_initializer="he_normal"),
        L.dense(tf.cast(x, tf.float64), 2, tf.sigmoid),
        *tf.losses.get_regularization_losses(),
    ]


def dense_layer(x: Any) -> Any:
    layer = L.Dense(3, tf.nn.softplus, name="own", **SQUARED)
    with tf.variable_scope("outer", initializer=HALF):
        return [used(layer, x), layer(x + 1), used(L.Dense(2), x), layer.kernel, layer.bias]


def scoped(x: Any) -> Any:
    with tf.variable_scope("s", regularizer=l2, use_resource=True):
        y = L.dense(x, 4)
    with tf.variable_scope("t", partitioner=tf.fixed_size_partitioner(2)):
        z = L.dense(y, 4)
    with tf.variable_scope("s", reuse=True):
        return [y, z, L.dense(x + 1, 4)]


def reduced(x: Any) -> Any:
    return [
        L.dropout(x, 0.3, training=True, seed=3),
        L.dropout(x, 0.3, noise_shape=[4, 1], training=tf.constant(True), seed=2),
        L.dropout(x),
        used(L.Dropout(0.4, seed=4), x, training=True),
        L.flatten(tf.reshape(x, [2, 2, 3])),
        L.flatten(tf.reshape(x, [2, 2, 3, 1]), data_format="channels_first"),
        used(L.Flatten(), x[:, :, None]),
    ]


def normalized(x: Any) -> Any:
    clipped = {"rmax": 2.0, "rmin": 0.5, "dmax": 1.0}
    on = tf.placeholder_with_default(True, [])
    return [
        L.batch_normalization(x),
        L.batch_normalization(x, training=True, momentum=0.5, epsilon=0.1),
        L.batch_normalization(x, training=on, center=False, momentum=0.5, name="b"),
        L.batch_normalization(x, training=on, scale=False, momentum=0.5),
        L.batch_normalization(x, training=True, renorm=True, renorm_clipping=clipped, renorm_momentum=0.5),
        L.batch_normalization(x, training=True, virtual_batch_size=2),
        L.batch_normalization(x, gamma_initializer=HALF, gamma_regularizer=l2, beta_regularizer=l2, trainable=False),
        used(L.BatchNormalization(momentum=0.5, beta_initializer=HALF, moving_mean_initializer=HALF), x, training=True),
        L.batch_normalization(x, training=False, name="again"),
        L.batch_normalization(x, training=False, name="again", reuse=True),
    ]


def normalized_images(x: Any) -> Any:
    return [
        L.batch_normalization(x, training=True, momentum=0.5),
        L.batch_normalization(x, training=True, momentum=0.5, fused=False),
        L.batch_normalization(x, axis=1, training=True, momentum=0.5, fused=False),
        L.batch_normalization(x, axis=[1, 3], training=True, momentum=0.5, fused=False),
        L.batch_normalization(x, training=False, scale=False, center=False),
        L.batch_normalization(x, training=True, fused=True, renorm=True, momentum=0.5),
    ]


def convolved_series(x: Any) -> Any:
    return [
        L.conv1d(x, 4, 3),
        L.conv1d(x, 4, 3, 2, "same", activation=tf.nn.relu, name="c", use_bias=False),
        L.conv1d(x, 4, 2, dilation_rate=2, kernel_initializer=HALF, **SQUARED),
        used(L.Conv1D(2, 3, activation=tf.tanh), x),
        L.separable_conv1d(x, 4, 3, 1, "same", depth_multiplier=2, activation=tf.nn.relu),
        used(L.SeparableConv1D(2, 2, depthwise_regularizer=l2, pointwise_regularizer=l2, use_bias=False), x),
    ]


def convolved_images(x: Any) -> Any:
    return [
        L.conv2d(x, 4, 3),
        L.conv2d(x, 4, (3, 2), (2, 1), "same", activation=tf.nn.relu, name="c", use_bias=False),
        L.conv2d(x, 4, (3, 2), (2, 1), "same", name="c", use_bias=False, reuse=True),
        L.conv2d(x, 2, 2, dilation_rate=(2, 1), bias_initializer=HALF, **SQUARED),
        used(L.Conv2D(2, 3, activation=tf.tanh, kernel_constraint=tf.nn.relu), x),
        L.separable_conv2d(x, 4, 3, depth_multiplier=2),
        L.separable_conv2d(x, 4, 2, (2, 2), "same", activation=tf.nn.relu, use_bias=False, name="s"),
        used(L.SeparableConv2D(2, 2, dilation_rate=2, depthwise_regularizer=l2, pointwise_regularizer=l2), x),
    ]


def turned(x: Any) -> Any:
    return [
        L.conv2d_transpose(x, 4, 3),
        L.conv2d_transpose(x, 4, 3, 2, "same", activation=tf.nn.relu, use_bias=False, name="t"),
        L.conv2d_transpose(tf.transpose(x, [0, 3, 1, 2]), 2, 3, 2, data_format="channels_first"),
        used(L.Conv2DTranspose(2, (2, 3), (2, 3), **SQUARED), x),
    ]


def convolved_solids(x: Any) -> Any:
    return [
        L.conv3d(x, 3, 2),
        L.conv3d(x, 2, 3, (2, 1, 2), "same", activation=tf.tanh, use_bias=False, name="c"),
        used(L.Conv3D(2, 2, **SQUARED), x),
        L.conv3d_transpose(x, 2, 2, 2),
        L.conv3d_transpose(x, 2, 3, (1, 2, 1), "same", activation=tf.nn.relu, use_bias=False, name="t"),
        used(L.Conv3DTranspose(2, 2, kernel_regularizer=l2), x),
    ]


def pooled_series(x: Any) -> Any:
    first = {"data_format": "channels_first"}
    return [
        L.max_pooling1d(x, 2, 2),
        L.max_pooling1d(x, 3, 1, "same", name="m"),
        L.average_pooling1d(x, 2, 2),
        L.average_pooling1d(x, 3, 2, "same", **first),
        L.max_pooling1d(x, 2, 1, **first),
        used(L.MaxPooling1D(2, 1), x),
        used(L.AveragePooling1D(2, 1), x),
    ]


def pooled_images(x: Any) -> Any:
    return [
        L.max_pooling2d(x, 2, 2),
        L.max_pooling2d(x, (2, 3), (1, 2), "same", name="m"),
        L.average_pooling2d(x, 2, 2),
        L.average_pooling2d(x, (2, 3), (1, 2), "same"),
        used(L.MaxPooling2D(2, 1), x),
        used(L.AveragePooling2D(2, 1), x),
    ]


def pooled_solids(x: Any) -> Any:
    return [
        L.max_pooling3d(x, 2, 2),
        L.max_pooling3d(x, (2, 1, 2), 1, "same", name="m"),
        L.average_pooling3d(x, 2, 2),
        L.average_pooling3d(x, (2, 1, 2), 1, "same"),
        used(L.MaxPooling3D(2, 1), x),
        used(L.AveragePooling3D(2, 1), x),
    ]


class Scaled(L.Layer):  # type: ignore[name-defined, misc]
    """A layer of a program's own."""

    def build(self, shape: Any) -> None:
        self.scale = self.add_variable("scale", [int(shape[-1])], initializer=HALF, regularizer=l2)
        self.seen = self.add_variable("seen", [], initializer=tf.zeros_initializer(), trainable=False)
        self.add_update(self.seen.assign_add(1.0))
        super().build(shape)

    def call(self, x: Any) -> Any:
        self.add_loss(tf.reduce_sum(x), inputs=True)
        return x * self.scale + self.seen


def own(x: Any) -> Any:
    layer = Scaled(name="own")
    return [used(layer, x), layer(x), used(Scaled(), x), *tf.losses.get_regularization_losses()]


ROWS = [
    Row("layers.dense", dense, X),
    Row("layers.Dense", dense_layer, X),
    Row("layers.dense-scoped", scoped, X),
    Row("layers.dropout", reduced, X),
    Row("layers.batch_normalization", normalized, X, rounding=1e-4),
    Row("layers.batch_normalization-images", normalized_images, IMAGES, rounding=1e-4),
    Row("layers.conv1d", convolved_series, SERIES),
    Row("layers.conv2d", convolved_images, IMAGES),
    Row("layers.conv2d_transpose", turned, IMAGES),
    Row("layers.conv3d", convolved_solids, SOLIDS),
    Row("layers.max_pooling1d", pooled_series, SERIES),
    Row("layers.max_pooling2d", pooled_images, IMAGES),
    Row("layers.max_pooling3d", pooled_solids, SOLIDS),
    Row("layers.Layer", own, X),
]
