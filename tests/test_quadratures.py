"""Distributions over grids of parameters, against TensorFlow 1.15.5: ``golden/quadrature.json.gz``."""

import numpy as np
import pytest
from golden import quadrature_cases
from recorded_cases import check, golden

from retrograd import tf

GOLDEN = golden("quadrature")


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


@pytest.mark.parametrize("name", quadrature_cases.CASES)
def test_as_recorded(name):
    check(quadrature_cases, name, GOLDEN[name], nodes=False, amplified=10)


def test_moments_of_a_mixture_of_maps_are_those_of_its_draws():
    d = tf.contrib.distributions
    scale = [
        tf.linalg.LinearOperatorDiag([1.0, 0.5]),
        tf.linalg.LinearOperatorLowerTriangular([[1.0, 0.0], [2.0, 1.5]]),
    ]
    mixture = d.VectorDiffeomixture([0.4], [0.7], d.Normal(0.3, 1.2), [[1.0, -1.0], [0.0, 2.0]], scale)
    with tf.Session() as sess:
        drawn, mean, covariance, variance = sess.run(
            [mixture.sample(200_000, seed=1), mixture.mean(), mixture.covariance(), mixture.variance()]
        )
    np.testing.assert_allclose(drawn.mean(0), mean, atol=0.02)
    np.testing.assert_allclose(np.cov(drawn.T), covariance, rtol=0.02, atol=0.02)
    np.testing.assert_allclose(np.diag(covariance), variance, rtol=1e-5)


def test_both_grids_of_a_softmax_have_its_mean():
    """TensorFlow 1.15.5 fails in the second of the two."""
    d = tf.contrib.distributions
    with tf.Session() as sess:
        (points, probs), (others, equal) = sess.run(
            [
                d.quadrature_scheme_softmaxnormal_gauss_hermite([[0.5], [-1.0]], [0.7], 12),
                d.quadrature_scheme_softmaxnormal_quantiles([[0.5], [-1.0]], [0.7], 2000),
            ]
        )
    np.testing.assert_allclose(points @ probs, others @ equal, rtol=2e-3)
    np.testing.assert_allclose(points.sum(-2), 1, rtol=1e-6)
