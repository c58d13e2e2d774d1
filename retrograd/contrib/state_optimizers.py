"""``tf.contrib.optimizer_v2``: optimizers that keep variables and hyperparameters in one state for each graph.

Hyperparameters are tensors made once, those given as functions anew in each step.  Slots are made inside of the graph's
own scope, and what ends a step (``_finish``) waits for all updates.  Source: TensorFlow 1.15.5,
``contrib/optimizer_v2``: order of ops, names, messages; for GGT Agarwal et al., 2018,
arXiv:1806.02958.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from retrograd.grad.gradients import gradients
from retrograd.graph.convert import as_tensor, as_tensor_or_slices
from retrograd.graph.definition import REGISTRY
from retrograd.graph.graph import Graph
from retrograd.graph.modes import init_scope
from retrograd.graph.scopes import colocate_with, control_dependencies, name_scope
from retrograd.graph.sparse import IndexedSlices
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.ops import (
    arithmetic,
    arrays,
    casts,
    constants,
    control,
    diagonals,
    grids,
    matrices,
    permuting,
    powers,
    reductions,
    scatters,
    spectra,
    training,
)
from retrograd.ops.conditions import cond
from retrograd.ops.state import assign_add, assign_sub
from retrograd.state.initializers import constant_initializer
from retrograd.state.resource import is_resource_variable
from retrograd.state.variables import VariableV1
from retrograd.train import slot_creator
from retrograd.train.adam import Scatter, moved_rows
from retrograd.train.optimizer import (
    Optimizer,
    _deduplicate_indexed_slices,
    _flat,
    _get_processor,
    _listed,
    _trainable_variables,
    _var_key,
)


class OptimizerState:
    """The hyperparameters, slots and further variables of an optimizer in one graph."""

    def __init__(self, op_name: str, hyper: dict[str, Any]) -> None:
        self._op_name = op_name
        self.slots: dict[str, dict[Any, Any]] = {}
        self.others: dict[str, Any] = {}
        self.beside: Any = None
        with init_scope():
            fixed = {name: as_tensor(v, name=name) for name, v in sorted(hyper.items()) if not callable(v)}
        self._hyper: dict[str, dict[Any, Tensor]] = {name: {None: value} for name, value in fixed.items()}

    def of_step(self, hyper: dict[str, Any], variables: Sequence[Any]) -> OptimizerState:
        """The same with the hyperparameters of one step."""
        step = OptimizerState.__new__(OptimizerState)
        step._op_name, step.slots, step.others = self._op_name, self.slots, self.others
        step.beside = min(variables, key=lambda v: v.name)
        anew = {name: as_tensor(v(), name=name) for name, v in sorted(hyper.items()) if callable(v)}
        step._hyper = {**{name: {None: value} for name, value in anew.items()}, **self._hyper}
        return step

    def get_hyper(self, name: str, dtype: Any = None) -> Tensor:
        """A hyperparameter, in a dtype."""
        of_dtype = self._hyper[name]
        if dtype not in of_dtype:
            of_dtype[dtype] = casts.cast(of_dtype[None], dtype)
        return of_dtype[dtype]

    def _slot(self, var: Any, slot_name: str, make: Callable[[], Any]) -> Any:
        slots, key = self.slots.setdefault(slot_name, {}), _var_key(var)
        if key not in slots:
            slots[key] = make()
        return slots[key]

    def create_slot(self, var: Any, val: Any, slot_name: str, optional_op_name: str | None = None) -> Any:
        """The slot of a variable, made with an initial value if it is not there."""
        return self._slot(var, slot_name, lambda: slot_creator.create_slot(var, val, optional_op_name or self._op_name))

    def create_slot_with_initializer(
        self, var: Any, initializer: Any, shape: Any, dtype: Any, slot_name: str, optional_op_name: str | None = None
    ) -> Any:
        """The same, made by an initializer."""
        name = optional_op_name or self._op_name
        return self._slot(
            var, slot_name, lambda: slot_creator.create_slot_with_initializer(var, initializer, shape, dtype, name)
        )

    def zeros_slot(self, var: Any, slot_name: str, optional_op_name: str | None = None) -> Any:
        """The same, made of zeros."""
        name = optional_op_name or self._op_name
        return self._slot(var, slot_name, lambda: slot_creator.create_zeros_slot(var, name))

    def create_non_slot(self, initial_value: Any, name: str, colocate_with: Any = None) -> Any:
        """A variable that belongs to the optimizer as a whole."""
        if name not in self.others:
            with _beside(self.beside if colocate_with is None else colocate_with):
                self.others[name] = VariableV1(initial_value, name=name, trainable=False)
        return self.others[name]

    def get_slot(self, var: Any, name: str) -> Any:
        """The slot of a variable, or None."""
        return self.slots.get(name, {}).get(_var_key(var))

    def get_slot_names(self) -> list[str]:
        """The names of the slots."""
        return sorted(self.slots)

    def get_non_slot(self, name: str) -> Any:
        """A variable of the optimizer as a whole, or None."""
        return self.others.get(name)

    def variables(self) -> list[Any]:
        """All of these."""
        owned = [*self.others.values(), *(v for slots in self.slots.values() for v in slots.values())]
        return sorted(owned, key=lambda v: v.name)


_beside = colocate_with


class OptimizerV2(Optimizer):
    """What these optimizers share.

    A subclass calls ``_set_hyper`` for each hyperparameter, makes slots in ``_create_vars``, and updates a variable in
    ``_apply_dense``, ``_apply_sparse``, ``_resource_apply_dense`` and ``_resource_apply_sparse``, all with the state.
    """

    def __init__(self, use_locking: bool, name: str) -> None:
        if type(self)._create_slots is not OptimizerV2._create_slots:
            raise RuntimeError(
                "Override _create_vars instead of _create_slots when descending from OptimizerV2 "
                f"(class {type(self).__name__})"
            )
        if not name:
            raise ValueError("Must specify the optimizer name")
        self._use_locking, self._name = use_locking, name
        self._per_graph_state: dict[Graph, OptimizerState] = {}
        self._hyper: dict[str, Any] = {}

    def _set_hyper(self, name: str, value: Any) -> None:
        self._hyper[name] = value

    def minimize(  # type: ignore[override]
        self,
        loss: Any,
        global_step: Any = None,
        var_list: Any = None,
        gate_gradients: int = Optimizer.GATE_OP,
        aggregation_method: int | None = None,
        name: str | None = None,
        grad_loss: Any = None,
        stop_gradients: Any = None,
        scale_loss_by_num_replicas: bool = False,
    ) -> Any:
        """An op that takes one step against the gradient of ``loss``.

        Raises:
          ValueError: no variable has a gradient.
        """
        pairs = self.compute_gradients(
            loss, var_list, gate_gradients, aggregation_method, grad_loss, stop_gradients, scale_loss_by_num_replicas
        )
        if all(gradient is None for gradient, _ in pairs):
            raise ValueError(
                "No gradients provided for any variable, check your graph for ops that do not support gradients, "
                f"between variables {[str(v) for _, v in pairs]} and loss {loss}."
            )
        return self.apply_gradients(pairs, global_step=global_step, name=name)

    def compute_gradients(  # type: ignore[override]
        self,
        loss: Any,
        var_list: Any = None,
        gate_gradients: int = Optimizer.GATE_OP,
        aggregation_method: int | None = None,
        grad_loss: Any = None,
        stop_gradients: Any = None,
        scale_loss_by_num_replicas: bool = False,
    ) -> list[tuple[Any, Any]]:
        """The pairs (gradient of ``loss``, variable); nothing flows through ``stop_gradients``."""
        if stop_gradients is None or callable(loss):
            return super().compute_gradients(loss, var_list, gate_gradients, aggregation_method, False, grad_loss)
        chosen = _trainable_variables() if var_list is None else _flat(var_list)
        grads = gradients(
            loss, [_get_processor(v).target() for v in chosen], grad_ys=grad_loss, stop_gradients=stop_gradients,
            gate_gradients=gate_gradients == Optimizer.GATE_OP, aggregation_method=aggregation_method,
        )  # fmt: skip
        if gate_gradients == Optimizer.GATE_GRAPH:
            grads = control.tuple_(grads)
        return list(zip(grads, chosen, strict=True))

    def apply_gradients(
        self, grads_and_vars: Iterable[tuple[Any, Any]], global_step: Any = None, name: str | None = None
    ) -> Any:
        """An op that changes each variable by its gradient; pairs whose gradient is None are left out.

        Raises:
          ValueError: no pair has a gradient.
        """
        pairs = tuple(grads_and_vars)
        if not pairs:
            raise ValueError("No variables provided.")
        chosen = [(g, v) for g, v in pairs if g is not None]
        if not chosen:
            raise ValueError(f"No gradients provided for any variable: {[str(v) for _, v in pairs]}.")
        variables, graph = [v for _, v in chosen], chosen[0][1].graph
        for v in variables:
            if isinstance(v, Tensor):
                raise NotImplementedError("Trying to update a Tensor ", v)
        with name_scope(name, self._name) as scope:
            if graph not in self._per_graph_state:
                self._per_graph_state[graph] = OptimizerState(self._name, self._hyper)
            now = self._per_graph_state[graph].of_step(self._hyper, variables)
        with init_scope():
            self._create_vars(variables, now)
        with name_scope(scope):
            self._prepare(now)
            updated = control.group([self._updated(v, gradient, now) for gradient, v in chosen])
            with control_dependencies([updated]):
                finished = self._finish(now)
            finished = updated if finished is None else finished
            if global_step is None:
                return _listed(control.group(finished, name=scope))
            with control_dependencies([finished]):
                return _listed(global_step.assign_add(1, read_value=False, name=scope))

    def _updated(self, var: Any, gradient: Any, now: OptimizerState) -> Any:
        try:
            gradient = as_tensor_or_slices(gradient)
        except TypeError:
            raise TypeError(f"Gradient must be convertible to a Tensor or IndexedSlices, or None: {gradient}") from None
        _get_processor(var)  # raises where it can be no variable
        with name_scope("update_" + var.op.name):
            if isinstance(gradient, IndexedSlices):
                if var.constraint is not None:
                    raise RuntimeError("Cannot use a constraint function on a sparse variable.")
                if is_resource_variable(var):
                    return self._resource_apply_sparse_duplicate_indices(gradient.values, var, gradient.indices, now)
                return self._apply_sparse_duplicate_indices(gradient, var, now)
            apply = self._resource_apply_dense if is_resource_variable(var) else self._apply_dense
            update = apply(gradient, var, now)
            if var.constraint is None:
                return update
            with control_dependencies([update]):
                return var.assign(var.constraint(var))

    def _per_graph(self, graph: Graph) -> OptimizerState | None:
        return self._per_graph_state.get(graph)

    def get_slot(self, var: Any, name: str) -> Any:
        """The slot of a variable, or None."""
        found = self._per_graph(var.graph)
        return None if found is None else found.get_slot(var, name)

    def get_slot_names(self) -> list[str]:
        """The names of the slots in the default graph."""
        found = self._per_graph(default_graph())
        return [] if found is None else found.get_slot_names()

    def variables(self) -> list[Any]:
        """The optimizer's own variables in the default graph."""
        found = self._per_graph(default_graph())
        return [] if found is None else found.variables()

    def _create_vars(self, var_list: Sequence[Any], state: OptimizerState) -> None:
        """Make the slots and further variables."""

    def _prepare(self, state: OptimizerState | None = None) -> None:
        """What comes before the updates."""

    def _apply_dense(self, grad: Tensor, var: Any, state: Any = None) -> Any:
        raise NotImplementedError()

    def _resource_apply_dense(self, grad: Tensor, handle: Any, state: Any = None) -> Any:
        raise NotImplementedError()

    def _apply_sparse(self, grad: IndexedSlices, var: Any, state: Any = None) -> Any:
        raise NotImplementedError()

    def _resource_apply_sparse(self, grad: Tensor, handle: Any, indices: Tensor, state: Any = None) -> Any:
        raise NotImplementedError()

    def _apply_sparse_duplicate_indices(self, grad: IndexedSlices, var: Any, state: Any = None) -> Any:
        values, indices = _deduplicate_indexed_slices(grad.values, grad.indices)
        return self._apply_sparse(IndexedSlices(values, indices, grad.dense_shape), var, state)

    def _resource_apply_sparse_duplicate_indices(
        self, grad: Tensor, handle: Any, indices: Tensor, state: Any = None
    ) -> Any:
        values, rows = _deduplicate_indexed_slices(grad, indices)
        return self._resource_apply_sparse(values, handle, rows, state)

    def _finish(self, state: Any, name_scope: str | None = None) -> Any:
        """What comes behind the updates, or None."""
        return None


class _Fused(OptimizerV2):
    """An optimizer whose step is one op per variable, the same in all four forms."""

    def _ops(self) -> Sequence[Callable[..., Any]]:
        """The op on references, on rows of them, on handles, and on rows behind handles."""
        raise NotImplementedError

    def _slots(self) -> Sequence[str]:  # type: ignore[override]
        """The names of the slots that the op changes."""
        raise NotImplementedError

    def _inputs(self, hyper: Callable[[str], Tensor], *grad: Tensor) -> list[Any]:
        """The op's other inputs."""
        raise NotImplementedError

    def _attrs(self) -> dict[str, Any]:
        return {"use_locking": self._use_locking}

    def _step(self, form: int, var: Any, now: OptimizerState, *grad: Tensor) -> Any:
        cells = [var, *(now.get_slot(var, name) for name in self._slots())]
        places = [cell.handle if form >= 2 else cell._ref() for cell in cells]
        dtype = var.dtype.base_dtype
        return self._ops()[form](
            *places, *self._inputs(lambda name: now.get_hyper(name, dtype), *grad), **self._attrs()
        )

    def _apply_dense(self, grad: Tensor, var: Any, state: Any = None) -> Any:
        return self._step(0, var, state, grad).op

    def _apply_sparse(self, grad: IndexedSlices, var: Any, state: Any = None) -> Any:
        return self._step(1, var, state, grad.values, grad.indices).op

    def _resource_apply_dense(self, grad: Tensor, handle: Any, state: Any = None) -> Any:
        return self._step(2, handle, state, grad)

    def _resource_apply_sparse(self, grad: Tensor, handle: Any, indices: Tensor, state: Any = None) -> Any:
        return self._step(3, handle, state, grad, indices)


class GradientDescentOptimizer(OptimizerV2):
    """``var -= learning_rate * g``."""

    def __init__(self, learning_rate: Any, use_locking: bool = False, name: str = "GradientDescent") -> None:
        super().__init__(use_locking, name)
        self._set_hyper("learning_rate", learning_rate)

    def _apply_dense(self, grad: Tensor, var: Any, state: Any = None) -> Any:
        rate = state.get_hyper("learning_rate", var.dtype.base_dtype)
        return training.apply_gradient_descent(var._ref(), rate, grad, use_locking=self._use_locking).op

    def _resource_apply_dense(self, grad: Tensor, handle: Any, state: Any = None) -> Any:
        rate = state.get_hyper("learning_rate", grad.dtype.base_dtype)
        return training.resource_apply_gradient_descent(handle.handle, rate, grad, use_locking=self._use_locking)

    def _resource_apply_sparse_duplicate_indices(
        self, grad: Tensor, handle: Any, indices: Tensor, state: Any = None
    ) -> Any:
        rate = state.get_hyper("learning_rate", grad.dtype.base_dtype)
        return scatters.resource_scatter(REGISTRY["ResourceScatterAdd"], handle, indices, -grad * rate)

    def _apply_sparse_duplicate_indices(self, grad: IndexedSlices, var: Any, state: Any = None) -> Any:
        rows = grad.values * state.get_hyper("learning_rate", var.dtype.base_dtype)
        return var.scatter_sub(IndexedSlices(rows, grad.indices, grad.dense_shape), use_locking=self._use_locking)


class MomentumOptimizer(_Fused):
    """``a = momentum * a + g``; ``var -= learning_rate * a``."""

    def __init__(
        self, learning_rate: Any, momentum: Any, use_locking: bool = False, name: str = "Momentum",
        use_nesterov: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(use_locking, name)
        self._set_hyper("learning_rate", learning_rate)
        self._set_hyper("momentum", momentum)
        self._use_nesterov = use_nesterov

    def _create_vars(self, var_list: Sequence[Any], state: OptimizerState) -> None:
        for v in var_list:
            state.zeros_slot(v, "momentum")

    def _ops(self) -> Any:
        return (training.apply_momentum, training.sparse_apply_momentum, training.resource_apply_momentum,
                training.resource_sparse_apply_momentum)  # fmt: skip

    def _slots(self) -> Sequence[str]:  # type: ignore[override]
        return ("momentum",)

    def _inputs(self, hyper: Callable[[str], Tensor], *grad: Tensor) -> list[Any]:
        return [hyper("learning_rate"), *grad, hyper("momentum")]

    def _attrs(self) -> dict[str, Any]:
        return {"use_locking": self._use_locking, "use_nesterov": self._use_nesterov}


class AdagradOptimizer(_Fused):
    """``a += g^2``; ``var -= learning_rate * g / sqrt(a)``.

    Raises:
      ValueError: the accumulators do not begin above 0.
    """

    def __init__(
        self, learning_rate: Any, initial_accumulator_value: float = 0.1, use_locking: bool = False,
        name: str = "Adagrad",
    ) -> None:  # fmt: skip
        if initial_accumulator_value <= 0.0:
            raise ValueError(f"initial_accumulator_value must be positive: {initial_accumulator_value}")
        super().__init__(use_locking, name)
        self._set_hyper("learning_rate", learning_rate)
        self._initial_accumulator_value = initial_accumulator_value

    def _create_vars(self, var_list: Sequence[Any], state: OptimizerState) -> None:
        for v in var_list:
            dtype = v.dtype.base_dtype

            def filled(v: Any = v, dtype: Any = dtype) -> Tensor:
                return casts.cast(constants.fill(arrays.shape(v), self._initial_accumulator_value), dtype)

            known = v.get_shape().is_fully_defined()
            init = constant_initializer(self._initial_accumulator_value, dtype=dtype) if known else filled
            state.create_slot_with_initializer(v, init, v.get_shape(), dtype, "accumulator")

    def _ops(self) -> Any:
        return (training.apply_adagrad, training.sparse_apply_adagrad, training.resource_apply_adagrad,
                training.resource_sparse_apply_adagrad)  # fmt: skip

    def _slots(self) -> Sequence[str]:  # type: ignore[override]
        return ("accumulator",)

    def _inputs(self, hyper: Callable[[str], Tensor], *grad: Tensor) -> list[Any]:
        return [hyper("learning_rate"), *grad]


class AdadeltaOptimizer(_Fused):
    """Zeiler, 2012, arXiv:1212.5701."""

    def __init__(
        self, learning_rate: Any = 0.001, rho: Any = 0.95, epsilon: Any = 1e-8, use_locking: bool = False,
        name: str = "Adadelta",
    ) -> None:  # fmt: skip
        super().__init__(use_locking, name)
        for key, value in (("learning_rate", learning_rate), ("rho", rho), ("epsilon", epsilon)):
            self._set_hyper(key, value)

    def _create_vars(self, var_list: Sequence[Any], state: OptimizerState) -> None:
        for v in var_list:
            state.zeros_slot(v, "accum")
            state.zeros_slot(v, "accum_update")

    def _ops(self) -> Any:
        return (training.apply_adadelta, training.sparse_apply_adadelta, training.resource_apply_adadelta,
                training.resource_sparse_apply_adadelta)  # fmt: skip

    def _slots(self) -> Sequence[str]:  # type: ignore[override]
        return ("accum", "accum_update")

    def _inputs(self, hyper: Callable[[str], Tensor], *grad: Tensor) -> list[Any]:
        return [hyper("learning_rate"), hyper("rho"), hyper("epsilon"), *grad]


class RMSPropOptimizer(_Fused):
    """``rms`` begins at ``epsilon``, which is not added to it later."""

    def __init__(
        self, learning_rate: Any, decay: Any = 0.9, momentum: Any = 0.0, epsilon: Any = 1e-10,
        use_locking: bool = False, centered: bool = False, name: str = "RMSProp",
    ) -> None:  # fmt: skip
        super().__init__(use_locking, name)
        given = {"learning_rate": learning_rate, "decay": decay, "momentum": momentum, "epsilon": epsilon}
        for key, value in given.items():
            self._set_hyper(key, value)
        self._centered = centered

    def _create_vars(self, var_list: Sequence[Any], state: OptimizerState) -> None:
        for v in var_list:
            first = state.get_hyper("epsilon", v.dtype.base_dtype) * constants.ones_like(v)
            state.create_slot_with_initializer(v, first, v.get_shape(), v.dtype.base_dtype, "rms")
            if self._centered:
                state.zeros_slot(v, "mg")
            state.zeros_slot(v, "momentum")

    def _ops(self) -> Any:
        if self._centered:
            return (training.apply_centered_rms_prop, training.sparse_apply_centered_rms_prop,
                    training.resource_apply_centered_rms_prop,
                    training.resource_sparse_apply_centered_rms_prop)  # fmt: skip
        return (training.apply_rms_prop, training.sparse_apply_rms_prop, training.resource_apply_rms_prop,
                training.resource_sparse_apply_rms_prop)  # fmt: skip

    def _slots(self) -> Sequence[str]:  # type: ignore[override]
        return ("mg", "rms", "momentum") if self._centered else ("rms", "momentum")

    def _inputs(self, hyper: Callable[[str], Tensor], *grad: Tensor) -> list[Any]:
        return [hyper("learning_rate"), hyper("decay"), hyper("momentum"), 0, *grad]


class AdamOptimizer(OptimizerV2):
    """Kingma and Ba, 2014, arXiv:1412.6980."""

    def __init__(
        self, learning_rate: Any = 0.001, beta1: Any = 0.9, beta2: Any = 0.999, epsilon: Any = 1e-8,
        use_locking: bool = False, name: str = "Adam",
    ) -> None:  # fmt: skip
        super().__init__(use_locking, name)
        given = {"learning_rate": learning_rate, "beta1": beta1, "beta2": beta2, "epsilon": epsilon}
        for key, value in given.items():
            self._set_hyper(key, value)

    def _get_beta_accumulators(self, state: Any = None) -> tuple[Any, Any]:
        state = self._per_graph(default_graph()) if state is None else state
        return state.get_non_slot("beta1_power"), state.get_non_slot("beta2_power")

    def _create_vars(self, var_list: Sequence[Any], state: OptimizerState) -> None:
        state.create_non_slot(lambda: state.get_hyper("beta1"), "beta1_power")
        state.create_non_slot(lambda: state.get_hyper("beta2"), "beta2_power")
        for v in var_list:
            state.zeros_slot(v, "m")
            state.zeros_slot(v, "v")

    def _cells(self, var: Any, now: OptimizerState) -> list[Any]:
        return [var, now.get_slot(var, "m"), now.get_slot(var, "v")]

    def _inputs(self, now: OptimizerState, dtype: Any) -> list[Tensor]:
        grown = [casts.cast(power, dtype) for power in self._get_beta_accumulators(now)]
        return grown + [now.get_hyper(name, dtype) for name in ("learning_rate", "beta1", "beta2", "epsilon")]

    def _apply_dense(self, grad: Tensor, var: Any, state: Any = None) -> Any:
        places = [cell._ref() for cell in self._cells(var, state)]
        inputs = self._inputs(state, var.dtype.base_dtype)
        return training.apply_adam(*places, *inputs, grad, use_locking=self._use_locking).op

    def _resource_apply_dense(self, grad: Tensor, handle: Any, state: Any = None) -> Any:
        places = [cell.handle for cell in self._cells(handle, state)]
        inputs = self._inputs(state, grad.dtype.base_dtype)
        return training.resource_apply_adam(*places, *inputs, grad, use_locking=self._use_locking)

    def _moved(self, grad: Tensor, var: Any, indices: Tensor, scatter_add: Scatter, now: Any) -> Any:
        inputs = self._inputs(now, var.dtype.base_dtype)
        return moved_rows(grad, indices, self._cells(var, now), inputs, scatter_add, self._use_locking)

    def _apply_sparse(self, grad: IndexedSlices, var: Any, state: Any = None) -> Any:
        scatter_add = functools.partial(scatters.scatter_add, use_locking=self._use_locking)
        return self._moved(grad.values, var, grad.indices, scatter_add, state)

    def _resource_apply_sparse(self, grad: Tensor, handle: Any, indices: Tensor, state: Any = None) -> Any:
        scatter_add = functools.partial(scatters.scattered, "ResourceScatterAdd")
        return self._moved(grad, handle, indices, scatter_add, state)

    def _finish(self, state: Any, name_scope: str | None = None) -> Any:
        power1, power2 = self._get_beta_accumulators(state)
        next1 = power1.assign(power1 * state.get_hyper("beta1"), use_locking=self._use_locking)
        next2 = power2.assign(power2 * state.get_hyper("beta2"), use_locking=self._use_locking)
        return control.group(next1, next2)


class GGTOptimizer(OptimizerV2):
    """Full-matrix AdaGrad over the last ``window`` means of the gradients.

    With the rows of ``M`` those means over the root of their number, and ``U S U^T = M M^T + svd_eps``:

        step = M^T U (sqrt(S) + sigma_eps)^-3 U^T M m + (m - M^T U S^-1 U^T M m) / min(sqrt(S))

    the second term only where ``min(sqrt(S))`` is above ``eps``.
    """

    def __init__(
        self, learning_rate: Any = 0.001, beta1: Any = 0.9, use_locking: bool = False, name: str = "GGT",
        window: int = 10, eps: Any = 1e-4, svd_eps: Any = 1e-6, sigma_eps: Any = 1e-2,
    ) -> None:  # fmt: skip
        super().__init__(use_locking, name)
        given = {"lr": learning_rate, "beta1": beta1, "window": window, "eps": eps, "svd_eps": svd_eps,
                 "sigma_eps": sigma_eps}  # fmt: skip
        for key, value in given.items():
            self._set_hyper(key, value)
        self.shape_dict: dict[str, int] = {}
        self.index_dict: dict[str, int] = {}
        self._variables: list[Any] = []

    def _create_vars(self, var_list: Sequence[Any], state: OptimizerState) -> None:
        self.shape_dict = dict(sorted((v.name, math.prod(v.get_shape().as_list())) for v in var_list))
        count = 0
        for name, size in self.shape_dict.items():
            self.index_dict[name] = count
            count += size
        dtype = var_list[0].dtype.base_dtype
        state.create_non_slot(casts.cast(0.0, dtype), "global_step")
        state.create_non_slot(constants.zeros([state.get_hyper("window"), count], dtype), "grad_buffer")
        state.create_non_slot(constants.zeros((count,), dtype), "moment1")
        state.create_non_slot(constants.zeros((count,), dtype), "flat_grad")

    def _prepare(self, state: OptimizerState | None = None) -> None:
        self._variables = []

    def _place(self, var: Any) -> tuple[int, int]:
        first = self.index_dict[var.name]
        return first, first + self.shape_dict[var.name]

    def _apply_dense(self, grad: Tensor, var: Any, state: Any = None) -> Any:
        self._variables.append(var)
        flat = arrays.reshape(grad, [-1])
        return scatters.scatter_update(state.get_non_slot("flat_grad"), constants.range_(*self._place(var)), flat)

    def _resource_apply_dense(self, grad: Tensor, handle: Any, state: Any = None) -> Any:
        return self._apply_dense(grad, handle, state)

    def _apply_sparse(self, grad: IndexedSlices, var: Any, state: Any = None) -> Any:
        raise NotImplementedError("Sparse gradient updates are not supported.")

    def _finish(self, state: Any, name_scope: str | None = None) -> Any:
        dtype = self._variables[0].dtype.base_dtype
        step = assign_add(state.get_non_slot("global_step"), 1.0)
        beta1, mean, flat = (
            state.get_hyper("beta1", dtype),
            state.get_non_slot("moment1"),
            state.get_non_slot("flat_grad"),
        )
        moved = mean.assign(beta1 * mean + (1.0 - beta1) * flat)
        window = state.get_hyper("window")
        row = arithmetic.floormod(casts.cast(step - 1.0, "int32"), window)
        buffer = scatters.scatter_update(state.get_non_slot("grad_buffer"), row, moved)
        eps, svd_eps, sigma_eps, rate = (state.get_hyper(key, dtype) for key in ("eps", "svd_eps", "sigma_eps", "lr"))
        count = powers.sqrt(arithmetic.minimum(as_tensor(step), as_tensor(casts.cast(window, dtype))))
        column = arrays.expand_dims(moved, -1)
        m = permuting.transpose(arithmetic.divide(buffer, count))
        mm = matrices.matmul(m, m, transpose_a=True)
        damping = casts.cast(grids.eye(window), dtype) * svd_eps
        sigma, u, _ = spectra.svd(mm + damping)
        root = powers.sqrt(sigma)
        least = reductions.reduce_min(root)
        cubes = arithmetic.divide(casts.cast(1.0, dtype), powers.pow_(root + sigma_eps, 3))
        none = arrays.expand_dims(constants.zeros(flat.get_shape(), dtype), -1)

        def through(factors: Callable[[], Tensor]) -> Tensor:
            scaled = diagonals.diag(factors())
            inner = matrices.matmul(u, matrices.matmul(m, column, transpose_a=True), transpose_a=True)
            return matrices.matmul(m, matrices.matmul(u, matrices.matmul(scaled, inner)))

        head = through(lambda: cubes)
        tail = column - through(lambda: arithmetic.divide(casts.cast(1.0, dtype), sigma))
        scaled_tail = arithmetic.divide(tail, least)
        change = cond(least > eps, lambda: arithmetic.add(head, scaled_tail), lambda: arithmetic.add(none, head))
        updates = []
        for v in self._variables:
            first, end = self._place(v)
            own = arrays.reshape(change[first:end], v.get_shape())
            updates.append(assign_sub(v, rate * own))
        return control.group(updates)
