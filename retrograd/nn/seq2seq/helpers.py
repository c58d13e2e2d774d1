"""What a decoder reads next: given inputs, its own outputs, or a mixture of them."""

from __future__ import annotations

import abc
from collections.abc import Callable
from typing import Any

from retrograd.flow.tensor_array import TensorArray
from retrograd.graph import dtypes, nest
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.tensor import Tensor
from retrograd.nn.embeddings import embedding_lookup
from retrograd.nn.rnn import transpose_batch_time
from retrograd.ops import (
    arrays,
    casts,
    comparison,
    constants,
    exponentials,
    indexing,
    joining,
    permuting,
    random,
    ranking,
    reductions,
    repeating,
)
from retrograd.ops.conditions import cond
from retrograd.ops.padding import pad
from retrograd.ops.scattering import scatter_nd


class Sampling(abc.ABC):
    """What a decoder asks of what samples from its outputs."""

    @property
    @abc.abstractmethod
    def batch_size(self) -> Any:
        """The number of sequences, a scalar tensor."""
        raise NotImplementedError("batch_size has not been implemented")

    @property
    @abc.abstractmethod
    def sample_ids_shape(self) -> Any:
        """The shape of one sample, without the batch."""
        raise NotImplementedError("sample_ids_shape has not been implemented")

    @property
    @abc.abstractmethod
    def sample_ids_dtype(self) -> Any:
        """The dtype of samples."""
        raise NotImplementedError("sample_ids_dtype has not been implemented")


class Helper(Sampling):
    """Samples from the outputs of a decoder, and says what it reads at the next step."""

    @abc.abstractmethod
    def initialize(self, name: str | None = None) -> Any:
        """``(finished, inputs)`` of the first step."""

    @abc.abstractmethod
    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Any:
        """What is sampled from the outputs of a step."""

    @abc.abstractmethod
    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None) -> Any:
        """``(finished, inputs, state)`` for the next step."""


class _Ids(Helper):
    """A helper whose samples are numbers of symbols."""

    _batch_size: Any

    @property
    def batch_size(self) -> Any:
        return self._batch_size

    @property
    def sample_ids_shape(self) -> TensorShape:
        return TensorShape([])

    @property
    def sample_ids_dtype(self) -> Any:
        return dtypes.int32


# -- draws -------------------------------------------------------------------------------------


def _drawn(draw: Callable[[Any], Any], sample_shape: Any) -> Any:
    """``draw(n)``, whose first dimension is n, with ``sample_shape`` of n elements in its place."""
    with name_scope(None, "call_sampler", values=[sample_shape]):
        shape = as_tensor(sample_shape, dtype=dtypes.int32, name="sample_shape")
        missing = casts.cast(comparison.equal(arrays.rank(shape), 0), dtypes.int32)
        as_vector = pad(arrays.shape(shape), paddings=[[missing, 0]], constant_values=1)
        shape = arrays.reshape(shape, as_vector)
        samples = draw(reductions.reduce_prod(shape))
        rest = arrays.shape(samples)[1:]
        return arrays.reshape(samples, joining.concat([shape, rest], 0))


def bernoulli_sample(
    probs: Any = None, logits: Any = None, dtype: Any = dtypes.int32, sample_shape: Any = (), seed: Any = None
) -> Any:
    """1 with probability ``probs``, or ``sigmoid(logits)``."""
    probs = exponentials.sigmoid(logits, name="probs") if probs is None else as_tensor(probs, name="probs")
    batch_shape = arrays.shape(probs)

    def draw(n: Any) -> Any:
        uniform = random.random_uniform(joining.concat([[n], batch_shape], 0), seed=seed, dtype=probs.dtype)
        return casts.cast(comparison.less(uniform, probs), dtype)

    return _drawn(draw, sample_shape)


def categorical_sample(logits: Any, dtype: Any = dtypes.int32, sample_shape: Any = (), seed: Any = None) -> Any:
    """Numbers of classes with probabilities ``softmax(logits)``."""
    logits = as_tensor(logits)
    classes, batch_shape = arrays.shape(logits)[-1], arrays.shape(logits)[:-1]

    def draw(n: Any) -> Any:
        rows = logits if logits.rank == 2 else arrays.reshape(logits, [-1, classes])
        samples = random.multinomial(rows, n, seed=seed, output_dtype=dtype)
        return arrays.reshape(permuting.transpose(samples), joining.concat([[n], batch_shape], 0))

    return _drawn(draw, sample_shape)


def _as_lookup(embedding: Any) -> Callable[[Any], Any]:
    """``embedding`` as a function of numbers of symbols."""
    return embedding if callable(embedding) else lambda ids: embedding_lookup(embedding, ids)


class CustomHelper(Helper):
    """A helper of three functions: ``initialize_fn()``, ``sample_fn(...)`` and ``next_inputs_fn(...)``.

    The last two are called with ``time``, ``outputs``, ``state`` and (the last) ``sample_ids`` by name.
    """

    def __init__(
        self, initialize_fn: Any, sample_fn: Any, next_inputs_fn: Any, sample_ids_shape: Any = None,
        sample_ids_dtype: Any = None,
    ) -> None:  # fmt: skip
        self._initialize_fn, self._sample_fn, self._next_inputs_fn = initialize_fn, sample_fn, next_inputs_fn
        self._batch_size: Any = None
        self._sample_ids_shape = TensorShape(sample_ids_shape or [])
        self._sample_ids_dtype = sample_ids_dtype or dtypes.int32

    @property
    def batch_size(self) -> Any:
        if self._batch_size is None:
            raise ValueError("batch_size accessed before initialize was called")
        return self._batch_size

    @property
    def sample_ids_shape(self) -> TensorShape:
        return self._sample_ids_shape

    @property
    def sample_ids_dtype(self) -> Any:
        return self._sample_ids_dtype

    def initialize(self, name: str | None = None) -> Any:
        with name_scope(name, f"{type(self).__name__}Initialize"):
            finished, inputs = self._initialize_fn()
            if self._batch_size is None:
                self._batch_size = arrays.size(finished)
        return finished, inputs

    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Any:
        with name_scope(name, f"{type(self).__name__}Sample", [time, outputs, state]):
            return self._sample_fn(time=time, outputs=outputs, state=state)

    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None) -> Any:
        with name_scope(name, f"{type(self).__name__}NextInputs", [time, outputs, state]):
            return self._next_inputs_fn(time=time, outputs=outputs, state=state, sample_ids=sample_ids)


# -- given inputs ------------------------------------------------------------------------------


def as_steps(inp: Tensor) -> TensorArray:
    """The rows of ``inp`` as the elements of a ``TensorArray``."""
    return TensorArray(inp.dtype, size=arrays.shape(inp)[0], element_shape=inp.shape[1:]).unstack(inp)


class TrainingHelper(_Ids):
    """Reads the given inputs, each sequence up to its length; samples are the largest outputs.

    Args:
      inputs: a structure of ``[batch, time, ...]``, or ``[time, batch, ...]`` if ``time_major``.
      sequence_length: ``[batch]``.

    Raises:
      ValueError: the lengths are no vector.
    """

    def __init__(self, inputs: Any, sequence_length: Any, time_major: bool = False, name: str | None = None) -> None:
        with name_scope(name, "TrainingHelper", [inputs, sequence_length]):
            inputs = nest.map_structure(as_tensor, inputs)
            self._inputs = inputs
            if not time_major:
                inputs = nest.map_structure(transpose_batch_time, inputs)
            self._input_tas = nest.map_structure(as_steps, inputs)
            self._sequence_length = as_tensor(sequence_length, name="sequence_length")
            if self._sequence_length.rank != 1:
                raise ValueError(
                    f"Expected sequence_length to be a vector, but received shape: {self._sequence_length.shape}"
                )
            self._zero_inputs = nest.map_structure(lambda x: constants.zeros_like(x[0, :]), inputs)
            self._batch_size = arrays.size(sequence_length)

    @property
    def inputs(self) -> Any:
        """What is read, as given."""
        return self._inputs

    @property
    def sequence_length(self) -> Any:
        """How many steps each sequence has."""
        return self._sequence_length

    def initialize(self, name: str | None = None) -> Any:
        with name_scope(name, "TrainingHelperInitialize"):
            finished = comparison.equal(0, self._sequence_length)
            return finished, self._read(reductions.reduce_all(finished), 0)

    def sample(  # type: ignore[override]
        self, time: Any, outputs: Any, name: str | None = None, **unused_kwargs: Any
    ) -> Any:
        with name_scope(name, "TrainingHelperSample", [time, outputs]):
            return casts.cast(ranking.argmax(outputs, axis=-1), dtypes.int32)

    def next_inputs(  # type: ignore[override]
        self, time: Any, outputs: Any, state: Any, name: str | None = None, **unused_kwargs: Any
    ) -> Any:
        with name_scope(name, "TrainingHelperNextInputs", [time, outputs, state]):
            following = time + 1
            finished = following >= self._sequence_length
            return finished, self._read(reductions.reduce_all(finished), following), state

    def _read(self, all_finished: Any, time: Any) -> Any:
        """The inputs of a step, zeros behind the last."""
        return cond(
            all_finished,
            lambda: self._zero_inputs,
            lambda: nest.map_structure(lambda steps: steps.read(time), self._input_tas),
        )


def checked_probability(sampling_probability: Any, dims: tuple[int, ...], words: str) -> Any:
    """The probability as a tensor, of one of these ranks."""
    probability = as_tensor(sampling_probability, name="sampling_probability")
    if probability.rank not in dims:
        raise ValueError(f"sampling_probability must be {words}. saw shape: {probability.shape}")
    return probability


def _places(chosen: Any) -> Any:
    """The numbers of the rows that are chosen, ``[n, 1]``."""
    return casts.cast(comparison.where(chosen), dtypes.int32)


class ScheduledEmbeddingTrainingHelper(TrainingHelper):
    """A ``TrainingHelper`` that with some probability reads the embedding of what it sampled instead.

    Samples of sequences for which nothing was drawn are -1 (Bengio et al., 2015).
    """

    def __init__(
        self, inputs: Any, sequence_length: Any, embedding: Any, sampling_probability: Any, time_major: bool = False,
        seed: Any = None, scheduling_seed: Any = None, name: str | None = None,
    ) -> None:  # fmt: skip
        with name_scope(name, "ScheduledEmbeddingSamplingWrapper", [embedding, sampling_probability]):
            self._embedding_fn = _as_lookup(embedding)
            self._sampling_probability = checked_probability(
                sampling_probability, (0, 1), "either a scalar or a vector"
            )
            self._seed, self._scheduling_seed = seed, scheduling_seed
            super().__init__(inputs, sequence_length, time_major=time_major, name=name)

    def initialize(self, name: str | None = None) -> Any:
        return super().initialize(name=name)

    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Any:  # type: ignore[override]
        with name_scope(name, "ScheduledEmbeddingTrainingHelperSample", [time, outputs, state]):
            drawn = bernoulli_sample(
                self._sampling_probability, dtype=dtypes.bool, sample_shape=self.batch_size, seed=self._scheduling_seed
            )
            symbols = categorical_sample(outputs, seed=self._seed)
            return comparison.where(drawn, symbols, constants.fill([self.batch_size], -1))

    def next_inputs(  # type: ignore[override]
        self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None
    ) -> Any:
        with name_scope(name, "ScheduledEmbeddingTrainingHelperNextInputs", [time, outputs, state, sample_ids]):
            finished, given, state = super().next_inputs(
                time=time, outputs=outputs, state=state, sample_ids=sample_ids, name=name
            )

            def mixed() -> Any:
                drawn = _places(sample_ids > -1)
                others = _places(sample_ids <= -1)
                symbols = indexing.gather_nd(sample_ids, drawn)
                kept = indexing.gather_nd(given, others)
                read = self._embedding_fn(symbols)
                shape = arrays.shape(given)
                return scatter_nd(drawn, read, shape) + scatter_nd(others, kept, shape)

            all_finished = reductions.reduce_all(finished)
            return finished, cond(all_finished, lambda: given, mixed), state


class ScheduledOutputTrainingHelper(TrainingHelper):
    """A ``TrainingHelper`` that with some probability reads the output of the step before instead.

    Args:
      sampling_probability: a scalar.
      next_inputs_fn: makes inputs of outputs; needed where their sizes differ.
      auxiliary_inputs: joined to what is read at each step.
    """

    def __init__(
        self, inputs: Any, sequence_length: Any, sampling_probability: Any, time_major: bool = False, seed: Any = None,
        next_inputs_fn: Any = None, auxiliary_inputs: Any = None, name: str | None = None,
    ) -> None:  # fmt: skip
        with name_scope(name, "ScheduledOutputTrainingHelper", [inputs, auxiliary_inputs, sampling_probability]):
            self._sampling_probability = checked_probability(
                sampling_probability, (0, 1), "either a scalar or a vector"
            )
            if auxiliary_inputs is None:
                joined = inputs
            else:
                inputs = as_tensor(inputs)
                auxiliary_inputs = as_tensor(auxiliary_inputs)
                joined = nest.map_structure(lambda x, y: joining.concat((x, y), -1), inputs, auxiliary_inputs)
                if not time_major:
                    auxiliary_inputs = nest.map_structure(transpose_batch_time, auxiliary_inputs)
            self._auxiliary_input_tas = (
                None if auxiliary_inputs is None else nest.map_structure(as_steps, auxiliary_inputs)
            )
            self._seed, self._next_inputs_fn = seed, next_inputs_fn
            super().__init__(joined, sequence_length, time_major=time_major, name=name)

    def initialize(self, name: str | None = None) -> Any:
        return super().initialize(name=name)

    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Any:  # type: ignore[override]
        with name_scope(name, "ScheduledOutputTrainingHelperSample", [time, outputs, state]):
            return bernoulli_sample(self._sampling_probability, sample_shape=self.batch_size, seed=self._seed)

    def next_inputs(  # type: ignore[override]
        self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None
    ) -> Any:
        with name_scope(name, "ScheduledOutputTrainingHelperNextInputs", [time, outputs, state, sample_ids]):
            finished, given, state = super().next_inputs(
                time=time, outputs=outputs, state=state, sample_ids=sample_ids, name=name
            )
            sample_ids = casts.cast(sample_ids, dtypes.bool)

            def mixed() -> Any:
                def with_auxiliary(x: Any, places: Any = None) -> Any:
                    if self._auxiliary_input_tas is None:
                        return x
                    other = nest.map_structure(lambda steps: steps.read(time + 1), self._auxiliary_input_tas)
                    if places is not None:
                        other = indexing.gather_nd(other, places)
                    return nest.map_structure(lambda a, b: joining.concat((a, b), -1), x, other)

                if self._next_inputs_fn is None:
                    return comparison.where(sample_ids, with_auxiliary(outputs), given)
                drawn = _places(sample_ids)
                others = _places(comparison.logical_not(sample_ids))
                read = indexing.gather_nd(outputs, drawn)
                kept = indexing.gather_nd(given, others)
                read = with_auxiliary(self._next_inputs_fn(read), drawn)
                shape = arrays.shape(given)
                return scatter_nd(drawn, read, shape) + scatter_nd(others, kept, shape)

            all_finished = reductions.reduce_all(finished)
            nothing_drawn = comparison.logical_not(reductions.reduce_any(sample_ids))
            return finished, cond(comparison.logical_or(all_finished, nothing_drawn), lambda: given, mixed), state


# -- its own outputs ---------------------------------------------------------------------------


class GreedyEmbeddingHelper(_Ids):
    """Reads the embedding of the symbol with the largest output, until that symbol is ``end_token``.

    Args:
      embedding: a table, or a function of numbers of symbols.
      start_tokens: ``[batch]``.
      end_token: a scalar.

    Raises:
      ValueError: ``start_tokens`` is no vector, or ``end_token`` no scalar.
    """

    def __init__(self, embedding: Any, start_tokens: Any, end_token: Any) -> None:
        self._embedding_fn = _as_lookup(embedding)
        self._start_tokens = as_tensor(start_tokens, dtype=dtypes.int32, name="start_tokens")
        self._end_token = as_tensor(end_token, dtype=dtypes.int32, name="end_token")
        if self._start_tokens.rank != 1:
            raise ValueError("start_tokens must be a vector")
        self._batch_size = arrays.size(start_tokens)
        if self._end_token.rank != 0:
            raise ValueError("end_token must be a scalar")
        self._start_inputs = self._embedding_fn(self._start_tokens)

    def initialize(self, name: str | None = None) -> Any:
        return repeating.tile([False], [self._batch_size]), self._start_inputs

    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Any:
        _check_single(outputs)
        return ranking.argmax(outputs, axis=-1, output_type=dtypes.int32)

    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None) -> Any:
        finished = comparison.equal(sample_ids, self._end_token)
        all_finished = reductions.reduce_all(finished)
        inputs = cond(all_finished, lambda: self._start_inputs, lambda: self._embedding_fn(sample_ids))
        return finished, inputs, state


def _check_single(outputs: Any) -> None:
    if not isinstance(outputs, Tensor):
        raise TypeError(f"Expected outputs to be a single Tensor, got: {type(outputs)}")


class SampleEmbeddingHelper(GreedyEmbeddingHelper):
    """A ``GreedyEmbeddingHelper`` that draws the symbol, the outputs being logits over ``softmax_temperature``."""

    def __init__(
        self, embedding: Any, start_tokens: Any, end_token: Any, softmax_temperature: Any = None, seed: Any = None
    ) -> None:
        super().__init__(embedding, start_tokens, end_token)
        self._softmax_temperature, self._seed = softmax_temperature, seed

    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Any:
        _check_single(outputs)
        logits = outputs if self._softmax_temperature is None else outputs / self._softmax_temperature
        return categorical_sample(logits, seed=self._seed)


class InferenceHelper(Helper):
    """Reads what ``sample_fn`` makes of its outputs, or ``next_inputs_fn`` of that, until ``end_fn`` says so."""

    def __init__(
        self, sample_fn: Any, sample_shape: Any, sample_dtype: Any, start_inputs: Any, end_fn: Any,
        next_inputs_fn: Any = None,
    ) -> None:  # fmt: skip
        self._sample_fn, self._end_fn, self._next_inputs_fn = sample_fn, end_fn, next_inputs_fn
        self._sample_shape, self._sample_dtype = TensorShape(sample_shape), sample_dtype
        self._start_inputs = as_tensor(start_inputs, name="start_inputs")
        self._batch_size = arrays.shape(start_inputs)[0]

    @property
    def batch_size(self) -> Any:
        return self._batch_size

    @property
    def sample_ids_shape(self) -> TensorShape:
        return self._sample_shape

    @property
    def sample_ids_dtype(self) -> Any:
        return self._sample_dtype

    def initialize(self, name: str | None = None) -> Any:
        return repeating.tile([False], [self._batch_size]), self._start_inputs

    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Any:
        return self._sample_fn(outputs)

    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None) -> Any:
        inputs = sample_ids if self._next_inputs_fn is None else self._next_inputs_fn(sample_ids)
        return self._end_fn(sample_ids), inputs, state
