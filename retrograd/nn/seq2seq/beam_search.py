"""Beam search: a decoder that keeps the most probable beginnings of each sequence."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from retrograd.flow.tensor_array import TensorArray
from retrograd.graph import dtypes, log, modes, nest
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.static import constant_value
from retrograd.graph.tensor import Tensor
from retrograd.nn.embeddings import embedding_lookup
from retrograd.nn.layers.engine import Layer
from retrograd.nn.rnn_cells import assert_like_rnncell
from retrograd.nn.seq2seq.attention import known_or_dynamic
from retrograd.nn.seq2seq.beam_steps import (
    BeamSearchDecoderOutput,
    BeamSearchDecoderState,
    beam_search_step,
    get_attention_probs,
    known_rank,
)
from retrograd.nn.seq2seq.decoding import Decoder
from retrograd.ops import (
    arrays,
    asserts,
    casts,
    comparison,
    constants,
    grids,
    indexing,
    joining,
    permuting,
    reductions,
    repeating,
)
from retrograd.ops.beams import gather_tree
from retrograd.ops.conditions import cond


class FinalBeamSearchDecoderOutput(
    namedtuple("FinalBeamDecoderOutput", ["predicted_ids", "beam_search_decoder_output"])
):
    """``predicted_ids [batch, time, beam]`` are whole sequences, the most probable first."""


# -- copies for beams --------------------------------------------------------------------------


def _tiled(t: Tensor, multiplier: int) -> Tensor:
    t = as_tensor(t, name="t")
    shape = arrays.shape(t)
    if not t.rank:
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
        self._initial_cell_state = nest.map_structure(self._maybe_split_batch_beams, initial_state, cell.state_size)
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
        attention = get_attention_probs(self._initial_cell_state, self._coverage_penalty_weight)
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
                lambda t: self._maybe_sort_array_beams(t, outputs.parent_ids, final_state.lengths),
                final_state.cell_state,
            )
            final_state = final_state._replace(cell_state=cell_state)
        return FinalBeamSearchDecoderOutput(ids, outputs), final_state

    def step(self, time: Any, inputs: Any, state: Any, name: str | None = None) -> Any:
        with name_scope(name, "BeamSearchDecoderStep", (time, inputs, state)):
            inputs = nest.map_structure(lambda x: self._merge_batch_beams(x, x.shape[2:]), inputs)
            cell_state = nest.map_structure(self._maybe_merge_batch_beams, state.cell_state, self._cell.state_size)
            outputs, cell_state = self._cell(inputs, cell_state)
            outputs = nest.map_structure(lambda y: self._split_batch_beams(y, y.shape[1:]), outputs)
            cell_state = nest.map_structure(self._maybe_split_batch_beams, cell_state, self._cell.state_size)
            if self._output_layer is not None:
                outputs = self._output_layer(outputs)
            output, state = beam_search_step(
                time, outputs, cell_state, state, self._batch_size, self._beam_width, self._end_token,
                self._length_penalty_weight, self._coverage_penalty_weight,
            )  # fmt: skip
            finished, ids = state.finished, output.predicted_ids
            following = cond(
                reductions.reduce_all(finished), lambda: self._start_inputs, lambda: self._embedding_fn(ids)
            )
        return output, state, following, finished

    # batch and beam in one dimension, or in two

    def _merge_batch_beams(self, t: Tensor, s: Any = None) -> Tensor:
        shape = arrays.shape(t)
        known = constant_value(self._batch_size)
        rows = joining.concat(([self._batch_size * self._beam_width], shape[2:]), 0)
        merged = arrays.reshape(t, rows)
        both = None if known is None else int(known) * self._beam_width
        merged.set_shape(TensorShape([both]).concatenate(_inner(s)))
        return merged

    def _split_batch_beams(self, t: Tensor, s: Any = None) -> Tensor:
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

    def _maybe_merge_batch_beams(self, t: Any, s: Any) -> Any:
        return t if isinstance(t, TensorArray) or known_rank(t) < 2 else self._merge_batch_beams(t, s)

    def _maybe_split_batch_beams(self, t: Any, s: Any) -> Any:
        return t if isinstance(t, TensorArray) or known_rank(t) < 1 else self._split_batch_beams(t, s)

    def _maybe_sort_array_beams(self, t: Any, parent_ids: Any, lengths: Any) -> Any:
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
        if not check_static_batch_beam_maybe(shape, self._batch_size, self._beam_width):
            return t
        t = t.stack()
        with control_dependencies([check_batch_beam(t, self._batch_size, self._beam_width)]):
            return gather_tree_from_array(t, parent_ids, lengths)


def check_static_batch_beam_maybe(shape: TensorShape, batch_size: Any, beam_width: int) -> bool:
    """Whether elements of ``shape`` may be one row for each beam; if not, a warning says so."""
    known = constant_value(batch_size)
    if known is None or shape[0].value is None:
        return True
    batch, second = int(known), shape[1].value if len(shape) >= 2 else None
    joined = shape[0].value == batch * beam_width
    split = shape[0].value == batch and second == beam_width
    if joined and (second is None or split):
        return True
    log.warn(
        "TensorArray reordering expects elements to be reshapable to %s which is incompatible with the current "
        "shape %s. Consider setting reorder_tensor_arrays to False to disable TensorArray reordering during the "
        "beam search.",
        TensorShape([batch, beam_width, None]), shape,
    )  # fmt: skip
    return False


def check_batch_beam(t: Tensor, batch_size: Any, beam_width: Any) -> Any:
    """An assertion that the elements of the stacked array ``t`` are one row for each beam."""
    message = (
        "TensorArray reordering expects elements to be reshapable to [batch_size, beam_size, -1] which is "
        f"incompatible with the dynamic shape of {t if modes.executing_eagerly() else t.name} elements. Consider "
        "setting reorder_tensor_arrays to False to disable TensorArray reordering during the beam search."
    )
    shape, joined = arrays.shape(t), batch_size * beam_width
    if t.rank == 2:
        fits = comparison.equal(shape[1], joined)
    else:
        fits = comparison.logical_or(
            comparison.equal(shape[1], joined),
            comparison.logical_and(comparison.equal(shape[1], batch_size), comparison.equal(shape[2], beam_width)),
        )
    return asserts.Assert(fits, [message])


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
