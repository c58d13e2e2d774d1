"""Weights of values: what shape they may have, and how they are stretched to that of the values."""

from __future__ import annotations

from typing import Any

from retrograd.graph.convert import as_tensor
from retrograd.graph.errors import taught
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.stack import default_graph
from retrograd.graph.static import constant_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import (
    arithmetic,
    arrays,
    asserts,
    comparison,
    conditions,
    constants,
    control,
    joining,
    sets,
)

_REFUSAL = "weights can not be broadcast to values."


def assert_broadcastable(weights: Any, values: Any) -> Operation:
    """An op that fails unless ``weights`` is a scalar, or has in each dimension the size of ``values`` or 1.

    Raises:
      ValueError: it is already known that this is not so.
    """
    if default_graph().is_eager and (type(weights) is float or getattr(weights, "dims", None) == ()):
        return control.no_op()
    with name_scope(None, "assert_broadcastable", (weights, values)) as scope:
        with name_scope(None, "weights", (weights,)) as inner:
            weights = as_tensor(weights, name=inner)
            weights_shape = arrays.shape(weights, name="shape")
            weights_rank = arrays.rank(weights, name="rank")
        known_weights_rank = constant_value(weights_rank)
        with name_scope(None, "values", (values,)) as inner:
            values = as_tensor(values, name=inner)
            values_shape = arrays.shape(values, name="shape")
            values_rank = arrays.rank(values, name="rank")
        known_values_rank = constant_value(values_rank)
        if known_weights_rank is not None and known_values_rank is not None:
            if known_weights_rank == 0:
                return control.no_op(name="static_scalar_check_success")
            if known_weights_rank != known_values_rank:
                error = ValueError(
                    f"{_REFUSAL} values.rank={known_values_rank}. weights.rank={known_weights_rank}. "
                    f"values.shape={values.shape}. weights.shape={weights.shape}."
                )
                ones = ", 1" * (int(known_values_rank) - 1)
                raise taught(error, fix=f"tf.reshape(weights, [-1{ones}]) for one weight to an example")
            known_weights, known_values = constant_value(weights_shape), constant_value(values_shape)
            if known_weights is not None and known_values is not None:
                for i, (m, n) in enumerate(zip(known_values, known_weights, strict=True)):
                    if n not in (m, 1):
                        raise ValueError(
                            f"{_REFUSAL} Mismatch at dim {i}. values.shape={known_values} "
                            f"weights.shape={known_weights}."
                        )
                return control.no_op(name="static_dims_check_success")
        is_scalar = comparison.equal(0, weights_rank, name="is_scalar")
        valid = conditions.cond(
            is_scalar,
            lambda: is_scalar,
            lambda: _fits(weights_rank, weights_shape, values_rank, values_shape),
            name="is_valid_shape",
        )
        data = (_REFUSAL, "weights.shape=", weights.name, weights_shape, "values.shape=", values.name, values_shape)
        return asserts.Assert(valid, (*data, "is_scalar=", is_scalar), name=scope)


def _fits(weights_rank: Tensor, weights_shape: Tensor, values_rank: Tensor, values_shape: Tensor) -> Tensor:
    """Whether the ranks are equal and each size of the weights is that of the values or 1."""
    with name_scope(
        None, "has_valid_nonscalar_shape", [weights_rank, weights_shape, values_rank, values_shape]
    ) as scope:
        same_rank = comparison.equal(values_rank, weights_rank, name="is_same_rank")
        return conditions.cond(
            same_rank, lambda: _no_other_sizes(weights_shape, values_shape), lambda: same_rank, name=scope
        )


def _no_other_sizes(weights_shape: Tensor, values_shape: Tensor) -> Tensor:
    with name_scope(None, "has_invalid_dims", [weights_shape, values_shape]) as scope:
        allowed = arrays.expand_dims(values_shape, -1)
        allowed = joining.concat((allowed, constants.ones_like(allowed)), axis=1)
        others = sets.set_difference(arrays.expand_dims(weights_shape, -1), allowed)
        count = arrays.size(others.values, name="num_invalid_dims")
        return comparison.equal(0, count, name=scope)


def broadcast_weights(weights: Any, values: Any) -> Tensor:
    """``weights`` stretched to the shape of ``values``.

    Raises:
      ValueError: it does not fit.
    """
    with name_scope(None, "broadcast_weights", (weights, values)) as scope:
        values = as_tensor(values, name="values")
        weights = as_tensor(weights, dtype=values.dtype.base_dtype, name="weights")
        if weights.shape.is_fully_defined() and weights.dims == values.dims:
            return weights
        with control_dependencies((assert_broadcastable(weights, values),)):
            return arithmetic.multiply(weights, constants.ones_like(values), name=scope)
