"""Decoders that are layers: what they read is given in the call.

Source: TensorFlow 1.15.5, ``contrib/seq2seq``: names, arguments, messages.
"""

from __future__ import annotations

from typing import Any

from retrograd.graph import nest
from retrograd.graph.shapes import TensorShape
from retrograd.nn.layers.engine import Layer
from retrograd.nn.rnn_cells import assert_like_rnncell
from retrograd.nn.seq2seq.beam_search import BeamSearchDecoder
from retrograd.nn.seq2seq.decoding import BaseDecoder, BasicDecoder, BasicDecoderOutput
from retrograd.nn.seq2seq.samplers import HelperOf, Sampler


class _Delegating(BaseDecoder):
    """A decoder that makes another one of its inputs, and asks it."""

    _decoder: Any = None
    cell: Any
    output_layer: Any

    def _begin(self, decoder: Any) -> Any:
        self._decoder = decoder
        return decoder.initialize()

    @property
    def batch_size(self) -> Any:
        return self._decoder.batch_size

    @property
    def output_dtype(self) -> Any:
        return self._decoder.output_dtype

    def step(self, time: Any, inputs: Any, state: Any) -> Any:
        return self._decoder.step(time, inputs, state)

    def finalize(self, outputs: Any, final_state: Any, sequence_lengths: Any) -> Any:
        return self._decoder.finalize(outputs, final_state, sequence_lengths)


def _check(cell: Any, output_layer: Any) -> None:
    assert_like_rnncell("cell", cell)
    if output_layer is not None and not isinstance(output_layer, Layer):
        raise TypeError(f"output_layer must be a Layer, received: {output_layer}")


class BasicDecoderV2(_Delegating):
    """A cell and a sampler, optionally with a layer on the cell's output.

    Raises:
      TypeError: an argument is not of its kind.
    """

    def __init__(self, cell: Any, sampler: Any, output_layer: Any = None, **kwargs: Any) -> None:
        assert_like_rnncell("cell", cell)
        if not isinstance(sampler, Sampler):
            raise TypeError(f"sampler must be a Sampler, received: {sampler}")
        _check(cell, output_layer)
        super().__init__(**kwargs)
        self.cell, self.sampler, self.output_layer = cell, sampler, output_layer

    def initialize(self, inputs: Any, initial_state: Any = None, **kwargs: Any) -> Any:
        helper = HelperOf(self.sampler, inputs, kwargs)
        return self._begin(BasicDecoder(self.cell, helper, initial_state, self.output_layer))

    @property
    def batch_size(self) -> Any:
        return self.sampler.batch_size

    @property
    def output_size(self) -> Any:
        size = TensorShape(self.cell.output_size)
        if self.output_layer is not None:
            of_layer = self.output_layer.compute_output_shape(TensorShape([None]).concatenate(size))
            size = nest.map_structure(lambda shape: shape[1:], of_layer)
        return BasicDecoderOutput(rnn_output=size, sample_id=self.sampler.sample_ids_shape)


class BeamSearchDecoderV2(_Delegating):
    """``BeamSearchDecoder`` whose embedding, tokens and state are given in the call.

    Raises:
      TypeError: an argument is not of its kind.
      ValueError: ``embedding_fn`` is no function.
    """

    def __init__(
        self, cell: Any, beam_width: int, embedding_fn: Any = None, output_layer: Any = None,
        length_penalty_weight: Any = 0.0, coverage_penalty_weight: Any = 0.0, reorder_tensor_arrays: bool = True,
        **kwargs: Any,
    ) -> None:  # fmt: skip
        _check(cell, output_layer)
        if embedding_fn is not None and not callable(embedding_fn):
            raise ValueError(f"embedding_fn is expected to be a callable, got {type(embedding_fn)}")
        super().__init__(**kwargs)
        self.cell, self.output_layer, self._embedding_fn = cell, output_layer, embedding_fn
        self._settings = beam_width, output_layer, length_penalty_weight, coverage_penalty_weight, reorder_tensor_arrays

    def initialize(  # type: ignore[override]
        self, embedding: Any, start_tokens: Any, end_token: Any, initial_state: Any
    ) -> Any:
        """``(finished, inputs, state)`` of the first step.

        Raises:
          ValueError: there are two embeddings or none, or a token is of the wrong rank.
        """
        if embedding is not None and self._embedding_fn is not None:
            raise ValueError("embedding and embedding_fn cannot be provided at same time")
        lookup = self._embedding_fn if embedding is None else embedding
        return self._begin(
            BeamSearchDecoder(self.cell, lookup, start_tokens, end_token, initial_state, *self._settings)
        )

    def call(  # type: ignore[override]
        self, embedding: Any, start_tokens: Any, end_token: Any, initial_state: Any, **kwargs: Any
    ) -> Any:
        """(outputs, last state, lengths)."""
        tokens = {"start_tokens": start_tokens, "end_token": end_token, "initial_state": initial_state}
        return self._decoded(embedding, {**kwargs, **tokens})

    @property
    def output_size(self) -> Any:
        return self._decoder.output_size

    @property
    def tracks_own_finished(self) -> bool:
        return True
