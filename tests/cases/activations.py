"""Activations, softmax, biases and losses."""

from __future__ import annotations

from typing import Any

import numpy as np
from case_table import Row, between, distinct, normal

from retrograd import tf
from retrograd.tf import raw_ops

X = (distinct(2, 3, gap=0.7),)  # on both sides of every kink: 0, 6
DY_AND_X = (normal(2, 3), distinct(2, 3, gap=0.7))
DY_AND_Y = (normal(2, 3), between(-0.8, 2, 2, 3))
LOGITS = (normal(2, 3),)
ODDS = np.array([[0.2, 0.3, 0.5], [0.6, 0.4, 0.0]])
IMAGES = (normal(2, 2, 1, 3), normal(3, seed=1))
CHANNELS_FIRST = (normal(2, 3, 1, 2), normal(3, seed=1))


def cross_entropy(logits: Any, labels: Any = ODDS) -> Any:
    """TensorFlow's rule holds where the labels of a row add up to 1."""
    return raw_ops.SoftmaxCrossEntropyWithLogits(features=logits, labels=labels).loss


def sparse_cross_entropy(logits: Any) -> Any:
    return raw_ops.SparseSoftmaxCrossEntropyWithLogits(features=logits, labels=np.array([2, 0])).loss


ROWS = [
    Row("Relu", tf.nn.relu, X),
    Row("ReluGrad", raw_ops.ReluGrad, DY_AND_X),
    Row("Relu6", tf.nn.relu6, (distinct(4, 5, gap=0.7),)),
    Row("Relu6Grad", raw_ops.Relu6Grad, (normal(4, 5), distinct(4, 5, gap=0.7))),
    Row("LeakyRelu", lambda x: tf.nn.leaky_relu(x, 0.3), X),
    Row("LeakyReluGrad", lambda dy, x: raw_ops.LeakyReluGrad(dy, x, 0.3), DY_AND_X),
    Row("Elu", tf.nn.elu, X),
    Row("EluGrad", raw_ops.EluGrad, DY_AND_Y),
    Row("Selu", tf.nn.selu, X),
    Row("SeluGrad", raw_ops.SeluGrad, DY_AND_Y),
    Row("Softplus", tf.nn.softplus, X),
    Row("SoftplusGrad", raw_ops.SoftplusGrad, DY_AND_X),
    Row("Softsign", tf.nn.softsign, X),
    Row("SoftsignGrad", raw_ops.SoftsignGrad, DY_AND_X),
    Row("VJP", lambda *t: tf.gradients(raw_ops.SoftsignGrad(*t[:2]), t[:2], t[2]), (*DY_AND_X, normal(2, 3, seed=1))),
    Row("Softmax", tf.nn.softmax, (normal(2, 3),)),
    Row("LogSoftmax", tf.nn.log_softmax, (normal(2, 3),)),
    Row("SoftmaxCrossEntropyWithLogits", cross_entropy, LOGITS),
    Row("SoftmaxCrossEntropyWithLogits", lambda t: cross_entropy(ODDS, t), (between(0.1, 1, 2, 3),), label="of labels"),
    Row("SparseSoftmaxCrossEntropyWithLogits", sparse_cross_entropy, LOGITS),
    Row("L2Loss", tf.nn.l2_loss, (normal(2, 3),)),
    Row("BiasAdd", tf.nn.bias_add, IMAGES),
    Row("BiasAdd", lambda x, b: tf.nn.bias_add(x, b, "NCHW"), CHANNELS_FIRST, label="NCHW"),
    Row("BiasAddV1", raw_ops.BiasAddV1, IMAGES),
    Row("BiasAddGrad", raw_ops.BiasAddGrad, IMAGES[:1]),
    Row("BiasAddGrad", lambda dy: raw_ops.BiasAddGrad(dy, "NCHW"), CHANNELS_FIRST[:1], label="NCHW"),
    Row("InTopKV2", lambda x: tf.nn.in_top_k(tf.cast(x, tf.float32), [2, 0], 2), (distinct(2, 3),), orders=0),
]
