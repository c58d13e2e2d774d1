"""The confusion matrix of a classifier."""

from __future__ import annotations

from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import name_scope
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.tensor import Tensor
from retrograd.ops import (
    arithmetic,
    arrays,
    casts,
    checks,
    comparison,
    conditions,
    constants,
    control,
    joining,
    reductions,
    sparse_arithmetic,
)


def remove_squeezable_dimensions(
    labels: Any, predictions: Any, expected_rank_diff: int = 0, name: str | None = None
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """The two without a last dimension of 1 that one of them has more than ``expected_rank_diff``."""
    with name_scope(name, "remove_squeezable_dimensions", [labels, predictions]):
        predictions, labels = as_tensor(predictions), as_tensor(labels)
        if predictions.rank is not None and labels.rank is not None:
            extra = predictions.rank - labels.rank - expected_rank_diff
            if extra == 1:
                predictions = arrays.squeeze(predictions, [-1])
            elif extra == -1:
                labels = arrays.squeeze(labels, [-1])
            return labels, predictions
        rank_diff = arrays.rank(predictions) - arrays.rank(labels)
        predictions = _squeezed_if(predictions, expected_rank_diff + 1, rank_diff)
        return _squeezed_if(labels, expected_rank_diff - 1, rank_diff), predictions


def _squeezed_if(x: Tensor, wanted: int, rank_diff: Tensor) -> Tensor:
    """``x`` without its last dimension, where a run finds the difference of ranks to be ``wanted``."""
    if x.dims is not None and (not x.dims or x.dims[-1] not in (1, None)):
        return x
    result: Tensor = conditions.cond(comparison.equal(wanted, rank_diff), lambda: arrays.squeeze(x, [-1]), lambda: x)
    return result


def confusion_matrix(
    labels: Any, predictions: Any, num_classes: Any = None, dtype: Any = dtypes.int32, name: str | None = None,
    weights: Any = None,
) -> Tensor:  # fmt: skip
    """``c[i, j]``: how many elements of class i were taken for j, or the sum of their ``weights``.

    Raises:
      InvalidArgumentError: at run time, a class is negative or not below ``num_classes``.
    """
    with name_scope(name, "confusion_matrix", (predictions, labels, num_classes, weights)):
        labels, predictions = _squeezed(as_tensor(labels, name="labels"), as_tensor(predictions, name="predictions"))
        predictions = casts.cast(predictions, dtypes.int64)
        labels = casts.cast(labels, dtypes.int64)
        labels = _checked(checks.assert_non_negative(labels, message="`labels` contains negative values"), labels)
        predictions = _checked(
            checks.assert_non_negative(predictions, message="`predictions` contains negative values"), predictions
        )
        if num_classes is None:
            num_classes = arithmetic.maximum(reductions.reduce_max(predictions), reductions.reduce_max(labels)) + 1
        else:
            bound = casts.cast(num_classes, dtypes.int64)
            labels = _checked(checks.assert_less(labels, bound, message="`labels` out of bound"), labels)
            predictions = _checked(
                checks.assert_less(predictions, bound, message="`predictions` out of bound"), predictions
            )
        if weights is not None:
            weights = as_tensor(weights, name="weights")
            predictions.shape.assert_is_compatible_with(weights.shape)
            weights = casts.cast(weights, dtype)
        shape = joining.stack([num_classes, num_classes])
        places = joining.stack([labels, predictions], axis=1)
        values = constants.ones_like(predictions, dtype) if weights is None else weights
        counts = SparseTensor(places, values, casts.cast(shape, dtypes.int64))
        return sparse_arithmetic.sparse_add(constants.zeros(casts.cast(shape, dtypes.int32), dtype), counts)


def _squeezed(labels: Tensor, predictions: Tensor) -> tuple[Tensor, Tensor]:
    if predictions.rank is None or labels.rank is None or predictions.rank == labels.rank:
        return labels, predictions
    return remove_squeezable_dimensions(labels, predictions)


def _checked(check: Any, value: Tensor) -> Tensor:
    return control.with_dependencies([check], value)
