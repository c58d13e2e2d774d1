"""``VectorDiffeomixture``: vectors whose affine map lies, at random, between two maps.

y = w f0(x) + (1 - w) f1(x), x of independent numbers and (w, 1 - w) the softmax of a normal number and 0; what w is, is
one of the points of a grid.
Source: TensorFlow 1.15.5's parameters, seeds and messages.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import TensorShape, dimension_value
from retrograd.graph.static import constant_value
from retrograd.graph.tensor import Tensor
from retrograd.nn.distributions.arguments import gen_new_seed
from retrograd.nn.distributions.discrete import Categorical
from retrograd.nn.distributions.distribution import FULLY_REPARAMETERIZED, Distribution
from retrograd.nn.distributions.normal_vectors import AffineLinearOperator
from retrograd.nn.distributions.quadratures import flat_choices, joined, quadrature_scheme_softmaxnormal_quantiles
from retrograd.nn.distributions.vectors import pick_vector
from retrograd.nn.linear_operators import kinds
from retrograd.ops import (
    arrays,
    checks,
    constants,
    diagonals,
    exponentials,
    indexing,
    joining,
    powers,
    reductions,
    repeating,
)
from retrograd.ops.control import with_dependencies

# -- between two maps --------------------------------------------------------------------------


def _check_two(items: Sequence[Any]) -> None:
    if len(items) != 2:
        raise NotImplementedError(f"Currently only bimixtures are supported; len(scale)={len(items)} is not 2.")


def _known_points(grid: Tensor) -> int:
    count = dimension_value(grid.shape.with_rank_at_least(1)[-1])
    if count is None:
        raise ValueError("Num quadrature grid points must be known prior to graph execution.")
    return int(count)


def _shifts_between(grid: Tensor, loc: Sequence[Any]) -> list[Any]:
    """The shift at each point of the grid, [..., e]; None where neither map has one."""
    _check_two(loc)
    count = _known_points(grid)
    with name_scope("interpolate_loc", values=[grid, loc]):
        terms = [grid[..., k, None, :] * x[..., None] for k, x in enumerate(loc) if x is not None]
        if not terms:
            return [None] * count
        total = terms[0] if len(terms) == 1 else terms[0] + terms[1]
        return [total[..., i] for i in range(count)]


def _scaled(w: Tensor, op: Any) -> Any:
    """w S, an operator of the kind of S."""
    hints: dict[str, Any] = {
        name: getattr(op, name) for name in ("is_non_singular", "is_self_adjoint", "is_positive_definite")
    }
    if isinstance(op, kinds.BaseLinearOperatorIdentity):
        if isinstance(op, kinds.LinearOperatorScaledIdentity):
            w = w * op.multiplier
        return kinds.LinearOperatorScaledIdentity(op.range_dimension_tensor(), w, **hints)
    if isinstance(op, kinds.LinearOperatorDiag):
        return kinds.LinearOperatorDiag(w[..., None] * op.diag_part(), **hints)
    if isinstance(op, kinds.LinearOperatorLowerTriangular):
        return kinds.LinearOperatorLowerTriangular(w[..., None, None] * op.to_dense(), **hints)
    raise NotImplementedError(f"Unsupported Linop type ({type(op).__name__})")


def _added(a: Any, b: Any) -> Any:
    """S + T, of the simpler kind that holds both; positive definite where both are."""
    hints: dict[str, Any] = {
        name: True if getattr(a, name) and getattr(b, name) else None
        for name in ("is_self_adjoint", "is_positive_definite")
    }
    hints["is_non_singular"] = hints["is_positive_definite"]
    both = (a, b)
    if all(isinstance(op, kinds.LinearOperatorScaledIdentity) for op in both):
        return kinds.LinearOperatorScaledIdentity(a.range_dimension_tensor(), a.multiplier + b.multiplier, **hints)
    if not any(isinstance(op, kinds.LinearOperatorLowerTriangular) for op in both):
        return kinds.LinearOperatorDiag(a.diag_part() + b.diag_part(), **hints)
    return kinds.LinearOperatorLowerTriangular(a.to_dense() + b.to_dense(), **hints)


def _scales_between(grid: Tensor, scale: Sequence[Any]) -> list[Any]:
    """The scale at each point of the grid."""
    _check_two(scale)
    with name_scope("interpolate_scale", values=[grid]):
        return [
            _added(_scaled(grid[..., 0, i], scale[0]), _scaled(grid[..., 1, i], scale[1]))
            for i in range(_known_points(grid))
        ]


def _shapes(grid: Tensor, maps: Sequence[AffineLinearOperator]) -> tuple[TensorShape, Any, TensorShape, Any]:
    """(batch shape, the same as a tensor, event shape, the same as a tensor)."""
    with name_scope("determine_batch_event_shapes"):
        batch, batch_tensor = [grid.shape[:-2]], [arrays.shape(grid)[:-2]]
        event, event_tensor = [], []
        for affine in maps:
            if affine.shift is not None:
                shape = arrays.shape(affine.shift)
                batch.append(affine.shift.shape[:-1])
                batch_tensor.append(shape[:-1])
                event.append(affine.shift.shape[-1:])
                event_tensor.append(shape[-1:])
            batch.append(affine.scale.batch_shape)
            batch_tensor.append(affine.scale.batch_shape_tensor())
            event.append(TensorShape([affine.scale.range_dimension]))
            event_tensor.append(affine.scale.range_dimension_tensor()[None])
        return _widest(batch), _widest_tensor(batch_tensor), _widest(event), _widest_tensor(event_tensor)


def _widest(shapes: list[TensorShape]) -> TensorShape:
    found = shapes[0]
    for shape in shapes[1:]:
        found = repeating.broadcast_static_shape(found, shape)
    return found


def _widest_tensor(shapes: list[Tensor]) -> Tensor:
    found = shapes[0]
    for shape in shapes[1:]:
        found = repeating.broadcast_dynamic_shape(found, shape)
    return found


def _scalar_checks(distribution: Distribution, dtype: Any, validate_args: bool) -> list[Any]:
    """That numbers of one dtype, and no vectors or batches, are mapped; ops for what is known in a run alone."""
    if distribution.dtype != dtype:
        raise TypeError(f'dtype mismatch; distribution.dtype="{distribution.dtype.name}" is not "{dtype.name}"')
    if validate_args and distribution.reparameterization_type != FULLY_REPARAMETERIZED:
        raise ValueError(
            "Base distribution should be reparameterized or be a function of non-trainable variables; "
            f'distribution.reparameterization_type = "{distribution.reparameterization_type}" != '
            '"FULLY_REPARAMETERIZED".'
        )
    needed = []
    with name_scope("check_distribution"):
        for name in ("is_scalar_event", "is_scalar_batch"):
            message = f"distribution must be scalar; distribution.{name}=False is not True"
            is_scalar = getattr(distribution, name)()
            known = constant_value(as_tensor(is_scalar))
            if known is None and validate_args:
                needed.append(checks.assert_equal(is_scalar, True, message=message))
            elif known is not None and not known:
                raise ValueError(message)
    return needed


# -- the distribution --------------------------------------------------------------------------


class VectorDiffeomixture(Distribution):
    """Vectors ``w f0(x) + (1 - w) f1(x)`` of independent numbers x and a random weight.

    Args:
      mix_loc, temperature: [..., 1]; the weight is the softmax of a normal number with mean ``mix_loc / temperature``
        and deviation ``1 / temperature``.
      distribution: of the numbers, scalar.
      loc: the two shifts, [..., e]; None for 0.
      scale: the two scales, linear operators: multiples of the identity, diagonal or lower triangular ones.
      quadrature_size, quadrature_fn: how many points the grid has, and what makes it.

    Raises:
      ValueError: there are less than two scales, or another number of shifts; ``distribution`` is not scalar.
      NotImplementedError: there are more than two.
      TypeError: dtypes differ.
    """

    def __init__(
        self, mix_loc: Any, temperature: Any, distribution: Distribution, loc: Any = None, scale: Any = None,
        quadrature_size: int = 8, quadrature_fn: Any = quadrature_scheme_softmaxnormal_quantiles,
        validate_args: bool = False, allow_nan_stats: bool = True, name: str = "VectorDiffeomixture",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        with name_scope(name, values=[mix_loc, temperature]) as name:
            dtype, loc = _checked_maps(loc, scale, validate_args)
            self._endpoint_affine = [
                AffineLinearOperator(shift=x, scale=s, validate_args=validate_args, name=f"endpoint_affine_{k}")
                for k, (x, s) in enumerate(zip(loc, scale, strict=True))
            ]
            _check_two(scale)
            mix_loc = as_tensor(mix_loc, dtype=dtype, name="mix_loc")
            temperature = as_tensor(temperature, dtype=dtype, name="temperature")
            grid, probs = quadrature_fn(mix_loc / temperature, 1.0 / temperature, quadrature_size, validate_args)
            self._mixture_distribution = Categorical(
                logits=exponentials.log(probs), validate_args=validate_args, allow_nan_stats=allow_nan_stats
            )
            needed = _scalar_checks(distribution, dtype, validate_args)
            self._grid = with_dependencies(needed, grid) if needed else grid
            self._distribution = distribution
            between = zip(_shifts_between(self._grid, loc), _scales_between(self._grid, scale), strict=True)
            self._interpolated_affine = [
                AffineLinearOperator(shift=x, scale=s, validate_args=validate_args, name=f"interpolated_affine_{k}")
                for k, (x, s) in enumerate(between)
            ]
            self._shapes = _shapes(self._grid, self._endpoint_affine)
            parents = [*distribution._graph_parents, *(x for x in loc if x is not None)]
            parents += [p for s in scale for p in s.graph_parents]
            super().__init__(dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, parameters, parents, name)

    mixture_distribution = property(lambda self: self._mixture_distribution, doc="Which point of the grid is chosen.")
    distribution = property(lambda self: self._distribution, doc="The distribution of the mapped numbers.")
    grid = property(lambda self: self._grid, doc="The weights of the two maps, [..., 2, points].")
    endpoint_affine = property(lambda self: self._endpoint_affine, doc="The two maps.")
    interpolated_affine = property(lambda self: self._interpolated_affine, doc="The map at each point of the grid.")

    def _batch_shape_tensor(self) -> Any:
        return self._shapes[1]

    def _batch_shape(self) -> TensorShape:
        return self._shapes[0]

    def _event_shape_tensor(self) -> Any:
        return self._shapes[3]

    def _event_shape(self) -> TensorShape:
        return self._shapes[2]

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        x = self.distribution.sample(joined([n], self.batch_shape_tensor(), self.event_shape_tensor()), seed=seed)
        first, second = (affine.forward(x) for affine in self.endpoint_affine)
        size, chosen = self._members(self), self._members(self.mixture_distribution)
        copies = pick_vector(self.is_scalar_batch(), np.array([], np.int32), [size // chosen])
        drawn = gen_new_seed(seed, "vector_diffeomixture")
        ids = flat_choices(self.mixture_distribution, n, copies, self.is_scalar_batch(), drawn)
        stride = self.grid.shape.with_rank_at_least(2)[-2:].num_elements()
        if stride is None:
            stride = reductions.reduce_prod(arrays.shape(self.grid)[-2:])
        ids += constants.range_(0, size * stride, stride, dtype=ids.dtype)
        weight = indexing.gather(arrays.reshape(self.grid, [-1]), ids)
        weight = arrays.reshape(weight, joined([-1], self.batch_shape_tensor(), [1]))
        return weight * (first - second) + second

    @staticmethod
    def _members(distribution: Distribution) -> Any:
        """How many members a batch has."""
        size = distribution.batch_shape.num_elements()
        return reductions.reduce_prod(distribution.batch_shape_tensor()) if size is None else size

    def _log_prob(self, y: Any) -> Tensor:
        x = joining.stack([affine.inverse(y) for affine in self.interpolated_affine], axis=-1)
        rank = arrays.rank(self.event_shape_tensor())
        volumes = [affine.forward_log_det_jacobian(y, event_ndims=rank) for affine in self.interpolated_affine]
        of_numbers = reductions.reduce_sum(self.distribution.log_prob(x), axis=-2)
        terms = self.mixture_distribution.logits - joining.stack(volumes, axis=-1) + of_numbers
        return reductions.reduce_logsumexp(terms, axis=-1)

    def _weights(self) -> Tensor:
        """How probable each point is, [..., 1, points]."""
        return self.mixture_distribution.probs[..., None, :]

    def _means(self) -> list[Tensor]:
        """The mean at each point of the grid."""
        shape = joined(self.batch_shape_tensor(), self.event_shape_tensor())
        mean = repeating.broadcast_to(self.distribution.mean(), shape)
        mean.set_shape(self.batch_shape.concatenate(self.event_shape))
        return [affine.forward(mean) for affine in self.interpolated_affine]

    def _mean(self) -> Tensor:
        p = self._weights()
        terms = [p[..., k] * mean for k, mean in enumerate(self._means())]
        return sum(terms[1:], terms[0])  # type: ignore[no-any-return]

    def _covariance(self) -> Tensor:
        return self._inner(False) + self._outer(False)

    def _variance(self) -> Tensor:
        return self._inner(True) + self._outer(True)

    def _inner(self, only_diagonal: bool) -> Tensor:
        """The mean, over the grid, of the covariance v S S' at a point."""
        total: Any = 0.0
        p = self._weights()
        for k, affine in enumerate(self.interpolated_affine):
            scale, weight = affine.scale, p[..., k]
            if isinstance(scale, kinds.LinearOperatorLowerTriangular):
                square = scale.matmul(scale.to_dense(), adjoint_arg=True)
                square = diagonals.matrix_diag_part(square) if only_diagonal else square
            else:
                square = powers.square(scale.diag_part())
                square = square if only_diagonal else diagonals.matrix_diag(square)
            total += (weight if only_diagonal else weight[..., None]) * square
        return total * self.distribution.variance()  # type: ignore[no-any-return]

    def _outer(self, only_diagonal: bool) -> Tensor:
        """The covariance, over the grid, of the mean at a point."""
        total: Any = 0.0
        p, center = self._weights(), self._mean()
        for k, mean in enumerate(self._means()):
            off, weight = mean - center, p[..., k]
            if only_diagonal:
                total += weight * powers.square(off)
            else:
                total += weight[..., None] * (off[..., :, None] * off[..., None, :])
        return total  # type: ignore[no-any-return]


def _checked_maps(loc: Any, scale: Any, validate_args: bool) -> tuple[Any, list[Any]]:
    """The dtype of the scales, and the shifts as tensors of it."""
    if not scale or len(scale) < 2:
        raise ValueError(
            "Must specify list (or list-like object) of scale LinearOperators, one for each component with "
            "num_component >= 2."
        )
    loc = [None] * len(scale) if loc is None else loc
    if len(loc) != len(scale):
        raise ValueError("loc/scale must be same-length lists (or same-length list-like objects).")
    dtype = scale[0].dtype.base_dtype
    loc = [None if x is None else as_tensor(x, dtype=dtype, name=f"loc{k}") for k, x in enumerate(loc)]
    for k, op in enumerate(scale):
        if validate_args and not op.is_positive_definite:
            raise ValueError(f"scale[{k}].is_positive_definite = {op.is_positive_definite} != True")
        if op.dtype.base_dtype != dtype:
            raise TypeError(f'dtype mismatch; scale[{k}].base_dtype="{op.dtype.base_dtype.name}" != "{dtype.name}"')
    return dtype, loc
