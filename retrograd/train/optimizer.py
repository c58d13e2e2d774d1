"""``Optimizer``: from a loss to one op that moves every variable a step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from retrograd.derivatives.tape import GradientTape
from retrograd.eager import deferred
from retrograd.grad.gradients import gradients
from retrograd.graph import dtypes, nest
from retrograd.graph.collections import GraphKeys
from retrograd.graph.convert import as_tensor, as_tensor_or_slices
from retrograd.graph.modes import executing_eagerly_outside_functions
from retrograd.graph.scopes import colocate_with, control_dependencies, get_collection, name_scope
from retrograd.graph.sparse import IndexedSlices
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor, TensorLike
from retrograd.ops import arrays, casts, control, segments, state, uniqueness
from retrograd.state import strategies, variables
from retrograd.state.resource import is_resource_variable
from retrograd.train import slot_creator
from retrograd.train.unreached import explain_missing_gradients


class Optimizer:
    """What all optimizers share: gradients of a loss, slots, and the order of updates.

    A subclass says in ``_create_slots`` what it keeps for each variable, in ``_prepare`` which
    hyperparameters it needs as tensors, and how a variable is updated in four forms:
    ``_apply_dense`` and ``_apply_sparse`` for reference variables, ``_resource_apply_dense`` and
    ``_resource_apply_sparse`` for resource variables.  ``_finish`` joins the updates.
    """

    _is_trackable = True
    GATE_NONE = 0  # gradients are used as soon as each is there
    GATE_OP = 1  # those of one op's inputs become available together
    GATE_GRAPH = 2  # all become available together

    def __init__(self, use_locking: bool, name: str) -> None:
        if not name:
            raise ValueError("Must specify the optimizer name")
        self._use_locking = use_locking
        self._name = name
        self._slots: dict[str, dict[Any, Any]] = {}
        self._non_slot_dict: dict[Any, Any] = {}

    def get_name(self) -> str:
        """The name that the optimizer was made with."""
        return self._name

    def minimize(
        self,
        loss: Any,
        global_step: Any = None,
        var_list: Any = None,
        gate_gradients: int = GATE_OP,
        aggregation_method: int | None = None,
        colocate_gradients_with_ops: bool = False,
        name: str | None = None,
        grad_loss: Any = None,
    ) -> Any:
        """An op that takes one step against the gradient of ``loss``: compute, then apply.

        Args:
          loss: a tensor, or a function without arguments that gives it.
          global_step: a variable to be increased by one after the step.
          var_list: the variables to change; by default the trainable ones.
          gate_gradients: ``GATE_NONE``, ``GATE_OP`` or ``GATE_GRAPH``.
          grad_loss: the gradient with respect to ``loss``; ones by default.

        Raises:
          ValueError: no variable has a gradient.
        """
        pairs = self.compute_gradients(
            loss, var_list=var_list, gate_gradients=gate_gradients, aggregation_method=aggregation_method,
            colocate_gradients_with_ops=colocate_gradients_with_ops, grad_loss=grad_loss,
        )  # fmt: skip
        if all(gradient is None for gradient, _ in pairs):
            error = ValueError(
                "No gradients provided for any variable, check your graph for ops that do not support "
                f"gradients, between variables {[str(v) for _, v in pairs]} and loss {loss}."
            )
            if not callable(loss):
                explain_missing_gradients(error, loss, [v for _, v in pairs])
            raise error
        return self.apply_gradients(pairs, global_step=global_step, name=name)

    def compute_gradients(
        self,
        loss: Any,
        var_list: Any = None,
        gate_gradients: int = GATE_OP,
        aggregation_method: int | None = None,
        colocate_gradients_with_ops: bool = False,
        grad_loss: Any = None,
    ) -> list[tuple[Any, Any]]:
        """The pairs (gradient of ``loss``, variable): None where ``loss`` does not depend on it.

        Raises:
          ValueError: there are no variables, a dtype is not floating, or the gate is none of the three.
          TypeError: ``var_list`` holds something that is no variable.
        """
        if callable(loss) and executing_eagerly_outside_functions():
            return self._gradients_at_once(loss, var_list, grad_loss)
        if default_graph().is_eager:
            error = RuntimeError(
                "`loss` passed to Optimizer.compute_gradients should be a function when eager execution is enabled."
            )
            error.add_note("  Fix:   optimizer.minimize(lambda: ...)  # the loss, computed anew")
            raise error
        if callable(loss):
            loss = loss()
        if gate_gradients not in (Optimizer.GATE_NONE, Optimizer.GATE_OP, Optimizer.GATE_GRAPH):
            raise ValueError(
                "gate_gradients must be one of: Optimizer.GATE_NONE, Optimizer.GATE_OP, "
                f"Optimizer.GATE_GRAPH.  Not {gate_gradients}"
            )
        self._assert_valid_dtypes([loss])
        if grad_loss is not None:
            self._assert_valid_dtypes([grad_loss])
        chosen = _trainable_variables() if var_list is None else _flat(var_list)
        chosen = chosen + get_collection(GraphKeys._STREAMING_MODEL_PORTS)
        processors = [_get_processor(v) for v in chosen]
        if not chosen:
            raise _no_variables(var_list)
        grads = gradients(
            loss, [p.target() for p in processors], grad_ys=grad_loss, aggregation_method=aggregation_method,
            gate_gradients=gate_gradients == Optimizer.GATE_OP,
            colocate_gradients_with_ops=colocate_gradients_with_ops,
        )  # fmt: skip
        if gate_gradients == Optimizer.GATE_GRAPH:
            grads = control.tuple_(grads)
        pairs = list(zip(grads, chosen, strict=True))
        self._assert_valid_dtypes([v for g, v in pairs if g is not None and v.dtype != dtypes.resource])
        return pairs

    def _gradients_at_once(self, loss: Callable[[], Any], var_list: Any, grad_loss: Any) -> list[tuple[Any, Any]]:
        """The same where ops run at once, or a function of such is traced: by a tape around ``loss()``."""
        with GradientTape() as tape:
            if var_list is not None:
                tape.watch(_flat(var_list))
            value = loss()
            value = value() if callable(value) else value
        chosen = list(tape.watched_variables()) if var_list is None else _flat(var_list)
        return list(zip(tape.gradient(value, chosen, grad_loss), chosen, strict=True))

    def apply_gradients(
        self, grads_and_vars: Iterable[tuple[Any, Any]], global_step: Any = None, name: str | None = None
    ) -> Any:
        """An op that changes each variable by its gradient; pairs whose gradient is None are left out.

        Args:
          global_step: a variable to be increased by one after all updates.

        Raises:
          ValueError: no pair has a gradient.
          TypeError: a gradient is neither a tensor nor ``IndexedSlices``, nor can be converted.
        """
        mode = strategies.current_mode()
        if mode is not None and not mode.strategy._is_default:
            return self._apply_by_strategy(mode, grads_and_vars, global_step, name)
        pairs = tuple(grads_and_vars)
        if not pairs:
            error = ValueError("No variables provided.")
            error.add_note(
                "  Why:   the list of gradients and variables is empty\n"
                "  Fix:   apply_gradients(list(zip(gradients, variables))): an iterator serves only once"
            )
            raise error
        converted = [(None if g is None else _converted(g), v, _get_processor(v)) for g, v in pairs]
        changing = [v for g, v, _ in converted if g is not None]
        if not changing:
            error = ValueError(f"No gradients provided for any variable: {[str(v) for _, v, _ in converted]}.")
            error.add_note(
                "  Why:   the gradient of every pair is None: the loss does not depend on these variables\n"
                "  Fix:   train a loss that uses them, see  tf.gradients(loss, tf.trainable_variables())"
            )
            raise error
        graph = default_graph()
        with control_dependencies(None):
            self._create_slots(changing)
        deferred.variables_made()
        updates = []
        with name_scope(name, self._name) as name:
            self._prepare()
            for gradient, var, processor in converted:
                if gradient is not None:
                    with name_scope("update_" + var.op.name), colocate_with(var):
                        updates.append(processor.update_op(self, gradient))
            step = self._with_global_step(updates, global_step, name)
            if graph.is_eager:
                return None
            return _listed(step)

    def _apply_by_strategy(self, mode: strategies.Mode, grads_and_vars: Any, global_step: Any, name: str | None) -> Any:
        """The step in the scope of a distribution strategy, which says where updates are built."""
        if mode.replica is None:
            raise RuntimeError("Use `_distributed_apply()` instead of `apply_gradients()` in a cross-replica context.")
        pairs = [(g, v) for g, v in grads_and_vars if g is not None]
        if not pairs:
            raise ValueError(f"No gradients provided for any variable: {[v.name for _, v in grads_and_vars]}.")
        return mode.replica.merge_call(self._distributed_apply, args=(pairs, global_step, name))

    def _distributed_apply(
        self, distribution: Any, grads_and_vars: Any, global_step: Any = None, name: str | None = None
    ) -> Any:
        """The step in the context of all replicas: gradients are summed over them, variables updated where they are."""
        where = distribution.extended
        sums = where.batch_reduce_to("sum", grads_and_vars)
        changing = [v for _, v in grads_and_vars]
        with control_dependencies(None):
            self._create_slots(changing)
        deferred.variables_made()

        def update(var: Any, gradient: Any) -> Any:
            with name_scope("update_" + var.op.name):
                return _get_processor(var).update_op(self, _converted(gradient))

        def finish(updates: list[Any]) -> Any:
            return self._finish(updates, "update")

        with name_scope(name, self._name) as name:
            self._prepare()
            updates = [
                op
                for gradient, var in zip(sums, changing, strict=True)
                for op in where.update(var, update, args=(gradient,), group=False)
            ]
            finished = where.update_non_slot(where.non_slot_devices(changing), finish, args=(updates,), group=False)
            if global_step is None:
                step = distribution.group(finished, name=name)
            else:
                with control_dependencies(finished):
                    step = where.update(global_step, state.assign_add, args=(1,), kwargs={"name": name})
            return _listed(step)

    def _with_global_step(self, updates: list[Any], global_step: Any, name: str) -> Any:
        if global_step is None:
            return self._finish(updates, name)
        with control_dependencies([self._finish(updates, "update")]), colocate_with(global_step):
            if is_resource_variable(global_step):
                return global_step.assign_add(1, name=name, read_value=False)
            return state.assign_add(global_step, 1, name=name)

    # -- slots -----------------------------------------------------------------------------------

    def get_slot(self, var: Any, name: str) -> Any:
        """The slot variable called ``name`` that was made for ``var``, or None."""
        return self._slots.get(name, {}).get(_var_key(var))

    def get_slot_names(self) -> list[str]:
        """The names of the slots, sorted."""
        return sorted(self._slots)

    def variables(self) -> list[Any]:
        """The optimizer's own variables in the default graph, sorted by name."""
        graph = default_graph()  # ops that run at once have one graph
        owned = [*self._non_slot_variables(), *(v for slots in self._slots.values() for v in slots.values())]
        return sorted((v for v in owned if v.op.graph is graph), key=lambda v: v.name)

    def _slot_dict(self, slot_name: str) -> dict[Any, Any]:
        return self._slots.setdefault(slot_name, {})

    def _get_or_make_slot(self, var: Any, val: Any, slot_name: str, op_name: str) -> Any:
        """The slot of ``var``, made with the initial value ``val`` if it is not there."""
        return self._slot(var, slot_name, lambda: slot_creator.create_slot(var, val, op_name))

    def _get_or_make_slot_with_initializer(
        self, var: Any, initializer: Any, shape: Any, dtype: Any, slot_name: str, op_name: str
    ) -> Any:
        """The slot of ``var``, made by ``initializer`` if it is not there."""
        return self._slot(
            var, slot_name,
            lambda: slot_creator.create_slot_with_initializer(var, initializer, shape, dtype, op_name),
        )  # fmt: skip

    def _slot_with(self, var: Any, slot_name: str, value: Any) -> Any:
        """The slot of ``var``, made of a value from a checkpoint if it is not there."""
        return self._get_or_make_slot(var, as_tensor(value), slot_name, self._name)

    def _zeros_slot(self, var: Any, slot_name: str, op_name: str) -> Any:
        """The slot of ``var``, made of zeros if it is not there."""
        return self._slot(var, slot_name, lambda: slot_creator.create_zeros_slot(var, op_name))

    def _slot(self, var: Any, slot_name: str, make: Callable[[], Any]) -> Any:
        slots = self._slot_dict(slot_name)
        key = _var_key(var)
        if key not in slots:
            slots[key] = make()
        return slots[key]

    def _create_non_slot_variable(self, initial_value: Any, name: str, colocate_with: Any) -> Any:
        """A variable that belongs to the optimizer as a whole: one per name and graph."""
        key = (name, colocate_with.graph if colocate_with._in_graph_mode else None)
        if key not in self._non_slot_dict:
            with strategies.beside(colocate_with):
                self._non_slot_dict[key] = variables.VariableV1(
                    initial_value,
                    name=name,
                    trainable=False,
                    use_resource=is_resource_variable(colocate_with),
                )
        return self._non_slot_dict[key]

    def _get_non_slot_variable(self, name: str, graph: Any = None) -> Any:
        found = self._non_slot_dict.get((name, graph))
        return self._non_slot_dict.get((name, None)) if found is None else found

    def _non_slot_variables(self) -> Iterable[Any]:
        return self._non_slot_dict.values()

    # -- what a subclass says --------------------------------------------------------------------

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        """Make the slots of the variables."""

    def _prepare(self) -> None:
        """Make the tensors that all updates use, such as the learning rate."""

    def _apply_dense(self, grad: Tensor, var: Any) -> Any:
        """The op that updates a reference variable by a dense gradient."""
        raise NotImplementedError()

    def _resource_apply_dense(self, grad: Tensor, handle: Any) -> Any:
        """The op that updates a resource variable by a dense gradient."""
        raise NotImplementedError()

    def _apply_sparse(self, grad: IndexedSlices, var: Any) -> Any:
        """The op that updates a reference variable by slices, no index of which comes twice."""
        raise NotImplementedError()

    def _resource_apply_sparse(self, grad: Tensor, handle: Any, indices: Tensor) -> Any:
        """The op that updates rows of a resource variable; no index comes twice."""
        raise NotImplementedError()

    def _apply_sparse_duplicate_indices(self, grad: IndexedSlices, var: Any) -> Any:
        """The same for slices whose indices may repeat; sums those of one index."""
        values, indices = _deduplicate_indexed_slices(grad.values, grad.indices)
        return self._apply_sparse(IndexedSlices(values, indices, grad.dense_shape), var)

    def _resource_apply_sparse_duplicate_indices(self, grad: Tensor, handle: Any, indices: Tensor) -> Any:
        """The same for a resource variable."""
        values, indices = _deduplicate_indexed_slices(grad, indices)
        return self._resource_apply_sparse(values, handle, indices)

    def _finish(self, update_ops: list[Any], name_scope: str | None) -> Any:
        """One op that runs after all updates."""
        return control.group(*update_ops, name=name_scope)

    def _valid_dtypes(self) -> set[dtypes.DType]:
        """The dtypes that losses and variables may have."""
        return {dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64}

    def _assert_valid_dtypes(self, tensors: Iterable[Any]) -> None:
        valid = self._valid_dtypes()
        for tensor in tensors:
            dtype = tensor.dtype.base_dtype
            if dtype not in valid:
                error = ValueError(f"Invalid type {dtype!r} for {tensor.name}, expected: {list(valid)}.")
                error.add_note("  Fix:   tf.cast(..., tf.float32) before the loss, or make it a float variable")
                raise error

    def _call_if_callable(self, param: Any) -> Any:
        """The value of a hyperparameter that may be a function without arguments."""
        return param() if callable(param) else param


def _listed(step: Any) -> Any:
    """The op of a step, which is among the graph's training ops from now on."""
    step = step.op if isinstance(step, Tensor) else step
    train_ops = default_graph().get_collection_ref(GraphKeys.TRAIN_OP)
    if step not in train_ops:
        train_ops.append(step)
    return step


_O = TypeVar("_O", bound=Optimizer)


def fused(optimizer: type[_O]) -> type[_O]:
    """An optimizer whose step is one op per variable, the same in all four forms; its one base is ``Optimizer``.

    Three methods of it say what the op is:
      ``_ops()``: the op on references, on rows of them, on handles, and on rows behind handles;
      ``_cells(var)``: the slots that the op changes besides ``var``, in its order;
      ``_inputs(dtype, *grad, var)``: its other inputs in order; ``grad`` is the gradient, and its indices.
    """
    for name, method in vars(_FusedStep).items():
        if not name.startswith("__") and name not in vars(optimizer):
            setattr(optimizer, name, method)
    return optimizer


class _FusedStep:
    """The methods that ``fused`` adds."""

    _use_locking: bool
    _ops: Callable[[], Sequence[Callable[..., Any]]]
    _cells: Callable[[Any], list[Any]]
    _inputs: Callable[..., list[Any]]

    def _attrs(self) -> dict[str, Any]:
        return {"use_locking": self._use_locking}

    def _apply_dense(self, grad: Tensor, var: Any) -> Any:
        return self._update(0, var, grad).op

    def _apply_sparse(self, grad: IndexedSlices, var: Any) -> Any:
        return self._update(1, var, grad.values, grad.indices).op

    def _resource_apply_dense(self, grad: Tensor, handle: Any) -> Any:
        return self._update(2, handle, grad)

    def _resource_apply_sparse(self, grad: Tensor, handle: Any, indices: Tensor) -> Any:
        return self._update(3, handle, grad, indices)

    def _update(self, form: int, var: Any, *grad: Tensor) -> Any:
        cells = [var, *self._cells(var)]
        places = [cell.handle if form >= 2 else cell._ref() for cell in cells]
        return self._ops()[form](*places, *self._inputs(var.dtype.base_dtype, *grad, var=var), **self._attrs())


def cast(hyperparameter: Any, dtype: dtypes.DType) -> Any:
    """A hyperparameter in the dtype of the variable that it changes."""
    if isinstance(hyperparameter, TensorLike) and hyperparameter.dtype == dtype:
        return hyperparameter  # a resource variable is read where it is used
    return casts.cast(hyperparameter, dtype)


def _deduplicate_indexed_slices(values: Tensor, indices: Tensor) -> tuple[Tensor, Tensor]:
    """The sums of the slices of each index, and the indices, in the order in which they first come."""
    unique_indices, positions = uniqueness.unique(indices)
    summed = segments.unsorted_segment_sum(values, positions, arrays.shape(unique_indices)[0])
    return summed, unique_indices


def _var_key(var: Any) -> Any:
    """What identifies a variable among the slots."""
    if not getattr(var, "_in_graph_mode", True):
        return var._unique_id
    return (var.op.graph, var.op.name) if hasattr(var, "op") else var._unique_id


def _trainable_variables() -> list[Any]:
    return get_collection(GraphKeys.TRAINABLE_VARIABLES) + get_collection(GraphKeys.TRAINABLE_RESOURCE_VARIABLES)


def _flat(var_list: Any) -> list[Any]:
    if isinstance(var_list, Iterator):  # what filter gives is a list in an older Python
        var_list = list(var_list)
    return nest.flatten(var_list)


def _no_variables(var_list: Any) -> ValueError:
    error = ValueError("No variables to optimize.")
    if var_list is None:
        why = "the graph has no trainable variable"
        fix = "make one with tf.Variable(...) or tf.get_variable(...), without trainable=False"
    else:
        why = "var_list is empty"
        fix = "var_list=tf.trainable_variables(), or leave var_list out"
    error.add_note(f"  Why:   {why}\n  Fix:   {fix}")
    return error


def _converted(gradient: Any) -> Any:
    try:
        return as_tensor_or_slices(gradient)
    except TypeError:
        raise TypeError(f"Gradient must be convertible to a Tensor or IndexedSlices, or None: {gradient}") from None


# -- one update per kind of variable ---------------------------------------------------------------


class _ReferenceProcessor:
    """How a reference variable is differentiated and updated."""

    def __init__(self, var: Any) -> None:
        self.var = var

    def target(self) -> Any:
        """What the loss is differentiated with respect to."""
        return self.var._ref()

    def update_op(self, optimizer: Optimizer, gradient: Any) -> Any:
        """The op that changes the variable by ``gradient``."""
        if isinstance(gradient, IndexedSlices):
            _check_unconstrained(self.var)
            return self._update_rows(optimizer, gradient)
        update = self._update(optimizer, gradient)
        if self.var.constraint is None:
            return update
        with control_dependencies([update]):
            return self.var.assign(self.var.constraint(self.var))

    def _update(self, optimizer: Optimizer, gradient: Tensor) -> Any:
        return optimizer._apply_dense(gradient, self.var)

    def _update_rows(self, optimizer: Optimizer, gradient: IndexedSlices) -> Any:
        return optimizer._apply_sparse_duplicate_indices(gradient, self.var)


class _ResourceProcessor(_ReferenceProcessor):
    """How a resource variable is differentiated and updated."""

    def target(self) -> Any:
        return self.var

    def _update(self, optimizer: Optimizer, gradient: Tensor) -> Any:
        return optimizer._resource_apply_dense(gradient, self.var)

    def _update_rows(self, optimizer: Optimizer, gradient: IndexedSlices) -> Any:
        return optimizer._resource_apply_sparse_duplicate_indices(gradient.values, self.var, gradient.indices)


class _TensorProcessor:
    """A tensor can be differentiated by, but not updated."""

    def __init__(self, tensor: Tensor) -> None:
        self.tensor = tensor

    def target(self) -> Tensor:
        return self.tensor

    def update_op(self, optimizer: Optimizer, gradient: Any) -> Any:
        raise NotImplementedError("Trying to update a Tensor ", self.tensor)


def _check_unconstrained(var: Any) -> None:
    if var.constraint is not None:
        raise RuntimeError("Cannot use a constraint function on a sparse variable.")


def _get_processor(v: Any) -> Any:
    """How ``v`` is differentiated and updated."""
    if not hasattr(v, "op"):
        error = AttributeError(f"{type(v).__name__!r} object has no attribute 'op'", name="op", obj=v)
        error.add_note(
            f"  Why:   {v!r} stands where a variable is wanted\n"
            "  Fix:   pass variables: tf.trainable_variables(), or what tf.get_variable(...) gave"
        )
        raise error
    if v.op.type == "VarHandleOp":
        return _ResourceProcessor(v)
    if isinstance(v, variables.Variable):
        return _ReferenceProcessor(v)
    if isinstance(v, Tensor):
        return _TensorProcessor(v)
    raise NotImplementedError("Trying to optimize unsupported type ", v)
