"""Functions of ``tf.keras.backend``, ``tf.keras.activations`` and the functions among Keras' layers."""

from __future__ import annotations

from typing import Any

import numpy as np
from case_table import between, distinct, normal
from function_table import SINGLE
from function_table import FunctionRow as Row

from retrograd import tf

K, A, Y = tf.keras.backend, tf.keras.activations, tf.keras.layers
FAR = (distinct(2, 3, gap=0.7).astype("f"),)
POSITIVE = (between(0.3, 2, 2, 3).astype("f"),)
ONCE = {**SINGLE, "tolerance": 1e-2}


def elementwise(x: Any) -> Any:
    """Of numbers above 0."""
    return [
        K.abs(x),
        K.square(x),
        K.sqrt(x),
        K.exp(x),
        K.log(x),
        K.pow(x, 3),
        K.clip(x, 0.1, 9.0),
        K.maximum(x, 0.2),
        K.minimum(x, 9.0),
        K.sin(x),
        K.cos(x),
        K.sign(x) * x,
        K.sum(x, 1),
        K.prod(x, 1),
        K.mean(x, 0, True),
        K.var(x, 1),
        K.std(x, 1),
        K.max(x, 1),
        K.min(x, 0),
        K.cumsum(x, 1),
        K.cumprod(x, 1),
        K.l2_normalize(x, 1),
    ]


def activated(x: Any) -> Any:
    names = [
        "elu",
        "selu",
        "softplus",
        "softsign",
        "relu",
        "tanh",
        "sigmoid",
        "exponential",
        "hard_sigmoid",
        "linear",
        "softmax",
    ]
    return [
        *[getattr(A, name)(x) for name in names],
        A.relu(x, 0.1, 1.5, 0.2),
        A.softmax(x[None]),
        K.relu(x, 0.1, 1.5),
        K.elu(x, 0.5),
        K.softmax(x),
        K.softplus(x),
        K.softsign(x),
        K.sigmoid(x),
        K.hard_sigmoid(x),
        K.tanh(x),
    ]


def arranged(x: Any) -> Any:
    """``x`` [2, 3]."""
    four = x[:, None, :, None]
    return [
        K.reshape(x, [3, 2]),
        K.transpose(x),
        K.permute_dimensions(x, [1, 0]),
        K.expand_dims(x, 1),
        K.squeeze(four, 1),
        K.flatten(x),
        K.batch_flatten(x[:, None]),
        K.repeat(x, 2),
        K.repeat_elements(x, 2, 1),
        K.tile(x, [1, 2]),
        K.reverse(x, 1),
        K.stack([x, x], 1),
        K.concatenate([x, x]),
        K.gather(x, tf.constant([1, 0, 1])),
        K.cast(x, "float32") * 1.0,
        K.temporal_padding(x[:, :, None], (1, 2)),
        K.spatial_2d_padding(four),
        K.spatial_3d_padding(four[..., None]),
        K.resize_images(four, 2, 2, "channels_last", "bilinear"),
        K.resize_volumes(four[..., None], 1, 2, 1, "channels_last"),
        K.switch(K.sum(x) < 50.0, x * 2, x),
        K.in_train_phase(lambda: x * x, x, True),
        K.in_test_phase(lambda: x * x, x, False),
        K.map_fn(lambda r: r * r, x),
        K.foldl(lambda a, r: a * r, x),
        K.foldr(lambda a, r: a + r * r, x),
        K.print_tensor(x) * 1.0,
        *K.gradients(K.sum(x**3), [x]),
        K.to_dense(x) * 1.0,
        K.dropout(x, 0.4, seed=3),
    ]


def multiplied(x: Any, y: Any) -> Any:
    """``x`` [2, 3], ``y`` [3, 2]."""
    return [
        K.dot(x, y),
        K.dot(x[None], y),
        K.batch_dot(x[:, None], x[:, :, None]),
        K.batch_dot(x, tf.transpose(y), 1),
        K.bias_add(x, y[:, 0]),
        Y.add([x, tf.transpose(y)]),
        Y.subtract([x, tf.transpose(y)]),
        Y.multiply([x, tf.transpose(y)]),
        Y.average([x, tf.transpose(y)]),
        Y.maximum([x, tf.transpose(y)]),
        Y.minimum([x, tf.transpose(y)]),
        Y.concatenate([x, tf.transpose(y)]),
        Y.dot([x, tf.transpose(y)], 1, True),
    ]


def convolved(x: Any, w: Any) -> Any:
    """``x`` [2, 4, 3, 2], ``w`` [2, 2, 2, 2]."""
    return [
        K.conv1d(x[:, 0], w[0]),
        K.conv2d(x, w, padding="same"),
        K.conv2d_transpose(x, w, (2, 4, 3, 2), padding="same"),
        K.separable_conv2d(x, w[..., :1], w[:1, :1]),
        K.pool2d(x, (2, 2)),
        K.pool2d(x, (2, 2), pool_mode="avg"),
        K.pool3d(x[..., None], (2, 1, 1), pool_mode="avg"),
        K.local_conv1d(x[:, 0], tf.reshape(w, [2, 4, 2]), (2,), (1,)),
        K.local_conv2d(x[:, :2, :2], tf.reshape(w, [1, 8, 2]), (2, 2), (1, 1), (1, 1)),
        K.batch_normalization(x, tf.constant([0.1, 0.3]), tf.constant([0.5, 2.0]), w[0, 0, 1], w[0, 1, 0]),
        K.normalize_batch_in_training(x, w[0, 0, 0], w[0, 0, 1], [0, 1, 2])[0],
    ]


def compared(x: Any, z: Any) -> Any:
    """Of odds."""
    return [
        K.binary_crossentropy(z, x),
        K.categorical_crossentropy(z, x),
        K.sparse_categorical_crossentropy(tf.constant([2, 0]), x),
        K.categorical_crossentropy(z, x, True),
        K.binary_crossentropy(z, x, True),
    ]


def repeated(x: Any) -> Any:
    """``x`` [2, 3, 2]."""
    step = lambda i, s: (i * s[0], [tf.tanh(i + s[0])])  # noqa: E731
    last, every, _ = K.rnn(step, x, [x[:, 0]])
    unrolled = K.rnn(step, x, [x[:, 0]], unroll=True, go_backwards=True)[1]
    return [last, every, unrolled]


ROWS = [
    Row(
        "keras.backend.clip keras.backend.pow keras.backend.sqrt keras.backend.sum keras.backend.prod "
        "keras.backend.mean keras.backend.var keras.backend.std keras.backend.max keras.backend.min "
        "keras.backend.cumsum keras.backend.cumprod keras.backend.l2_normalize",
        elementwise,
        (distinct(2, 3, gap=0.23).astype("f") + 1.1,),
        **SINGLE,
    ),
    Row(
        "keras.activations.elu keras.activations.selu keras.activations.softplus "
        "keras.activations.softsign keras.activations.relu keras.activations.exponential "
        "keras.activations.hard_sigmoid keras.activations.softmax keras.backend.relu keras.backend.elu "
        "keras.backend.softmax keras.backend.softplus keras.backend.softsign keras.backend.hard_sigmoid",
        activated,
        FAR,
        **SINGLE,
    ),
    Row(
        "keras.backend.reshape keras.backend.transpose keras.backend.permute_dimensions "
        "keras.backend.expand_dims keras.backend.squeeze keras.backend.flatten keras.backend.repeat "
        "keras.backend.repeat_elements keras.backend.tile keras.backend.reverse keras.backend.stack "
        "keras.backend.concatenate keras.backend.gather keras.backend.temporal_padding "
        "keras.backend.spatial_2d_padding keras.backend.spatial_3d_padding keras.backend.resize_images "
        "keras.backend.resize_volumes keras.backend.switch keras.backend.in_train_phase "
        "keras.backend.map_fn keras.backend.foldl keras.backend.foldr keras.backend.dropout "
        "keras.backend.gradients",
        arranged,
        POSITIVE,
        draws=True,
        **SINGLE,
    ),
    Row(
        "keras.backend.dot keras.backend.batch_dot keras.backend.bias_add keras.layers.add "
        "keras.layers.subtract keras.layers.multiply keras.layers.average keras.layers.maximum "
        "keras.layers.minimum keras.layers.concatenate keras.layers.dot",
        multiplied,
        (distinct(2, 3).astype("f"), distinct(3, 2, seed=1, gap=0.17).astype("f")),
        **SINGLE,
    ),
    Row(
        "keras.backend.conv1d keras.backend.conv2d keras.backend.conv2d_transpose keras.backend.pool2d "
        "keras.backend.pool3d keras.backend.local_conv1d keras.backend.local_conv2d "
        "keras.backend.batch_normalization keras.backend.normalize_batch_in_training",
        convolved,
        (distinct(2, 4, 3, 2).astype("f"), normal(2, 2, 2, 2).astype("f")),
        **ONCE,
    ),
    Row(
        "keras.backend.binary_crossentropy keras.backend.categorical_crossentropy "
        "keras.backend.sparse_categorical_crossentropy",
        compared,
        (between(0.2, 0.8, 2, 3).astype("f"), np.array([[0.2, 0.3, 0.5], [0.6, 0.4, 0.0]], "f")),
        still=(1,),
        **SINGLE,
    ),
    Row("keras.backend.rnn", repeated, (normal(2, 3, 2).astype("f"),), **SINGLE),
]
