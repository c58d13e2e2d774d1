"""The checks of bijectors that tests of programs use: ``bijector_test_util``."""

import numpy as np
import pytest

import retrograd.tf as tf
from retrograd.testing import bijectors

B = tf.contrib.distributions.bijectors


@pytest.mark.parametrize("kind", [B.Sigmoid, B.Softsign, B.Gumbel, B.Exp])
def test_a_bijector_agrees_with_itself(kind):
    with tf.Graph().as_default(), tf.Session():
        bijectors.assert_scalar_congruency(kind(), lower_x=-1.0, upper_x=1.5, rtol=0.05)
        x, y = np.linspace(-1, 1, 5, dtype=np.float32), np.linspace(0.1, 0.9, 5, dtype=np.float32)
        bijectors.assert_bijective_and_finite(kind(), x, y, event_ndims=0, rtol=1e-4, atol=1e-5)


def test_one_that_does_not_is_found():
    jacobians = {"forward_log_det_jacobian_fn": tf.identity, "inverse_log_det_jacobian_fn": lambda y: 2 * y}
    with tf.Graph().as_default(), tf.Session():
        with pytest.raises(AssertionError, match="not all finite"):
            bijectors.assert_bijective_and_finite(B.Invert(B.Exp()), np.float32([0]), np.float32([1]), event_ndims=0)
        other_slope = B.Inline(tf.exp, tf.log, **jacobians, forward_min_event_ndims=0)
        with pytest.raises(AssertionError):
            bijectors.assert_scalar_congruency(other_slope, lower_x=0.5, upper_x=1.5)


def test_an_array_must_be_monotonic_and_finite():
    bijectors.assert_strictly_monotonic(np.array([3.0, 2.0, 1.0]))
    with pytest.raises(AssertionError):
        bijectors.assert_strictly_monotonic(np.array([1.0, 1.0, 2.0]))
    with pytest.raises(AssertionError, match="not all finite"):
        bijectors.assert_finite(np.array([1.0, np.inf]))
