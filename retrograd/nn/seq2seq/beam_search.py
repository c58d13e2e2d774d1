"""Beam search: a decoder that keeps the most probable beginnings of each sequence."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from retrograd.flow.tensor_array import TensorArray
from retrograd.graph import dtypes, log, nest
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.static import constant_value
from retrograd.graph.tensor import Tensor
from retrograd.nn.embeddings import embedding_lookup
from retrograd.nn.layers.engine import Layer
from retrograd.nn.rnn_cells import assert_like_rnncell
from retrograd.nn.seq2seq.attention import known_or_dynamic
from retrograd.nn.seq2seq.attention_wrapper import AttentionWrapperState
from retrograd.nn.seq2seq.decoding import Decoder
from retrograd.ops import (
    arithmetic,
    arrays,
    asserts,
    casts,
    comparison,
    constants,
    exponentials,
    grids,
    indexing,
    joining,
    permuting,
    ranking,
    reductions,
    repeating,
    softmax,
)
from retrograd.ops.beams import gather_tree
from retrograd.ops.conditions import cond


class BeamSearchDecoderState(
    namedtuple(
        "BeamSearchDecoderState", ("cell_state", "log_probs", "finished", "lengths", "accumulated_attention_probs")
    )
):
    """The beams of a step, the most probable first."""


class BeamSearchDecoderOutput(namedtuple("BeamSearchDecoderOutput", ("scores", "predicted_ids", "parent_ids"))):
    """What a step of beam search gives, ``[batch, beam]`` each: ``parent_ids`` is which beam a symbol continues."""


class FinalBeamSearchDecoderOutput(
    namedtuple("FinalBeamDecoderOutput", ["predicted_ids", "beam_search_decoder_output"])
):
    """``predicted_ids [batch, time, beam]`` are whole sequences, the most probable first."""


# -- copies for beams --------------------------------------------------------------------------


def _tiled(t: Tensor, multiplier: int) -> Tensor:
    t = as_tensor(t, name="t")
    shape = arrays.shape(t)
    if t.rank is None:
        raise ValueError("t must have statically known rank")
    times = [1] * (t.rank + 1)
    times[1] = multiplier
    known = t.shape[0].value
    tiled = repeating.tile(arrays.expand_dims(t, 1), times)
    tiled = arrays.reshape(tiled, joining.concat(([shape[0] * multiplier], shape[1:]), 0))
    tiled.set_shape(TensorShape([None if known is None else known * multiplier]).concatenate(t.shape[1:]))
    return tiled


def tile_batch(t: Any, multiplier: int, name: str | None = None) -> Any:
    """Each example ``multiplier`` times in a row: ``[batch, ...]`` becomes ``[batch * multiplier, ...]``.

    Raises:
      ValueError: the rank is not known.
    """
    flat = nest.flatten(t)
    with name_scope(name, "tile_batch", [*flat, multiplier]):
        return nest.map_structure(lambda t: _tiled(t, multiplier), t)


def _known_rank(t: Tensor) -> int:
    if t.rank is None:
        raise ValueError(f"Expected tensor ({t}) to have known rank, but ndims == None.")
    return t.rank


def _inner(s: Any) -> TensorShape:
    if isinstance(s, Tensor):
        known = constant_value(s)
        return TensorShape(None) if known is None else TensorShape(known.tolist())
    return TensorShape(s)


# -- the decoder -------------------------------------------------------------------------------


class BeamSearchDecoder(Decoder):
    """A decoder that keeps ``beam_width`` beginnings of each sequence; its cell sees batches of batch times beam.

    A beginning is worth ``log p / ((5 + length) / 6) ** length_penalty_weight`` and, over an attention wrapper,
    ``coverage_penalty_weight * sum(log(min(attention, 1)))`` more (Wu et al., 2016).

    Args:
      embedding: a table, or a function of numbers of symbols.
      start_tokens: ``[batch]``.
      end_token: a scalar.
      initial_state: of the cell, for batch times beam, as ``tile_batch`` makes it.
      reorder_tensor_arrays: put the arrays in the last cell state in the order of the beams found.

    Raises:
      TypeError: ``cell`` is none, or ``output_layer`` no layer.
      ValueError: ``start_tokens`` is no vector, or ``end_token`` no scalar.
    """

    def __init__(
        self,
        cell: Any,
        embedding: Any,
        start_tokens: Any,
        end_token: Any,
        initial_state: Any,
        beam_width: int,
        output_layer: Any = None,
        length_penalty_weight: Any = 0.0,
        coverage_penalty_weight: Any = 0.0,
        reorder_tensor_arrays: bool = True,
    ) -> None:
        assert_like_rnncell("cell", cell)
        if output_layer is not None and not isinstance(output_layer, Layer):
            raise TypeError(f"output_layer must be a Layer, received: {type(output_layer)}")
        self._cell, self._output_layer, self._beam_width = cell, output_layer, beam_width
        self._reorder_tensor_arrays = reorder_tensor_arrays
        self._embedding_fn = embedding if callable(embedding) else lambda ids: embedding_lookup(embedding, ids)
        self._start_tokens = as_tensor(start_tokens, dtype=dtypes.int32, name="start_tokens")
        if self._start_tokens.rank != 1:
            raise ValueError("start_tokens must be a vector")
        self._end_token = as_tensor(end_token, dtype=dtypes.int32, name="end_token")
        if self._end_token.rank != 0:
            raise ValueError("end_token must be a scalar")
        self._batch_size = arrays.size(start_tokens)
        self._length_penalty_weight = length_penalty_weight
        self._coverage_penalty_weight = coverage_penalty_weight
        self._initial_cell_state = nest.map_structure(self._split, initial_state, cell.state_size)
        self._start_tokens = repeating.tile(arrays.expand_dims(self._start_tokens, 1), [1, beam_width])
        self._start_inputs = self._embedding_fn(self._start_tokens)
        self._finished = indexing.one_hot(
            constants.zeros([self._batch_size], dtype=dtypes.int32), depth=beam_width, on_value=False, off_value=True,
            dtype=dtypes.bool,
        )  # fmt: skip

    @property
    def batch_size(self) -> Any:
        return self._batch_size

    def _rnn_output_size(self) -> Any:
        size, layer = self._cell.output_size, self._output_layer
        if layer is None:
            return size
        return nest.map_structure(lambda n: layer.compute_output_shape(TensorShape([None]).concatenate(n))[1:], size)

    @property
    def tracks_own_finished(self) -> bool:
        return True

    @property
    def output_size(self) -> BeamSearchDecoderOutput:
        beams = TensorShape([self._beam_width])
        return BeamSearchDecoderOutput(scores=beams, predicted_ids=beams, parent_ids=beams)

    @property
    def output_dtype(self) -> BeamSearchDecoderOutput:
        dtype = nest.flatten(self._initial_cell_state)[0].dtype
        return BeamSearchDecoderOutput(
            scores=nest.map_structure(lambda _: dtype, self._rnn_output_size()), predicted_ids=dtypes.int32,
            parent_ids=dtypes.int32,
        )  # fmt: skip

    def initialize(self, name: str | None = None) -> Any:
        dtype = nest.flatten(self._initial_cell_state)[0].dtype
        log_probs = indexing.one_hot(
            constants.zeros([self._batch_size], dtype=dtypes.int32), depth=self._beam_width,
            on_value=as_tensor(0.0, dtype=dtype), off_value=as_tensor(-np.inf, dtype=dtype), dtype=dtype,
        )  # fmt: skip
        attention = _attention_of(self._initial_cell_state, self._coverage_penalty_weight)
        state = BeamSearchDecoderState(
            cell_state=self._initial_cell_state, log_probs=log_probs, finished=self._finished,
            lengths=constants.zeros([self._batch_size, self._beam_width], dtype=dtypes.int64),
            accumulated_attention_probs=() if attention is None else attention,
        )  # fmt: skip
        return self._finished, self._start_inputs, state

    def finalize(self, outputs: Any, final_state: Any, sequence_lengths: Any) -> Any:
        longest = casts.cast(reductions.reduce_max(final_state.lengths, axis=1), dtypes.int32)
        ids = gather_tree(outputs.predicted_ids, outputs.parent_ids, longest, self._end_token)
        if self._reorder_tensor_arrays:
            cell_state = nest.map_structure(
                lambda t: self._in_order(t, outputs.parent_ids, final_state.lengths), final_state.cell_state
            )
            final_state = final_state._replace(cell_state=cell_state)
        return FinalBeamSearchDecoderOutput(ids, outputs), final_state

    def step(self, time: Any, inputs: Any, state: Any, name: str | None = None) -> Any:
        with name_scope(name, "BeamSearchDecoderStep", (time, inputs, state)):
            inputs = nest.map_structure(lambda x: self._merged(x, x.shape[2:]), inputs)
            cell_state = nest.map_structure(self._merge, state.cell_state, self._cell.state_size)
            outputs, cell_state = self._cell(inputs, cell_state)
            outputs = nest.map_structure(lambda y: self._split_up(y, y.shape[1:]), outputs)
            cell_state = nest.map_structure(self._split, cell_state, self._cell.state_size)
            if self._output_layer is not None:
                outputs = self._output_layer(outputs)
            output, state = self._best(time, outputs, cell_state, state)
            finished, ids = state.finished, output.predicted_ids
            following = cond(
                reductions.reduce_all(finished), lambda: self._start_inputs, lambda: self._embedding_fn(ids)
            )
        return output, state, following, finished

    # batch and beam in one dimension, or in two

    def _merged(self, t: Tensor, s: Any) -> Tensor:
        shape = arrays.shape(t)
        known = constant_value(self._batch_size)
        rows = joining.concat(([self._batch_size * self._beam_width], shape[2:]), 0)
        merged = arrays.reshape(t, rows)
        both = None if known is None else int(known) * self._beam_width
        merged.set_shape(TensorShape([both]).concatenate(_inner(s)))
        return merged

    def _split_up(self, t: Tensor, s: Any) -> Tensor:
        shape = arrays.shape(t)
        split = arrays.reshape(t, joining.concat(([self._batch_size, self._beam_width], shape[1:]), 0))
        known = constant_value(self._batch_size)
        expected = TensorShape([None if known is None else int(known), self._beam_width]).concatenate(_inner(s))
        if not split.shape.is_compatible_with(expected):
            raise ValueError(
                "Unexpected behavior when reshaping between beam width and batch size.  The reshaped tensor has shape: "
                f"{split.shape}.  We expected it to have shape (batch_size, beam_width, depth) == {expected}.  Perhaps "
                "you forgot to create a zero_state with batch_size=encoder_batch_size * beam_width?"
            )
        split.set_shape(expected)
        return split

    def _merge(self, t: Any, s: Any) -> Any:
        return t if isinstance(t, TensorArray) or _known_rank(t) < 2 else self._merged(t, s)

    def _split(self, t: Any, s: Any) -> Any:
        return t if isinstance(t, TensorArray) or _known_rank(t) < 1 else self._split_up(t, s)

    def _in_order(self, t: Any, parent_ids: Any, lengths: Any) -> Any:
        """An array of what each step kept for each beam, as the beams found went through it."""
        if not isinstance(t, TensorArray):
            return t
        shape = t.element_shape
        if shape.ndims is None or shape.ndims < 1:
            known = shape if shape.ndims is None else shape.as_list()
            log.warn(
                "The TensorArray %s in the cell state is not amenable to sorting based on the beam search result. For "
                "a TensorArray to be sorted, its elements shape must be defined and have at least a rank of 1, but saw "
                "shape: %s",
                t.handle.name, known,
            )  # fmt: skip
            return t
        if not self._may_hold_beams(shape):
            return t
        t = t.stack()
        with control_dependencies([self._check_beams(t)]):
            return gather_tree_from_array(t, parent_ids, lengths)

    def _may_hold_beams(self, shape: TensorShape) -> bool:
        known = constant_value(self._batch_size)
        if known is None or shape[0].value is None:
            return True
        batch, second = int(known), shape[1].value if len(shape) >= 2 else None
        joined = shape[0].value == batch * self._beam_width
        split = shape[0].value == batch and second == self._beam_width
        if joined and (second is None or split):
            return True
        log.warn(
            "TensorArray reordering expects elements to be reshapable to %s which is incompatible with the current "
            "shape %s. Consider setting reorder_tensor_arrays to False to disable TensorArray reordering during the "
            "beam search.",
            TensorShape([batch, self._beam_width, None]), shape,
        )  # fmt: skip
        return False

    def _check_beams(self, t: Tensor) -> Any:
        message = (
            "TensorArray reordering expects elements to be reshapable to [batch_size, beam_size, -1] which is "
            f"incompatible with the dynamic shape of {t.name} elements. Consider setting reorder_tensor_arrays to "
            "False to disable TensorArray reordering during the beam search."
        )
        shape, joined = arrays.shape(t), self._batch_size * self._beam_width
        if t.rank == 2:
            fits = comparison.equal(shape[1], joined)
        else:
            fits = comparison.logical_or(
                comparison.equal(shape[1], joined),
                comparison.logical_and(
                    comparison.equal(shape[1], self._batch_size), comparison.equal(shape[2], self._beam_width)
                ),
            )
        return asserts.Assert(fits, [message])

    # one step

    def _best(self, time: Any, logits: Tensor, cell_state: Any, before: Any) -> Any:
        """The ``beam_width`` best continuations of all beams."""
        batch, beams, end = self._batch_size, self._beam_width, self._end_token
        known = constant_value(batch)
        over = before.finished
        running = comparison.logical_not(over)
        step = _ended(softmax.log_softmax(logits), end, over)
        total = arrays.expand_dims(before.log_probs, 2) + step
        symbols = logits.shape[-1].value or arrays.shape(logits)[-1]
        longer = indexing.one_hot(
            constants.fill([batch, beams], end), depth=symbols, on_value=casts.to_int64(0),
            off_value=casts.to_int64(1), dtype=dtypes.int64,
        )  # fmt: skip
        longer = longer * arrays.expand_dims(casts.cast(running, dtypes.int64), 2)
        lengths = longer + arrays.expand_dims(before.lengths, 2)
        attention, accumulated = _attention_of(cell_state, self._coverage_penalty_weight), None
        if attention is not None:
            attention = attention * arrays.expand_dims(casts.cast(running, dtypes.float32), 2)
            accumulated = before.accumulated_attention_probs + attention
        scores = self._scores(total, lengths, over, accumulated)
        time = as_tensor(time, name="time")
        flat = arrays.reshape(scores, [batch, -1])
        best, places = ranking.top_k(flat, k=as_tensor(beams, dtype=dtypes.int32, name="beam_width"))
        for found in (best, places):
            found.set_shape([None if known is None else int(known), beams])
        log_probs = self._gathered(places, total, beams * symbols, [-1], "next_beam_probs")
        words = arithmetic.floormod(places, symbols, name="next_beam_word_ids")
        words = casts.cast(words, dtypes.int32)
        parents = casts.cast(places / symbols, dtypes.int32, name="next_beam_parent_ids")
        over = self._gathered(parents, over, beams, [-1])
        finished = comparison.logical_or(over, comparison.equal(words, end), name="next_beam_finished")
        one_more = casts.cast(comparison.logical_not(over), dtypes.int64)
        lengths = self._gathered(parents, before.lengths, beams, [-1]) + one_more
        kept: Any = ()
        if accumulated is not None:
            name = "next_accumulated_attention_probs"
            kept = self._gathered(parents, accumulated, beams, [batch * beams, -1], name)
        cell_state = nest.map_structure(lambda t: self._of_parents(parents, t), cell_state)
        state = BeamSearchDecoderState(
            cell_state=cell_state, log_probs=log_probs, lengths=lengths, finished=finished,
            accumulated_attention_probs=kept,
        )  # fmt: skip
        return BeamSearchDecoderOutput(scores=best, predicted_ids=words, parent_ids=parents), state

    def _of_parents(self, parents: Tensor, t: Any) -> Any:
        rows = [self._batch_size * self._beam_width, -1]
        if isinstance(t, TensorArray) or _known_rank(t) < len(rows):
            return t
        return self._gathered(parents, t, self._beam_width, rows)

    def _gathered(self, places: Tensor, t: Tensor, size: Any, rows: list[Any], name: str | None = None) -> Tensor:
        """What is at ``places`` of each sequence, whose beams are ``size`` rows."""
        with name_scope(name, "tensor_gather_helper"):
            starts = arrays.expand_dims(constants.range_(self._batch_size) * size, 1)
            flat = arrays.reshape(places + starts, [-1])
            found = indexing.gather(arrays.reshape(t, rows), flat)
            known = constant_value(self._batch_size)
            shape = arrays.shape(t)[: 1 + len(rows)]
            static = TensorShape([None if known is None else int(known)]).concatenate(t.shape[1 : 1 + len(rows)])
            found = arrays.reshape(found, shape, name="output")
            found.set_shape(static)
            return found

    def _scores(self, log_probs: Tensor, lengths: Tensor, over: Tensor, accumulated: Any) -> Tensor:
        penalty = _length_penalty(lengths, self._length_penalty_weight)
        penalty = casts.cast(penalty, log_probs.dtype)
        scores = log_probs / penalty
        weight = as_tensor(self._coverage_penalty_weight, name="coverage_penalty_weight")
        if weight.rank != 0:
            raise ValueError(f"coverage_penalty_weight should be a scalar, but saw shape: {weight.shape}")
        if accumulated is None:
            return scores
        unseen = comparison.equal(accumulated, 0.0)
        accumulated = comparison.where(unseen, constants.ones_like(accumulated), accumulated)
        seen = reductions.reduce_sum(exponentials.log(arithmetic.minimum(accumulated, 1.0)), 2)
        seen = seen * casts.cast(over, dtypes.float32)
        return scores + arrays.expand_dims(seen * weight, 2)


def _ended(log_probs: Tensor, end: Tensor, over: Tensor) -> Tensor:
    """For beams that are over: 0 for the end token, the lowest number for all else."""
    symbols = arrays.shape(log_probs)[2]
    row = indexing.one_hot(
        end, symbols, dtype=log_probs.dtype, on_value=as_tensor(0.0, dtype=log_probs.dtype),
        off_value=log_probs.dtype.min,
    )  # fmt: skip
    rows = repeating.tile(arrays.reshape(row, [1, 1, -1]), joining.concat([arrays.shape(over), [1]], 0))
    mask = repeating.tile(arrays.expand_dims(over, 2), [1, 1, symbols])
    return comparison.where(mask, rows, log_probs)


def _length_penalty(lengths: Tensor, weight: Any) -> Any:
    weight = as_tensor(weight, name="penalty_factor")
    weight.set_shape(())
    known = constant_value(weight)
    if known is not None and known == 0:
        return 1.0
    return arithmetic.div((5.0 + casts.cast(lengths, dtypes.float32)) ** weight, (5.0 + 1.0) ** weight)


def _attention_of(cell_state: Any, weight: Any) -> Any:
    """The alignments in a cell's state, added up over mechanisms; None without a penalty or without attention."""
    if weight == 0.0:
        return None
    found = []
    if isinstance(cell_state, AttentionWrapperState):
        found.append(_alignments(cell_state))
    elif isinstance(cell_state, tuple):
        found += [_alignments(state) for state in cell_state if isinstance(state, AttentionWrapperState)]
    if not found:
        raise ValueError(
            "coverage_penalty_weight must be 0.0 when cell_state is not an AttentionWrapperState, or tuple of "
            "AttentionWrapperState."
        )
    return joining.concat(found, -1) if len(found) > 1 else found[0]


def _alignments(state: Any) -> Any:
    if isinstance(state.alignments, tuple):
        return joining.concat(state.alignments, -1) if len(state.alignments) > 1 else state.alignments[0]
    return state.alignments


def gather_tree_from_array(t: Tensor, parent_ids: Tensor, sequence_length: Any) -> Tensor:
    """``t [time, batch * beam, ...]``, each beam with the entries of its ancestors up to its length."""
    time, batch, beams = (known_or_dynamic(parent_ids, axis) for axis in range(3))
    own = arrays.expand_dims(arrays.expand_dims(constants.range_(beams), 0), 0)
    own = repeating.tile(own, [time, batch, 1])
    longest = casts.cast(reductions.reduce_max(sequence_length, axis=1), dtypes.int32)
    order = gather_tree(own, parent_ids, longest, beams + 1)
    inside = permuting.transpose(grids.sequence_mask(sequence_length, maxlen=time), perm=[2, 0, 1])
    order = comparison.where(inside, order, own)
    times = repeating.tile(arrays.reshape(constants.range_(time), [-1, 1, 1]), [1, batch, beams])
    batches = repeating.tile(arrays.reshape(constants.range_(batch), [-1, 1, 1]), [1, time, beams])
    places = joining.stack([times, permuting.transpose(batches, perm=[1, 0, 2]), order], -1)
    shape = arrays.shape(t)
    found = indexing.gather_nd(arrays.reshape(t, [time, batch, beams, -1]), places)
    return arrays.reshape(found, shape)
