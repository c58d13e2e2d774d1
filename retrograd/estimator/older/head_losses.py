"""Losses of the heads of ``tf.contrib.learn``: one to train on, mean(w l), and one to report, sum(w l) / sum(w)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.estimator.specs import fn_args
from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.tensor import Tensor
from retrograd.nn import losses
from retrograd.nn.cross_entropy import (
    log_poisson_loss,
    sigmoid_cross_entropy_with_logits,
    sparse_softmax_cross_entropy_with_logits,
)
from retrograd.nn.weights import broadcast_weights
from retrograd.ops import (
    arithmetic,
    arrays,
    casts,
    comparison,
)
from retrograd.ops.asserts import Assert
from retrograd.ops.reductions import reduce_mean, reduce_sum


def weighted_loss(unweighted: Any, weight: Any, name: str = "loss") -> tuple[Tensor, Tensor]:
    """(mean(w l), sum(w l) / sum(w))."""
    with name_scope(name, values=(unweighted, weight)) as scope:
        if weight is None:
            loss = reduce_mean(unweighted, name=scope)
            return loss, loss
        weight = broadcast_weights(weight, unweighted)
        with name_scope(None, "weighted_loss", (unweighted, weight)) as inner:
            weighted = arithmetic.multiply(unweighted, weight, name=inner)
        trained = reduce_mean(weighted, name=scope)
        reported = arithmetic.div(
            reduce_sum(weighted), casts.cast(reduce_sum(weight), dtypes.float32), name="weighted_average_loss"
        )
        return trained, reported


def _columns(x: Any) -> Any:
    x = as_tensor(x)
    return arrays.expand_dims(x, axis=1) if len(x.get_shape()) == 1 else x


def _squared_loss(labels: Any, logits: Any, weights: Any = None) -> tuple[Tensor, Tensor]:
    with name_scope(None, "mean_squared_loss", (logits, labels)) as name:
        logits, labels = as_tensor(logits), as_tensor(labels)
        labels, logits = _columns(labels), _columns(logits)
        logits.get_shape().assert_is_compatible_with(labels.get_shape())
        loss = arithmetic.squared_difference(logits, casts.cast(labels, dtypes.float32), name=name)
        return weighted_loss(loss, weights)


def _poisson_loss(labels: Any, logits: Any, weights: Any = None) -> tuple[Tensor, Tensor]:
    with name_scope(None, "_poisson_loss", (logits, labels)) as name:
        logits, labels = as_tensor(logits), as_tensor(labels)
        labels, logits = _columns(labels), _columns(logits)
        logits.get_shape().assert_is_compatible_with(labels.get_shape())
        return weighted_loss(log_poisson_loss(labels, logits, compute_full_loss=True, name=name), weights)


def _two_classes_loss(labels: Any, logits: Any, weights: Any = None) -> tuple[Tensor, Tensor]:
    with name_scope(None, "log_loss_with_two_classes", (logits, labels)) as name:
        logits = as_tensor(logits)
        labels = _columns(casts.cast(labels, dtypes.float32))
        return weighted_loss(sigmoid_cross_entropy_with_logits(labels=labels, logits=logits, name=name), weights)


def _softmax_loss(labels: Any, logits: Any, weights: Any = None) -> tuple[Tensor, Tensor]:
    with name_scope(None, "softmax_cross_entropy_loss", (logits, labels)) as name:
        labels = as_tensor(labels)
        if not labels.dtype.is_integer:
            raise ValueError(f"Labels dtype should be integer Instead got {labels.dtype}.")
        is_column = len(labels.get_shape()) == 2
        if is_column:
            labels = arrays.squeeze(labels, axis=(1,))
        loss = sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits, name=name)
        return weighted_loss(arrays.expand_dims(loss, axis=(1,)) if is_column else loss, weights)


def _sigmoid_loss(labels: Any, logits: Any, weights: Any = None) -> tuple[Tensor, Tensor]:
    with name_scope(None, "sigmoid_cross_entropy_loss", (logits, labels)) as name:
        labels = casts.cast(labels, dtypes.float32)
        return weighted_loss(sigmoid_cross_entropy_with_logits(labels=labels, logits=logits, name=name), weights)


def _hinge_loss(labels: Any, logits: Any, weights: Any = None) -> tuple[Tensor, Tensor]:
    with name_scope(None, "hinge_loss", (logits, labels)) as name:
        is_low = comparison.less_equal(arrays.rank(labels), 2)
        checked = Assert(is_low, ("labels shape should be either [batch_size, 1] or [batch_size]",))
        with control_dependencies((checked,)):
            labels = arrays.reshape(labels, shape=(-1, 1))
        loss = losses.hinge_loss(labels=labels, logits=logits, scope=name, reduction=losses.Reduction.NONE)
        return weighted_loss(loss, weights)


def _of_user(loss_fn: Callable[..., Any]) -> Callable[..., Any]:
    """A loss of the user, as trained and as reported."""
    for name in ("labels", "logits", "weights"):
        if name not in fn_args(loss_fn):
            raise ValueError(f"Argument {name} not found in loss_fn.")

    def both(labels: Any, logits: Any, weights: Any = None) -> tuple[Any, Any]:
        loss = loss_fn(labels, logits) if weights is None else loss_fn(labels, logits, weights)
        return loss, loss

    return both
