"""Functions of ``tf.layers`` and ``tf.contrib.layers``, with respect to what goes into them."""

from __future__ import annotations

from typing import Any

import numpy as np
from case_table import distinct, normal
from function_table import SINGLE
from function_table import FunctionRow as Row

from retrograd import tf

L, C = tf.layers, tf.contrib.layers
IMAGES = (distinct(2, 4, 4, 2, gap=0.06).astype("f"),)
ROWED = (normal(3, 4).astype("f"),)
ONCE = {**SINGLE, "tolerance": 1e-2}


def of_rows(x: Any) -> Any:
    """``x`` [3, 4]."""
    return [
        L.dense(x, 3, tf.tanh),
        L.dropout(x, 0.4, training=True, seed=3),
        L.batch_normalization(x, training=True),
        L.batch_normalization(x),
        L.flatten(x[:, :, None]),
        C.fully_connected(x, 3, tf.sigmoid),
        C.batch_norm(x, is_training=True),
        C.dropout(x, 0.6, seed=4),
        C.flatten(x[:, None]),
        C.layer_norm(x),
        C.unit_norm(x, 1),
        C.softmax(x),
        C.bias_add(x),
        C.maxout(x, 2),
        C.repeat(x, 2, C.fully_connected, 3, tf.tanh),
        C.stack(x, C.fully_connected, [3, 2], activation_fn=tf.tanh),
        C.elu(x, 2),
        C.l1_regularizer(0.3)(x),
        C.l2_regularizer(0.3)(x),
        C.l1_l2_regularizer(0.3, 0.2)(x),
        C.sum_regularizer([C.l2_regularizer(0.1)])(x),
        C.apply_regularization(C.l2_regularizer(0.2), [x]),
    ]


def of_images(x: Any) -> Any:
    """``x`` [2, 4, 4, 2]."""
    return [
        L.conv2d(x, 2, 2, activation=tf.tanh),
        L.conv2d_transpose(x, 2, 2, 2),
        L.separable_conv2d(x, 2, 2),
        L.max_pooling2d(x, 2, 2),
        L.average_pooling2d(x, 2, 1),
        C.conv2d(x, 2, 2, activation_fn=tf.tanh),
        C.conv2d_transpose(x, 2, 2, 2, activation_fn=None),
        C.conv2d_in_plane(x, 2, activation_fn=None),
        C.separable_conv2d(x, 2, 2, 1, activation_fn=None),
        C.convolution(x, 2, 2, rate=2, activation_fn=None),
        C.avg_pool2d(x, 2),
        C.max_pool2d(x, 2),
        C.spatial_softmax(x),
        C.gdn(x),
        C.group_norm(x, 2),
        C.instance_norm(x),
        C.batch_norm(x, fused=False, is_training=True, scale=True),
        C.images_to_sequence(x),
        C.sequence_to_images(C.images_to_sequence(x), 4),
    ]


def of_lines(x: Any) -> Any:
    """``x`` [2, 4, 2], and with a last dimension of 1 a volume."""
    v = x[:, :, :, None, None]
    return [
        L.conv1d(x, 2, 2),
        L.separable_conv1d(x, 2, 2),
        L.max_pooling1d(x, 2, 1),
        L.average_pooling1d(x, 2, 1),
        L.conv3d(v, 2, (2, 1, 1)),
        L.conv3d_transpose(v, 1, (2, 1, 1)),
        L.max_pooling3d(v, (2, 1, 1), 1),
        L.average_pooling3d(v, (2, 1, 1), 1),
        C.conv1d(x, 2, 2, activation_fn=None),
        C.conv3d(v, 2, (2, 1, 1), activation_fn=None),
        C.conv3d_transpose(v, 1, (2, 1, 1), activation_fn=None),
        C.avg_pool3d(v, (2, 1, 1)),
        C.max_pool3d(v, (2, 1, 1)),
    ]


def of_tables(x: Any) -> Any:
    """``x`` [3, 4] a table of rows."""
    ids = tf.SparseTensor(
        np.array([[0, 0], [0, 1], [1, 0]], np.int64), np.array([2, 0, 1], np.int64), np.array([2, 2], np.int64)
    )
    return [C.embedding_lookup_unique(x, tf.constant([2, 0, 2])), C.safe_embedding_lookup_sparse([x], ids)]


ROWS = [
    Row(
        "layers.dense layers.dropout layers.batch_normalization layers.flatten "
        "contrib.layers.fully_connected contrib.layers.batch_norm contrib.layers.dropout "
        "contrib.layers.flatten contrib.layers.layer_norm contrib.layers.unit_norm "
        "contrib.layers.softmax contrib.layers.bias_add contrib.layers.maxout contrib.layers.repeat "
        "contrib.layers.stack contrib.layers.elu contrib.layers.apply_regularization",
        of_rows,
        ROWED,
        draws=True,
        **ONCE,
    ),
    Row(
        "layers.conv2d_transpose contrib.layers.conv2d contrib.layers.conv2d_transpose "
        "contrib.layers.conv2d_in_plane contrib.layers.separable_conv2d contrib.layers.convolution "
        "contrib.layers.avg_pool2d contrib.layers.max_pool2d contrib.layers.spatial_softmax "
        "contrib.layers.gdn contrib.layers.group_norm contrib.layers.instance_norm "
        "contrib.layers.images_to_sequence contrib.layers.sequence_to_images",
        of_images,
        IMAGES,
        **ONCE,
    ),
    Row(
        "layers.conv1d layers.separable_conv1d layers.max_pooling1d contrib.layers.conv1d "
        "contrib.layers.conv3d contrib.layers.conv3d_transpose contrib.layers.avg_pool3d "
        "contrib.layers.max_pool3d",
        of_lines,
        (distinct(2, 4, 2).astype("f"),),
        **ONCE,
    ),
    Row(
        "contrib.layers.embedding_lookup_unique contrib.layers.safe_embedding_lookup_sparse", of_tables, ROWED, **SINGLE
    ),
]
