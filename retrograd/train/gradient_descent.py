"""Gradient descent."""

from __future__ import annotations

from typing import Any

from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import REGISTRY
from retrograd.graph.sparse import IndexedSlices
from retrograd.graph.tensor import Tensor
from retrograd.ops import scatters, training
from retrograd.train.optimizer import Optimizer, cast


class GradientDescentOptimizer(Optimizer):
    """``var -= learning_rate * gradient``; rows of a sparse gradient each take their part away."""

    def __init__(self, learning_rate: Any, use_locking: bool = False, name: str = "GradientDescent") -> None:
        super().__init__(use_locking, name)
        self._learning_rate = learning_rate
        self._learning_rate_tensor: Any = None

    def _prepare(self) -> None:
        self._learning_rate_tensor = as_tensor(self._call_if_callable(self._learning_rate), name="learning_rate")

    def _apply_dense(self, grad: Tensor, var: Any) -> Any:
        rate = cast(self._learning_rate_tensor, var.dtype.base_dtype)
        return training.apply_gradient_descent(var._ref(), rate, grad, use_locking=self._use_locking).op

    def _resource_apply_dense(self, grad: Tensor, handle: Any) -> Any:
        rate = cast(self._learning_rate_tensor, grad.dtype.base_dtype)
        return training.resource_apply_gradient_descent(handle.handle, rate, grad, use_locking=self._use_locking)

    def _apply_sparse_duplicate_indices(self, grad: IndexedSlices, var: Any) -> Any:
        step = grad.values * cast(self._learning_rate_tensor, var.dtype.base_dtype)
        return var.scatter_sub(IndexedSlices(step, grad.indices, grad.dense_shape), use_locking=self._use_locking)

    def _resource_apply_sparse_duplicate_indices(self, grad: Tensor, handle: Any, indices: Tensor) -> Any:
        return scatters.resource_scatter(REGISTRY["ResourceScatterAdd"], handle, indices, -grad * self._learning_rate)
