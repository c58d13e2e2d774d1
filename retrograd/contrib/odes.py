"""Ordinary differential equations ``dy/dt = func(y, t)`` in the graph: ``tf.contrib.integrate``.

Source of the method and its tableau: Dormand, Prince, 1980; of the points between: Shampine, 1986.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

from retrograd.flow.loops import while_loop
from retrograd.flow.tensor_array import TensorArray
from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.tensor import Tensor
from retrograd.ops import (
    arithmetic,
    arrays,
    asserts,
    casts,
    complex_numbers,
    constants,
    powers,
    reductions,
    rounding,
    sums,
)
from retrograd.ops.conditions import cond

Function = Callable[[Any, Any], Any]

# of Dormand and Prince: when the stages are, what each adds up of those before; the weights of the middle, the error
_ALPHA = [1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0]
_BETA = [
    [1 / 5],
    [3 / 40, 9 / 40],
    [44 / 45, -56 / 15, 32 / 9],
    [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
    [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
    [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
]
_MIDDLE = [
    6025192743 / 30085553152 / 2,
    0,
    51252292925 / 65400821598 / 2,
    -2691868925 / 45128329728 / 2,
    187940372067 / 1594534317056 / 2,
    -1776094331 / 19743644256 / 2,
    11237099 / 235043384 / 2,
]
_ERROR = [
    1951 / 21600 - 35 / 384,
    0,
    22642 / 50085 - 500 / 1113,
    451 / 720 - 125 / 192,
    -12231 / 42400 - -2187 / 6784,
    649 / 6300 - 11 / 84,
    1 / 60,
]


class _State(NamedTuple):
    """After a step: the solution and its derivative at ``t1``, where it began, the next step, the curve between."""

    y1: Any
    f1: Any
    t0: Any
    t1: Any
    dt: Any
    interp_coeff: Any


class _History(NamedTuple):
    """Where steps ended, and their errors against the tolerance."""

    integrate_points: Any
    error_ratio: Any


def _scaled_dot_product(scale: Any, xs: Sequence[Any], ys: Sequence[Any], name: str | None = None) -> Tensor:
    with name_scope(name, "scaled_dot_product", [scale, xs, ys]) as scope:
        pairs = [(x, y) for x, y in zip(xs, ys, strict=False) if isinstance(x, Tensor) or x != 0]
        return sums.add_n([scale * x * y for x, y in pairs], name=scope)


def _dot_product(xs: Sequence[Any], ys: Sequence[Any]) -> Tensor:
    with name_scope(None, "dot_product", [xs, ys]) as scope:
        return sums.add_n([x * y for x, y in zip(xs, ys, strict=True)], name=scope)


def _runge_kutta_step(func: Function, y0: Any, f0: Any, t0: Any, dt: Any) -> tuple[Tensor, Tensor, Tensor, list[Any]]:
    """The solution after ``dt``, its derivative, the estimate of the error, and the derivatives of all stages."""
    with name_scope(None, "runge_kutta_step", [y0, f0, t0, dt]) as scope:
        y0, f0 = as_tensor(y0, name="y0"), as_tensor(f0, name="f0")
        t0, dt = as_tensor(t0, name="t0"), as_tensor(dt, name="dt")
        step = casts.cast(dt, y0.dtype)
        k = [f0]
        y = y0
        for alpha, beta in zip(_ALPHA, _BETA, strict=True):
            t = t0 + alpha * dt
            y = y0 + _scaled_dot_product(step, beta, k)
            k.append(func(y, t))
        y1 = arrays.identity(y, name=f"{scope}/y1")
        f1 = arrays.identity(k[-1], name=f"{scope}/f1")
        return y1, f1, _scaled_dot_product(step, _ERROR, k, name=f"{scope}/y1_error"), k


def _curve(y0: Any, y1: Any, k: Sequence[Any], dt: Any) -> list[Any]:
    """The polynomial of degree 4 through both ends, the middle, and both derivatives."""
    with name_scope("interp_fit_rk"):
        dt = casts.cast(dt, y0.dtype)
        middle = y0 + _scaled_dot_product(dt, _MIDDLE, k)
        points = [k[0], k[-1], y0, y1, middle]
        a = _dot_product([-2 * dt, 2 * dt, -8, -8, 16], points)
        b = _dot_product([5 * dt, -3 * dt, 18, 14, -32], points)
        c = _dot_product([-4 * dt, dt, -11, -5, 16], points)
        return [a, b, c, dt * k[0], y0]


def _on_curve(coefficients: Sequence[Any], t0: Any, t1: Any, t: Any) -> Tensor:
    with name_scope("interp_evaluate"):
        t0, t1, t = as_tensor(t0), as_tensor(t1), as_tensor(t)
        dtype = coefficients[0].dtype
        inside = asserts.Assert((t0 <= t) & (t <= t1), ["invalid interpolation, fails `t0 <= t <= t1`:", t0, t, t1])
        with control_dependencies([inside]):
            x = casts.cast((t - t0) / (t1 - t0), dtype)
        xs = [constants.constant(1, dtype), x]
        for _ in range(2, len(coefficients)):
            xs.append(xs[-1] * x)
        return _dot_product(coefficients, xs[::-1])


def _next_step(last: Any, error_ratio: Any, safety: Any, ifactor: Any, dfactor: Any, order: int = 5) -> Tensor:
    """``last / clip(error ** (1 / order) / safety, 1 / ifactor, 1 / dfactor)``."""
    with name_scope(None, "optimal_step_size", [last, error_ratio]) as scope:
        error_ratio = casts.cast(error_ratio, last.dtype)
        exponent = casts.cast(1 / order, last.dtype)
        factor = arithmetic.maximum(1 / ifactor, arithmetic.minimum(error_ratio**exponent / safety, 1 / dfactor))
        return arithmetic.div(last, factor, name=scope)


def _abs_square(x: Any) -> Tensor:
    if x.dtype.is_complex:
        return powers.square(complex_numbers.real(x)) + powers.square(complex_numbers.imag(x))
    return powers.square(x)


def _appended(array: TensorArray, value: Any) -> TensorArray:
    return array.write(array.size(), value)


def _after_increasing(t: Any) -> AbstractContextManager[Any]:
    holds = asserts.Assert(reductions.reduce_all(t[1:] > t[:-1]), ["`t` must be monotonic increasing"])
    return control_dependencies([holds])


def _check_types(y0: Tensor, t: Tensor, dt: Tensor | None = None) -> None:
    if not (y0.dtype.is_floating or y0.dtype.is_complex):
        raise TypeError("`y0` must have a floating point or complex floating point dtype")
    if not t.dtype.is_floating:
        raise TypeError("`t` must have a floating point dtype")
    if dt is not None and not dt.dtype.is_floating:
        raise TypeError("`dt` must have a floating point dtype")


def _dopri5(
    func: Function,
    y0: Tensor,
    t: Tensor,
    rtol: Tensor,
    atol: Tensor,
    full_output: bool = False,
    first_step: Any = None,
    safety: Any = 0.9,
    ifactor: Any = 10.0,
    dfactor: Any = 0.2,
    max_num_steps: Any = 1000,
    name: str | None = None,
) -> Any:
    first_step = 1.0 if first_step is None else first_step
    with name_scope(name, "dopri5", [y0, t, rtol, atol, safety, ifactor, dfactor, max_num_steps]) as scope:
        first_step = as_tensor(first_step, dtype=t.dtype, name="first_step")
        safety = as_tensor(safety, dtype=t.dtype, name="safety")
        ifactor = as_tensor(ifactor, dtype=t.dtype, name="ifactor")
        dfactor = as_tensor(dfactor, dtype=t.dtype, name="dfactor")
        max_num_steps = as_tensor(max_num_steps, dtype=dtypes.int32, name="max_num_steps")

        def step(state: _State, history: _History, n_steps: Any) -> tuple[_State, _History, Any]:
            y0, f0, _, t0, dt, curve = state
            with name_scope("assertions"):
                checks = [
                    asserts.Assert(t0 + dt > t0, ["underflow in dt", dt]),
                    asserts.Assert(n_steps < max_num_steps, ["max_num_steps exceeded"]),
                    asserts.Assert(
                        reductions.reduce_all(rounding.is_finite(rounding.abs_(y0))),
                        ["non-finite values in state `y`", y0],
                    ),
                ]
            with control_dependencies(checks):
                y1, f1, y1_error, k = _runge_kutta_step(func, y0, f0, t0, dt)
            with name_scope("error_ratio"):
                tolerated = atol + rtol * arithmetic.maximum(rounding.abs_(y0), rounding.abs_(y1))
                ratios = _abs_square(y1_error) / _abs_square(tolerated)
                error_ratio = powers.sqrt(reductions.reduce_mean(ratios))
                accepted = error_ratio <= 1
            with name_scope("update/rk_state"):
                y_next = cond(accepted, lambda: y1, lambda: y0)
                f_next = cond(accepted, lambda: f1, lambda: f0)
                t_next = cond(accepted, lambda: t0 + dt, lambda: t0)
                next_curve = cond(accepted, lambda: _curve(y0, y1, k, dt), lambda: curve)
                dt_next = _next_step(dt, error_ratio, safety, ifactor, dfactor)
                state = _State(y_next, f_next, t0, t_next, dt_next, next_curve)
            with name_scope("update/history"):
                history = _History(
                    _appended(history.integrate_points, t0 + dt), _appended(history.error_ratio, error_ratio)
                )
            return state, history, n_steps + 1

        def up_to(solution: Any, history: _History, state: _State, i: Any) -> tuple[Any, _History, _State, Any]:
            with name_scope("interpolate"):
                state, history, _ = while_loop(
                    lambda state, *_: t[i] > state.t1, step, (state, history, 0), name="integrate_loop"
                )
                y = _on_curve(state.interp_coeff, state.t0, state.t1, t[i])
                return solution.write(i, y), history, state, i + 1

        with _after_increasing(t):
            count = arrays.size(t)
        solution = TensorArray(y0.dtype, size=count).write(0, y0)
        history = _History(
            integrate_points=TensorArray(t.dtype, size=0, dynamic_size=True),
            error_ratio=TensorArray(rtol.dtype, size=0, dynamic_size=True),
        )
        state = _State(y0, func(y0, t[0]), t[0], t[0], first_step, interp_coeff=[y0] * 5)
        solution, history, _, _ = while_loop(
            lambda _, __, ___, i: i < count, up_to, (solution, history, state, 1), name="interpolate_loop"
        )
        y = solution.stack(name=scope)
        y.set_shape(t.shape.concatenate(y0.shape))
        if not full_output:
            return y
        points = history.integrate_points.stack()
        evaluations = 6 * arrays.size(points) + 1
        return y, {
            "num_func_evals": evaluations,
            "integrate_points": points,
            "error_ratio": history.error_ratio.stack(),
        }


def odeint(
    func: Function,
    y0: Any,
    t: Any,
    rtol: Any = 1e-6,
    atol: Any = 1e-12,
    method: str | None = None,
    options: Mapping[str, Any] | None = None,
    full_output: bool = False,
    name: str | None = None,
) -> Any:
    """The solution of ``dy/dt = func(y, t)`` at the times ``t``, with ``y(t[0]) = y0``, by steps of fitting size.

    Args:
      rtol, atol: steps whose error exceeds ``atol + rtol * |y|`` are taken again, smaller.
      method: ``"dopri5"``, that of Dormand and Prince.
      options: ``first_step``, ``safety``, ``ifactor``, ``dfactor`` and ``max_num_steps`` of the method.
      full_output: give a dictionary beside the solution, with the number of evaluations, the steps and their errors.

    Raises:
      ValueError: another method, or options without one.
      TypeError: ``y0`` or ``t`` are of integers.
    """
    if method is not None and method != "dopri5":
        raise ValueError(f"invalid method: {method!r}")
    if options is not None and method is None:
        raise ValueError("cannot supply `options` without specifying `method`")
    with name_scope(name, "odeint", [y0, t, rtol, atol]) as scope:
        y0 = as_tensor(y0, name="y0")
        t = as_tensor(t, preferred_dtype=dtypes.float64, name="t")
        _check_types(y0, t)
        dtype = rounding.abs_(y0).dtype
        rtol = as_tensor(rtol, dtype=dtype, name="rtol")
        atol = as_tensor(atol, dtype=dtype, name="atol")
        return _dopri5(func, y0, t, rtol=rtol, atol=atol, full_output=full_output, name=scope, **(options or {}))


# -- steps of a given size -----------------------------------------------------------------------


def _midpoint(func: Function, t: Any, dt: Any, y: Any) -> Any:
    step = casts.cast(dt, y.dtype)
    return step * func(y + func(y, t) * step / 2, t + dt / 2)


def _rk4(func: Function, t: Any, dt: Any, y: Any) -> Any:
    k1 = func(y, t)
    half = t + dt / 2
    step = casts.cast(dt, y.dtype)
    k2 = func(y + step * k1 / 2, half)
    k3 = func(y + step * k2 / 2, half)
    k4 = func(y + step * k3, t + dt)
    return sums.add_n([k1, 2 * k2, 2 * k3, k4]) * (step / 6)


_FIXED = {"midpoint": _midpoint, "rk4": _rk4}


def _integrated(rule: Callable[..., Any], func: Function, y0: Tensor, t: Tensor, dt: Tensor, steps: Tensor) -> Tensor:
    def step(y: Any, time: Any, done: Any, interval: Any) -> tuple[Any, Any, Any, Any]:
        size = dt[interval - 1]
        dy = casts.cast(rule(func, time, size, y), dtype=y.dtype)
        return y + dy, time + size, done + 1, interval

    def through(solution: Any, y: Any, time: Any, interval: Any) -> tuple[Any, Any, Any, Any]:
        y, time, _, _ = while_loop(lambda _, __, j, interval: j < steps[interval - 1], step, (y, time, 0, interval))
        return solution.write(interval, y), y, time, interval + 1

    count = arrays.size(t)
    begin = t[0]
    solution = TensorArray(y0.dtype, count).write(0, y0)
    solution, _, _, _ = while_loop(lambda _, __, ___, i: i < count, through, (solution, y0, begin, 1))
    stacked: Tensor = solution.stack()
    stacked.set_shape(t.shape.concatenate(y0.shape))
    return stacked


def odeint_fixed(
    func: Function, y0: Any, t: Any, dt: Any = None, method: str = "rk4", name: str | None = None
) -> Tensor:
    """The same by steps of at most ``dt`` between two times (by default one step), by the rule ``method``.

    Args:
      method: ``"rk4"``, that of Runge and Kutta, or ``"midpoint"``.

    Raises:
      ValueError: another method, or ``dt`` is not one shorter than ``t``.
    """
    with name_scope(name, "odeint_fixed", [y0, t, dt]):
        t = as_tensor(t, preferred_dtype=dtypes.float64, name="t")
        y0 = as_tensor(y0, name="y0")
        intervals = t[1:] - t[:-1]
        dt = intervals if dt is None else dt
        dt = as_tensor(dt, preferred_dtype=dtypes.float64, name="dt")
        steps = rounding.ceil(intervals / dt)
        dt = intervals / steps
        steps = casts.cast(steps, dtype=dtypes.int32)
        _check_types(y0, t, dt)
        if len(t.shape.as_list()) > 1 or len(dt.shape.as_list()) > 1:
            raise ValueError("t must be a 1D tensor")
        if t.shape[0] != dt.shape[0] + 1:
            raise ValueError("t and dt have incompatible lengths, must be N and N-1")
        with _after_increasing(t), name_scope(method):
            if method not in _FIXED:
                raise ValueError(f"method not supported: {method!s}")
            return _integrated(_FIXED[method], func, y0, t, dt, steps)
