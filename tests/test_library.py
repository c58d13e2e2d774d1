"""Distributions, linear operators, signals and further optimizers against TensorFlow: ``golden/library.json.gz``."""

import numpy as np
import pytest
from golden import library_cases
from recorded_cases import check, golden

from retrograd import tf

GOLDEN = golden("library")


@pytest.mark.parametrize("name", library_cases.CASES)
def test_as_recorded(name):
    check(library_cases, name, GOLDEN[name], is_near=lambda mine, wanted: _is_sum(name, mine, wanted))


def _is_sum(name, mine, wanted):
    """Fourier coefficients are sums: they are near beside the largest of them."""
    if not name.startswith("signals") or mine[:2] != wanted[:2]:
        return False
    wanted = np.float64(wanted[2])
    return np.allclose(np.float64(mine[2]), wanted, rtol=0, atol=3e-6 * np.abs(wanted).max())


def test_a_sign_that_tensorflows_rewriter_of_graphs_takes_away_stays():
    with tf.Graph().as_default():
        x = tf.placeholder_with_default(np.float32([0.5]), [1])
        slope = tf.contrib.distributions.bijectors.Softplus().forward_log_det_jacobian(x, event_ndims=0)
        with tf.Session() as session:
            assert session.run(slope)[0] == np.float32(-0.474077)
