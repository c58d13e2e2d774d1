"""One step of beam search: the best continuations of all beams, and what they are worth."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from retrograd.flow.tensor_array import TensorArray
from retrograd.graph import dtypes, nest
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.static import constant_value
from retrograd.graph.tensor import Tensor
from retrograd.nn.seq2seq.attention_wrapper import AttentionWrapperState
from retrograd.ops import (
    arithmetic,
    arrays,
    casts,
    comparison,
    constants,
    exponentials,
    indexing,
    joining,
    ranking,
    reductions,
    repeating,
    softmax,
)


class BeamSearchDecoderState(
    namedtuple(
        "BeamSearchDecoderState", ("cell_state", "log_probs", "finished", "lengths", "accumulated_attention_probs")
    )
):
    """The beams of a step, the most probable first."""


class BeamSearchDecoderOutput(namedtuple("BeamSearchDecoderOutput", ("scores", "predicted_ids", "parent_ids"))):
    """What a step of beam search gives, ``[batch, beam]`` each: ``parent_ids`` is which beam a symbol continues."""


def known_rank(t: Tensor) -> int:
    if t.rank is None:
        raise ValueError(f"Expected tensor ({t}) to have known rank, but ndims == None.")
    return t.rank


def beam_search_step(
    time: Any,
    logits: Tensor,
    next_cell_state: Any,
    beam_state: BeamSearchDecoderState,
    batch_size: Any,
    beam_width: Any,
    end_token: Any,
    length_penalty_weight: Any,
    coverage_penalty_weight: Any,
) -> tuple[BeamSearchDecoderOutput, BeamSearchDecoderState]:
    """The ``beam_width`` best continuations of all beams.

    Args:
      logits: ``[batch, beam, symbols]``.
      next_cell_state: of the cell after this step, ``[batch, beam, ...]`` each.
      beam_state: the beams before.
    """
    known = constant_value(batch_size)
    over = beam_state.finished
    running = comparison.logical_not(over)
    step = mask_probs(softmax.log_softmax(logits), end_token, over)
    total = arrays.expand_dims(beam_state.log_probs, 2) + step
    symbols = logits.shape[-1].value or arrays.shape(logits)[-1]
    longer = indexing.one_hot(
        constants.fill([batch_size, beam_width], end_token), depth=symbols, on_value=casts.to_int64(0),
        off_value=casts.to_int64(1), dtype=dtypes.int64,
    )  # fmt: skip
    longer = longer * arrays.expand_dims(casts.cast(running, dtypes.int64), 2)
    lengths = longer + arrays.expand_dims(beam_state.lengths, 2)
    attention, accumulated = get_attention_probs(next_cell_state, coverage_penalty_weight), None
    if attention is not None:
        attention = attention * arrays.expand_dims(casts.cast(running, dtypes.float32), 2)
        accumulated = beam_state.accumulated_attention_probs + attention
    scores = get_scores(total, lengths, length_penalty_weight, coverage_penalty_weight, over, accumulated)
    time = as_tensor(time, name="time")
    flat = arrays.reshape(scores, [batch_size, -1])
    best, places = ranking.top_k(flat, k=as_tensor(beam_width, dtype=dtypes.int32, name="beam_width"))
    for found in (best, places):
        found.set_shape([None if known is None else int(known), beam_width])
    log_probs = tensor_gather_helper(places, total, batch_size, beam_width * symbols, [-1], "next_beam_probs")
    words = arithmetic.floormod(places, symbols, name="next_beam_word_ids")
    words = casts.cast(words, dtypes.int32)
    parents = casts.cast(places / symbols, dtypes.int32, name="next_beam_parent_ids")
    over = tensor_gather_helper(parents, over, batch_size, beam_width, [-1])
    finished = comparison.logical_or(over, comparison.equal(words, end_token), name="next_beam_finished")
    one_more = casts.cast(comparison.logical_not(over), dtypes.int64)
    lengths = tensor_gather_helper(parents, beam_state.lengths, batch_size, beam_width, [-1]) + one_more
    kept: Any = ()
    if accumulated is not None:
        rows, name = [batch_size * beam_width, -1], "next_accumulated_attention_probs"
        kept = tensor_gather_helper(parents, accumulated, batch_size, beam_width, rows, name)
    cell_state = nest.map_structure(
        lambda t: maybe_tensor_gather_helper(parents, t, batch_size, beam_width, [batch_size * beam_width, -1]),
        next_cell_state,
    )
    state = BeamSearchDecoderState(
        cell_state=cell_state, log_probs=log_probs, lengths=lengths, finished=finished,
        accumulated_attention_probs=kept,
    )  # fmt: skip
    return BeamSearchDecoderOutput(scores=best, predicted_ids=words, parent_ids=parents), state


def maybe_tensor_gather_helper(
    gather_indices: Tensor, gather_from: Any, batch_size: Any, range_size: Any, gather_shape: list[Any]
) -> Any:
    """``tensor_gather_helper`` of what has as many dimensions as ``gather_shape``; all else as it is."""
    if isinstance(gather_from, TensorArray) or known_rank(gather_from) < len(gather_shape):
        return gather_from
    return tensor_gather_helper(gather_indices, gather_from, batch_size, range_size, gather_shape)


def tensor_gather_helper(
    gather_indices: Tensor,
    gather_from: Tensor,
    batch_size: Any,
    range_size: Any,
    gather_shape: list[Any],
    name: str | None = None,
) -> Tensor:
    """What is at ``gather_indices`` of each sequence, whose beams are ``range_size`` rows of ``gather_shape``."""
    with name_scope(name, "tensor_gather_helper"):
        starts = arrays.expand_dims(constants.range_(batch_size) * range_size, 1)
        places = arrays.reshape(gather_indices + starts, [-1])
        found = indexing.gather(arrays.reshape(gather_from, gather_shape), places)
        known = constant_value(batch_size)
        kept = 1 + len(gather_shape)
        shape = arrays.shape(gather_from)[:kept]
        static = TensorShape([None if known is None else int(known)]).concatenate(gather_from.shape[1:kept])
        found = arrays.reshape(found, shape, name="output")
        found.set_shape(static)
        return found


def get_scores(
    log_probs: Tensor,
    sequence_lengths: Any,
    length_penalty_weight: Any,
    coverage_penalty_weight: Any,
    finished: Tensor,
    accumulated_attention_probs: Any,
) -> Tensor:
    """What each continuation is worth: its probability over its length's penalty, and the penalty of what is unread.

    Raises:
      ValueError: ``coverage_penalty_weight`` is no scalar.
    """
    penalty = length_penalty(sequence_lengths, length_penalty_weight)
    penalty = casts.cast(penalty, log_probs.dtype)
    scores = log_probs / penalty
    weight = as_tensor(coverage_penalty_weight, name="coverage_penalty_weight")
    if weight.rank != 0:
        raise ValueError(f"coverage_penalty_weight should be a scalar, but saw shape: {weight.shape}")
    if accumulated_attention_probs is None:
        return scores
    seen = accumulated_attention_probs
    seen = comparison.where(comparison.equal(seen, 0.0), constants.ones_like(seen), seen)
    seen = reductions.reduce_sum(exponentials.log(arithmetic.minimum(seen, 1.0)), 2)
    seen = seen * casts.cast(finished, dtypes.float32)
    return scores + arrays.expand_dims(seen * weight, 2)


def mask_probs(probs: Tensor, eos_token: Any, finished: Any) -> Tensor:
    """For beams that are over: 0 for the end token, the lowest number for all else."""
    symbols = arrays.shape(probs)[2]
    row = indexing.one_hot(
        eos_token, symbols, dtype=probs.dtype, on_value=as_tensor(0.0, dtype=probs.dtype),
        off_value=probs.dtype.min,
    )  # fmt: skip
    rows = repeating.tile(arrays.reshape(row, [1, 1, -1]), joining.concat([arrays.shape(finished), [1]], 0))
    mask = repeating.tile(arrays.expand_dims(finished, 2), [1, 1, symbols])
    return comparison.where(mask, rows, probs)


def length_penalty(sequence_lengths: Any, penalty_factor: Any) -> Any:
    """``((5 + length) / 6) ** penalty_factor``; 1 where the factor is known to be 0."""
    weight = as_tensor(penalty_factor, name="penalty_factor")
    weight.set_shape(())
    known = constant_value(weight)
    if known is not None and known == 0:
        return 1.0
    return arithmetic.div((5.0 + casts.cast(sequence_lengths, dtypes.float32)) ** weight, (5.0 + 1.0) ** weight)


def get_attention_probs(next_cell_state: Any, coverage_penalty_weight: Any) -> Any:
    """The alignments in a cell's state, added up over mechanisms; None without a penalty or without attention."""
    if coverage_penalty_weight == 0.0:
        return None
    states = (next_cell_state,) if isinstance(next_cell_state, AttentionWrapperState) else next_cell_state
    states = states if isinstance(states, tuple) else ()
    found = [attention_probs_from_attn_state(state) for state in states if isinstance(state, AttentionWrapperState)]
    if not found:
        raise ValueError("coverage_penalty_weight must be 0.0 if no cell is attentional.")
    return joining.concat(found, -1) if len(found) > 1 else found[0]


def attention_probs_from_attn_state(attention_state: Any) -> Any:
    """The alignments in the state of an attention wrapper, one behind the other if there are several mechanisms."""
    alignments = attention_state.alignments
    if isinstance(alignments, tuple):
        return joining.concat(alignments, -1) if len(alignments) > 1 else alignments[0]
    return alignments
