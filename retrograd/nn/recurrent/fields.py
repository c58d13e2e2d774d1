"""Linear-chain conditional random fields: scores of tag sequences, their sum, and the best one.

A sequence of tags is worth the sum of its inputs ``x[t, tag(t)]`` and transitions ``p[tag(t), tag(t + 1)]``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.shapes import dimension_value
from retrograd.graph.tensor import Tensor
from retrograd.nn.rnn import dynamic_rnn
from retrograd.nn.rnn_cells import RNNCell
from retrograd.ops import (
    arithmetic,
    arrays,
    casts,
    comparison,
    constants,
    grids,
    indexing,
    joining,
    permuting,
    ranking,
    reductions,
    slicing,
)
from retrograd.ops.conditions import smart_cond
from retrograd.state.scopes import get_variable


def _of_length_one(inputs: Any, single: Any, several: Any) -> Any:
    """Sequences of one step have no transitions."""
    steps = dimension_value(inputs.shape[1]) or arrays.shape(inputs)[1]
    return smart_cond(comparison.equal(steps, 1), single, several)


def _without_empty(lengths: Any, scores: Tensor) -> Tensor:
    """0 for the sequences that have no steps."""
    return comparison.where(comparison.less_equal(lengths, 0), constants.zeros_like(scores), scores)


# -- scores ------------------------------------------------------------------------------------


def crf_sequence_score(inputs: Any, tag_indices: Any, sequence_lengths: Any, transition_params: Any) -> Tensor:
    """What each sequence of tags is worth, ``[batch]``."""

    def single() -> Tensor:
        batch = arrays.shape(inputs, out_type=tag_indices.dtype)[0]
        rows = arrays.reshape(constants.range_(batch, dtype=tag_indices.dtype), [-1, 1])
        scores = indexing.gather_nd(arrays.squeeze(inputs, [1]), joining.concat([rows, tag_indices], axis=1))
        return _without_empty(sequence_lengths, scores)

    def several() -> Tensor:
        unary = crf_unary_score(tag_indices, sequence_lengths, inputs)
        binary = crf_binary_score(tag_indices, sequence_lengths, transition_params)
        return unary + binary

    return _of_length_one(inputs, single, several)


def crf_multitag_sequence_score(inputs: Any, tag_bitmap: Any, sequence_lengths: Any, transition_params: Any) -> Tensor:
    """log sum exp of what all sequences of the tags allowed by ``tag_bitmap [batch, time, tags]`` are worth."""

    def allowed() -> Tensor:
        return comparison.where(tag_bitmap, inputs, constants.fill(arrays.shape(inputs), float("-inf")))

    def single() -> Tensor:
        return reductions.reduce_logsumexp(allowed(), axis=[1, 2], keepdims=False)

    def several() -> Tensor:
        return crf_log_norm(allowed(), sequence_lengths, transition_params)

    return _of_length_one(inputs, single, several)


def crf_log_norm(inputs: Any, sequence_lengths: Any, transition_params: Any) -> Tensor:
    """log sum exp of what all sequences of tags are worth, ``[batch]``."""
    first = arrays.squeeze(slicing.slice_(inputs, [0, 0, 0], [-1, 1, -1]), [1])

    def single() -> Tensor:
        return _without_empty(sequence_lengths, reductions.reduce_logsumexp(first, [1]))

    def several() -> Tensor:
        rest = slicing.slice_(inputs, [0, 1, 0], [-1, -1, -1])
        cell = CrfForwardRnnCell(transition_params)
        _, alphas = dynamic_rnn(
            cell, rest, sequence_length=_less_one(sequence_lengths), initial_state=first, dtype=dtypes.float32
        )
        return _without_empty(sequence_lengths, reductions.reduce_logsumexp(alphas, [1]))

    return _of_length_one(inputs, single, several)


def _less_one(lengths: Any) -> Tensor:
    return arithmetic.maximum(constants.constant(0, dtype=lengths.dtype), lengths - 1)


def crf_log_likelihood(
    inputs: Any, tag_indices: Any, sequence_lengths: Any, transition_params: Any = None
) -> tuple[Tensor, Any]:
    """The log probability of each sequence of tags, and the transitions.

    Args:
      inputs: ``[batch, time, tags]``.
      tag_indices: ``[batch, time]``.
      sequence_lengths: ``[batch]``.
      transition_params: ``[tags, tags]``, by default the variable ``transitions``.
    """
    tags = dimension_value(inputs.shape[2])
    if transition_params is None:
        transition_params = get_variable("transitions", [tags, tags])
    scores = crf_sequence_score(inputs, tag_indices, sequence_lengths, transition_params)
    norm = crf_log_norm(inputs, sequence_lengths, transition_params)
    return scores - norm, transition_params


def crf_unary_score(tag_indices: Any, sequence_lengths: Any, inputs: Any) -> Tensor:
    """The sum of the inputs of each sequence of tags."""
    shape = arrays.shape(inputs)
    batch, steps, tags = shape[0], arrays.shape(inputs)[1], arrays.shape(inputs)[2]
    flat = arrays.reshape(inputs, [-1])
    offsets = arrays.expand_dims(constants.range_(batch) * steps * tags, 1)
    offsets = offsets + arrays.expand_dims(constants.range_(steps) * tags, 0)
    if tag_indices.dtype == dtypes.int64:
        offsets = casts.cast(offsets, dtypes.int64)
    places = arrays.reshape(offsets + tag_indices, [-1])
    scores = arrays.reshape(indexing.gather(flat, places), [batch, steps])
    masks = grids.sequence_mask(sequence_lengths, maxlen=arrays.shape(tag_indices)[1], dtype=dtypes.float32)
    return reductions.reduce_sum(scores * masks, 1)


def crf_binary_score(tag_indices: Any, sequence_lengths: Any, transition_params: Any) -> Tensor:
    """The sum of the transitions of each sequence of tags."""
    tags = transition_params.shape[0]
    count = arrays.shape(tag_indices)[1] - 1
    start = slicing.slice_(tag_indices, [0, 0], [-1, count])
    end = slicing.slice_(tag_indices, [0, 1], [-1, count])
    scores = indexing.gather(arrays.reshape(transition_params, [-1]), start * tags + end)
    masks = grids.sequence_mask(sequence_lengths, maxlen=arrays.shape(tag_indices)[1], dtype=dtypes.float32)
    return reductions.reduce_sum(scores * slicing.slice_(masks, [0, 1], [-1, -1]), 1)


class CrfForwardRnnCell(RNNCell):
    """``a'[j] = x[j] + log sum exp_i(a[i] + p[i, j])``."""

    def __init__(self, transition_params: Any) -> None:
        self._transition_params = arrays.expand_dims(transition_params, 0)
        self._num_tags = dimension_value(transition_params.shape[0])

    state_size = property(lambda self: self._num_tags, doc="The number of tags.")
    output_size = property(lambda self: self._num_tags, doc="The number of tags.")

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> Any:
        scores = arrays.expand_dims(state, 2) + self._transition_params
        alphas = inputs + reductions.reduce_logsumexp(scores, [1])
        return alphas, alphas


# -- the best sequence -------------------------------------------------------------------------


def viterbi_decode(score: Any, transition_params: Any) -> tuple[list[Any], Any]:
    """The best tags for arrays ``score [time, tags]``, and what they are worth."""
    trellis = np.zeros_like(score)
    backpointers = np.zeros_like(score, dtype=np.int32)
    trellis[0] = score[0]
    for t in range(1, score.shape[0]):
        v = np.expand_dims(trellis[t - 1], 1) + transition_params
        trellis[t] = score[t] + np.max(v, 0)
        backpointers[t] = np.argmax(v, 0)
    viterbi = [np.argmax(trellis[-1])]
    for pointers in reversed(backpointers[1:]):
        viterbi.append(pointers[viterbi[-1]])
    return viterbi[::-1], np.max(trellis[-1])


class CrfDecodeForwardRnnCell(RNNCell):
    """``a'[j] = x[j] + max_i(a[i] + p[i, j])``; the output is which i it was."""

    def __init__(self, transition_params: Any) -> None:
        self._transition_params = arrays.expand_dims(transition_params, 0)
        self._num_tags = dimension_value(transition_params.shape[0])

    state_size = property(lambda self: self._num_tags, doc="The number of tags.")
    output_size = property(lambda self: self._num_tags, doc="The number of tags.")

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> Any:
        scores = arrays.expand_dims(state, 2) + self._transition_params
        state = inputs + reductions.reduce_max(scores, [1])
        return casts.cast(ranking.argmax(scores, 1), dtypes.int32), state


class CrfDecodeBackwardRnnCell(RNNCell):
    """Back along the pointers: ``tag' = pointers[tag]``."""

    def __init__(self, num_tags: int) -> None:
        self._num_tags = num_tags

    state_size = property(lambda self: 1, doc="One tag.")
    output_size = property(lambda self: 1, doc="One tag.")

    def __call__(self, inputs: Any, state: Any, scope: Any = None) -> Any:
        state = arrays.squeeze(state, axis=[1])
        rows = constants.range_(arrays.shape(inputs)[0])
        tags = arrays.expand_dims(indexing.gather_nd(inputs, joining.stack([rows, state], axis=1)), axis=-1)
        return tags, tags


def crf_decode(potentials: Any, transition_params: Any, sequence_length: Any) -> Any:
    """The best tags ``[batch, time]`` and what they are worth ``[batch]``."""

    def single() -> Any:
        inputs = arrays.squeeze(potentials, [1])
        tags = arrays.expand_dims(ranking.argmax(inputs, axis=1), 1)
        best = reductions.reduce_max(inputs, axis=1)
        return casts.cast(tags, dtypes.int32), best

    def several() -> Any:
        tags = dimension_value(potentials.shape[2])
        forward = CrfDecodeForwardRnnCell(transition_params)
        first = arrays.squeeze(slicing.slice_(potentials, [0, 0, 0], [-1, 1, -1]), axis=[1])
        inputs = slicing.slice_(potentials, [0, 1, 0], [-1, -1, -1])
        less_one = _less_one(sequence_length)
        pointers, last = dynamic_rnn(
            forward, inputs, sequence_length=less_one, initial_state=first, time_major=False, dtype=dtypes.int32
        )
        pointers = permuting.reverse_sequence(pointers, less_one, seq_axis=1)
        backward = CrfDecodeBackwardRnnCell(tags)
        end = arrays.expand_dims(casts.cast(ranking.argmax(last, axis=1), dtypes.int32), axis=-1)
        found, _ = dynamic_rnn(
            backward, pointers, sequence_length=less_one, initial_state=end, time_major=False, dtype=dtypes.int32
        )
        found = joining.concat([end, arrays.squeeze(found, axis=[2])], axis=1)
        found = permuting.reverse_sequence(found, sequence_length, seq_axis=1)
        return found, reductions.reduce_max(last, axis=1)

    return _of_length_one(potentials, single, several)
