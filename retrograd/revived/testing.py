"""``sklearn.utils.testing``, which scikit-learn 0.24 removed: what NumPy, unittest and scikit-learn have of it."""

from unittest import SkipTest, TestCase

from numpy.testing import (
    assert_allclose,
    assert_almost_equal,
    assert_approx_equal,
    assert_array_almost_equal,
    assert_array_equal,
    assert_array_less,
)
from sklearn.utils._testing import ignore_warnings

_case = TestCase()
assert_equal, assert_not_equal = _case.assertEqual, _case.assertNotEqual
assert_true, assert_false = _case.assertTrue, _case.assertFalse
assert_raises, assert_raises_regex = _case.assertRaises, _case.assertRaisesRegex
assert_raises_regexp = assert_raises_regex
assert_in, assert_not_in = _case.assertIn, _case.assertNotIn
assert_greater, assert_greater_equal = _case.assertGreater, _case.assertGreaterEqual
assert_less, assert_less_equal = _case.assertLess, _case.assertLessEqual

__all__ = [
    "SkipTest", "assert_allclose", "assert_almost_equal", "assert_approx_equal", "assert_array_almost_equal",
    "assert_array_equal", "assert_array_less", "assert_equal", "assert_false", "assert_greater",
    "assert_greater_equal", "assert_in", "assert_less", "assert_less_equal", "assert_not_equal", "assert_not_in",
    "assert_raises", "assert_raises_regex", "assert_raises_regexp", "assert_true", "ignore_warnings",
]  # fmt: skip
