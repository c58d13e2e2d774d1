"""``tf.contrib.optimizer_v2``: optimizers that keep variables and hyperparameters in one state for each graph.

Hyperparameters are tensors made once, those given as functions anew in each step.  Slots are made inside of the graph's
own scope, and what ends a step (``_finish``) waits for all updates.  Source: TensorFlow 1.15.5,
``contrib/optimizer_v2``: order of ops, names, messages; for GGT Agarwal et al., 2018,
arXiv:1806.02958.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from retrograd.grad.gradients import gradients
from retrograd.graph.convert import as_tensor, as_tensor_or_slices
from retrograd.graph.graph import Graph
from retrograd.graph.modes import init_scope
from retrograd.graph.scopes import colocate_with, control_dependencies, name_scope
from retrograd.graph.sparse import IndexedSlices
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.ops import (
    casts,
    control,
)
from retrograd.state.resource import is_resource_variable
from retrograd.state.variables import VariableV1
from retrograd.train import slot_creator
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
