"""Optimizers around optimizers: of variables kept short, and of tasks that take turns."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from retrograd.graph import log
from retrograd.graph.scopes import colocate_with, control_dependencies, name_scope
from retrograd.graph.sparse import IndexedSlices
from retrograd.graph.tensor import Tensor
from retrograd.ops import clipping, comparison, constants, control, indexing, reductions
from retrograd.ops.conditions import cond
from retrograd.train.optimizer import Optimizer


class WrappingOptimizer(Optimizer):
    """An optimizer around another, ``opt``, whose gradients and slots are the other's."""

    def __init__(self, opt: Any, use_locking: bool, name: str) -> None:
        super().__init__(use_locking, name)
        self._opt = opt

    def compute_gradients(self, *args: Any, **kwargs: Any) -> Any:
        """The other optimizer's."""
        return self._opt.compute_gradients(*args, **kwargs)

    def get_slot(self, *args: Any, **kwargs: Any) -> Any:
        """The other optimizer's."""
        return self._opt.get_slot(*args, **kwargs)

    def get_slot_names(self, *args: Any, **kwargs: Any) -> Any:
        """The other optimizer's."""
        return self._opt.get_slot_names(*args, **kwargs)


class VariableClippingOptimizer(WrappingOptimizer):
    """After an optimizer's step, scale variables down to a norm of at most ``max_norm`` over some dimensions.

    Args:
      opt: the optimizer.
      vars_to_clip_dims: for each variable to clip, the dimensions of its norm.
    """

    def __init__(
        self,
        opt: Optimizer,
        vars_to_clip_dims: Mapping[Any, Sequence[int]],
        max_norm: float,
        use_locking: bool = False,
        colocate_clip_ops_with_vars: bool = False,
        name: str = "VariableClipping",
    ) -> None:
        super().__init__(opt, use_locking, name)
        self._vars_to_clip_dims = {var: list(dims) for var, dims in vars_to_clip_dims.items()}
        self._max_norm = max_norm
        self._colocate_clip_ops_with_vars = colocate_clip_ops_with_vars

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, name: str | None = None) -> Any:
        """The optimizer's step, then the clipping."""
        grads_and_vars = list(grads_and_vars)
        with name_scope(name, self._name) as name:
            step = self._opt.apply_gradients(grads_and_vars, global_step=global_step)
            clips = []
            with control_dependencies([step]):
                for grad, var in grads_and_vars:
                    if grad is not None and var in self._vars_to_clip_dims:
                        with name_scope("clip_" + var.op.name):
                            dense = isinstance(grad, Tensor)
                            clips.append(self._clip_dense(var) if dense else self._clip_sparse(grad, var))
            return control.group(step, *clips, name=name)

    def _clip_dense(self, var: Any) -> Any:
        with self._place(var):
            value = var.read_value()
            clipped = clipping.clip_by_norm(value, self._max_norm, self._vars_to_clip_dims[var])
            delta = value - clipped
        with colocate_with(var):
            return var.assign_sub(delta, use_locking=self._use_locking)

    def _clip_sparse(self, grad: IndexedSlices, var: Any) -> Any:
        dims = self._vars_to_clip_dims[var]
        if 0 in dims:
            log.warning(
                "Clipping norm across dims %s for %s is inefficient when including sparse dimension 0.",
                dims, var.op.name,
            )  # fmt: skip
            return self._clip_dense(var)
        with colocate_with(var):
            rows = indexing.gather(var, grad.indices)
        with self._place(var):
            clipped = clipping.clip_by_norm(rows, self._max_norm, dims)
            delta = IndexedSlices(rows - clipped, grad.indices, grad.dense_shape)
        with colocate_with(var):
            return var.scatter_sub(delta, use_locking=self._use_locking)

    def _place(self, var: Any) -> AbstractContextManager[Any]:
        return colocate_with(var) if self._colocate_clip_ops_with_vars else nullcontext()


# -- tasks that take turns -----------------------------------------------------------------------


def _is_all_zeros(grad: Any) -> Tensor:
    return comparison.equal(reductions.count_nonzero(grad), 0)


def _unless_zeros(update: Callable[..., Any], opt: Optimizer) -> Any:
    """The update of an optimizer, which leaves variable and slots alone if the gradient is 0 everywhere."""

    def update_unless_zeros(self: Optimizer, grad: Any, *args: Any, **kwargs: Any) -> Any:
        zeros = _is_all_zeros(grad)

        def updated() -> Any:
            with control_dependencies([update(grad, *args, **kwargs)]):
                return control.no_op()

        return cond(zeros, control.no_op, updated)

    return types.MethodType(update_unless_zeros, opt)


class MultitaskOptimizerWrapper:
    """An optimizer that leaves a variable and its slots as they are in a step whose gradient of it is 0.

    For tasks that take turns: the momentum of one does not move the variables of another.

    Raises:
      TypeError: what is wrapped is no optimizer.
    """

    def __init__(self, opt: Optimizer) -> None:
        if not isinstance(opt, Optimizer):
            raise TypeError("Supplied optimizer must be an instance of tf.train.Optimizer")
        self._opt = opt
        for name in ("_apply_dense", "_resource_apply_dense", "_apply_sparse", "_resource_apply_sparse"):
            setattr(opt, name, _unless_zeros(getattr(opt, name), opt))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._opt, name)


def clip_gradients_by_global_norm(gradients_variables: Any, clip_norm: float = 20.0) -> tuple[list[Any], Tensor]:
    """``tf.clip_by_global_norm`` of pairs of gradients and variables, and the norm, which leaves out what is 0."""
    gradients, variables = zip(*gradients_variables, strict=True)

    def small(grad: Any) -> Any:
        if grad is None:
            return grad
        zeros = _is_all_zeros(grad)
        return cond(zeros, lambda: constants.zeros([], dtype=grad.dtype), lambda: grad)

    norm = clipping.global_norm([small(grad) for grad in gradients])
    clipped, _ = clipping.clip_by_global_norm(gradients, clip_norm, use_norm=norm)
    return list(zip(clipped, variables, strict=True)), norm
