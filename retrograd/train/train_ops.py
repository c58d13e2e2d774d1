"""A train op in one call, and what is done to gradients on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from retrograd.graph import log, scopes
from retrograd.graph.collections import GraphKeys
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.sparse import IndexedSlices
from retrograd.graph.tensor import Tensor
from retrograd.nn import summaries
from retrograd.ops import asserts, clipping, control
from retrograd.ops.control import with_dependencies
from retrograd.state import initialization
from retrograd.train.optimizer import Optimizer
from retrograd.train.training_util import get_or_create_global_step

Pairs = list[tuple[Any, Any]]


def on_values(grad: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(grad, IndexedSlices):
        return IndexedSlices(change(grad.values), grad.indices, grad.dense_shape)
    return change(grad)


def clip_gradient_norms(gradients_to_variables: Iterable[tuple[Any, Any]], max_norm: Any) -> Pairs:
    """Each gradient with a norm of at most ``max_norm``."""
    return [
        (None if grad is None else on_values(grad, lambda x: clipping.clip_by_norm(x, max_norm)), var)
        for grad, var in gradients_to_variables
    ]


def clip_gradient_norms_fn(max_norm: Any) -> Callable[[Iterable[tuple[Any, Any]]], Pairs]:
    """``clip_gradient_norms`` as a function of the gradients alone."""
    return lambda gradients_to_variables: clip_gradient_norms(gradients_to_variables, max_norm)


def multiply_gradients(grads_and_vars: Pairs, gradient_multipliers: dict[Any, Any]) -> Pairs:
    """The gradients of some variables times numbers; the variables by themselves or by name.

    Raises:
      ValueError: the arguments are no list and no dictionary, or a gradient is None.
    """
    check_multipliers(grads_and_vars, gradient_multipliers)
    multiplied = []
    for grad, var in grads_and_vars:
        key = var if var in gradient_multipliers else var.op.name
        if key in gradient_multipliers:
            if grad is None:
                raise ValueError("Requested multiple of `None` gradient.")
            grad = on_values(grad, _times(gradient_multipliers[key]))
        multiplied.append((grad, var))
    return multiplied


def check_multipliers(grads_and_vars: Any, gradient_multipliers: Any) -> None:
    """That the arguments of ``multiply_gradients`` are a list and a dictionary."""
    if not isinstance(grads_and_vars, list):
        raise ValueError("`grads_and_vars` must be a list.")
    if not gradient_multipliers:
        raise ValueError("`gradient_multipliers` is empty.")
    if not isinstance(gradient_multipliers, dict):
        raise ValueError("`gradient_multipliers` must be a dict.")


def _times(factor: Any) -> Callable[[Any], Any]:
    return lambda x: x * as_tensor(factor, dtype=x.dtype)


def add_gradients_summaries(grads_and_vars: Pairs) -> list[Any]:
    """How each gradient is distributed, and its norm."""
    made = []
    for grad, var in grads_and_vars:
        if grad is None:
            log.info("Var %s has no gradient", var.op.name)
            continue
        values = grad.values if isinstance(grad, IndexedSlices) else grad
        made.append(summaries.histogram(f"{var.op.name}_gradient", values))
        made.append(summaries.scalar(f"{var.op.name}_gradient_norm", clipping.global_norm([values])))
    return made


_USE_GLOBAL_STEP = 0


def create_train_op(
    total_loss: Any,
    optimizer: Optimizer,
    global_step: Any = _USE_GLOBAL_STEP,
    update_ops: Iterable[Any] | None = None,
    variables_to_train: Sequence[Any] | None = None,
    transform_grads_fn: Callable[[Pairs], Pairs] | None = None,
    summarize_gradients: bool = False,
    gate_gradients: int = Optimizer.GATE_OP,
    aggregation_method: int | None = None,
    colocate_gradients_with_ops: bool = False,
    check_numerics: bool = True,
) -> Tensor:
    """An op that makes one step after the ``UPDATE_OPS`` and gives the loss, which must be finite."""
    if global_step is _USE_GLOBAL_STEP:
        global_step = get_or_create_global_step()
    collected = list(dict.fromkeys(scopes.get_collection(GraphKeys.UPDATE_OPS)))
    updates = collected if update_ops is None else list(dict.fromkeys(update_ops))
    if not set(collected) <= set(updates):
        log.warning("update_ops in create_train_op does not contain all the update_ops in GraphKeys.UPDATE_OPS")
    if updates:
        with control_dependencies(updates):
            barrier = control.no_op(name="update_barrier")
        total_loss = with_dependencies([barrier], total_loss)
    if variables_to_train is None:
        variables_to_train = initialization.trainable_variables()
    assert variables_to_train
    grads = optimizer.compute_gradients(
        total_loss, variables_to_train, gate_gradients=gate_gradients, aggregation_method=aggregation_method,
        colocate_gradients_with_ops=colocate_gradients_with_ops,
    )  # fmt: skip
    if transform_grads_fn:
        grads = transform_grads_fn(grads)
    if summarize_gradients:
        with name_scope("summarize_grads"):
            add_gradients_summaries(grads)
    step = optimizer.apply_gradients(grads, global_step=global_step)
    with name_scope("train_op"):
        if check_numerics:
            total_loss = asserts.check_numerics(total_loss, "LossTensor is inf or nan")
        train_op = with_dependencies([step], total_loss)
    listed = scopes.get_collection_ref(GraphKeys.TRAIN_OP)
    if not any(op is train_op for op in listed):
        listed.append(train_op)
    return train_op
