"""What libraries over TensorFlow 1.15 read of its insides: Sonnet, TensorFlow Probability, GPflow, Graph Nets, TRFL."""

from __future__ import annotations

import importlib

import numpy as np
import pytest

import retrograd.tf as tf


def inside(module, name):
    """A name of ``tensorflow.python``."""
    return getattr(importlib.import_module(f"retrograd.tf.python.{module}"), name)


def test_optimizers_inherit_from_optimizer_alone():
    made = [getattr(tf.train, name) for name in dir(tf.train) if name.endswith("Optimizer")]
    assert {kind.__base__ for kind in made if kind is not tf.train.Optimizer} == {tf.train.Optimizer}


def test_keras_by_version_two():
    assert tf.compat.v2.optimizers.Adam is tf.keras.optimizers.Adam
    assert tf.compat.v2.losses.MeanSquaredError is tf.keras.losses.MeanSquaredError


@pytest.mark.parametrize("dilation", [1, 2])
def test_a_convolution_apart_from_its_call(dilation):
    x, w = np.random.RandomState(0).randn(2, 6, 6, 3), np.random.RandomState(1).randn(3, 3, 3, 4)
    with tf.Graph().as_default(), tf.Session() as session:
        x, w = tf.constant(x), tf.constant(w)
        apart = inside("ops.nn_ops", "Convolution")(x.shape, w.shape, "SAME", dilation_rate=dilation)
        got, want = session.run([apart(x, w), tf.nn.convolution(x, w, "SAME", dilation_rate=dilation)])
    np.testing.assert_array_equal(got, want)


def test_a_constant_is_found_through_the_graph():
    with tf.Graph().as_default():
        known, unknown = tf.constant(2) + 3, tf.placeholder(tf.int32) + 1
        find = inside("pywrap_tensorflow", "TF_TryEvaluateConstant_wrapper")
        assert find(known.graph._c_graph, known._as_tf_output()) == 5
        assert find(unknown.graph._c_graph, unknown._as_tf_output()) is None


def test_a_case_of_any_condition():
    def choose(pred, true_fn, false_fn):
        return true_fn() if pred else false_fn()

    case = inside("ops.control_flow_ops", "_case_helper")
    with tf.Graph().as_default():
        assert case(choose, [(False, lambda: 1), (True, lambda: 2)], lambda: 3, False, "c", True) == 2


def test_batch_normalization_of_version_two_rests_once_it_is_not_trainable():
    x = np.random.RandomState(0).randn(4, 3).astype("f")
    with tf.Graph().as_default() as graph, tf.Session() as session:
        made = [tf.compat.v2.keras.layers.BatchNormalization(trainable=t)(x, training=True) for t in (True, False)]
        session.run(tf.global_variables_initializer())
        trained, resting = session.run(made)
        assert graph.get_operation_by_name("batch_normalization_1/LogicalAnd").type == "LogicalAnd"
    np.testing.assert_allclose(trained.mean(0), 0.0, atol=1e-6)
    np.testing.assert_allclose(resting, x / np.sqrt(1.001), rtol=1e-6)


def test_a_concrete_function_tells_the_shapes_of_what_it_gives():
    with tf.Graph().as_default():
        function = tf.function(lambda x: {"a": x[0], "b": (x, 2.0)}).get_concrete_function(tf.zeros([4, 3]))
        shapes = tf.nest.map_structure(lambda s: s.as_list(), function.output_shapes)
    assert shapes == {"a": [3], "b": ([4, 3], [])}


def test_a_subclass_of_an_operator_checks_what_it_multiplies():
    class Extended(tf.linalg.LinearOperatorDiag):
        def matmul_right(self, x):
            self._check_input_dtype(x)
            return x * self._diag

    operator = Extended([2.0, 3.0])
    with tf.Session() as session:
        assert session.run(operator.matmul_right(tf.ones([1, 2]))).tolist() == [[2.0, 3.0]]
    with pytest.raises(TypeError, match="Expected argument to have dtype"):
        operator.matmul_right(tf.constant([[1, 2]]))
