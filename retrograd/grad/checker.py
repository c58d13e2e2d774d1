"""Gradients checked against central differences: ``tf.test.compute_gradient``.

The numerical derivative of ``y`` along ``x[i]`` is ``(y(x + d e_i) - y(x - d e_i)) / 2d``.  A complex number
counts as two real ones, its real and its imaginary part.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from retrograd.grad.gradients import gradients
from retrograd.graph import shapes, stack
from retrograd.graph.dtypes import DType, as_dtype
from retrograd.graph.sparse import IndexedSlicesValue
from retrograd.graph.tensor import Tensor
from retrograd.graph.values import array_of
from retrograd.ops import arrays, constants

Array = np.ndarray[Any, Any]
Jacobians = tuple[Array, Array]  # theoretical, numerical: [elements of x, elements of y]

_ALLOWED = frozenset(("float16", "bfloat16", "float32", "float64", "complex64", "complex128"))


def compute_gradient(
    x: Any,
    x_shape: Any,
    y: Tensor,
    y_shape: Any,
    x_init_value: Any = None,
    delta: float = 1e-3,
    init_targets: Any = None,
    extra_feed_dict: Any = None,
) -> Any:
    """The Jacobian of ``y`` by ``x``, from its gradient and from differences; for a list ``x``, a list of such pairs.

    Rows are elements of ``x``, columns elements of ``y``; of complex numbers the real and the imaginary part in turn.

    Args:
      x: a tensor, or a list of them.
      x_shape: the shape of ``x``, or a list of shapes.
      y, y_shape: a tensor and its shape.
      x_init_value: the value of ``x``, or a list of values; random by default.
      delta: how far x is moved to either side.
      init_targets: ops that are run before.
      extra_feed_dict: what each run is given besides x.

    Raises:
      AssertionError: ``x`` or ``y`` is neither floating nor complex, ``y`` does not depend on ``x``, or
        ``x_init_value`` has another shape.
      ValueError: there is no default session.
    """
    feeds = dict(extra_feed_dict or {})
    if init_targets is not None:
        for target in init_targets if isinstance(init_targets, list | tuple) else [init_targets]:
            target.run()
    if not isinstance(x, list):
        dx, dy = _backward(x, y, y_shape)
        return _jacobians(x, x_shape, dx, y, y_shape, dy, x_init_value, delta, feeds)
    backwards = [_backward(each, y, y_shape) for each in x]
    inits = [None] * len(x) if x_init_value is None else x_init_value
    for each, value in zip(x, inits, strict=True):
        if value is not None and each.op.type == "Placeholder":  # it has no value of its own for the others
            feeds.setdefault(each, value)
    return [
        _jacobians(each, shape, dx, y, y_shape, dy, value, delta, feeds)
        for each, shape, (dx, dy), value in zip(x, x_shape, backwards, inits, strict=True)
    ]


def compute_gradient_error(
    x: Any,
    x_shape: Any,
    y: Tensor,
    y_shape: Any,
    x_init_value: Any = None,
    delta: float = 1e-3,
    init_targets: Any = None,
    extra_feed_dict: Any = None,
) -> float:
    """The largest difference between the two Jacobians of ``compute_gradient``."""
    pairs = compute_gradient(x, x_shape, y, y_shape, x_init_value, delta, init_targets, extra_feed_dict)
    errors = [np.fabs(a - b).max(initial=0) for a, b in ([pairs] if isinstance(pairs, tuple) else pairs)]
    return max(errors, default=0)


def _backward(x: Tensor, y: Tensor, y_shape: Any) -> tuple[Any, Tensor]:
    """The gradient of ``y`` by ``x``, and the constant that stands for that of ``y``."""
    with x.graph.as_default():
        dy = constants.constant(1.0, shape=y_shape, dtype=y.dtype.base_dtype)
        return gradients(y, x, arrays.identity(dy))[0], dy


def _jacobians(
    x: Tensor,
    x_shape: Any,
    dx: Any,
    y: Tensor,
    y_shape: Any,
    dy: Tensor,
    init: Any,
    delta: float,
    feeds: dict[Any, Any],
) -> Jacobians:
    for name, tensor in (("x", x), ("y", y)):
        if tensor.dtype.base_dtype.name not in _ALLOWED:
            raise AssertionError(f"Don't support type {tensor.dtype.name} for {name}")
    dims = tuple(x_shape)
    value = _somewhere(dims, x.dtype.base_dtype) if init is None else np.asarray(init, dtype=x.dtype.base_dtype.np)
    if value.shape != dims:
        raise AssertionError(f"x_shape = {list(dims)}, init_data shape = {list(value.shape)}")
    session = _default_session()
    if dx is None:
        error = AssertionError("dx = None")
        error.add_note(f"  Why:   {y.name} does not depend on {x.name} through ops that have a derivative")
        raise error

    def run(fetch: Any, at: Array, **more: Any) -> Any:
        return session.run(fetch, {**feeds, x: at, **({dy: more["dy"]} if more else {})})

    ys = tuple(y_shape)
    theoretical = np.zeros((_reals(dims, x.dtype), _reals(ys, y.dtype)), dtype=x.dtype.real_dtype.base_dtype.np)
    if not theoretical.size:
        empty = dense_gradient(run(dx, value, dy=np.zeros(ys, dtype=y.dtype.base_dtype.np)), dims)
        if empty.shape != dims:
            raise ValueError(f"Empty gradient has wrong shape: expected {dims}, got {empty.shape}")
    for column in range(theoretical.shape[1]):
        unit = np.zeros(ys, dtype=y.dtype.base_dtype.np)
        _as_reals(unit)[column] = 1
        theoretical[:, column] = _as_reals(dense_gradient(run(dx, value, dy=unit), dims))
    if not theoretical.shape[1]:
        _check_empty(dense_gradient(run(dx, value, dy=np.zeros(ys, dtype=y.dtype.base_dtype.np)), dims), dims)
    return theoretical, _differences(lambda at: run(y, at), value, _reals(ys, y.dtype), delta)


def _default_session() -> Any:
    session = stack.default_session()
    if session is None:
        raise ValueError("compute_gradient needs a default session:  with tf.Session(): ...")
    return session


def _somewhere(dims: tuple[int, ...], dtype: DType) -> Array:
    """Random numbers in [0, 1), the same as TensorFlow's for a seed of NumPy's."""
    value = np.random.random_sample(dims).astype(dtype.np)
    if dtype.is_complex:
        value.imag = np.random.random_sample(dims)
    return value


def _check_empty(gradient: Array, dims: tuple[int, ...]) -> None:
    """The gradient of nothing is zero."""
    if gradient.shape != dims:
        raise ValueError(f"Empty gradient has wrong shape: expected {dims}, got {gradient.shape}")
    if gradient.any():
        raise ValueError("Empty tensor with nonzero gradients")


def _differences(function: Callable[[Array], Any], value: Array, columns: int, delta: float) -> Array:
    """The numerical Jacobian of ``function`` at ``value``."""
    rows = _as_reals(value).size
    numerical = np.zeros((rows, columns), dtype=value.real.dtype)
    for row in range(rows):
        sides = []
        for step in (delta, -delta):
            moved = value.copy()
            _as_reals(moved)[row] += step
            sides.append(_as_reals(np.array(function(moved))))
        numerical[row] = (sides[0] - sides[1]) / (2 * delta)
    return numerical


def _reals(dims: tuple[int, ...], dtype: DType) -> int:
    count = shapes.element_count(dims)
    assert count is not None
    return count * (2 if dtype.is_complex else 1)


def _as_reals(array: Array) -> Array:
    """A flat view of real numbers."""
    flat = array.reshape(-1)
    return flat.view(flat.real.dtype) if flat.dtype.kind == "c" else flat


def dense_gradient(gradient: Any, dims: Sequence[int]) -> Array:
    """A fetched gradient of a tensor of shape ``dims`` as an array, the rows of slices added up."""
    if not isinstance(gradient, IndexedSlicesValue):
        return np.array(gradient)
    dense = np.zeros(dims, dtype=gradient.values.dtype)
    np.add.at(dense, gradient.indices, gradient.values)
    return dense


# -- of a function -----------------------------------------------------------------------------


def jacobians_of(f: Callable[..., Any], x: Sequence[Any], delta: float = 1e-3) -> tuple[list[Array], list[Array]]:
    """The Jacobians of a function of tensors by each of its arguments, at the values ``x``: (theoretical, numerical).

    Rows are elements of the argument, columns elements of the result.

    Raises:
      ValueError: ``x`` is no list.
    """
    if not isinstance(x, list | tuple):
        raise ValueError(f"`x` must be a list or tuple of values convertible to a Tensor, not {type(x)}")
    session = _default_session()
    values = [np.array(session.run(v) if isinstance(v, Tensor) else array_of(v)) for v in x]
    xs = [constants.placeholder(as_dtype(v.dtype), v.shape) for v in values]
    y = f(*xs)
    dy = constants.placeholder(y.dtype.base_dtype)
    dxs = gradients(y, xs, dy)

    def function(at: Sequence[Array]) -> Any:
        return session.run(y, dict(zip(xs, at, strict=True)))

    def pulled_back(seed: Array) -> list[Any]:
        found = iter(
            session.run([dx for dx in dxs if dx is not None], {**dict(zip(xs, values, strict=True)), dy: seed})
        )
        return [None if dx is None else next(found) for dx in dxs]

    return jacobians_at(values, function, pulled_back, delta)


def jacobians_at(
    values: Sequence[Array], function: Callable[[Sequence[Array]], Any], pulled_back: Callable[[Array], Sequence[Any]],
    delta: float,
) -> tuple[list[Array], list[Array]]:  # fmt: skip
    """The same of a function of arrays; ``pulled_back(dy)`` is its gradients, None where nothing flows.

    Raises:
      ValueError: a gradient of an empty result is something.
    """
    result = np.array(function(values))
    columns = _as_reals(result).size
    theoretical = [np.zeros((_as_reals(value).size, columns), dtype=value.real.dtype) for value in values]
    for column in range(max(columns, 1)):
        unit = np.zeros(result.shape, dtype=result.dtype)
        _as_reals(unit)[column : column + 1] = 1
        for jacobian, value, dx in zip(theoretical, values, pulled_back(unit), strict=True):
            if dx is not None and columns:
                jacobian[:, column] = _as_reals(dense_gradient(dx, value.shape))
            elif dx is not None:
                _check_empty(dense_gradient(dx, value.shape), value.shape)
    numerical = []
    for i, value in enumerate(values):

        def moved_to(moved: Array, i: int = i) -> Any:
            return function([*values[:i], moved, *values[i + 1 :]])

        numerical.append(_differences(moved_to, value, columns, delta))
    return theoretical, numerical


def max_error(grad1: Sequence[Array], grad2: Sequence[Array]) -> float:
    """The largest difference between the elements of two lists of Jacobians."""
    return max((float(np.fabs(a - b).max(initial=0)) for a, b in zip(grad1, grad2, strict=True)), default=0)


__all__ = ["compute_gradient", "compute_gradient_error", "jacobians_at", "jacobians_of", "max_error"]


def _to_numpy(value: Any) -> Any:
    """A tensor, slices or a number as an array: evaluated in the default session, rows added up."""
    if hasattr(value, "graph"):
        value = stack.sessions.get_default().run(value)  # type: ignore[union-attr]
    return dense_gradient(value, getattr(value, "dense_shape", ()))
