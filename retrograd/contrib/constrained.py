"""``tf.contrib.constrained_optimization``: a loss f is minimized while every constraint g_i stays at or below 0.

Two players take turns: one changes the model, the other the weights of the constraints.  Its weights are Lagrange
multipliers l (external regret: the model minimizes f + l g), or the stationary distribution p of a matrix M whose
columns add up to 1 (swap regret: the model minimizes p (f, g)).  Where proxies of the constraints are given, the model
sees these, the weights the constraints themselves.  Source: Cotter, Jiang and Sridharan, "Two-player games for
efficient non-convex constrained optimization", 2018; names and order of ops: TensorFlow 1.15.5.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

from retrograd.flow.loops import while_loop
from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import colocate_with, control_dependencies
from retrograd.graph.tensor import Tensor
from retrograd.ops import (
    arithmetic,
    arrays,
    casts,
    comparison,
    constants,
    control,
    exponentials,
    joining,
    norms,
    reductions,
    rounding,
    state,
)
from retrograd.ops.conditions import cond
from retrograd.ops.contraction import tensordot
from retrograd.ops.matrices import matmul
from retrograd.state.variables import VariableV2
from retrograd.train.optimizer import Optimizer

_POWER_STEPS, _POWER_PRECISION = 100, 1e-6


class ConstrainedMinimizationProblem(ABC):
    """What is minimized, and what must not be positive meanwhile."""

    @property
    @abstractmethod
    def objective(self) -> Tensor:
        """The loss, a single number."""

    @property
    @abstractmethod
    def constraints(self) -> Tensor:
        """One number for each constraint; it holds where that is at most 0."""

    @property
    def proxy_constraints(self) -> Tensor | None:
        """What is differentiated in the place of the constraints, of their shape; None: they are themselves."""
        return None

    @property
    def pre_train_ops(self) -> Sequence[Any] | None:
        """Ops that run before each step."""
        return None

    @property
    def num_constraints(self) -> int:
        """How many constraints there are.

        Raises:
          ValueError: that is not known, or not the number of proxies.
        """
        shape = self.constraints.get_shape()
        proxies = shape if self.proxy_constraints is None else self.proxy_constraints.get_shape()
        if not (shape.is_fully_defined() and proxies.is_fully_defined()):
            raise ValueError("constraints and proxy_constraints must have fully-known shapes")
        if shape != proxies:
            raise ValueError("constraints and proxy_constraints must have the same shape")
        return shape.num_elements()  # type: ignore[return-value]


class ConstrainedOptimizer(ABC):
    """What minimizes such problems, by steps of a ``tf.train.Optimizer``."""

    def __init__(self, optimizer: Optimizer) -> None:
        self._optimizer = optimizer

    @property
    def optimizer(self) -> Optimizer:
        """What changes the model."""
        return self._optimizer

    @abstractmethod
    def _minimize_constrained(
        self,
        minimization_problem: ConstrainedMinimizationProblem,
        global_step: Any = None,
        var_list: Any = None,
        gate_gradients: int = Optimizer.GATE_OP,
        aggregation_method: int | None = None,
        colocate_gradients_with_ops: bool = False,
        name: str | None = None,
        grad_loss: Any = None,
    ) -> Any:
        """The op of a step of both players, ``pre_train_ops`` aside."""

    def minimize_constrained(
        self,
        minimization_problem: ConstrainedMinimizationProblem,
        global_step: Any = None,
        var_list: Any = None,
        gate_gradients: int = Optimizer.GATE_OP,
        aggregation_method: int | None = None,
        colocate_gradients_with_ops: bool = False,
        name: str | None = None,
        grad_loss: Any = None,
    ) -> Any:
        """An op that takes one step of both players; the arguments are those of ``tf.train.Optimizer.minimize``."""
        with control_dependencies(minimization_problem.pre_train_ops or []):
            return self._minimize_constrained(
                minimization_problem, global_step, var_list, gate_gradients, aggregation_method,
                colocate_gradients_with_ops, name, grad_loss,
            )  # fmt: skip

    def minimize_unconstrained(
        self,
        minimization_problem: ConstrainedMinimizationProblem,
        global_step: Any = None,
        var_list: Any = None,
        gate_gradients: int = Optimizer.GATE_OP,
        aggregation_method: int | None = None,
        colocate_gradients_with_ops: bool = False,
        name: str | None = None,
        grad_loss: Any = None,
    ) -> Any:
        """An op that takes one step against the objective alone."""
        with control_dependencies(minimization_problem.pre_train_ops or []):
            return self.optimizer.minimize(
                minimization_problem.objective, global_step, var_list, gate_gradients, aggregation_method,
                colocate_gradients_with_ops, name, grad_loss,
            )  # fmt: skip

    def minimize(
        self,
        minimization_problem: ConstrainedMinimizationProblem,
        unconstrained_steps: Any = None,
        global_step: Any = None,
        var_list: Any = None,
        gate_gradients: int = Optimizer.GATE_OP,
        aggregation_method: int | None = None,
        colocate_gradients_with_ops: bool = False,
        name: str | None = None,
        grad_loss: Any = None,
    ) -> Any:
        """An op that takes one step: without constraints the first ``unconstrained_steps`` times, then with them.

        Raises:
          ValueError: ``unconstrained_steps`` without a global step.
        """
        rest = (
            global_step, var_list, gate_gradients, aggregation_method, colocate_gradients_with_ops, name, grad_loss
        )  # fmt: skip
        if unconstrained_steps is None:
            return self.minimize_constrained(minimization_problem, *rest)
        if global_step is None:
            raise ValueError("global_step cannot be None if unconstrained_steps is provided")
        steps = as_tensor(unconstrained_steps)
        return cond(
            casts.cast(global_step, steps.dtype) < steps,
            lambda: self.minimize_unconstrained(minimization_problem, *rest),
            lambda: self.minimize_constrained(minimization_problem, *rest),
        )


class _Player(ConstrainedOptimizer):
    """A step of the model against what the weights make of the losses, and one of the weights."""

    _name = ""

    def __init__(self, optimizer: Optimizer, constraint_optimizer: Optimizer | None = None) -> None:
        super().__init__(optimizer)
        self._constraint_optimizer = constraint_optimizer

    @property
    def constraint_optimizer(self) -> Optimizer | None:
        """What changes the weights; None: what changes the model."""
        return self._constraint_optimizer

    @abstractmethod
    def _initial_state(self, num_constraints: int) -> Tensor:
        """What the weights follow from, at first."""

    @abstractmethod
    def _played(self, held: Any, objective: Tensor, constraints: Tensor, proxies: Tensor) -> tuple[Tensor, Tensor]:
        """(the loss of the model, along what the state grows)."""

    @abstractmethod
    def _projected(self, held: Any) -> Tensor:
        """The nearest state that is one."""

    def _minimize_constrained(
        self,
        minimization_problem: ConstrainedMinimizationProblem,
        global_step: Any = None,
        var_list: Any = None,
        gate_gradients: int = Optimizer.GATE_OP,
        aggregation_method: int | None = None,
        colocate_gradients_with_ops: bool = False,
        name: str | None = None,
        grad_loss: Any = None,
    ) -> Any:
        objective, constraints = minimization_problem.objective, minimization_problem.constraints
        proxies = minimization_problem.proxy_constraints
        proxies = constraints if proxies is None else proxies
        if len({x.dtype.base_dtype for x in (objective, constraints, proxies)}) > 1:
            raise ValueError("objective, constraints and proxy_constraints must have the same dtype")
        count = minimization_problem.num_constraints
        constraints, proxies = (arrays.reshape(x, shape=(count,)) for x in (constraints, proxies))
        held = VariableV2(lambda: self._initial_state(count), trainable=False, name=self._name)
        loss, growth = self._played(held, objective, constraints, proxies)
        of_model = self.optimizer.compute_gradients(
            loss, var_list, gate_gradients, aggregation_method, colocate_gradients_with_ops, grad_loss
        )
        of_state = [(-growth, held)]
        if self.constraint_optimizer is None:
            updates = [self.optimizer.apply_gradients(of_model + of_state, name="update")]
        else:
            with control_dependencies([dx for dx, _ in of_model + of_state if dx is not None]):
                updates = [
                    self.optimizer.apply_gradients(of_model, name="update"),
                    self.constraint_optimizer.apply_gradients(of_state, name="optimizer_state_update"),
                ]
        with control_dependencies(updates):
            if global_step is None:
                return self._back(held, name)
            back = self._back(held, "project")
            with colocate_with(global_step):
                counted = state.assign_add(global_step, 1, name="global_step_increment")
            return control.group(back, counted, name=name)

    def _back(self, held: Any, name: str | None) -> Any:
        with colocate_with(held):
            return state.assign(held, self._projected(held), name=name)


class AdditiveExternalRegretOptimizer(_Player):
    """Lagrange multipliers, of which a step is added and the nearest vector without negative numbers taken.

    Args:
      maximum_multiplier_radius: what they add up to at most; None: to anything.

    Raises:
      ValueError: a radius that is not positive.
    """

    _name = "external_regret_optimizer_state"

    def __init__(
        self,
        optimizer: Optimizer,
        constraint_optimizer: Optimizer | None = None,
        maximum_multiplier_radius: float | None = None,
    ) -> None:
        super().__init__(optimizer, constraint_optimizer)
        if maximum_multiplier_radius and maximum_multiplier_radius <= 0.0:
            raise ValueError("maximum_multiplier_radius must be strictly positive")
        self._maximum_multiplier_radius = maximum_multiplier_radius

    def _initial_state(self, num_constraints: int) -> Tensor:
        return constants.zeros((num_constraints,), dtype=dtypes.float32)

    def _lagrange_multipliers(self, held: Any) -> Any:
        return held

    def _played(self, held: Any, objective: Tensor, constraints: Tensor, proxies: Tensor) -> tuple[Tensor, Tensor]:
        """f + l g, and g."""
        multipliers = self._lagrange_multipliers(held)
        loss = objective + tensordot(casts.cast(multipliers, proxies.dtype), proxies, 1)
        return loss, casts.cast(constraints, multipliers.dtype)

    def _projected(self, held: Any) -> Tensor:
        radius = self._maximum_multiplier_radius
        return project_multipliers(held, radius) if radius else arithmetic.maximum(held, 0.0)


class _SwapRegretOptimizer(_Player):
    _name = "swap_regret_optimizer_state"

    @abstractmethod
    def _stochastic_matrix(self, held: Any) -> Tensor:
        """The matrix that a state stands for."""

    def _distribution(self, held: Any) -> Tensor:
        p = rounding.abs_(largest_eigenvector(self._stochastic_matrix(held)))
        return p / reductions.reduce_sum(p)

    def _played(self, held: Any, objective: Tensor, constraints: Tensor, proxies: Tensor) -> tuple[Tensor, Tensor]:
        """p (f, g), and (0, g) p^T."""
        violations = joining.concat((constants.zeros((1,), dtype=constraints.dtype), constraints), axis=0)
        losses = joining.concat((arrays.expand_dims(objective, 0), proxies), axis=0)
        p = self._distribution(held)
        loss = tensordot(casts.cast(p, losses.dtype), losses, 1)
        column = arrays.expand_dims(casts.cast(violations, p.dtype), 1)
        return loss, matmul(column, arrays.expand_dims(p, 0))


class AdditiveSwapRegretOptimizer(_SwapRegretOptimizer):
    """A stochastic matrix, to which a step is added and the nearest stochastic matrix taken."""

    def _initial_state(self, num_constraints: int) -> Tensor:
        size = num_constraints + 1
        return joining.concat((constants.ones((1, size)), constants.zeros((size - 1, size))), axis=0)

    def _stochastic_matrix(self, held: Any) -> Tensor:
        return held  # type: ignore[no-any-return]

    def _projected(self, held: Any) -> Tensor:
        return project_stochastic_matrix(held)


class MultiplicativeSwapRegretOptimizer(_SwapRegretOptimizer):
    """The logarithm of a stochastic matrix, to which a step is added; then its columns add up to 1 again.

    Args:
      minimum_multiplier_radius: no element is below this divided by the number of rows.
      initial_multiplier_radius: in the same way, what the constraints weigh at first; by default that least.

    Raises:
      ValueError: a radius outside of (0, 1), or a first one below the least.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        constraint_optimizer: Optimizer | None = None,
        minimum_multiplier_radius: float = 1e-3,
        initial_multiplier_radius: float | None = None,
    ) -> None:
        super().__init__(optimizer, constraint_optimizer)
        least = minimum_multiplier_radius
        first = least if initial_multiplier_radius is None else initial_multiplier_radius
        if not 0.0 < least < 1.0:
            raise ValueError("minimum_multiplier_radius must be in the range (0,1)")
        if first < least:
            raise ValueError("initial_multiplier_radius must be in the range [minimum_multiplier_radius,1]")
        self._minimum_multiplier_radius, self._initial_multiplier_radius = least, first

    def _initial_state(self, num_constraints: int) -> Tensor:
        size = num_constraints + 1
        share = self._initial_multiplier_radius / size
        top = constants.constant(math.log(1.0 - share * num_constraints), dtypes.float32, (1, size))
        rest = constants.constant(math.log(share), dtypes.float32, (size - 1, size))
        return joining.concat((top, rest), axis=0)

    def _stochastic_matrix(self, held: Any) -> Tensor:
        return exponentials.exp(held)

    def _projected(self, held: Any) -> Tensor:
        size = casts.to_float(held.get_shape().dims[0].value)
        least = exponentials.log(self._minimum_multiplier_radius / size)
        return arithmetic.maximum(project_log_stochastic_matrix(held), least)


# -- on matrices -----------------------------------------------------------------------------------


def largest_eigenvector(
    matrix: Any, epsilon: float = _POWER_PRECISION, maximum_iterations: int = _POWER_STEPS
) -> Tensor:
    """The eigenvector of the largest eigenvalue, of length 1, by powers of the matrix.

    Raises:
      ValueError: a matrix without fractions; a precision or a number of steps that is not positive.
    """
    _check_floating(matrix)
    if epsilon <= 0.0:
        raise ValueError("epsilon must be strictly positive")
    if maximum_iterations <= 0:
        raise ValueError("maximum_iterations must be strictly positive")

    def goes_on(i: Any, x: Any, before: Any) -> Any:
        return comparison.logical_and(i < maximum_iterations, norms.norm(x - before) > epsilon)

    def step(i: Any, x: Any, _: Any) -> Any:
        i = i + 1
        y = matmul(matrix, arrays.expand_dims(x, 1))[:, 0]
        return i, y / norms.norm(y), x

    x = constants.ones_like(matrix[:, 0])
    x = x / norms.norm(x)
    first = step(constants.constant(0), x, x)
    return while_loop(goes_on, step, loop_vars=first, name="power_method")[1]  # type: ignore[no-any-return]


def project_multipliers(multipliers: Any, radius: float) -> Tensor:
    """The nearest vector without negative numbers that adds up to at most ``radius``.

    Raises:
      ValueError: not a vector of floats of a known length.
    """
    _check_floating(multipliers)
    shape = multipliers.get_shape()
    if shape.ndims is None:
        raise ValueError("multipliers must have known shape")
    if shape.ndims != 1:
        raise ValueError(f"multipliers must be one dimensional (instead is {shape.ndims}-dimensional)")
    if shape.dims[0].value is None:
        raise ValueError("multipliers must have fully-known shape")

    def excess(x: Any, free: Any) -> Any:
        over = (radius - reductions.reduce_sum(x)) / arithmetic.maximum(1.0, reductions.reduce_sum(free))
        return arithmetic.minimum(0.0, over)

    return _onto_simplex(multipliers, shape.dims[0].value, excess)


def project_stochastic_matrix(matrix: Any) -> Tensor:
    """The nearest matrix without negative numbers whose columns add up to 1.

    Raises:
      ValueError: not a square matrix of floats of a known size.
    """
    _check_floating(matrix)
    shape = matrix.get_shape()
    if shape.ndims is None:
        raise ValueError("matrix must have known shape")
    if shape.ndims != 2:
        raise ValueError(f"matrix must be two dimensional (instead is {shape.ndims}-dimensional)")
    rows, columns = shape.as_list()
    if rows != columns:
        raise ValueError(f"matrix must be square (instead has shape ({rows},{columns}))")
    if rows is None:
        raise ValueError("matrix must have fully-known shape")

    def excess(x: Any, free: Any) -> Any:
        lack = 1.0 - reductions.reduce_sum(x, axis=0, keepdims=True)
        return lack / arithmetic.maximum(1.0, reductions.reduce_sum(free, axis=0, keepdims=True))

    return _onto_simplex(matrix, rows, excess)


def project_log_stochastic_matrix(log_matrix: Any) -> Tensor:
    """The logarithm of the matrix with columns divided by their sums: the nearest by Kullback and Leibler."""
    below = log_matrix - reductions.reduce_max(log_matrix, axis=0, keepdims=True)
    return below - exponentials.log(reductions.reduce_sum(exponentials.exp(below), axis=0, keepdims=True))


def _check_floating(x: Any) -> None:
    if not x.dtype.is_floating:
        raise ValueError("multipliers must have a floating-point dtype")


def _onto_simplex(x: Any, steps: int, excess: Callable[[Any, Any], Any]) -> Tensor:
    """What is above 0 is moved by its share of what its sum lacks, until nothing more falls to 0. Source: Michelot,
    "A finite algorithm for finding the projection of a point onto the canonical simplex of R^n", 1986."""

    def goes_on(i: Any, x: Any, free: Any, before: Any) -> Any:
        return comparison.logical_and(i < steps, reductions.reduce_any(comparison.not_equal(free, before)))

    def step(i: Any, x: Any, free: Any, _: Any) -> Any:
        i = i + 1
        moved = x + excess(x, free) * free
        still = casts.cast(moved > 0, moved.dtype)
        return i, moved * still, still, free

    every = constants.ones_like(x, dtype=x.dtype)
    first = step(constants.constant(0), x, every, every)
    return while_loop(goes_on, step, loop_vars=first, name="euclidean_projection")[1]  # type: ignore[no-any-return]
