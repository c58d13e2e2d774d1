"""Layers of ``tf.contrib.layers`` (the same as of ``slim``), of pruned networks and of cuDNN."""

from __future__ import annotations

from typing import Any

import numpy as np
from case_table import distinct, normal
from layer_table import LayerRow as Row
from layer_table import kept

from retrograd import tf

C, P, S = tf.contrib.layers, tf.contrib.model_pruning, tf.contrib.slim
X = (normal(4, 6).astype("f"),)
SERIES = (distinct(2, 6, 4, gap=0.07).astype("f"),)
IMAGES = (distinct(2, 5, 6, 4, gap=0.02).astype("f"),)
SOLIDS = (distinct(2, 4, 3, 4, 2, gap=0.02).astype("f"),)
IDS = (np.array([[1, 0, 3], [2, 4, 0]], np.int32),)
HALF = tf.constant_initializer(0.5)
L2 = {"weights_regularizer": C.l2_regularizer(0.1), "biases_regularizer": C.l1_regularizer(0.1)}
IN = {"variables_collections": ["vc"], "outputs_collections": "oc"}
NORMAL = {"normalizer_fn": C.batch_norm, "normalizer_params": {"decay": 0.5, "scale": True}}


def full(x: Any) -> Any:
    with tf.variable_scope("resource", use_resource=True):
        again = C.recompute_grad(lambda y: tf.layers.dense(y, 2))(x)
    return [
        C.fully_connected(x, 3),
        C.fully_connected(x, 3, None, scope="own", **L2, **IN),
        C.fully_connected(x, 3, None, scope="own", reuse=True, **L2),
        C.fully_connected(x, 3, tf.tanh, **NORMAL),
        C.fully_connected(x[:, None], 3, weights_initializer=HALF, biases_initializer=None, trainable=False),
        C.linear(x, 2),
        C.relu(x, 2),
        C.relu6(x, 2),
        C.elu(x, 2),
        C.legacy_fully_connected(x, 2, tf.nn.relu, weight_regularizer=C.l2_regularizer(0.1), name="legacy"),
        C.legacy_linear(x, 2),
        C.legacy_relu(x, 2),
        C.repeat(x, 2, C.fully_connected, 3, tf.tanh, scope="r"),
        C.stack(x, C.fully_connected, [3, 2], activation_fn=tf.tanh, scope="s"),
        C.dropout(x, 0.6, seed=3),
        C.dropout(x, 0.6, (4, 1), is_training=tf.constant(True), seed=3, outputs_collections="oc"),
        C.dropout(x, is_training=False),
        C.flatten(x[:, None], "oc"),
        C.bias_add(x, tf.tanh, HALF, C.l2_regularizer(0.1), variables_collections=["vc"]),
        C.layer_norm(x),
        C.layer_norm(x[:, None], False, False, tf.nn.relu, begin_norm_axis=2, variables_collections=["vc"]),
        C.unit_norm(x, 1, 1e-3),
        C.softmax(x),
        C.maxout(x, 3),
        1.0 * C.scale_gradient(x, 2.0),
        again,
        *tf.losses.get_regularization_losses(),
        C.apply_regularization(C.l1_l2_regularizer(0.1, 0.2)),
        C.apply_regularization(C.sum_regularizer([C.l1_regularizer(0.1), C.l2_regularizer(0.1)]), [x]),
    ]


def normalized(x: Any) -> Any:
    return [
        C.batch_norm(x, 0.5, scale=True),
        C.batch_norm(x, 0.5, center=False, activation_fn=tf.nn.relu, updates_collections=None, is_training=True),
        C.batch_norm(x, 0.5, is_training=tf.constant(True), zero_debias_moving_mean=True, scope="z"),
        C.batch_norm(x, is_training=False, param_initializers={"beta": HALF, "moving_mean": HALF}, scope="own"),
        C.batch_norm(x, is_training=False, scope="own", reuse=True),
        C.batch_norm(
            x, 0.5, fused=False, param_regularizers={"beta": C.l2_regularizer(0.1)}, variables_collections=["vc"]
        ),
        C.batch_norm(x, 0.5, batch_weights=tf.constant([1.0, 2.0, 0.5, 1.0]), scale=True),
        C.batch_norm(x, 0.5, renorm=True, renorm_decay=0.5),
        *tf.losses.get_regularization_losses(),
    ]


def normalized_images(x: Any) -> Any:
    first = tf.transpose(x, [0, 3, 1, 2])
    return [
        C.batch_norm(x, 0.5, scale=True),
        C.batch_norm(x, 0.5, fused=False),
        C.batch_norm(first, 0.5, fused=False, data_format="NCHW", scale=True),
        C.instance_norm(x, activation_fn=tf.tanh),
        C.instance_norm(first, data_format="NCHW", center=False, variables_collections=["vc"]),
        C.group_norm(x, 2),
        C.group_norm(first, 2, -3, (-2, -1), scale=False, activation_fn=tf.nn.relu, mean_close_to_zero=True),
        C.spatial_softmax(x),
        C.spatial_softmax(x, 2.0, "own"),
        C.gdn(x),
        C.gdn(x, inverse=True, beta_min=1e-3, gamma_init=0.3),
        kept(C.GDN(name="own"))(x),
    ]


def convolved(x: Any) -> Any:
    return [
        C.conv2d(x, 3, 3),
        C.conv2d(x, 3, [3, 2], 2, "VALID", activation_fn=None, scope="own", **L2, **IN),
        C.conv2d(x, 3, [3, 2], 2, "VALID", activation_fn=None, scope="own", reuse=True),
        C.conv2d(x, 3, 3, rate=2, **NORMAL),
        C.convolution(x, 2, 3, biases_initializer=None),
        C.conv2d_transpose(x, 3, 3, 2),
        C.conv2d_transpose(x, 3, [3, 2], [2, 1], "VALID", **L2, **NORMAL),
        C.conv2d_in_plane(x, [1, 2], 2, activation_fn=None),
        C.separable_conv2d(x, 3, 3, 2, activation_fn=None),
        C.separable_conv2d(x, None, 3, 1, 2, rate=1, **L2, **NORMAL),
        C.max_pool2d(x, 2),
        C.max_pool2d(x, [2, 3], 1, "SAME", outputs_collections="oc"),
        C.avg_pool2d(x, [2, 3], [1, 2], "SAME", scope="own"),
        S.pool(x, [2, 2], "AVG", "SAME", stride=2),
        C.images_to_sequence(x),
        C.sequence_to_images(C.images_to_sequence(x), 5),
        *tf.losses.get_regularization_losses(),
    ]


def in_scope(x: Any) -> Any:
    with S.arg_scope([S.conv2d, S.fully_connected], activation_fn=tf.tanh, weights_initializer=HALF, **L2):
        with S.arg_scope([S.conv2d], stride=2):
            y = S.conv2d(x, 3, 3)
        return [S.fully_connected(S.flatten(y), 3), *tf.losses.get_regularization_losses()]


def convolved_others(x: Any) -> Any:
    series = tf.squeeze(x[:, :, :1, :1], [2, 3])
    return [
        C.conv3d(x, 3, 2),
        C.conv3d(x, 3, [2, 1, 2], 2, "VALID", activation_fn=None, **L2),
        C.conv3d_transpose(x, 2, 2, 2),
        C.max_pool3d(x, 2),
        C.avg_pool3d(x, [2, 1, 2], 1, "SAME"),
        C.conv1d(series, 3, 2),
        C.conv1d(series, 3, 3, 2, "VALID", activation_fn=None, biases_initializer=None),
    ]


def embedded(ids: Any) -> Any:
    sparse = tf.SparseTensor([[0, 0], [0, 2], [1, 1]], tf.constant([1, 3, 2], tf.int64), [2, 3])
    weights = tf.SparseTensor(sparse.indices, [1.0, 0.5, 2.0], [2, 3])
    spread = S.embedding_lookup_sparse_with_distributed_aggregation
    table, flat = tf.get_variable("table", [5, 3]), tf.get_variable("flat", [11])
    return [
        C.embed_sequence(ids, 5, 4),
        C.embed_sequence(ids, 5, 4, unique=True, scope="own", regularizer=C.l2_regularizer(0.1)),
        C.bow_encoder(ids, 5, 3, False, regularizer=C.l2_regularizer(0.1)),
        C.bow_encoder(sparse, 5, 3, scope="sparse"),
        C.one_hot_encoding(ids, 5, 2.0, -1.0, "oc"),
        C.dense_to_sparse(ids, 0),
        C.embedding_lookup_unique(table, ids),
        C.safe_embedding_lookup_sparse([table], sparse, combiner="mean"),
        # by ops of its own in TensorFlow
        tf.reduce_sum(tf.sin(spread([table, table + 1.0], sparse, None, combiner="sum"))),
        tf.reduce_sum(tf.sin(spread(table, sparse, weights, combiner="sqrtn"))),
        S.scattered_embedding_lookup([flat], sparse.values, 3),
        S.scattered_embedding_lookup_sparse([flat], sparse, 3, combiner="mean"),
        *tf.losses.get_regularization_losses(),
    ]


def halves(x: Any) -> Any:
    a, b = tf.split(x, 2, 1)

    def dense(y: Any) -> Any:
        return tf.layers.dense(y, 3, tf.tanh, use_bias=False)

    block = C.RevBlock(dense, tf.square, 2, use_efficient_backprop=False, name="own")
    return [C.rev_block(a, b, dense, tf.square, 2, is_training=False), block.forward(a, b)]


def masked(x: Any) -> Any:
    return [
        P.masked_fully_connected(x, 3),
        P.masked_fully_connected(x, 3, None, scope="own", **L2, **IN),
        P.masked_conv2d(x[:, None, :, None], 2, [1, 3]),
        P.masked_convolution(x[:, None, :, None], 2, [1, 3], 2, "VALID", activation_fn=None),
        P.get_masks(),
        P.get_thresholds(),
        P.get_weights(),
        P.get_masked_weights(),
        P.get_weight_sparsity(),
        P.apply_mask(tf.get_variable("w", [2, 3]), "applied"),
    ]


ROWS = [
    Row("contrib.layers.fully_connected", full, X),
    Row("contrib.layers.batch_norm", normalized, X, rounding=1e-4),
    Row("contrib.layers.batch_norm-images", normalized_images, IMAGES, rounding=1e-4),
    Row("contrib.layers.conv2d", convolved, IMAGES, rounding=1e-4),
    Row("contrib.slim.arg_scope", in_scope, IMAGES),
    Row("contrib.layers.conv3d", convolved_others, SOLIDS),
    Row("contrib.layers.embed_sequence", embedded, IDS),
    Row("contrib.layers.rev_block", halves, X, slopes=False),
    Row("contrib.model_pruning.masked_conv2d", masked, X),
]
