"""Softmax and the cross entropies that are computed with it in one step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.graph import dtypes, errors, shapes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import OpDef, define
from retrograd.graph.deprecation import deprecated_argument_lookup
from retrograd.graph.dtypes import bfloat16, float16, float32, float64
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import RawShape, shape_text
from retrograd.graph.static import constant_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import (
    arithmetic,
    arrays,
    casts,
    comparison,
    constants,
    exponentials,
    joining,
    kinds,
    matrices,
    permuting,
    reductions,
    shape_rules,
    single,
    slicing,
)
from retrograd.ops.folding import largest, summed
from retrograd.ops.requirements import require

_FLOATS = (float16, bfloat16, float32, float64)

# -- softmax -----------------------------------------------------------------------------------


def _shifted(xp: Any, x: Any) -> Any:
    """``x`` less the largest element of its row, so that its exponentials do not overflow."""
    return x - largest(xp, x, [-1], keep_dims=True) if np.size(x) else x


def _check_rank(logits: Any) -> None:
    if not np.ndim(logits):
        raise errors.InvalidArgumentError(None, None, "logits must have >= 1 dimension, got []")


def _softmax(xp: Any, logits: Any) -> Any:
    _check_rank(logits)
    e = single.exp(xp, _shifted(xp, logits))
    return e * (1 / summed(xp, e, [-1], keep_dims=True))


def _log_softmax(xp: Any, logits: Any) -> Any:
    _check_rank(logits)
    z = _shifted(xp, logits)
    return z - single.log(xp, summed(xp, single.exp(xp, z), [-1], keep_dims=True))


def _softmax_gradient(op: Any, dy: Any) -> list[Any]:
    """dx = (dy - sum(dy * y)) * y."""
    y = op.outputs[0]
    total = reductions.reduce_sum(dy * y, -1, keepdims=True)
    return [(dy - total) * y]


def _log_softmax_gradient(op: Any, dy: Any) -> list[Any]:
    """dx = dy - sum(dy) * exp(y)."""
    p = exponentials.exp(op.outputs[0])
    return [dy - reductions.reduce_sum(dy, -1, keepdims=True) * p]


def _rows(name: str, output: str, kernel: Callable[..., Any], gradient: Callable[..., Any]) -> OpDef:
    return define(
        name, "logits: T", f"{output}: T", types={"T": _FLOATS},
        shape=lambda logits: shape_rules.with_rank_at_least(logits, 1), kernel=kernel, gradient=gradient,
    )  # fmt: skip


SOFTMAX = _rows("Softmax", "softmax", _softmax, _softmax_gradient)
LOG_SOFTMAX = _rows("LogSoftmax", "logsoftmax", _log_softmax, _log_softmax_gradient)


def softmax(logits: Any, axis: Any = None, name: str | None = None, dim: Any = None) -> Tensor:
    """``exp(x) / sum(exp(x))`` along ``axis`` (default: the last).

    Raises:
      InvalidArgumentError: there is no such axis.
    """
    return _along(SOFTMAX, logits, deprecated_argument_lookup("axis", axis, "dim", dim), name)


def log_softmax(logits: Any, axis: Any = None, name: str | None = None, dim: Any = None) -> Tensor:
    """``x - log(sum(exp(x)))`` along ``axis`` (default: the last).

    Raises:
      InvalidArgumentError: there is no such axis.
    """
    return _along(LOG_SOFTMAX, logits, deprecated_argument_lookup("axis", axis, "dim", dim), name)


def _along(definition: OpDef, logits: Any, axis: Any, name: str | None) -> Tensor:
    """The op works on the last axis: another is swapped with it, there and back."""
    axis = -1 if axis is None else axis
    logits = as_tensor(logits)
    rank_known = None if logits.dims is None else len(logits.dims)
    if not isinstance(axis, Tensor) and (axis == -1 or (rank_known is not None and axis == rank_known - 1)):
        return apply(definition, logits, name=name)
    value = constant_value(axis) if isinstance(axis, Tensor) else axis
    if value is not None and rank_known is not None and not -rank_known <= value < rank_known:
        raise errors.InvalidArgumentError(
            None, None,
            f"Dimension ({value}) must be in the range [{-rank_known}, {rank_known}) where {rank_known} is the number "
            "of dimensions in the input.",
        )  # fmt: skip
    rank = arrays.rank(logits)
    if isinstance(axis, Tensor):
        axis = comparison.where(comparison.less(axis, 0), axis + rank, axis)
    elif axis < 0:
        axis += rank
    last = arrays.rank(logits)
    axis = axis % rank_known
    swapped = _swapped(logits, axis, arithmetic.subtract(last, 1))
    output = apply(definition, swapped)
    output = _swapped(output, axis, arithmetic.subtract(last, 1), name=name)
    output.set_shape(logits.dims)
    return output


def _swapped(x: Tensor, axis: Any, last: Any, name: str | None = None) -> Tensor:
    order = joining.concat([constants.range_(axis), [last], constants.range_(axis + 1, last), [axis]], 0)
    return permuting.transpose(x, order, name=name or "transpose")


# -- cross entropies ---------------------------------------------------------------------------


def _loss_and_slope(logits: Tensor, labels: Tensor) -> list[RawShape]:
    dims = shapes.broadcast(logits.dims, labels.dims)
    if dims is None:
        return [(None,), (None, None)]
    if len(dims) != 2:
        raise ValueError(f"Shape must be broadcasted with rank 2, but is rank {len(dims)}")
    return [(dims[0],), dims]


def _cross_entropy(xp: Any, logits: Any, labels: Any) -> list[Any]:
    """loss = sum(-t * log_softmax(x)), slope = softmax(x) - t."""
    if max(np.ndim(logits), np.ndim(labels)) != 2:
        words = "logits and labels must be either 2-dimensional, or broadcasted to be 2-dimensional"
        raise errors.InvalidArgumentError(None, None, words)
    z = _shifted(xp, logits)
    e = single.exp(xp, z)
    scale = summed(xp, e, [-1], keep_dims=True)
    # A label of 0 adds nothing, even where the logit is minus infinity.
    terms = xp.where(labels == 0, labels, labels * (single.log(xp, scale) - z))
    return [summed(xp, terms, [-1]), e / scale - labels]


def _rows_times(dy: Tensor, matrix: Tensor) -> Tensor:
    return arrays.expand_dims(dy, -1) * matrix


def _is_zero(tensor: Tensor) -> bool:
    if tensor.op.type in ("ZerosLike", "Zeros"):
        return True
    value = constant_value(tensor)
    return value is not None and not np.any(value)


def _with_slope(dx: Tensor, logits: Tensor, dslope: Any) -> Tensor:
    """``dx`` and what the gradient of the slope adds to it: (dslope - sum(dslope * p)) * p."""
    if dslope is None or _is_zero(dslope):
        return dx
    p = softmax(logits)
    mean = arrays.squeeze(matrices.matmul(arrays.expand_dims(dslope, 1), arrays.expand_dims(p, 2)), axis=1)
    return dx + (dslope - mean) * p


def _cross_entropy_gradient(op: Any, dloss: Any, dslope: Any) -> list[Any]:
    """dx = dloss * slope, and for second order (dslope - sum(dslope * p)) * p; dt = dloss * -log p."""
    logits = op.inputs[0]
    dx = _with_slope(_rows_times(dloss, op.outputs[1]), logits, dslope)
    return [dx, _rows_times(dloss, -log_softmax(logits))]


SOFTMAX_CROSS_ENTROPY = define(
    "SoftmaxCrossEntropyWithLogits", "features: T, labels: T", "loss: T, backprop: T", types={"T": _FLOATS},
    shape=_loss_and_slope, kernel=_cross_entropy, gradient=_cross_entropy_gradient,
    failure=lambda logits, labels: (
        f"logits and labels must be broadcastable: logits_size={logits} labels_size={labels}"
    ),
    remedy="labels are rows as long as the logits': tf.one_hot(labels, classes) makes them of numbers of classes,\n"
    "tf.nn.sparse_softmax_cross_entropy_with_logits(labels=..., logits=...) takes the numbers",
)  # fmt: skip


def _sparse_loss_and_slope(logits: Tensor, labels: Tensor) -> list[RawShape]:
    dims = shape_rules.with_rank(logits, 2)
    rows = shapes.merge_dim(dims[0], shape_rules.with_rank(labels, 1)[0])
    return [(rows,), (rows, dims[1])]


def _sparse_cross_entropy(xp: Any, logits: Any, labels: Any) -> list[Any]:
    """loss[i] = -log_softmax(x)[i, t[i]]; the slope is softmax(x) with 1 taken off at the label."""
    _check_labels(xp, logits, labels)
    z = _shifted(xp, logits)
    e = single.exp(xp, z)
    scale = summed(xp, e, [-1], keep_dims=True)
    if xp is np:
        at_labels = np.arange(len(labels)), labels
        slope = e / scale
        slope[at_labels] -= slope.dtype.type(1)
        return [single.log(np, scale[:, 0]) - z[at_labels], slope]
    hits = np.arange(logits.shape[1]) == labels[:, None]
    loss = single.log(xp, scale[:, 0]) - summed(xp, xp.where(hits, z, z.dtype.type(0)), [-1])
    return [loss, e / scale - hits.astype(e.dtype)]


def _check_labels(xp: Any, logits: Any, labels: Any) -> None:
    for name, value, rank in (("logits", logits, 2), ("labels", labels, 1)):
        if np.ndim(value) != rank:
            raise errors.InvalidArgumentError(
                None, None, f"{name} must be {rank}-D, but got shape {shape_text(np.shape(value))}"
            )
    if logits.shape[0] != labels.shape[0]:
        raise errors.InvalidArgumentError(
            None, None,
            "logits and labels must have the same first dimension, got logits shape "
            f"{shape_text(logits.shape)} and labels shape {shape_text(labels.shape)}",
        )  # fmt: skip
    width = logits.shape[1]
    if xp is not np:
        require((labels >= 0) & (labels < width))
        return
    wrong = labels[(labels < 0) | (labels >= width)]
    if wrong.size:
        raise errors.InvalidArgumentError(
            None, None,
            f"Received a label value of {wrong[0]} which is outside the valid range of [0, {width}).  Label values: "
            + " ".join(map(str, labels.tolist())),
        )  # fmt: skip


_NO_SECOND_ORDER = (
    "Currently there is no way to take the second derivative of sparse_softmax_cross_entropy_with_logits due to the "
    "fused implementation's interaction with tf.gradients()"
)


def _sparse_cross_entropy_gradient(op: Any, dloss: Any, dslope: Any) -> list[Any]:
    """dx = dloss * slope, and for second order (dslope - sum(dslope * p)) * p."""
    slope = arrays.prevent_gradient(op.outputs[1], message=_NO_SECOND_ORDER)
    return [_with_slope(_rows_times(dloss, slope), op.inputs[0], dslope), None]


SPARSE_SOFTMAX_CROSS_ENTROPY = define(
    "SparseSoftmaxCrossEntropyWithLogits", "features: T, labels: Tlabels", "loss: T, backprop: T",
    attrs={"Tlabels": dtypes.int64}, types={"T": _FLOATS, "Tlabels": kinds.INDEX}, shape=_sparse_loss_and_slope,
    kernel=_sparse_cross_entropy, gradient=_sparse_cross_entropy_gradient,
)  # fmt: skip


def softmax_cross_entropy_with_logits_v2(
    labels: Any, logits: Any, axis: Any = None, name: str | None = None, dim: Any = None
) -> Tensor:
    """``sum(-labels * log_softmax(logits))`` along ``axis`` (default: the last); derivatives flow to the labels too."""
    axis = deprecated_argument_lookup("axis", axis, "dim", dim)
    axis = -1 if axis is None else axis
    with name_scope(name, "softmax_cross_entropy_with_logits", [logits, labels]) as name:
        logits, labels = as_tensor(logits, name="logits"), as_tensor(labels, name="labels")
        half = logits.dtype in (float16, bfloat16)
        precise = casts.cast(logits, float32) if half else logits
        labels = casts.cast(labels, precise.dtype)
        rank = arrays.rank(precise)
        dims = logits.dims
        if axis != -1:
            precise, labels = _moved_to_end(precise, axis, rank), _moved_to_end(labels, axis, rank)
        shape = arrays.shape(precise)
        precise, labels = _as_rows(precise), _as_rows(labels)
        loss, _ = apply(SOFTMAX_CROSS_ENTROPY, precise, labels, name=name)
        loss = arrays.reshape(loss, slicing.slice_(shape, [0], [arithmetic.subtract(rank, 1)]))
        if dims is not None:
            kept = list(dims)
            del kept[axis]
            loss.set_shape(kept)
        return casts.cast(loss, logits.dtype) if half else loss


def _moved_to_end(x: Tensor, axis: Any, rank: Any) -> Tensor:
    return permuting.transpose(x, joining.concat([constants.range_(axis), constants.range_(axis + 1, rank), [axis]], 0))


def _as_rows(x: Tensor) -> Tensor:
    """All but the last dimension in one."""
    rank = arrays.rank(x)
    width = slicing.slice_(arrays.shape(x), [arithmetic.subtract(rank, 1)], [1])
    output = arrays.reshape(x, joining.concat([[-1], width], 0))
    rows = None if x.dims is None else shapes.element_count(x.dims[:-1])
    if x.dims is not None and rows is not None:
        output.set_shape([rows, x.dims[-1]])
    return output


def check_named(function: str, sentinel: Any, labels: Any, logits: Any) -> None:
    """Labels and logits are so easily swapped that they must be named.

    Raises:
      ValueError: an argument came by position, or one is missing.
    """
    if sentinel is not None:
        error = ValueError(f"Only call `{function}` with named arguments (labels=..., logits=..., ...)")
        raise errors.taught(error, fix=f"tf.nn.{function}(labels=labels, logits=logits)")
    if labels is None or logits is None:
        raise ValueError("Both labels and logits must be provided.")


def softmax_cross_entropy_with_logits(
    _sentinel: Any = None,
    labels: Any = None,
    logits: Any = None,
    dim: int = -1,
    name: str | None = None,
    axis: Any = None,
) -> Tensor:
    """``sum(-labels * log_softmax(logits))`` along ``dim``; the labels count as constant."""
    dim = axis if axis is not None and dim == -1 else deprecated_argument_lookup("axis", axis, "dim", dim)
    check_named("softmax_cross_entropy_with_logits", _sentinel, labels, logits)
    with name_scope(name, "softmax_cross_entropy_with_logits_sg", [logits, labels]) as name:
        labels = arrays.stop_gradient(labels, name="labels_stop_gradient")
    return softmax_cross_entropy_with_logits_v2(labels=labels, logits=logits, axis=dim, name=name)
