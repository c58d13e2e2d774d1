"""Functions that programs seldom differentiate: decays of learning rates, ragged rows, checks of shapes, clipping."""

from __future__ import annotations

from typing import Any

import numpy as np
from case_table import distinct, normal
from function_table import SINGLE
from function_table import FunctionRow as Row

from retrograd import tf

T, G, F, O = tf.train, tf.ragged, tf.contrib.framework, tf.contrib.training  # noqa: E741
RATE = (np.float32(0.3),)
FLAT = (distinct(6, gap=0.3).astype("f"),)
ROWED = (normal(3, 4).astype("f"),)
SOLIDS = (distinct(1, 3, 3, 3, 2, gap=0.05).astype("f"), normal(2, 2, 2, 2, 1).astype("f"))
IMAGES = (distinct(2, 4, 4, 2, gap=0.06).astype("f"),)


def decayed(rate: Any) -> Any:
    """The learning rate at the 7th step."""
    return [
        T.exponential_decay(rate, 7, 5, 0.9),
        T.exponential_decay(rate, 7, 5, 0.9, staircase=True),
        T.natural_exp_decay(rate, 7, 5, 0.9),
        T.inverse_time_decay(rate, 7, 5, 0.9),
        T.polynomial_decay(rate, 7, 20, 0.01, 2.0),
        T.polynomial_decay(rate, 7, 5, 0.01, cycle=True),
        T.cosine_decay(rate, 7, 20, 0.1),
        T.cosine_decay_restarts(rate, 7, 5),
        T.linear_cosine_decay(rate, 7, 20),
        T.piecewise_constant(tf.constant(7), [5], [rate, rate * rate]),
    ]


def ragged(x: Any) -> Any:
    """``x`` [6] as three rows."""
    rows = tf.RaggedTensor.from_row_splits(x, tf.constant([0, 2, 2, 6], tf.int64))
    return [
        G.boolean_mask(rows, tf.ragged.constant([[True, False], [], [True, True, False, True]])).values,
        G.map_flat_values(tf.sin, rows).values,
        G.stack([rows, rows]).flat_values,
        G.stack_dynamic_partitions(x, [2, 0, 1, 2, 0, 0], 3).values,
    ]


def checked(x: Any) -> Any:
    return [
        F.with_shape([3, 4], x),
        F.with_same_shape(tf.ones([3, 4]), x),
        *F.remove_squeezable_dimensions(tf.expand_dims(x, 2), x),
    ]


def clipped(x: Any) -> Any:
    weights = tf.get_variable("w", [3, 4], initializer=tf.ones_initializer())
    return [
        O.clip_gradient_norms([(x, weights)], 0.5)[0][0],
        O.clip_gradient_norms_fn(0.7)([(x, weights)])[0][0],
        O.multiply_gradients([(x, weights)], {weights: 2.0})[0][0],
    ]


ROWS = [
    Row(
        "train.exponential_decay train.natural_exp_decay train.inverse_time_decay train.polynomial_decay "
        "train.cosine_decay train.cosine_decay_restarts train.linear_cosine_decay train.piecewise_constant",
        decayed,
        RATE,
        **SINGLE,
    ),
    Row(
        "train.noisy_linear_cosine_decay",
        lambda rate: T.noisy_linear_cosine_decay(rate, 7, 20),
        RATE,
        draws=True,
        **SINGLE,
    ),
    Row(
        "ragged.boolean_mask ragged.map_flat_values ragged.stack ragged.stack_dynamic_partitions",
        ragged,
        FLAT,
        **SINGLE,
    ),
    Row(
        "contrib.framework.with_shape contrib.framework.with_same_shape contrib.framework.remove_squeezable_dimensions",
        checked,
        ROWED,
        **SINGLE,
    ),
    Row("contrib.training.clip_gradient_norms contrib.training.multiply_gradients", clipped, ROWED, **SINGLE),
    Row("keras.backend.conv3d", tf.keras.backend.conv3d, SOLIDS, **SINGLE),
    Row("keras.applications.nasnet.preprocess_input", tf.keras.applications.nasnet.preprocess_input, IMAGES, **SINGLE),
    Row("contrib.slim.pool", lambda x: tf.contrib.slim.pool(x, [2, 2], "AVG"), IMAGES, **SINGLE),
    Row(
        "contrib.layers.legacy_fully_connected",
        lambda x: tf.contrib.layers.legacy_fully_connected(x, 2, tf.tanh),
        ROWED,
        **SINGLE,
    ),
]
