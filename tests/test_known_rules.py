"""The registry of gradients as programs look at it: TensorFlow's private names for its gradient functions."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import retrograd.tf as tf
from retrograd.tf.python.framework import ops
from retrograd.tf.python.ops import array_grad, math_grad, nn_grad


@pytest.fixture(autouse=True)
def _as_it_was():
    from retrograd.grad import registry

    before = dict(registry.REGISTERED)
    yield
    registry.REGISTERED.clear()
    registry.REGISTERED.update(before)


def test_inner_modules_hold_the_functions_that_they_register():
    x = tf.constant([-1.0, 2.0])
    dx = nn_grad._ReluGrad(tf.nn.relu(x).op, tf.ones(2))
    dx_of_product = math_grad._MulGrad((x * 3.0).op, tf.ones(2))
    assert array_grad._IdGrad.__name__ == "_IdentityGrad"
    with tf.Session() as session:
        assert session.run(dx).tolist() == [0, 1]
        assert session.run(dx_of_product[0]).tolist() == [3, 3]


def test_a_module_holds_no_functions_of_another():
    assert not hasattr(nn_grad, "_SigmoidGrad")
    assert hasattr(math_grad, "_SigmoidGrad")
    with pytest.raises(AttributeError, match="no attribute '_NoSuchGrad'"):
        _ = nn_grad._NoSuchGrad


def test_a_single_input_has_a_single_gradient():
    y = tf.tanh(tf.constant(0.0))
    assert isinstance(ops.get_gradient_function(y.op)(y.op, tf.constant(1.0)), tf.Tensor)


def test_names_are_asked_for_before_they_are_registered():
    known = ops._gradient_registry
    assert "Relu" in known._registry
    assert "GuidedRelu" not in known._registry
    ops.RegisterGradient("GuidedRelu")(lambda op, dy: 2.0 * dy)
    assert "GuidedRelu" in known._registry
    assert "GuidedRelu" in known.list()
    assert known.lookup("Shape") is None  # no derivative flows through it
    with pytest.raises(LookupError, match="gradient registry has no entry for: NoSuchOp"):
        known.lookup("NoSuchOp")


def test_another_function_can_be_put_into_the_registry_and_taken_out_again():
    x = tf.constant([-1.0, 2.0])
    y = tf.nn.relu(x)
    entry = ops._gradient_registry._registry["Relu"]
    first = entry["type"]
    ops._gradient_registry._registry["Relu"]["type"] = lambda op, dy: first(op, 10.0 * dy)
    changed = tf.gradients(y, x)[0]
    ops._gradient_registry._registry["Relu"]["type"] = first
    restored = tf.gradients(y, x)[0]
    with tf.Session() as session:
        np.testing.assert_array_equal(session.run([changed, restored]), [[0, 10], [0, 1]])


def test_what_was_deleted_can_be_registered_again():
    x = tf.constant(2.0)
    del ops._gradient_registry._registry["Square"]
    with pytest.raises(LookupError, match="No gradient defined for operation"):
        tf.gradients(tf.square(x), x)
    ops.RegisterGradient("Square")(lambda op, dy: 7.0 * dy)
    with tf.Session() as session:
        assert session.run(tf.gradients(tf.square(x), x)) == [7]


def test_a_type_of_which_tensorflow_has_no_gradient_takes_one():
    ops.RegisterGradient("MaxPoolGradWithArgmax")(lambda op, dy: [None, dy, None])
    with pytest.raises(KeyError, match="Registering two gradient with name 'Relu'!"):
        ops.RegisterGradient("Relu")(lambda op, dy: dy)


@pytest.mark.parametrize("function", [tf.exp, tf.add, tf.reduce_sum, tf.concat, tf.nn.relu])
def test_functions_of_tensors_are_pickled_by_their_names(function):
    assert pickle.loads(pickle.dumps(function)) is function
