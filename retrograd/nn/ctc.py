"""The loss of connectionist temporal classification for dense labels, and labels in its forms."""

from __future__ import annotations

from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import dimension_value
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.tensor import Tensor
from retrograd.nn.functional import map_fn
from retrograd.ops import (
    arrays,
    casts,
    comparison,
    constants,
    grids,
    indexing,
    joining,
    padding,
    permuting,
    reductions,
    scattering,
    uniqueness,
)
from retrograd.ops import sparse as sparse_ops
from retrograd.ops.ctc import ctc_loss


def _size(x: Tensor, axis: int) -> Any:
    return dimension_value(x.shape[axis]) or arrays.shape(x)[axis]


def ctc_loss_v2(
    labels: Any,
    logits: Any,
    label_length: Any,
    logit_length: Any,
    logits_time_major: bool = True,
    unique: Any = None,
    blank_index: int | None = None,
    name: str | None = None,
) -> Tensor:
    """``-log p(labels)`` of each sequence, the class ``blank_index`` the blank, by default the first.

    Args:
      labels: dense (batch, longest), or a ``SparseTensor``; then ``blank_index`` must be given.
      label_length: how many labels of each row count; unused with sparse labels.
      unique: what ``ctc_unique_labels`` gives; the loss is the same without.

    Raises:
      ValueError: labels are sparse and there is no ``blank_index``.
    """
    if not isinstance(labels, SparseTensor):
        return ctc_loss_dense(
            labels, logits, label_length, logit_length, logits_time_major, unique, blank_index or 0, name
        )
    if blank_index is None:
        raise ValueError("blank_index must be given when using SparseTensor labels.")
    classes = _size(logits, 2)
    if blank_index < 0:
        blank_index += classes
    if blank_index != classes - 1:
        logits = _with_blank_last(logits, blank_index)
        values = comparison.where(labels.values < blank_index, labels.values, labels.values - 1)
        labels = SparseTensor(labels.indices, values, labels.dense_shape)
    return ctc_loss(labels, logits, logit_length, time_major=logits_time_major)


def _with_blank_last(logits: Tensor, blank: Any) -> Tensor:
    return joining.concat([logits[:, :, :blank], logits[:, :, blank + 1 :], logits[:, :, blank : blank + 1]], axis=2)


def ctc_loss_dense(
    labels: Any,
    logits: Any,
    label_length: Any,
    logit_length: Any,
    logits_time_major: bool = True,
    unique: Any = None,
    blank_index: int = 0,
    name: str | None = None,
) -> Tensor:
    """``ctc_loss_v2`` of dense labels: their sparse form is what the op takes."""
    del unique
    with name_scope(name, "ctc_loss_dense", [logits, labels, label_length, logit_length]):
        logits = as_tensor(logits, name="logits")
        labels = as_tensor(labels, name="labels")
        label_length = as_tensor(label_length, name="label_length")
        logit_length = as_tensor(logit_length, name="logit_length")
        if not logits_time_major:
            logits = permuting.transpose(logits, [1, 0, 2])
        blank = blank_index + _size(logits, 2) if blank_index < 0 else blank_index
        labels = comparison.where(labels < blank, labels, labels - 1)
        sparse = dense_labels_to_sparse(labels, label_length)
        lengths = casts.cast(logit_length, dtypes.int32)
        return ctc_loss(sparse, _with_blank_last(logits, blank), lengths) + _slope_beyond(logits, lengths)


def _slope_beyond(logits: Tensor, lengths: Tensor) -> Tensor:
    """0 for each example, with the derivative ``softmax(logits)`` of the steps beyond its length, as in TensorFlow."""
    within = permuting.transpose(grids.sequence_mask(lengths, maxlen=_size(logits, 0)))
    spread = reductions.reduce_logsumexp(logits, axis=2)
    beyond = reductions.reduce_sum(comparison.where(within, constants.zeros_like(spread), spread), axis=0)
    return beyond - arrays.stop_gradient(beyond)


def dense_labels_to_sparse(dense: Any, length: Any) -> SparseTensor:
    """The first ``length`` labels of each row of ``dense``."""
    dense, length = as_tensor(dense), as_tensor(length)
    flat_values = arrays.reshape(dense, [-1])
    flat_indices = constants.range_(arrays.shape(flat_values, out_type=dtypes.int64)[0])
    mask = arrays.reshape(grids.sequence_mask(length, maxlen=arrays.shape(dense)[1]), [-1])
    indices = arrays.expand_dims(indexing.boolean_mask(flat_indices, mask), 1)
    values = casts.cast(indexing.boolean_mask(flat_values, mask), dtypes.int32)
    sparse = SparseTensor(indices, values, arrays.shape(flat_values, out_type=dtypes.int64))
    rows = sparse_ops.sparse_reshape(sparse, arrays.shape(dense))
    longest = reductions.reduce_max(length)
    sizes = [casts.cast(rows.dense_shape[0], dtypes.int64), casts.cast(longest, dtypes.int64)]
    return SparseTensor(rows.indices, rows.values, as_tensor(sizes))


def collapse_repeated(labels: Any, seq_length: Any, name: str | None = None) -> tuple[Tensor, Tensor]:
    """The first ``seq_length`` labels of each row with equal neighbours merged, and how many are left."""
    with name_scope(name, "collapse_repeated_labels", [labels, seq_length]):
        labels, seq_length = as_tensor(labels, name="labels"), as_tensor(seq_length, name="seq_length")
        first = constants.ones_like(labels[:, :1], dtypes.bool)
        is_new = joining.concat([first, comparison.not_equal(labels[:, 1:], labels[:, :-1])], axis=1)
        is_new = comparison.logical_and(is_new, grids.sequence_mask(seq_length, maxlen=_size(labels, 1)))
        lengths = reductions.reduce_sum(casts.cast(is_new, dtypes.int32), axis=1)
        longest = reductions.reduce_max(lengths)
        places = grids.sequence_mask(lengths, maxlen=longest)
        flat_labels, is_new, places = (arrays.reshape(x, [-1]) for x in (labels, is_new, places))
        number = constants.range_(_size(places, 0))
        flat = scattering.scatter_nd(
            arrays.expand_dims(indexing.boolean_mask(number, places), axis=1),
            indexing.boolean_mask(flat_labels, is_new),
            arrays.shape(places),
        )
        return arrays.reshape(flat, [_size(labels, 0), longest]), casts.cast(lengths, seq_length.dtype)


def ctc_unique_labels(labels: Any, name: str | None = None) -> list[Tensor]:
    """For each row its different labels, with zeros behind, and for each label its place among them."""
    with name_scope(name, "ctc_unique_labels", [labels]):
        labels = as_tensor(labels, name="labels")

        def row(x: Tensor) -> list[Tensor]:
            found = uniqueness.unique(x)
            y = padding.pad(found.y, [[0, _size(found.idx, 0) - _size(found.y, 0)]])
            return [casts.cast(y, dtypes.int64), found.idx]

        return map_fn(row, labels, dtype=[dtypes.int64, dtypes.int32])
