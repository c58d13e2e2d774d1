"""Affine maps of vectors by a matrix given in parts."""

from __future__ import annotations

from typing import Any

from retrograd.graph import dtypes, tensor
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.tensor import Tensor
from retrograd.nn.distributions.bijector import Bijector
from retrograd.nn.distributions.normal_vectors import make_diag_scale
from retrograd.nn.distributions.sample_axes import SampleAxes
from retrograd.nn.distributions.vectors import dimension_size
from retrograd.nn.linear_operators.kinds import LinearOperatorLowerTriangular
from retrograd.nn.linear_operators.low_rank import LinearOperatorLowRankUpdate
from retrograd.nn.linear_operators.operator import LinearOperator
from retrograd.ops import arrays, casts, checks, constants, diagonals, exponentials, rounding
from retrograd.ops.control import with_dependencies


def _tensor(x: Any, name: str) -> Any:
    return None if x is None else as_tensor(x, name=name)


def make_tril_scale(
    loc: Any = None,
    scale_tril: Any = None,
    scale_diag: Any = None,
    scale_identity_multiplier: Any = None,
    shape_hint: Any = None,
    validate_args: bool = False,
    assert_positive: bool = False,
    name: str | None = None,
) -> LinearOperator:
    """``scale_tril + diag(scale_diag + scale_identity_multiplier)`` as an operator; diagonal without ``scale_tril``."""
    with name_scope(name, "make_tril_scale", values=[loc, scale_diag, scale_identity_multiplier]):
        loc, scale_tril = _tensor(loc, "loc"), _tensor(scale_tril, "scale_tril")
        scale_diag = _tensor(scale_diag, "scale_diag")
        multiplier = _tensor(scale_identity_multiplier, "scale_identity_multiplier")
    if scale_tril is None:
        return make_diag_scale(loc, scale_diag, multiplier, shape_hint, validate_args, assert_positive, name)
    scale_tril = diagonals.matrix_band_part(scale_tril, -1, 0)
    diagonal = diagonals.matrix_diag_part(scale_tril)
    if scale_diag is not None:
        diagonal += scale_diag
    if multiplier is not None:
        diagonal += multiplier[..., None]
    scale_tril = diagonals.matrix_set_diag(scale_tril, diagonal)
    if validate_args:
        diagonal = diagonals.matrix_diag_part(scale_tril)
        if assert_positive:
            check = checks.assert_positive(diagonal, message="diagonal part must be positive")
        else:
            zero = constants.zeros([], scale_tril.dtype)
            check = checks.assert_none_equal(diagonal, zero, message="diagonal part must be non-zero")
        scale_tril = with_dependencies([check], scale_tril)
    return LinearOperatorLowerTriangular(
        scale_tril, is_non_singular=True, is_self_adjoint=False, is_positive_definite=assert_positive
    )


class Affine(Bijector):
    """``y = scale x + shift`` with ``scale = c I + diag(d) + tril(T) + U diag(p) U^T``, of what is given of these.

    Raises:
      ValueError: ``scale_perturb_diag`` is given without ``scale_perturb_factor``.
      TypeError: the dtypes of shift and scale differ.
    """

    def __init__(
        self,
        shift: Any = None,
        scale_identity_multiplier: Any = None,
        scale_diag: Any = None,
        scale_tril: Any = None,
        scale_perturb_factor: Any = None,
        scale_perturb_diag: Any = None,
        validate_args: bool = False,
        name: str = "affine",
    ) -> None:
        self._graph_parents, self._name, self._validate_args = [], name, validate_args
        if scale_perturb_diag is not None and scale_perturb_factor is None:
            raise ValueError("When scale_perturb_diag is specified, scale_perturb_factor must be specified.")
        self._is_multiple = scale_tril is None and scale_diag is None and scale_perturb_factor is None
        values = [shift, scale_identity_multiplier, scale_diag, scale_tril, scale_perturb_diag, scale_perturb_factor]
        with self._name_scope("init", values):
            dtype = dtypes.float32
            if shift is not None:
                shift = as_tensor(shift, name="shift")
                dtype = shift.dtype.base_dtype
            self._shift = shift
            if self._is_multiple and scale_identity_multiplier is None:
                scale_identity_multiplier = as_tensor(1.0, dtype=dtype)
            scale = self._operator(
                scale_identity_multiplier, scale_diag, scale_tril, scale_perturb_diag, scale_perturb_factor
            )
            dtype = scale.dtype.base_dtype
            batch_ndims: Any = 0
            if not self._is_multiple:
                if shift is not None and shift.dtype.base_dtype != dtype:
                    raise TypeError(f"shift.dtype({shift.dtype}) is incompatible with scale.dtype({scale.dtype}).")
                rank = scale.tensor_rank
                batch_ndims = scale.tensor_rank_tensor() - 2 if rank is None else rank - 2
            self._scale = scale
            self._axes = SampleAxes(batch_ndims, 1, validate_args)
            parents = [scale] if tensor.is_tensor(scale) else scale.graph_parents
            super().__init__(
                graph_parents=parents, is_constant_jacobian=True, validate_args=validate_args, dtype=dtype,
                forward_min_event_ndims=1, name=name,
            )  # fmt: skip

    def _operator(self, multiplier: Any, diag: Any, tril: Any, perturb_diag: Any, perturb_factor: Any) -> Any:
        multiplier = _tensor(multiplier, "identity_multiplier")
        diag, tril = _tensor(diag, "diag"), _tensor(tril, "tril")
        perturb_diag = _tensor(perturb_diag, "perturb_diag")
        perturb_factor = _tensor(perturb_factor, "perturb_factor")
        size = None if perturb_factor is None else dimension_size(perturb_factor, axis=-2)
        if self._is_multiple:
            if not self.validate_args:
                return multiplier
            zero = constants.zeros([], multiplier.dtype)
            check = checks.assert_none_equal(multiplier, zero, ["identity_multiplier should be non-zero."])
            return with_dependencies([check], multiplier)
        scale = make_tril_scale(self.shift, tril, diag, multiplier, size, self.validate_args)
        if perturb_factor is None:
            return scale
        return LinearOperatorLowRankUpdate(
            scale, perturb_factor, perturb_diag, is_diag_update_positive=perturb_diag is None, is_non_singular=True,
            is_self_adjoint=True, is_positive_definite=True, is_square=True,
        )  # fmt: skip

    @property
    def shift(self) -> Any:
        return self._shift

    @property
    def scale(self) -> Any:
        """The matrix as an operator, or the factor of the identity."""
        return self._scale

    def _forward(self, x: Any) -> Tensor:
        y = x
        if self._is_multiple:
            y *= self._scale
            return y if self.shift is None else y + self.shift
        y, sample_shape = self._axes.make_batch_of_event_sample_matrices(y, expand_batch_dim=False)
        with control_dependencies([self.scale.assert_non_singular()] if self.validate_args else []):
            y = self.scale.matmul(y)
        y = self._axes.undo_make_batch_of_event_sample_matrices(y, sample_shape, expand_batch_dim=False)
        return y if self.shift is None else y + self.shift

    def _inverse(self, y: Any) -> Tensor:
        x = y if self.shift is None else y - self.shift
        if self._is_multiple:
            return x / self._scale
        x, sample_shape = self._axes.make_batch_of_event_sample_matrices(x, expand_batch_dim=False)
        x = self.scale.solve(x)
        return self._axes.undo_make_batch_of_event_sample_matrices(x, sample_shape, expand_batch_dim=False)

    def _forward_log_det_jacobian(self, x: Any) -> Tensor:
        if not self._is_multiple:
            return self.scale.log_abs_determinant()
        size = casts.cast(arrays.shape(x)[-1], dtype=self._scale.dtype)
        return exponentials.log(rounding.abs_(self._scale)) * size
