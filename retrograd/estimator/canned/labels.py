"""What heads ask of labels, logits and weights, and metrics of them.

Source: ``tensorflow_estimator`` 1.15.1, ``canned/head.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.estimator.specs import called_with, fn_args
from retrograd.feature_column.features import LazyBuilder
from retrograd.feature_column.numeric import NumericColumn, numeric_column
from retrograd.graph.convert import as_tensor, convert_to_tensor_or_sparse_tensor
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.tensor import Tensor
from retrograd.nn.losses import Reduction
from retrograd.nn.metrics.means import accuracy, mean
from retrograd.nn.metrics.thresholds import auc as area_under_curve
from retrograd.nn.metrics.thresholds import precision_at_thresholds, recall_at_thresholds
from retrograd.nn.weights import broadcast_weights
from retrograd.ops import (
    arithmetic,
    arrays,
    casts,
    checks,
    comparison,
    constants,
    joining,
    reductions,
    repeating,
    shape_checks,
    string_numbers,
)
from retrograd.ops.asserts import Assert
from retrograd.ops.control import no_op

# -- checks of arguments -----------------------------------------------------------------------


def check_reduction(loss_reduction: Any) -> None:
    """Raise ``ValueError`` unless it is a reduction to one number."""
    if loss_reduction not in Reduction.all() or loss_reduction == Reduction.NONE:
        raise ValueError(f"Invalid loss_reduction: {loss_reduction}")


def check_loss_fn(loss_fn: Any, optional: tuple[str, ...] = ("features",)) -> None:
    """Raise ``ValueError`` unless a loss of the user takes labels and logits, and at most ``optional`` beside."""
    if not loss_fn:
        return
    names = fn_args(loss_fn)
    for name in ("labels", "logits"):
        if name not in names:
            raise ValueError(f"loss_fn must contain argument: {name}. Given arguments: {names}")
    unknown = list(set(names) - {"labels", "logits", *optional})
    if unknown:
        raise ValueError(f"loss_fn has unexpected args: {unknown}")


def checked_class_count(n_classes: Any) -> Any:
    """``n_classes``, which must be greater than 2."""
    if isinstance(n_classes, int) and n_classes <= 2:
        raise ValueError(f"n_classes must be > 2: {n_classes}.")
    message = "n_classes must be greater than 2"
    with control_dependencies([checks.assert_greater(as_tensor(n_classes), 2, message=message)]):
        no_op()
    return n_classes


# -- checks of tensors -------------------------------------------------------------------------


def checked_labels(labels: Any, logits: Tensor, dimension: int) -> Tensor:
    """Labels ``[..., dimension]`` that stand beside the logits; one dimension less is filled up.

    Raises:
      ValueError: there are none, they are sparse, or as far as is known of another shape.
    """
    if labels is None:
        raise ValueError(
            "You must provide a labels Tensor. Given: None. Suggested troubleshooting steps: Check that your data "
            "contain your label feature. Check that your input_fn properly parses and returns labels."
        )
    with name_scope(None, "labels", (labels, logits)) as scope:
        labels = convert_to_tensor_or_sparse_tensor(labels)
        if isinstance(labels, SparseTensor):
            raise ValueError(
                f"SparseTensor labels are not supported. labels must be a Tensor of shape [D0, D1, ..., DN, "
                f"{dimension}], e.g. [batch_size, {dimension}]. Suggested Fix (1): Check the label feature in your "
                f"data. Each example must contain {dimension} value(s). If not, your choice of label was probably "
                "incorrect. Suggested Fix (2): In your input_fn, use tf.sparse_tensor_to_dense() to turn labels into "
                "a Tensor."
            )
        if labels.dims is not None and logits.dims is not None and len(labels.dims) == len(logits.dims) - 1:
            labels = arrays.expand_dims(labels, -1)
        labels_shape, logits_shape = arrays.shape(labels), arrays.shape(logits)
        message = (
            f"labels shape must be [D0, D1, ... DN, {dimension}]. Suggested Fix: check your n_classes argument to the "
            "estimator and/or the shape of your label."
        )
        with control_dependencies([shape_checks.assert_rank_at_least(labels, 2, message=message)]):
            if labels.dims is not None and labels.dims[-1] not in (None, dimension):
                raise ValueError(
                    f"Mismatched label shape. Expected labels dimension={dimension}.  Received {labels.dims[-1]}. "
                    "Suggested Fix:If your classifier expects one-hot encoding label,check your n_classes argument to "
                    "the estimator and/or the shape of your label. Otherwise, check the shape of your label."
                )
            expected = joining.concat([logits_shape[:-1], [dimension]], axis=0)
            data = ["expected_labels_shape: ", expected, "labels_shape: ", labels_shape]
            with control_dependencies([checks.assert_equal(expected, labels_shape, message=message, data=data)]):
                return arrays.identity(labels, name=scope)


def labels_beside(labels: Any, logits: Tensor, dimension: int) -> Tensor:
    """As ``checked_labels``, with the messages and the order of ops of TensorFlow 2's heads."""
    if labels is None:
        raise ValueError(
            "You must provide a labels Tensor. Given: None. Suggested troubleshooting steps: Check that your data "
            "contains your label feature. Check that your input_fn properly parses and returns labels."
        )
    with name_scope("labels", values=(labels, logits)) as scope:
        labels = convert_to_tensor_or_sparse_tensor(labels)
        if isinstance(labels, SparseTensor):
            raise ValueError(
                f"SparseTensor labels are not supported. Labels must be a Tensor of shape [D0, D1, ..., DN, "
                f"{dimension}], e.g. [batch_size, {dimension}].Suggested Fix (1): Check the label feature in your "
                f"data. Each example must contain {dimension} value(s). If not, your choice of label was probably "
                "incorrect. Suggested Fix (2): In your input_fn, use tf.sparse_tensor_to_dense() to turn labels into "
                "a Tensor."
            )
        if labels.dims is not None and logits.dims is not None and len(labels.dims) == len(logits.dims) - 1:
            labels = arrays.expand_dims(labels, -1)
        advice = "check your n_classes argument to the head and/or the shape of your label."
        message = f"labels shape must be [D0, D1, ... DN, {dimension}]. Suggested Fix: {advice}"
        with control_dependencies([shape_checks.assert_rank_at_least(labels, 2, message=message)]):
            if labels.dims is not None and labels.dims[-1] not in (None, dimension):
                raise ValueError(
                    f"Mismatched label shape. Expected labels dimension={dimension}.  Received {labels.dims[-1]}. "
                    "Suggested Fix: If your classifier expects one-hot encoding label, check your n_classes argument "
                    "to the estimator and/or the shape of your label. Otherwise, check the shape of your label."
                )
            expected = joining.concat([arrays.shape(logits)[:-1], [dimension]], axis=0)
            labels_shape = arrays.shape(labels)
            data = ["expected_labels_shape: ", expected, "labels_shape: ", labels_shape]
            with control_dependencies([checks.assert_equal(expected, labels_shape, message=message, data=data)]):
                return arrays.identity(labels, name=scope)


def weights_of(features: dict[str, Any], weight_column: Any, logits: Tensor, per_logit: bool = False) -> Any:
    """The weights of the examples, ``[..., 1]``, or one for each logit; 1.0 without a column.

    Raises:
      TypeError: the column is neither a key nor a numeric column.
    """
    message = "weights shape must be [D0, D1, ... DN] or [D0, D1, ... DN, 1]"
    if per_logit:
        message = "weights shape must be [D0, D1, ... DN], [D0, D1, ... DN, 1] or [D0, D1, ... DN, logits_dimension]"
    with name_scope(None, "weights", (*features.values(), logits)) as scope:
        if weight_column is None:
            return 1.0
        if isinstance(weight_column, str):
            weight_column = numeric_column(key=weight_column, shape=(1,))
        if not isinstance(weight_column, NumericColumn):
            raise TypeError(
                f"Weight column must be either a string or _NumericColumn. Given type: {type(weight_column)}."
            )
        weights = casts.to_float(weight_column._get_dense_tensor(LazyBuilder(features)), name="weights")
        weights_shape = arrays.shape(weights, name="weights_shape")
        logits_shape = arrays.shape(logits, name="logits_shape")
        data = ["logits_shape: ", logits_shape, "weights_shape: ", weights_shape]
        if weights.dims is not None and logits.dims is not None and len(weights.dims) == len(logits.dims) - 1:
            fits: Any = checks.assert_equal(logits_shape[:-1], weights_shape, message=message, data=data)
            with control_dependencies([fits]):
                return arrays.expand_dims(weights, -1, name=scope)
        supported = joining.concat([logits_shape[:-1], [1]], axis=0)
        if per_logit:
            whole = reductions.reduce_all(comparison.equal(logits_shape, weights_shape))
            single = reductions.reduce_all(comparison.equal(supported, weights_shape))
            fits = Assert(reductions.reduce_any([whole, single]), [message, *data])
        else:
            fits = checks.assert_equal(supported, weights_shape, message=message, data=data)
        with control_dependencies([fits]):
            return arrays.identity(weights, name=scope)


def checked_logits(logits: Any, dimension: int) -> Tensor:
    """The logits as floats ``[..., dimension]``.

    Raises:
      ValueError: as far as is known their last dimension is another.
    """
    message = "logits shape must be [D0, D1, ... DN, logits_dimension]"
    with name_scope(None, "logits", (logits,)) as scope:
        logits = casts.to_float(logits)
        shape = arrays.shape(logits)
        with control_dependencies([shape_checks.assert_rank_at_least(logits, 2, data=[shape], message=message)]):
            if logits.dims is not None and logits.dims[-1] is not None:
                if isinstance(dimension, int) and logits.dims[-1] != dimension:
                    raise ValueError(f"{message}, got {logits.shape}.")
                return logits  # type: ignore[no-any-return]
            fits = checks.assert_equal(dimension, shape[-1], data=[shape], message=message)
            with control_dependencies([fits]):
                return arrays.identity(logits, name=scope)


def in_range(
    labels: Tensor, n_classes: Any, message: str | None = None, scope: str = "assert_range", verb: str = "must"
) -> Tensor:
    """``labels``, which must be at least 0 and below ``n_classes``."""
    with name_scope(None, scope, (labels,)):
        most = as_tensor(n_classes - 1, dtype=labels.dtype)
        below = checks.assert_less_equal(labels, most, message=message or f"Labels {verb} <= n_classes - 1")
        from_zero = checks.assert_non_negative(labels, message=message or f"Labels {verb} >= 0")
        with control_dependencies((below, from_zero)):
            return arrays.identity(labels)


def loss_of_user(
    loss_fn: Callable[..., Any], labels: Any, logits: Tensor, features: dict[str, Any], dimension: int = 1
) -> Tensor:
    """The losses that a function of the user gives, ``[..., dimension]``."""
    extra = called_with(loss_fn, features=features)
    with name_scope(None, "call_loss_fn", [labels, logits, *features.values()]):
        losses = loss_fn(labels=labels, logits=logits, **extra)
        logits_shape = arrays.shape(logits, name="logits_shape")
        expected = joining.concat([logits_shape[:-1], [dimension]], axis=0, name="expected_loss_shape")
        loss_shape = arrays.shape(losses, name="loss_shape")
        data = [
            f"loss_fn must return Tensor of shape [D0, D1, ... DN, {dimension}]. ", "logits_shape: ", logits_shape,
            "loss_shape: ", loss_shape,
        ]  # fmt: skip
        fits = Assert(reductions.reduce_all(comparison.equal(loss_shape, expected)), data, name="check_loss_shape")
        with control_dependencies([fits]):
            return arrays.identity(losses)


# -- classes -----------------------------------------------------------------------------------


def all_class_ids(logits: Tensor, n_classes: Any) -> Tensor:
    """The numbers of all classes, for each example."""
    return _repeated(logits, constants.range_, n_classes)


def all_classes(logits: Tensor, n_classes: Any, label_vocabulary: Any = None) -> Tensor:
    """The names of all classes, for each example."""
    if label_vocabulary:
        return _repeated(logits, lambda names: names, label_vocabulary)
    return _repeated(logits, lambda n: string_numbers.as_string(constants.range_(n)), n_classes)


def _repeated(logits: Tensor, make: Callable[[Any], Any], of: Any) -> Tensor:
    batch_size = arrays.shape(logits)[0]
    return repeating.tile(arrays.expand_dims(make(of), axis=0), multiples=[batch_size, 1])


# -- metrics -----------------------------------------------------------------------------------


def labels_mean(labels: Any, weights: Any = None, name: str | None = None) -> Any:
    """The weighted mean of the labels."""
    with name_scope(name, "labels_mean", (labels, weights)) as scope:
        labels = casts.to_float(labels, name="labels")
        if weights is not None:
            weights = broadcast_weights(weights, labels)
        return mean(labels, weights=weights, name=scope)


def predictions_mean(predictions: Any, weights: Any = None, name: str | None = None) -> Any:
    """The weighted mean of the predictions."""
    with name_scope(name, "predictions_mean", (predictions, weights)) as scope:
        predictions = casts.to_float(predictions, name="predictions")
        if weights is not None:
            weights = broadcast_weights(weights, predictions)
        return mean(predictions, weights=weights, name=scope)


def accuracy_baseline(mean_label: Any) -> Any:
    """The accuracy of always saying the more frequent class."""
    with name_scope(None, "accuracy_baseline", mean_label):
        value, update_op = mean_label
        return (
            arithmetic.maximum(value, 1.0 - value, name="value"),
            arithmetic.maximum(update_op, 1 - update_op, name="update_op"),
        )


def auc(labels: Any, predictions: Any, weights: Any = None, curve: str = "ROC", name: str | None = None) -> Any:
    """The area under a curve."""
    with name_scope(name, "auc", (predictions, labels, weights)) as scope:
        predictions = casts.to_float(predictions, name="predictions")
        if weights is not None:
            weights = broadcast_weights(weights, predictions)
        return area_under_curve(labels=labels, predictions=predictions, weights=weights, curve=curve, name=scope)


def accuracy_at(labels: Any, predictions: Any, weights: Any, threshold: float, name: str | None = None) -> Any:
    """The accuracy of saying yes from a threshold on."""
    with name_scope(name, f"accuracy_at_{threshold}", (predictions, labels, weights, threshold)) as scope:
        said = casts.to_float(comparison.greater_equal(predictions, threshold))
        return accuracy(labels=labels, predictions=said, weights=weights, name=scope)


def precision_at(labels: Any, predictions: Any, weights: Any, threshold: float, name: str | None = None) -> Any:
    """The precision of saying yes from a threshold on."""
    return _at(precision_at_thresholds, "precision", labels, predictions, weights, threshold, name)


def recall_at(labels: Any, predictions: Any, weights: Any, threshold: float, name: str | None = None) -> Any:
    """The recall of saying yes from a threshold on."""
    return _at(recall_at_thresholds, "recall", labels, predictions, weights, threshold, name)


def _at(
    metric: Callable[..., Any], word: str, labels: Any, predictions: Any, weights: Any, threshold: float,
    name: str | None,
) -> Any:  # fmt: skip
    with name_scope(name, f"{word}_at_{threshold}", (predictions, labels, weights, threshold)) as scope:
        value, update_op = metric(
            labels=labels, predictions=predictions, thresholds=(threshold,), weights=weights, name=scope
        )
        return arrays.squeeze(value), arrays.squeeze(update_op)
