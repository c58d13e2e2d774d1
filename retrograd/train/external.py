"""Optimizers outside of the graph: they see a function of one vector."""

from __future__ import annotations

import importlib
import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from retrograd.grad import gradients
from retrograd.graph import log
from retrograd.graph.stack import default_session
from retrograd.ops import arrays, constants, joining
from retrograd.state import initialization

Evaluation = Callable[[np.ndarray], list[Any]]


class ExternalOptimizerInterface:
    """A loss, constraints on variables and their gradients as functions of all variables in one vector.

    A subclass defines ``_minimize``.
    """

    def __init__(
        self,
        loss: Any,
        var_list: Sequence[Any] | None = None,
        equalities: Sequence[Any] | None = None,
        inequalities: Sequence[Any] | None = None,
        var_to_bounds: dict[Any, Any] | None = None,
        **optimizer_kwargs: Any,
    ) -> None:
        self._loss = loss
        self._equalities = list(equalities or [])
        self._inequalities = list(inequalities or [])
        self._vars = initialization.trainable_variables() if var_list is None else list(var_list)
        self._packed_bounds = None if var_to_bounds is None else self._bounds(var_to_bounds)
        self._update_placeholders = [constants.placeholder(var.dtype) for var in self._vars]
        self._var_updates = [
            var.assign(arrays.reshape(fed, _shape(var)))
            for var, fed in zip(self._vars, self._update_placeholders, strict=True)
        ]
        of_loss = self._gradients(loss)
        of_equalities = [self._gradients(equality) for equality in self._equalities]
        of_inequalities = [self._gradients(inequality) for inequality in self._inequalities]
        self.optimizer_kwargs = optimizer_kwargs
        self._packed_var = _packed(self._vars)
        self._packed_loss_grad = _packed(of_loss)
        self._packed_equality_grads = [_packed(gradients) for gradients in of_equalities]
        self._packed_inequality_grads = [_packed(gradients) for gradients in of_inequalities]
        ends = [0, *itertools.accumulate(int(np.prod(_shape(var))) for var in self._vars)]
        self._packing_slices = [slice(a, b) for a, b in itertools.pairwise(ends)]

    def _bounds(self, var_to_bounds: dict[Any, Any]) -> list[tuple[Any, Any]]:
        """The least and the largest value of each element of the vector."""
        packed: list[tuple[Any, Any]] = []
        for var in self._vars:
            low, high = var_to_bounds.get(var, (-np.inf, np.inf))
            packed += zip(np.broadcast_to(low, _shape(var)).flat, np.broadcast_to(high, _shape(var)).flat, strict=True)
        return packed

    def _gradients(self, tensor: Any) -> list[Any]:
        found = gradients.gradients(tensor, self._vars)
        return [constants.zeros_like(v) if g is None else g for v, g in zip(self._vars, found, strict=True)]

    def minimize(
        self,
        session: Any = None,
        feed_dict: dict[Any, Any] | None = None,
        fetches: Sequence[Any] | None = None,
        step_callback: Callable[..., Any] | None = None,
        loss_callback: Callable[..., Any] | None = None,
        **run_kwargs: Any,
    ) -> None:
        """Let the variables be where the loss is least; ``loss_callback`` gets the values of ``fetches``."""
        session = session or default_session()
        feeds, fetched = feed_dict or {}, list(fetches or [])

        def function(tensors: Any, callback: Callable[..., Any] | None = None) -> Evaluation:
            wanted = tensors if isinstance(tensors, list) else [tensors]

            def evaluate(x: np.ndarray) -> list[Any]:
                values = {
                    var: x[place].reshape(_shape(var))
                    for var, place in zip(self._vars, self._packing_slices, strict=True)
                }
                results = session.run([*wanted, *fetched], feed_dict={**values, **feeds})
                if callback is not None:
                    callback(*results[len(wanted) :])
                return results[: len(wanted)]

            return evaluate

        found = self._minimize(
            initial_val=session.run(self._packed_var),
            loss_grad_func=function([self._loss, self._packed_loss_grad], loss_callback),
            equality_funcs=[function(t) for t in self._equalities],
            equality_grad_funcs=[function(t) for t in self._packed_equality_grads],
            inequality_funcs=[function(t) for t in self._inequalities],
            inequality_grad_funcs=[function(t) for t in self._packed_inequality_grads],
            packed_bounds=self._packed_bounds,
            step_callback=step_callback or (lambda xk: None),
            optimizer_kwargs=self.optimizer_kwargs,
        )
        values = [found[place] for place in self._packing_slices]
        session.run(
            self._var_updates, feed_dict=dict(zip(self._update_placeholders, values, strict=True)), **run_kwargs
        )

    def _minimize(self, **arguments: Any) -> np.ndarray:
        """The vector at which the loss is least."""
        raise NotImplementedError(
            "To use ExternalOptimizerInterface, subclass from it and implement the _minimize() method."
        )


def _shape(tensor: Any) -> tuple[int, ...]:
    return tuple(tensor.shape.as_list())


def _packed(tensors: list[Any]) -> Any:
    """One vector of all elements."""
    if not tensors:
        return None
    flat = [arrays.reshape(tensor, [-1]) for tensor in tensors]
    return flat[0] if len(flat) == 1 else joining.concat(flat, 0)


class ScipyOptimizerInterface(ExternalOptimizerInterface):
    """``scipy.optimize.minimize`` on the variables of a graph, by L-BFGS-B unless ``method`` says otherwise.

    Raises:
      ValueError: a keyword is one that the interface sets itself.
      ImportError: SciPy is not installed.
    """

    _DEFAULT_METHOD = "L-BFGS-B"

    def _minimize(self, **arguments: Any) -> np.ndarray:
        given = dict(arguments["optimizer_kwargs"])
        method = given.pop("method", self._DEFAULT_METHOD)
        own = {
            "jac": True,
            "callback": arguments["step_callback"],
            "method": method,
            "constraints": [
                {"type": kind, "fun": _in_float64(function), "jac": _in_float64(gradient)}
                for kind, word in (("eq", "equality"), ("ineq", "inequality"))
                for function, gradient in zip(arguments[f"{word}_funcs"], arguments[f"{word}_grad_funcs"], strict=True)
            ],
            "bounds": arguments["packed_bounds"],
        }
        for keyword in own:
            if keyword in given:
                if keyword == "bounds":
                    raise ValueError("Bounds must be set using the var_to_bounds argument")
                raise ValueError(
                    f"Optimizer keyword arg '{keyword}' is set automatically and cannot be injected manually"
                )
        if str(method).upper() == "TNC":
            given["options"] = _of_evaluations(given.get("options") or {})
        result = _scipy_optimize().minimize(
            _loss_in_float64(arguments["loss_grad_func"]), np.float64(arguments["initial_val"]), **own, **given
        )
        counts = {"Number of iterations": "nit", "Number of functions evaluations": "nfev"}
        told = [f"  {text}: {result[key]}" for text, key in counts.items() if key in result]
        log.info(
            "Optimization terminated with:\n  Message: %s\n  Objective function value: %f\n" + "\n".join(told),
            result.message, result.fun,
        )  # fmt: skip
        return result["x"]


def _of_evaluations(options: dict[str, Any]) -> dict[str, Any]:
    """Options of truncated Newton: what older SciPy called ``maxiter`` there is ``maxfun``, a number of evaluations."""
    return {"maxfun" if key == "maxiter" else key: value for key, value in options.items()}


def _in_float64(evaluate: Evaluation) -> Callable[[np.ndarray], np.ndarray]:
    """The one value of a function, in the dtype that SciPy takes alone."""
    return lambda x: np.asarray(evaluate(x)[0], np.float64)


def _loss_in_float64(evaluate: Evaluation) -> Callable[[np.ndarray], tuple[Any, np.ndarray]]:
    def function(x: np.ndarray) -> tuple[Any, np.ndarray]:
        loss, gradient = evaluate(x)
        return loss, gradient.astype(np.float64)

    return function


def _scipy_optimize() -> Any:
    try:
        return importlib.import_module("scipy.optimize")
    except ImportError as error:
        error.add_note(
            "  Why:   ScipyOptimizerInterface hands the loss to SciPy, which retrograd does not need otherwise"
        )
        error.add_note("  Fix:   pip install scipy")
        raise
