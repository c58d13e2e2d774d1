"""The packages of ``tf.contrib`` that came last against TensorFlow 1.15.5: ``golden/remaining.json.gz``."""

import importlib

import numpy as np
import pytest
from golden import remaining_cases
from recorded_cases import check, golden

from retrograd import tf

GOLDEN = golden("remaining")


@pytest.mark.parametrize("name", remaining_cases.CASES)
def test_as_recorded(name):
    check(remaining_cases, name, GOLDEN[name], nodes=False)


def test_the_best_of_candidates():
    find = tf.contrib.constrained_optimization.find_best_candidate_distribution
    objectives, constraints = np.array([0.1, 0.7, 1.2]), np.array([[0.5, -0.2, -0.4], [0.3, 0.1, -0.6]])
    np.testing.assert_allclose(find(objectives, constraints), [0.16, 0.18, 0.11] / np.float64(0.45), atol=1e-6)
    np.testing.assert_allclose(find([1, 2], np.array([[1.0, 3.0], [2.0, 1.0]]), 1e-9), [2 / 3, 1 / 3], atol=1e-6)
    best = tf.contrib.constrained_optimization.find_best_candidate_index
    assert best(objectives, constraints) == 2
    assert best(objectives, -np.abs(constraints)) == 0
    assert best([3, 1, 2], np.array([[0.1, 0.3, 0.2], [0.0, 0.0, 0.1]]), rank_objectives=True) == 1


def test_standard_ops_hold_the_ops_of_every_module():
    ops = importlib.import_module("retrograd.tf.python.ops.standard_ops")
    assert ops.constant([1.0]).op.type == "Const"
    assert ops.Variable(2.0).dtype == tf.float32
    assert ops.tanh_grad(1.0, 2.0).op.type == "TanhGrad"
