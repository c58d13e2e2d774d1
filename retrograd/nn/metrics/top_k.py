"""Metrics of the k best predictions: recall, precision and average precision."""

from __future__ import annotations

from typing import Any

from retrograd.graph.convert import convert_to_tensor_or_sparse_tensor
from retrograd.graph.dtypes import float64, int64
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.tensor import Tensor
from retrograd.nn.metrics.streaming import collected, metric_variable
from retrograd.nn.weights import assert_broadcastable, broadcast_weights
from retrograd.ops import (
    arithmetic,
    arrays,
    casts,
    comparison,
    conditions,
    constants,
    joining,
    ranking,
    reductions,
    repeating,
    scans,
    sets,
    slicing,
    sparse,
    sparse_joining,
    state,
)


def _at_k(word: str, k: int | None, class_id: int | None = None) -> str:
    name = f"{word}_at_{k}" if k is not None else f"{word}_at_k"
    return f"{name}_class{class_id}" if class_id is not None else name


# -- labels ------------------------------------------------------------------------------------


def _of_class(ids: Any, class_id: int) -> SparseTensor:
    """The ids that are ``class_id``."""
    ids = convert_to_tensor_or_sparse_tensor(ids)
    if isinstance(ids, SparseTensor):
        return sparse.sparse_retain(ids, comparison.equal(ids.values, class_id))
    shape = arrays.shape(ids, out_type=int64)
    last = arrays.size(shape) - 1
    wanted = constants.fill(reductions.reduced_shape(shape, arrays.reshape(last, [1])), casts.cast(class_id, int64))
    found = sets.set_intersection(wanted, ids)
    return SparseTensor(indices=found.indices, values=found.values, dense_shape=shape)


def _with_last_dimension(labels: Any, predictions: Tensor) -> Any:
    """Labels with as many dimensions as the predictions: one more, of size 1, if they lack one."""
    with name_scope(None, "expand_labels", (labels, predictions)) as scope:
        labels = convert_to_tensor_or_sparse_tensor(labels)
        if isinstance(labels, SparseTensor):
            return conditions.cond(
                comparison.equal(arrays.rank(predictions), arrays.size(labels.dense_shape) + 1),
                lambda: sparse.sparse_reshape(labels, shape=joining.concat((labels.dense_shape, (1,)), 0), name=scope),
                lambda: labels,
            )
        if labels.rank is not None and predictions.rank is not None:
            if predictions.rank == labels.rank:
                return labels
            if predictions.rank == labels.rank + 1:
                return arrays.expand_dims(labels, -1, name=scope)
            raise ValueError(f"Unexpected labels shape {labels.shape} for predictions shape {predictions.shape}.")
        return conditions.cond(
            comparison.equal(arrays.rank(predictions), arrays.rank(labels) + 1),
            lambda: arrays.expand_dims(labels, -1, name=scope),
            lambda: labels,
        )


# -- counts ------------------------------------------------------------------------------------

_DIFFERENCES: dict[str, Any] = {
    "true_positive": lambda labels, predicted: sets.set_intersection(predicted, labels),
    "false_negative": lambda labels, predicted: sets.set_difference(predicted, labels, aminusb=False),
    "false_positive": lambda labels, predicted: sets.set_difference(predicted, labels),
}


def _counts(
    kind: str, labels: Any, predicted: Any, class_id: int | None = None, weights: Any = None, name: str | None = None
) -> Tensor:
    """For each example, the number of decisions of a kind, weighted."""
    with name_scope(name, f"{kind}s", (predicted, labels, weights)):
        if class_id is not None:
            labels, predicted = _of_class(labels, class_id), _of_class(predicted, class_id)
        counts = casts.cast(sets.set_size(_DIFFERENCES[kind](labels, predicted)), float64)
        if weights is not None:
            with control_dependencies((assert_broadcastable(weights, counts),)):
                weights = casts.cast(weights, float64)
                counts = arithmetic.multiply(counts, weights, name="Mul")
        return counts


def _streaming(
    kind: str, labels: Any, predicted: Any, k: int | None, class_id: int | None, weights: Any
) -> tuple[Any, Any]:
    with name_scope(None, _at_k(kind, k, class_id), (predicted, labels, weights)) as scope:
        counts = _counts(kind, labels, predicted, class_id, weights)
        total = casts.cast(reductions.reduce_sum(counts), float64)
        variable = metric_variable([], float64, name=scope)
        return variable, state.assign_add(variable, total, name="update")


def _part_at_top_k(
    word: str, rest: str, labels: Any, predictions_idx: Any, k: int | None, class_id: int | None, weights: Any,
    metrics_collections: Any, updates_collections: Any, name: str | None,
) -> Any:  # fmt: skip
    with name_scope(name, _at_k(word, k, class_id), (predictions_idx, labels, weights)) as scope:
        labels = _with_last_dimension(labels, predictions_idx)
        predicted = casts.cast(predictions_idx, int64)
        tp, new_tp = _streaming("true_positive", labels, predicted, k, class_id, weights)
        others, new_others = _streaming(rest, labels, predicted, k, class_id, weights)
        value = arithmetic.div(tp, arithmetic.add(tp, others, name="Add"), name=scope)
        value = collected(metrics_collections, value)
        update = arithmetic.div(new_tp, arithmetic.add(new_tp, new_others, name="Add"), name="update")
        return value, collected(updates_collections, update)


def recall_at_k(
    labels: Any, predictions: Any, k: int, class_id: int | None = None, weights: Any = None,
    metrics_collections: Any = None, updates_collections: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """The part of labels that are among the ``k`` classes of the highest predictions."""
    with name_scope(name, _at_k("recall", k, class_id), (predictions, labels, weights)) as scope:
        _, best = ranking.top_k(predictions, k)
        return recall_at_top_k(labels, best, k, class_id, weights, metrics_collections, updates_collections, name=scope)


def recall_at_top_k(
    labels: Any, predictions_idx: Any, k: int | None = None, class_id: int | None = None, weights: Any = None,
    metrics_collections: Any = None, updates_collections: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """The part of labels that are among the classes ``predictions_idx``."""
    return _part_at_top_k(
        "recall", "false_negative", labels, predictions_idx, k, class_id, weights, metrics_collections,
        updates_collections, name,
    )  # fmt: skip


def precision_at_k(
    labels: Any, predictions: Any, k: int, class_id: int | None = None, weights: Any = None,
    metrics_collections: Any = None, updates_collections: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """The part of the ``k`` classes of the highest predictions that are among the labels."""
    with name_scope(name, _at_k("precision", k, class_id), (predictions, labels, weights)) as scope:
        _, best = ranking.top_k(predictions, k)
        return precision_at_top_k(
            labels, best, k, class_id, weights, metrics_collections, updates_collections, name=scope
        )


def precision_at_top_k(
    labels: Any, predictions_idx: Any, k: int | None = None, class_id: int | None = None, weights: Any = None,
    metrics_collections: Any = None, updates_collections: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """The part of the classes ``predictions_idx`` that are among the labels."""
    return _part_at_top_k(
        "precision", "false_positive", labels, predictions_idx, k, class_id, weights, metrics_collections,
        updates_collections, name,
    )  # fmt: skip


# -- average precision -------------------------------------------------------------------------


def _relevant(labels: Any, k: int) -> Tensor:
    """For each example, the number of labels, at most ``k``."""
    if k < 1:
        raise ValueError(f"Invalid k={k}.")
    with name_scope(None, "num_relevant", (labels,)) as scope:
        labels = convert_to_tensor_or_sparse_tensor(labels)
        if isinstance(labels, SparseTensor):
            return arithmetic.minimum(sets.set_size(labels), k, name=scope)
        valid = comparison.where_v2(labels >= 0, constants.ones_like(labels), constants.zeros_like(labels))
        return arithmetic.minimum(reductions.reduce_sum(valid, axis=-1), k, name=scope)


def _within(labels: Any, predictions: Any) -> Any:
    """Labels with -1 for those that are no class."""
    labels = convert_to_tensor_or_sparse_tensor(labels)
    is_sparse = isinstance(labels, SparseTensor)
    values = labels.values if is_sparse else labels
    classes = casts.cast(arrays.shape(predictions)[-1], labels.dtype)
    highest = reductions.reduce_max(values)

    def cleaned() -> Any:
        clean = comparison.where_v2(values >= classes, -1 * constants.ones_like(values), values)
        return SparseTensor(labels.indices, clean, labels.dense_shape) if is_sparse else clean

    return conditions.cond(highest >= classes, cleaned, lambda: labels)


def _repeated(labels: Any, times: int) -> Any:
    """The labels once for each of ``times`` places, along a new dimension before the last."""
    with name_scope("labels_per_k", "expand_and_tile", (labels, times, -1)) as scope:
        labels = convert_to_tensor_or_sparse_tensor(labels)
        if isinstance(labels, SparseTensor):
            place = arrays.reshape(arrays.size(labels.dense_shape) + -1, [1])
            before = slicing.slice_(labels.dense_shape, [0], place)
            after = slicing.slice_(labels.dense_shape, place, [-1])
            shape = joining.concat((before, [1], after), 0, name="expanded_shape")
            expanded = sparse.sparse_reshape(labels, shape=shape, name="expand")
            return expanded if times == 1 else sparse_joining.sparse_concat(-2, [expanded] * times, name=scope)
        wider = arrays.expand_dims(labels, -2, name="expand")
        if times == 1:
            return wider
        ones = constants.ones_like(arrays.shape(labels))
        multiples = joining.concat((ones[:-1], (times,), ones[-1:]), 0, name="multiples")
        return repeating.tile(wider, multiples, name=scope)


def _average_precision(labels: Any, predictions_idx: Any) -> Tensor:
    """For each example, the mean of the precisions at the places of the right predictions."""
    with name_scope(None, "average_precision", (predictions_idx, labels)) as scope:
        predicted = casts.cast(predictions_idx, int64, name="predictions_idx")
        if predicted.rank == 0:
            raise ValueError("The rank of `predictions_idx` must be at least 1.")
        k = predicted.shape.as_list()[-1]
        if k is None:
            raise ValueError("The last dimension of predictions_idx must be set. Currently, it is None.")
        labels = _with_last_dimension(labels, predicted)
        predicted = arrays.expand_dims(predicted, -1, name="predictions_idx_per_k")
        right = _counts("true_positive", _repeated(labels, k), predicted, name="relevant_per_k")
        found = scans.cumsum(right, axis=-1, name="tp_per_k")
        seen = scans.cumsum(constants.ones_like(right), axis=-1, name="retrieved_per_k")
        precisions = arithmetic.div(casts.cast(found, float64), casts.cast(seen, float64), name="precision_per_k")
        counted = arithmetic.multiply(precisions, casts.cast(right, float64), name="relevant_precision_per_k")
        total = reductions.reduce_sum(counted, axis=(-1,), name="precision_sum")
        return arithmetic.div(total, casts.cast(_relevant(labels, k), float64), name=scope)


def _ratio(total: Any, count: Any, name: str) -> Tensor:
    total.shape.with_rank_at_most(1)
    return arithmetic.div_no_nan(total, count, name=name)


def average_precision_at_k(
    labels: Any, predictions: Any, k: int, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """The mean over examples of the average precision of the ``k`` classes of the highest predictions.

    Raises:
      ValueError: ``k`` is less than 1.
    """
    with name_scope(name, _at_k("average_precision", k), (predictions, labels, weights)) as scope:
        _, best = ranking.top_k(predictions, k)
        labels = _within(labels, predictions)
        return average_precision_at_top_k(best, labels, weights, metrics_collections, updates_collections, name=scope)


def average_precision_at_top_k(
    predictions_idx: Any, labels: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """The same for the numbers of the predicted classes."""
    with name_scope(name, "average_precision_at_top_k", (predictions_idx, labels, weights)) as scope:
        precisions = _average_precision(labels, predictions_idx)
        if weights is not None:
            weights = broadcast_weights(casts.cast(weights, float64), precisions)
            precisions = arithmetic.multiply(precisions, weights, name="Mul")
        with name_scope(None, "max", (precisions,)) as inner:
            most = metric_variable([], float64, name=inner)
            if weights is None:
                batch = casts.cast(arrays.size(precisions, name="batch_max"), float64)
            else:
                batch = reductions.reduce_sum(weights, name="batch_max")
            new_most = state.assign_add(most, batch, name="update")
        with name_scope(None, "total", (precisions,)) as inner:
            total = metric_variable([], float64, name=inner)
            batch = reductions.reduce_sum(precisions, name="batch_total")
            new_total = state.assign_add(total, batch, name="update")
        value = collected(metrics_collections, _ratio(total, most, "mean"))
        return value, collected(updates_collections, _ratio(new_total, new_most, scope))


sparse_average_precision_at_k = average_precision_at_k
sparse_precision_at_k = precision_at_k
