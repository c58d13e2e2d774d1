"""What is said of values in a checkpoint that no object takes; messages recorded from TensorFlow 1.15.5."""

from __future__ import annotations

import gc
import logging

import numpy as np
import pytest

from retrograd import tf
from retrograd.eager.context import eager_mode
from retrograd.graph.log import get_logger


@pytest.fixture(autouse=True)
def _at_once():
    with eager_mode():
        yield


@pytest.fixture
def said():
    found = []
    handler = logging.Handler(logging.WARNING)
    handler.emit = lambda record: found.append(record.getMessage())
    get_logger().addHandler(handler)
    yield found
    get_logger().removeHandler(handler)


def _saved(tmp_path, **values):
    return tf.train.Checkpoint(**values).save(str(tmp_path / "ckpt"))


def test_values_that_nobody_took_are_told_when_the_objects_end(tmp_path, said):
    optimizer = tf.keras.optimizers.Adam(0.1)
    v1 = tf.Variable(2.0)
    optimizer.minimize(lambda: v1 * 1.0, [v1])
    path = _saved(tmp_path, v1=v1, v2=tf.Variable(3.0), optimizer=optimizer)
    root = tf.train.Checkpoint(v1=tf.Variable(0.0))
    status = root.restore(path)
    del root
    gc.collect()
    assert not said
    del status
    gc.collect()
    assert "Unresolved object in checkpoint: (root).v2" in said
    assert "Unresolved object in checkpoint: (root).optimizer's state 'm' for (root).v1" in said
    assert not any(line.endswith("(root).v1") and "state" not in line for line in said)
    assert "Use expect_partial()" in said[-1]


def test_a_value_that_an_object_cannot_take(tmp_path, said):
    path = _saved(tmp_path, v1=tf.Variable(2.0), v2=tf.Variable(3.0))
    root = tf.train.Checkpoint(v1=tf.train.Checkpoint(), v2=tf.Variable(0.0))
    status = root.restore(path)
    with pytest.raises(AssertionError, match=r"Unused attributes(.|\n)*\(root\)\.v1 .*: \['VARIABLE_VALUE'\]"):
        status.assert_consumed()
    del root, status
    gc.collect()
    assert "Unused attribute in object (root).v1: ['VARIABLE_VALUE']" in said


def test_nothing_is_said_of_a_partial_restore_that_was_expected(tmp_path, said):
    path = _saved(tmp_path, v1=tf.Variable(2.0), v2=tf.Variable(3.0))
    root = tf.train.Checkpoint(v1=tf.Variable(0.0))
    root.restore(path).expect_partial()
    del root
    gc.collect()
    assert not said


def test_an_object_takes_its_value_when_it_is_added(tmp_path, said):
    path = _saved(tmp_path, v1=tf.Variable(2.0), v2=tf.Variable(3.0))
    root = tf.train.Checkpoint(v1=tf.Variable(0.0))
    root.restore(path)
    root.v2 = tf.Variable(1.0)
    assert root.v2.numpy() == 3.0
    del root
    gc.collect()
    assert not said


def test_a_model_is_trained_while_a_restore_waits_for_objects(tmp_path):
    root = tf.train.Checkpoint(v1=tf.Variable(0.0))
    root.restore(_saved(tmp_path, v1=tf.Variable(2.0), v2=tf.Variable(3.0))).expect_partial()
    model = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(3,))])
    model.compile("adam", "mse")
    model.fit(np.zeros([4, 3]), np.zeros([4, 2]), verbose=0)
    root.v2 = tf.Variable(1.0)
    assert root.v2.numpy() == 3.0
