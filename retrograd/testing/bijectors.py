"""Checks of bijectors by numbers: inverses, orders and Jacobians agree."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph.stack import default_session as get_default_session
from retrograd.nn.distributions.continuous import Uniform
from retrograd.ops import exponentials, reductions


def assert_finite(array: Any) -> None:
    """Raises ``AssertionError`` unless all elements are finite."""
    if not np.isfinite(array).all():
        raise AssertionError(f"array was not all finite. {array[:15]}")


def assert_strictly_increasing(array: Any) -> None:
    """Raises ``AssertionError`` unless each element is greater than the one before."""
    np.testing.assert_array_less(0.0, np.diff(array))


def assert_strictly_decreasing(array: Any) -> None:
    """Raises ``AssertionError`` unless each element is less than the one before."""
    np.testing.assert_array_less(np.diff(array), 0.0)


def assert_strictly_monotonic(array: Any) -> None:
    """One of the two, as the ends say."""
    (assert_strictly_increasing if array[0] < array[-1] else assert_strictly_decreasing)(array)


def assert_scalar_congruency(
    bijector: Any, lower_x: Any, upper_x: Any, n: int = 10_000, rtol: float = 0.01, sess: Any = None
) -> None:
    """Check a bijector of single numbers between ``lower_x`` and ``upper_x`` on ``n`` samples.

    It is monotonic there, forward and inverse undo each other, and ``upper_x - lower_x`` is the integral of
    ``|dx/dy|`` over the image, within ``rtol``.
    """
    sess = get_default_session() if sess is None else sess
    points = np.linspace(lower_x, upper_x, num=10).astype(
        np.float32 if bijector.dtype is None else bijector.dtype.as_numpy_dtype
    )
    mapped = bijector.forward(points)
    lower_y, upper_y = sorted(sess.run([bijector.forward(lower_x), bijector.forward(upper_x)]))
    x = Uniform(low=lower_x, high=upper_x).sample(n, seed=0)
    y = Uniform(low=lower_y, high=upper_y).sample(n, seed=1)
    x_again = bijector.inverse(bijector.forward(x))
    y_again = bijector.forward(bijector.inverse(y))
    slope_back = exponentials.exp(bijector.inverse_log_det_jacobian(y, event_ndims=0))
    integral = (upper_y - lower_y) * reductions.reduce_mean(slope_back)
    slope = exponentials.exp(bijector.forward_log_det_jacobian(bijector.inverse(y), event_ndims=0))
    mapped, x, x_again, y, y_again, slope, slope_back, integral = sess.run(
        [mapped, x, x_again, y, y_again, slope, slope_back, integral]
    )
    assert_strictly_monotonic(mapped)
    np.testing.assert_allclose(x_again, x, atol=1e-5, rtol=1e-3)
    np.testing.assert_allclose(y_again, y, atol=1e-5, rtol=1e-3)
    np.testing.assert_allclose(upper_x - lower_x, integral, atol=0, rtol=rtol)
    np.testing.assert_allclose(slope_back, np.divide(1.0, slope), atol=1e-5, rtol=1e-3)


def assert_bijective_and_finite(
    bijector: Any, x: Any, y: Any, event_ndims: int, atol: float = 0, rtol: float = 1e-5, sess: Any = None
) -> None:
    """Check at given ``x`` and ``y`` that forward and inverse undo each other, with finite Jacobians that do too."""
    sess = sess or get_default_session()
    assert_finite(x)
    assert_finite(y)
    of_x, of_y = bijector.forward(x), bijector.inverse(y)
    values = sess.run(
        [
            bijector.inverse(of_x),
            bijector.forward(of_y),
            bijector.inverse_log_det_jacobian(of_x, event_ndims=event_ndims),
            bijector.forward_log_det_jacobian(x, event_ndims=event_ndims),
            bijector.inverse_log_det_jacobian(y, event_ndims=event_ndims),
            bijector.forward_log_det_jacobian(of_y, event_ndims=event_ndims),
            of_x,
            of_y,
        ]
    )
    for value in values:
        assert_finite(value)
    x_again, y_again, back_at_x, there_at_x, back_at_y, there_at_y = values[:6]
    np.testing.assert_allclose(x_again, x, atol=atol, rtol=rtol)
    np.testing.assert_allclose(y_again, y, atol=atol, rtol=rtol)
    np.testing.assert_allclose(-back_at_x, there_at_x, atol=atol, rtol=rtol)
    np.testing.assert_allclose(-back_at_y, there_at_y, atol=atol, rtol=rtol)
