"""Decoders: a cell run step by step on what it said before."""

from __future__ import annotations

import abc
from collections import namedtuple
from contextlib import suppress
from typing import Any

from retrograd.flow.loops import while_loop
from retrograd.flow.tensor_array import TensorArray
from retrograd.graph import dtypes, nest
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.static import constant_value
from retrograd.graph.tensor import Tensor
from retrograd.nn.layers.engine import Layer
from retrograd.nn.rnn import read_where_they_are, transpose_batch_time
from retrograd.nn.rnn_cells import assert_like_rnncell, zero_rows
from retrograd.nn.seq2seq.helpers import Helper
from retrograd.ops import arrays, comparison, constants, reductions
from retrograd.state.scopes import variable_scope


class _Decoding:
    """What is alike in decoders, whether they are layers or not."""

    @property
    def batch_size(self) -> Any:
        """The number of sequences."""
        raise NotImplementedError

    @property
    def output_size(self) -> Any:
        """The sizes of the outputs, without the batch: a structure."""
        raise NotImplementedError

    @property
    def output_dtype(self) -> Any:
        """The dtypes of the outputs: a structure."""
        raise NotImplementedError

    def finalize(self, outputs: Any, final_state: Any, sequence_lengths: Any) -> Any:
        """What becomes of all outputs and the last state."""
        raise NotImplementedError

    @property
    def tracks_own_finished(self) -> bool:
        """Whether ``step`` says itself which sequences have ended; else one that ended stays so."""
        return False


class Decoder(_Decoding, abc.ABC):
    """What ``dynamic_decode`` runs: ``initialize``, ``step`` and, optionally, ``finalize``."""

    @abc.abstractmethod
    def initialize(self, name: str | None = None) -> Any:
        """``(finished, inputs, state)`` of the first step."""

    @abc.abstractmethod
    def step(self, time: Any, inputs: Any, state: Any, name: str | None = None) -> Any:
        """``(outputs, state, inputs, finished)`` for the next step."""


class BaseDecoder(_Decoding, Layer):
    """A decoder whose call is a ``dynamic_decode`` of itself.

    Args:
      output_time_major, impute_finished, maximum_iterations, parallel_iterations, swap_memory: as of
        ``dynamic_decode``.
    """

    def __init__(
        self, output_time_major: bool = False, impute_finished: bool = False, maximum_iterations: Any = None,
        parallel_iterations: int = 32, swap_memory: bool = False, **kwargs: Any,
    ) -> None:  # fmt: skip
        self.output_time_major, self.impute_finished = output_time_major, impute_finished
        self.maximum_iterations = maximum_iterations
        self.parallel_iterations, self.swap_memory = parallel_iterations, swap_memory
        super().__init__(**kwargs)

    def call(self, inputs: Any, initial_state: Any = None, **kwargs: Any) -> Any:
        """(outputs, last state, lengths); further arguments are those of ``initialize``."""
        return self._decoded(inputs, {**kwargs, "initial_state": initial_state})

    def _decoded(self, inputs: Any, arguments: dict[str, Any]) -> Any:
        return dynamic_decode(
            self, self.output_time_major, self.impute_finished, self.maximum_iterations, self.parallel_iterations,
            self.swap_memory, decoder_init_input=inputs, decoder_init_kwargs=arguments,
        )  # fmt: skip

    def initialize(self, inputs: Any, initial_state: Any = None, **kwargs: Any) -> Any:
        """``(finished, inputs, state)`` of the first step."""
        raise NotImplementedError

    def step(self, time: Any, inputs: Any, state: Any) -> Any:
        """``(outputs, state, inputs, finished)`` for the next step."""
        raise NotImplementedError


class BasicDecoderOutput(namedtuple("BasicDecoderOutput", ("rnn_output", "sample_id"))):
    """What a step of a ``BasicDecoder`` gives: the output and what the helper sampled from it."""


class BasicDecoder(Decoder):
    """A cell and a helper, optionally with a layer on the cell's output.

    Raises:
      TypeError: an argument is not of its kind.
    """

    def __init__(self, cell: Any, helper: Any, initial_state: Any, output_layer: Any = None) -> None:
        assert_like_rnncell("cell", cell)
        if not isinstance(helper, Helper):
            raise TypeError(f"helper must be a Helper, received: {type(helper)}")
        if output_layer is not None and not isinstance(output_layer, Layer):
            raise TypeError(f"output_layer must be a Layer, received: {type(output_layer)}")
        self._cell, self._helper, self._initial_state = cell, helper, initial_state
        self._output_layer = output_layer

    @property
    def batch_size(self) -> Any:
        return self._helper.batch_size

    def _rnn_output_size(self) -> Any:
        size, layer = self._cell.output_size, self._output_layer
        if layer is None:
            return size

        def through_layer(n: Any) -> Any:
            shape = TensorShape([None]).concatenate(n)
            return layer.compute_output_shape(shape)[1:]

        return nest.map_structure(through_layer, size)

    @property
    def output_size(self) -> Any:
        return BasicDecoderOutput(rnn_output=self._rnn_output_size(), sample_id=self._helper.sample_ids_shape)

    @property
    def output_dtype(self) -> Any:
        dtype = nest.flatten(self._initial_state)[0].dtype
        sizes = self._rnn_output_size()
        return BasicDecoderOutput(nest.map_structure(lambda _: dtype, sizes), self._helper.sample_ids_dtype)

    def initialize(self, name: str | None = None) -> Any:
        return (*self._helper.initialize(), self._initial_state)

    def step(self, time: Any, inputs: Any, state: Any, name: str | None = None) -> Any:
        with name_scope(name, "BasicDecoderStep", (time, inputs, state)):
            outputs, state = self._cell(inputs, state)
            if self._output_layer is not None:
                outputs = self._output_layer(outputs)
            sample_ids = self._helper.sample(time=time, outputs=outputs, state=state)
            finished, following, state = self._helper.next_inputs(
                time=time, outputs=outputs, state=state, sample_ids=sample_ids
            )
        return BasicDecoderOutput(outputs, sample_ids), state, following, finished


# -- the loop ----------------------------------------------------------------------------------


def _element_shape(batch_size: Any, size: Any) -> TensorShape | None:
    """The shape of a step's output, where more of it is known than that it has a batch."""
    if not isinstance(size, TensorShape) or size.ndims == 0:
        return None
    known = constant_value(as_tensor(batch_size, name="batch_size"))
    return TensorShape([None if known is None else int(known)]).concatenate(size)


def zero_outputs(size: Any, dtype: Any, batch_size: Any) -> Any:
    """Zeros of ``[batch_size, size]`` for each size in a structure, of the dtype in the same place."""
    return nest.map_structure(lambda s, d: zero_rows(s, batch_size, d), size, dtype)


def dynamic_decode(
    decoder: Any, output_time_major: bool = False, impute_finished: bool = False, maximum_iterations: Any = None,
    parallel_iterations: int = 32, swap_memory: bool = False, scope: Any = None, **kwargs: Any,
) -> tuple[Any, Any, Any]:  # fmt: skip
    """Run ``decoder`` until all sequences have ended: the outputs, the last state, and the lengths.

    Args:
      decoder: a ``Decoder``; or a layer that is one, which begins with ``decoder_init_input`` and
        ``decoder_init_kwargs``.
      output_time_major: leave the outputs as ``[time, batch, ...]``.
      impute_finished: give zeros for sequences that have ended, and keep their states.
      maximum_iterations: a scalar.

    Raises:
      TypeError: ``decoder`` is none.
      ValueError: ``maximum_iterations`` is no scalar.
    """
    if not isinstance(decoder, Decoder | BaseDecoder):
        raise TypeError(f"Expected decoder to be type Decoder, but saw: {type(decoder)}")
    with variable_scope(scope, "decoder") as opened:
        read_where_they_are(opened)
        if maximum_iterations is not None:
            maximum_iterations = as_tensor(maximum_iterations, dtype=dtypes.int32, name="maximum_iterations")
            if maximum_iterations.rank != 0:
                raise ValueError("maximum_iterations must be a scalar")
        if isinstance(decoder, Decoder):
            finished, inputs, state = decoder.initialize(**kwargs)
        else:
            given, arguments = kwargs.get("decoder_init_input"), kwargs.get("decoder_init_kwargs", {})
            finished, inputs, state = decoder.initialize(given, **arguments)
        zeros = zero_outputs(decoder.output_size, decoder.output_dtype, decoder.batch_size)
        if maximum_iterations is not None:
            finished = comparison.logical_or(finished, maximum_iterations <= 0)
        lengths = constants.zeros_like(finished, dtype=dtypes.int32)
        time = constants.constant(0, dtype=dtypes.int32)
        steps = nest.map_structure(
            lambda size, dtype: TensorArray(
                dtype, size=0, dynamic_size=True, element_shape=_element_shape(decoder.batch_size, size)
            ),
            decoder.output_size, decoder.output_dtype,
        )  # fmt: skip

        def step(time: Tensor, steps: Any, state: Any, inputs: Any, finished: Tensor, lengths: Tensor) -> Any:
            outputs, new, following, ended = decoder.step(time, inputs, state)
            over = ended if decoder.tracks_own_finished else comparison.logical_or(ended, finished)
            counted = constants.fill(arrays.shape(lengths), time + 1)
            lengths = comparison.where(comparison.logical_not(finished), counted, lengths)
            nest.assert_same_structure(state, new)
            nest.assert_same_structure(steps, outputs)
            nest.assert_same_structure(inputs, following)
            if impute_finished:
                outputs = nest.map_structure(lambda y, zero: comparison.where(finished, zero, y), outputs, zeros)
                new = nest.map_structure(lambda new, old: _unless(finished, old, new), new, state)
            steps = nest.map_structure(lambda array, y: array.write(time, y), steps, outputs)
            return time + 1, steps, new, following, over, lengths

        _, steps, state, _, _, lengths = while_loop(
            lambda time, steps, state, inputs, finished, lengths: comparison.logical_not(
                reductions.reduce_all(finished)
            ),
            step, (time, steps, state, inputs, finished, lengths),
            parallel_iterations=parallel_iterations, maximum_iterations=maximum_iterations, swap_memory=swap_memory,
        )  # fmt: skip
        outputs = nest.map_structure(lambda array: array.stack(), steps)
        with suppress(NotImplementedError):
            outputs, state = decoder.finalize(outputs, state, lengths)
        if not output_time_major:
            outputs = nest.map_structure(transpose_batch_time, outputs)
    return outputs, state, lengths


def _unless(over: Tensor, old: Any, new: Any) -> Any:
    """``old`` in the rows that are over, else ``new``; what has no rows is always new."""
    if isinstance(old, TensorArray):
        return new
    new.set_shape(old.shape)
    return new if new.rank == 0 else comparison.where(over, old, new)
