"""The names of ``tensorflow.python.ops.distributions.bijector_test_util``."""

from retrograd.faces import missing
from retrograd.testing.bijectors import (
    assert_bijective_and_finite,
    assert_finite,
    assert_scalar_congruency,
    assert_strictly_decreasing,
    assert_strictly_increasing,
    assert_strictly_monotonic,
)

__getattr__ = missing(__name__)
