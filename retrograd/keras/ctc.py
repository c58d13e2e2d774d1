"""Connectionist temporal classification under Keras' names: losses and decoding of dense labels."""

from __future__ import annotations

from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.tensor import Tensor
from retrograd.keras import backend as K
from retrograd.nn.functional import scan
from retrograd.ops import (
    arrays,
    casts,
    constants,
    ctc,
    ctc_beams,
    exponentials,
    indexing,
    joining,
    permuting,
    repeating,
)
from retrograd.ops.sparse import sparse_to_dense


def ctc_label_dense_to_sparse(labels: Any, label_lengths: Any) -> SparseTensor:
    """The first labels of each row, as many as its length says."""
    shape = arrays.shape(labels)
    batch, longest = joining.stack([shape[0]]), joining.stack([shape[1]])

    def below(old: Tensor, length: Tensor) -> Tensor:
        return arrays.expand_dims(constants.range_(arrays.shape(old)[1]), 0) < constants.fill(longest, length)

    first = casts.cast(constants.fill([1, shape[1]], 0), dtypes.bool)
    mask = scan(below, label_lengths, initializer=first, parallel_iterations=1)[:, 0, :]
    places = arrays.reshape(repeating.tile(constants.range_(0, shape[1]), batch), shape)
    columns = indexing.boolean_mask(places, mask)
    rows_of_columns = arrays.reshape(
        repeating.tile(constants.range_(0, shape[0]), longest), permuting.reverse(shape, [0])
    )
    rows = indexing.boolean_mask(permuting.transpose(rows_of_columns), mask)
    indices = permuting.transpose(arrays.reshape(K.concatenate([rows, columns], axis=0), [2, -1]))
    values = indexing.gather_nd(labels, indices)
    return SparseTensor(casts.cast(indices, dtypes.int64), values, casts.cast(shape, dtypes.int64))


def ctc_batch_cost(y_true: Any, y_pred: Any, input_length: Any, label_length: Any) -> Tensor:
    """The loss of each row: ``y_pred`` holds probabilities ``[batch, time, classes]``, the last class is blank."""
    label_length = casts.cast(arrays.squeeze(label_length, axis=-1), dtypes.int32)
    input_length = casts.cast(arrays.squeeze(input_length, axis=-1), dtypes.int32)
    sparse = casts.cast(ctc_label_dense_to_sparse(y_true, label_length), dtypes.int32)
    logits = exponentials.log(permuting.transpose(y_pred, perm=[1, 0, 2]) + K.epsilon())
    return arrays.expand_dims(ctc.ctc_loss(inputs=logits, labels=sparse, sequence_length=input_length), 1)


def ctc_decode(
    y_pred: Any, input_length: Any, greedy: bool = True, beam_width: int = 100, top_paths: int = 1
) -> tuple[list[Tensor], Tensor]:
    """The most probable labels as dense rows, filled up with -1, and their log probabilities."""
    logits = exponentials.log(permuting.transpose(y_pred, perm=[1, 0, 2]) + K.epsilon())
    input_length = casts.cast(input_length, dtypes.int32)
    if greedy:
        decoded, log_prob = ctc.ctc_greedy_decoder(inputs=logits, sequence_length=input_length)
    else:
        decoded, log_prob = ctc_beams.ctc_beam_search_decoder(
            inputs=logits, sequence_length=input_length, beam_width=beam_width, top_paths=top_paths
        )
    return [sparse_to_dense(d.indices, d.dense_shape, d.values, default_value=-1) for d in decoded], log_prob
