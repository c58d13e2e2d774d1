"""Losses of logits, composed from ops."""

from __future__ import annotations

import math
from typing import Any

from retrograd.graph import shapes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.deprecation import deprecated_argument_lookup
from retrograd.graph.dtypes import float16, float32
from retrograd.graph.errors import taught
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.tensor import Tensor
from retrograd.ops import activations, arithmetic, arrays, casts, checks, comparison, constants, exponentials, rounding
from retrograd.ops.softmax import SPARSE_SOFTMAX_CROSS_ENTROPY, check_named


def sparse_softmax_cross_entropy_with_logits(
    _sentinel: Any = None, labels: Any = None, logits: Any = None, name: str | None = None
) -> Tensor:
    """``-log_softmax(logits)[label]`` for labels that are class numbers; one dimension less than the logits.

    Raises:
      ValueError: the shapes do not fit, or the arguments are not named.
      InvalidArgumentError: (in the run) a label is no class.
    """
    check_named("sparse_softmax_cross_entropy_with_logits", _sentinel, labels, logits)
    with name_scope(name, "SparseSoftmaxCrossEntropyWithLogits", [labels, logits]):
        labels, logits = as_tensor(labels), as_tensor(logits)
        half = logits.dtype == float16
        precise = casts.cast(logits, float32) if half else logits
        labels_dims = labels.dims
        labels_shape = arrays.shape(labels)
        known = _check_shapes(labels, logits)
        if logits.dims is not None and len(logits.dims) == 2:
            loss, _ = apply(SPARSE_SOFTMAX_CROSS_ENTROPY, precise, labels, name=name)
            return casts.cast(loss, float16) if half else loss
        waits = [] if known else [checks.assert_equal(arrays.shape(labels), arrays.shape(logits)[:-1])]
        with control_dependencies(waits):
            classes = arrays.shape(logits)[arrays.rank(logits) - 1]
            precise = arrays.reshape(precise, [-1, classes])
            labels = arrays.reshape(labels, [-1])
            loss, _ = apply(SPARSE_SOFTMAX_CROSS_ENTROPY, precise, labels, name=name)
            loss = arrays.reshape(loss, labels_shape)
            loss.set_shape(labels_dims)
            return casts.cast(loss, float16) if half else loss


def _check_shapes(labels: Tensor, logits: Tensor) -> bool:
    """Whether the shapes are known to fit, all of them."""
    if logits.dims == ():
        raise ValueError(f"Logits cannot be scalars - received shape {logits.shape}.")
    if logits.dims is not None and labels.dims is not None and len(labels.dims) != len(logits.dims) - 1:
        raise taught(
            ValueError(
                f"Rank mismatch: Rank of labels (received {len(labels.dims)}) should equal rank of logits minus 1 "
                f"(received {len(logits.dims)})."
            ),
            why=f"labels are numbers of classes here; these have shape {labels.shape}, the logits {logits.shape}",
            fix="tf.argmax(labels, -1) for one-hot labels, or tf.nn.softmax_cross_entropy_with_logits(labels=..., "
            "logits=...);\ntf.squeeze(labels, -1) for a column of numbers",
        )
    known = shapes.is_known(labels.dims) and logits.dims is not None and shapes.is_known(logits.dims[:-1])
    if known and labels.dims != logits.dims[:-1]:  # type: ignore[index]
        raise ValueError(
            f"Shape mismatch: The shape of labels (received {labels.shape}) should equal the shape of logits except "
            f"for the last dimension (received {logits.shape})."
        )
    return known


def _check_same_shape(first: str, x: Tensor, second: str, y: Tensor) -> None:
    try:
        y.shape.merge_with(x.shape)
    except ValueError:
        raise ValueError(f"{first} and {second} must have the same shape ({x.shape} vs {y.shape})") from None


def sigmoid_cross_entropy_with_logits(
    _sentinel: Any = None, labels: Any = None, logits: Any = None, name: str | None = None
) -> Tensor:
    """``-t log(sigmoid(x)) - (1 - t) log(1 - sigmoid(x))``, as ``max(x, 0) - x t + log(1 + exp(-|x|))``.

    Raises:
      ValueError: labels and logits are of different shapes, or not named.
    """
    check_named("sigmoid_cross_entropy_with_logits", _sentinel, labels, logits)
    with name_scope(name, "logistic_loss", [logits, labels]) as name:
        x, t = as_tensor(logits, name="logits"), as_tensor(labels, name="labels")
        _check_same_shape("logits", x, "labels", t)
        zeros = constants.zeros_like(x, dtype=x.dtype)
        positive = x >= zeros
        largest = comparison.where(positive, x, zeros)
        minus_size = comparison.where(positive, -x, x)
        return arithmetic.add(largest - x * t, exponentials.log1p(exponentials.exp(minus_size)), name=name)


def weighted_cross_entropy_with_logits(
    labels: Any = None, logits: Any = None, pos_weight: Any = None, name: str | None = None, targets: Any = None
) -> Tensor:
    """``sigmoid_cross_entropy_with_logits`` with its positive term weighted by ``pos_weight``.

    Raises:
      ValueError: labels and logits are of different shapes.
    """
    labels = deprecated_argument_lookup("labels", labels, "targets", targets)
    with name_scope(name, "logistic_loss", [logits, labels]) as name:
        x, t = as_tensor(logits, name="logits"), as_tensor(labels, name="labels")
        _check_same_shape("logits", x, "labels", t)
        weight = 1 + (pos_weight - 1) * t
        return arithmetic.add(
            (1 - t) * x,
            weight * (exponentials.log1p(exponentials.exp(-rounding.abs_(x))) + activations.relu(-x)),
            name=name,
        )


def log_poisson_loss(targets: Any, log_input: Any, compute_full_loss: bool = False, name: str | None = None) -> Tensor:
    """``exp(x) - x t``; the full loss adds Stirling's ``t log(t) - t + log(2 pi t) / 2`` where t > 1.

    Raises:
      ValueError: targets and inputs are of different shapes.
    """
    with name_scope(name, "log_poisson_loss", [log_input, targets]):
        x, t = as_tensor(log_input, name="log_input"), as_tensor(targets, name="targets")
        _check_same_shape("log_input", x, "targets", t)
        result = exponentials.exp(x) - x * t
        if compute_full_loss:
            half = constants.constant(0.5, dtype=t.dtype)
            two_pi = constants.constant(2 * math.pi, dtype=t.dtype)
            stirling = (t * exponentials.log(t)) - t + (half * exponentials.log(two_pi * t))
            zeros = constants.zeros_like(t, dtype=t.dtype)
            ones = constants.ones_like(t, dtype=t.dtype)
            small = comparison.logical_and(t >= zeros, t <= ones)
            result += comparison.where(small, zeros, stirling)
        return result
