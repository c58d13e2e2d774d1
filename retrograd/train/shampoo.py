"""Shampoo: gradients multiplied by a power of their covariance along each dimension."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from retrograd.flow.loops import while_loop
from retrograd.graph import log
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import colocate_with, name_scope
from retrograd.graph.sparse import IndexedSlices
from retrograd.graph.tensor import Tensor
from retrograd.ops import (
    arithmetic,
    arrays,
    casts,
    comparison,
    constants,
    contraction,
    grids,
    indexing,
    matrices,
    norms,
    permuting,
    powers,
    reductions,
    rounding,
    scattering,
    scatters,
    spectra,
    state,
)
from retrograd.ops.conditions import cond
from retrograd.train.optimizer import Optimizer


def _at(parameter: Any, step: Any) -> Any:
    return parameter(step) if callable(parameter) else parameter


class ShampooOptimizer(Optimizer):
    """``G_i += g g^T`` over all dimensions but the i-th; ``var -= lr * g`` times each ``G_i ^ (-alpha / rank)``.

    Dimensions longer than ``max_matrix_size`` keep the diagonal of ``G_i``. Parameters may be functions of the step.

    Source: Gupta, Koren, Singer, 2018, arXiv:1802.09568.

    Args:
      gbar_decay, gbar_weight: of the mean of gradients.
      mat_gbar_decay, mat_gbar_weight: of the mean of covariances.
      svd_interval: how often the powers are computed anew.
      precond_update_interval: how often covariances are.
      epsilon: is added to the covariances.
      use_iterative_root: compute the powers by products of matrices in the place of an SVD.
    """

    def __init__(
        self,
        global_step: Any = 0,
        max_matrix_size: int = 768,
        gbar_decay: Any = 0.0,
        gbar_weight: Any = 1.0,
        mat_gbar_decay: Any = 1.0,
        mat_gbar_weight: Any = 1.0,
        learning_rate: Any = 1.0,
        svd_interval: Any = 1,
        precond_update_interval: Any = 1,
        epsilon: float = 1e-4,
        alpha: Any = 0.5,
        use_iterative_root: bool = False,
        use_locking: bool = False,
        name: str = "Shampoo",
    ) -> None:
        super().__init__(use_locking, name)
        self._global_step = casts.cast(global_step, "float32")
        self._max_matrix_size = max_matrix_size
        self._gbar_decay, self._gbar_weight = gbar_decay, gbar_weight
        self._mat_gbar_decay, self._mat_gbar_weight = mat_gbar_decay, mat_gbar_weight
        self._learning_rate = learning_rate
        self._svd_interval, self._precond_update_interval = svd_interval, precond_update_interval
        self._epsilon, self._alpha = epsilon, alpha
        self._use_iterative_root = use_iterative_root

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        for v in var_list:
            with colocate_with(v):
                self._zeros_slot(v, "gbar", self._name)
                for i, n in enumerate(v.shape.as_list()):
                    size = as_tensor(n, name="shape_as_tensor")
                    if n <= self._max_matrix_size:
                        initial = constants.zeros_like(grids.eye(size))
                        if self._svd_interval > 1:
                            self._get_or_make_slot(v, grids.eye(size), f"H_{i}", self._name)
                    else:
                        initial = constants.zeros([size])
                    self._get_or_make_slot(v, initial, f"Gbar_{i}", self._name)

    def _apply_dense(self, grad: Tensor, var: Any) -> Any:
        return self._apply_gradient(grad, var)

    def _resource_apply_dense(self, grad: Tensor, handle: Any) -> Any:
        return self._apply_gradient(grad, handle)

    def _apply_sparse(self, grad: IndexedSlices, var: Any) -> Any:
        return self._apply_rows(grad.values, grad.indices, var)

    def _resource_apply_sparse(self, grad: Tensor, handle: Any, indices: Tensor) -> Any:
        return self._apply_rows(grad, indices, handle)

    def _apply_rows(self, values: Tensor, indices: Tensor, var: Any) -> Any:
        if var.shape.as_list()[0] <= self._max_matrix_size or self._gbar_decay != 0.0:
            shape = arrays.shape(var, out_type=indices.dtype)
            return self._apply_gradient(scattering.scatter_nd(arrays.expand_dims(indices, axis=1), values, shape), var)
        return self._apply_gradient(values, var, indices)

    def _averaged(self, var: Any, weight: Any, weight_t: Any, rest: Any) -> Any:
        """``weight_t * var + rest``, kept in ``var``."""
        if weight == 0.0:
            return rest
        if weight == 1.0:
            return state.assign_add(var, rest)
        return var.assign_add((weight_t - 1) * var + rest)

    def _power(self, var: Any, covariance: Any, size: int, alpha: Any, slot: str | None = None) -> Any:
        """A symmetric matrix to the power ``alpha``."""
        with name_scope("matrix_iterative_power"):
            if self._use_iterative_root:
                root = matrix_square_root(covariance, size, 100, self._epsilon)
                h = matrix_inverse_pth_root(root, size, 2 * alpha, 100, 1e-6, ridge_epsilon=0.0)
            elif size == 1:
                h = powers.pow_(covariance + self._epsilon, alpha)
            else:
                damping = self._epsilon * grids.eye(casts.cast(size, "int32"))
                d, u, v = spectra.svd(covariance + damping, full_matrices=True)
                h = matrices.matmul(
                    v * powers.pow_(arithmetic.maximum(d, self._epsilon), alpha), permuting.transpose(u)
                )
            return h if slot is None else state.assign(self.get_slot(var, slot), h)

    def _apply_gradient(self, grad: Tensor, var: Any, indices: Tensor | None = None) -> Any:
        step = self._global_step + 1
        decay, weight = _at(self._gbar_decay, step), _at(self._gbar_weight, step)
        if indices is not None:
            if self._gbar_decay != 0.0:
                log.warning("Not applying momentum for variable: %s", var.name)
            g: Any = grad
        else:
            g = self._averaged(self.get_slot(var, "gbar"), self._gbar_decay, decay, weight * grad)
        shape = var.shape.as_list()
        covariances = [self.get_slot(var, f"Gbar_{i}") for i in range(len(shape))]
        mat_decay, mat_weight = _at(self._mat_gbar_decay, step), _at(self._mat_gbar_weight, step)
        alpha = -_at(self._alpha, step) / len(shape)
        svd_interval, update_interval = _at(self._svd_interval, step), _at(self._precond_update_interval, step)
        for i, (mean, n) in enumerate(zip(covariances, shape, strict=True)):
            others = [*range(i), *range(i + 1, len(shape))]
            if n <= self._max_matrix_size:
                h = self._full_power(
                    var, mean, grad, i, n, others, mat_decay, mat_weight * update_interval, alpha,
                    arithmetic.floormod(step, update_interval) < 1, step, svd_interval,
                )  # fmt: skip
                g = contraction.tensordot(g, h, axes=([0], [0]), name=f"precond_{i}")
            else:
                h = self._diagonal_power(mean, grad, n, others, indices if i == 0 else None, indices is not None,
                                         mat_decay, mat_weight, alpha)  # fmt: skip
                g = permuting.transpose(g, perm=[*range(1, len(shape)), 0]) * h
        rate = _at(self._learning_rate, step)
        if indices is not None:
            return scatters.scatter_add(var, indices, -rate * g)
        return state.assign_sub(var, rate * g)

    def _full_power(
        self, var: Any, mean: Any, grad: Any, i: int, n: int, axes: list[int], decay: Any, weight: Any, alpha: Any,
        is_due: Any, step: Any, svd_interval: Any,
    ) -> Any:  # fmt: skip
        def updated() -> Any:
            outer = contraction.tensordot(grad, grad, axes=(axes, axes), name=f"grad_outer_{i}")
            return self._averaged(mean, self._mat_gbar_decay, decay, weight * outer)

        covariance = cond(is_due, updated, lambda: mean) / float(n)
        if self._svd_interval == 1:
            return self._power(var, covariance, n, alpha)
        return cond(
            arithmetic.floormod(step, svd_interval) < 1,
            lambda: self._power(var, covariance, n, alpha, f"H_{i}"),
            lambda: self.get_slot(var, f"H_{i}"),
        )

    def _diagonal_power(
        self, mean: Any, grad: Any, n: int, axes: list[int], rows: Any, sparse: bool,
        decay: Any, weight: Any, alpha: Any,
    ) -> Any:  # fmt: skip
        if axes:
            outer = reductions.reduce_sum(grad * grad, axis=axes) / (1.0 if sparse else float(n))
        else:
            outer = grad * grad
        if rows is not None:
            assert self._mat_gbar_decay == 1.0
            updated = indexing.gather(scatters.scatter_add(mean, rows, weight * outer), rows)
        else:
            updated = self._averaged(mean, self._mat_gbar_decay, decay, weight * outer)
        return comparison.where(
            comparison.greater(updated, 0), powers.pow_(updated, alpha), constants.zeros_like(updated)
        )


def matrix_square_root(mat_a: Any, mat_a_size: int, iter_count: int = 100, ridge_epsilon: float = 1e-4) -> Tensor:
    """The root of a positive matrix by Newton's iteration: ``y, z = y p, p z`` with ``p = (3 - z y) / 2``."""

    def going_on(i: Any, y: Any, old_y: Any, z: Any, old_z: Any, error: Any, old_error: Any) -> Any:
        return comparison.logical_and(i < iter_count, error < old_error)

    def improved(i: Any, y: Any, old_y: Any, z: Any, old_z: Any, error: Any, old_error: Any) -> Any:
        p = 0.5 * (3.0 * identity - matrices.matmul(z, y))
        new_y, new_z = matrices.matmul(y, p), matrices.matmul(p, z)
        root = new_y * powers.sqrt(norm)
        residual = mat_a - matrices.matmul(root, root)
        new_error = powers.sqrt(reductions.reduce_sum(residual * residual)) / norm
        return i + 1, new_y, y, new_z, z, new_error, error

    identity = grids.eye(casts.cast(mat_a_size, "int32"))
    mat_a = mat_a + ridge_epsilon * identity
    norm = powers.sqrt(reductions.reduce_sum(mat_a * mat_a))
    y = mat_a / norm
    _, _, before, _, _, _, _ = while_loop(going_on, improved, [0, y, y, identity, identity, norm, norm + 1.0])
    root: Tensor = before * powers.sqrt(norm)
    return root


def matrix_inverse_pth_root(
    mat_g: Any,
    mat_g_size: int,
    alpha: Any,
    iter_count: int = 100,
    epsilon: float = 1e-6,
    ridge_epsilon: float = 1e-6,
) -> Any:
    """A positive matrix to the power ``alpha = -1 / p``, by the coupled Newton iteration of Guo and Higham, 2006."""

    def power(m: Any, p: Any) -> Any:
        assert p == int(p)
        assert p > 0
        product = None
        while p > 0:
            if p % 2 == 1:
                product = matrices.matmul(m, product) if product is not None else m
            p //= 2
            m = matrices.matmul(m, m)
        return product

    def going_on(i: Any, m: Any, x: Any) -> Any:
        return comparison.logical_and(i < iter_count, reductions.reduce_max(rounding.abs_(m - identity)) > epsilon)

    def improved(i: Any, m: Any, x: Any) -> Any:
        part = (1 - alpha) * identity + alpha * m
        return i + 1, matrices.matmul(power(part, -1.0 / alpha), m), matrices.matmul(x, part)

    identity = grids.eye(casts.cast(mat_g_size, "int32"))
    if mat_g_size == 1:
        return powers.pow_(mat_g + ridge_epsilon, alpha)
    damped = mat_g + ridge_epsilon * identity
    z = (1 - 1 / alpha) / (2 * norms.norm(damped))
    _, _, root = while_loop(going_on, improved, [0, damped * z, identity * powers.pow_(z, -alpha)])
    return root
