"""Samplers: helpers whose inputs are given when decoding begins, for decoders that are layers.

Source: TensorFlow 1.15.5, ``contrib/seq2seq/python/ops/sampler.py``: names, arguments, messages.
"""

from __future__ import annotations

import abc
from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.shapes import TensorShape
from retrograd.nn.seq2seq import helpers


class Sampler(helpers.Sampling):
    """Samples from the outputs of a decoder, and says what it reads at the next step."""

    @abc.abstractmethod
    def initialize(self, inputs: Any, **kwargs: Any) -> Any:
        """``(finished, inputs)`` of the first step."""

    @abc.abstractmethod
    def sample(self, time: Any, outputs: Any, state: Any) -> Any:
        """What is sampled from the outputs of a step."""

    @abc.abstractmethod
    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any) -> Any:
        """``(finished, inputs, state)`` for the next step."""


class _OfHelper(Sampler):
    """A sampler that makes a helper of its inputs, and asks it."""

    _helper: Any = None
    _sample_ids_shape, _sample_ids_dtype = TensorShape([]), dtypes.int32

    def _begin(self, helper: Any) -> Any:
        self._helper = helper
        return helper.initialize()

    def sample(self, time: Any, outputs: Any, state: Any) -> Any:
        return self._helper.sample(time=time, outputs=outputs, state=state)

    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any) -> Any:
        return self._helper.next_inputs(time=time, outputs=outputs, state=state, sample_ids=sample_ids)

    @property
    def batch_size(self) -> Any:
        if self._helper is None:
            raise ValueError("batch_size accessed before initialize was called")
        return self._helper.batch_size

    @property
    def sample_ids_shape(self) -> Any:
        return self._sample_ids_shape

    @property
    def sample_ids_dtype(self) -> Any:
        return self._sample_ids_dtype


class CustomSampler(_OfHelper):
    """A sampler of three functions: ``initialize_fn(inputs, ...)``, ``sample_fn(...)`` and ``next_inputs_fn(...)``."""

    def __init__(
        self, initialize_fn: Any, sample_fn: Any, next_inputs_fn: Any, sample_ids_shape: Any = None,
        sample_ids_dtype: Any = None,
    ) -> None:  # fmt: skip
        self._functions = initialize_fn, sample_fn, next_inputs_fn
        self._sample_ids_shape = TensorShape(sample_ids_shape or [])
        self._sample_ids_dtype = sample_ids_dtype or dtypes.int32

    def initialize(self, inputs: Any, **kwargs: Any) -> Any:
        first, sample, following = self._functions
        return self._begin(helpers.CustomHelper(lambda: first(inputs, **kwargs), sample, following))


class TrainingSampler(_OfHelper):
    """Reads the given inputs, each sequence up to its length; samples are the largest outputs."""

    def __init__(self, time_major: bool = False) -> None:
        self.time_major = time_major

    def initialize(self, inputs: Any, sequence_length: Any = None) -> Any:  # type: ignore[override]
        """``(finished, inputs)`` of the first step.

        Raises:
          ValueError: there are no lengths, or they are no vector.
        """
        return self._begin(helpers.TrainingHelper(inputs, self._given(sequence_length), self.time_major))

    def _given(self, sequence_length: Any) -> Any:
        if sequence_length is None:
            raise ValueError("sequence_length is required for TrainingSampler")
        return sequence_length


def _checked(embedding_fn: Any, article: str) -> Any:
    if embedding_fn is not None and not callable(embedding_fn):
        raise ValueError(f"embedding_fn is expected to be {article}callable, got {type(embedding_fn)}")
    return embedding_fn


class ScheduledEmbeddingTrainingSampler(TrainingSampler):
    """A ``TrainingSampler`` that with some probability reads the embedding of what it sampled instead.

    Raises:
      ValueError: ``embedding_fn`` is no function, or the probability neither a scalar nor a vector.
    """

    def __init__(
        self, sampling_probability: Any, embedding_fn: Any = None, time_major: bool = False, seed: Any = None,
        scheduling_seed: Any = None,
    ) -> None:  # fmt: skip
        self.embedding_fn = _checked(embedding_fn, "")
        words = "either a scalar or a vector"
        self.sampling_probability = helpers.checked_probability(sampling_probability, (0, 1), words)
        self.seed, self.scheduling_seed = seed, scheduling_seed
        super().__init__(time_major)

    def initialize(  # type: ignore[override]
        self, inputs: Any, sequence_length: Any = None, embedding: Any = None
    ) -> Any:
        """``(finished, inputs)`` of the first step.

        Raises:
          ValueError: there is no embedding, or there are no lengths.
        """
        if self.embedding_fn is None and embedding is None:
            raise ValueError("embedding is required as a keyword argument for ScheduledEmbeddingTrainingSampler")
        lookup = embedding if self.embedding_fn is None else self.embedding_fn
        helper = helpers.ScheduledEmbeddingTrainingHelper(
            inputs, self._given(sequence_length), lookup, self.sampling_probability, self.time_major, self.seed,
            self.scheduling_seed,
        )  # fmt: skip
        return self._begin(helper)


class ScheduledOutputTrainingSampler(TrainingSampler):
    """A ``TrainingSampler`` that with some probability reads the output of the step before instead.

    Raises:
      ValueError: the probability is neither a scalar nor a vector.
    """

    def __init__(
        self, sampling_probability: Any, time_major: bool = False, seed: Any = None, next_inputs_fn: Any = None
    ) -> None:
        words = "either a scalar or a vector"
        self.sampling_probability = helpers.checked_probability(sampling_probability, (0, 1), words)
        self.seed, self.next_inputs_fn = seed, next_inputs_fn
        super().__init__(time_major)

    def initialize(  # type: ignore[override]
        self, inputs: Any, sequence_length: Any = None, auxiliary_inputs: Any = None
    ) -> Any:
        """``(finished, inputs)`` of the first step; ``auxiliary_inputs`` are joined to what is read."""
        helper = helpers.ScheduledOutputTrainingHelper(
            inputs, self._given(sequence_length), self.sampling_probability, self.time_major, self.seed,
            self.next_inputs_fn, auxiliary_inputs,
        )  # fmt: skip
        return self._begin(helper)


class GreedyEmbeddingSampler(_OfHelper):
    """Reads the embedding of the symbol with the largest output, until that symbol is ``end_token``.

    Raises:
      ValueError: ``embedding_fn`` is no function.
    """

    def __init__(self, embedding_fn: Any = None) -> None:
        self.embedding_fn = _checked(embedding_fn, "a ")

    def initialize(  # type: ignore[override]
        self, embedding: Any, start_tokens: Any = None, end_token: Any = None
    ) -> Any:
        """``(finished, inputs)`` of the first step; ``start_tokens`` are a vector, ``end_token`` is a scalar."""
        lookup = embedding if self.embedding_fn is None else self.embedding_fn
        return self._begin(self._made(lookup, start_tokens, end_token))

    def _made(self, lookup: Any, start_tokens: Any, end_token: Any) -> Any:
        return helpers.GreedyEmbeddingHelper(lookup, start_tokens, end_token)


class SampleEmbeddingSampler(GreedyEmbeddingSampler):
    """A ``GreedyEmbeddingSampler`` that draws the symbol, the outputs being logits over ``softmax_temperature``."""

    def __init__(self, embedding_fn: Any = None, softmax_temperature: Any = None, seed: Any = None) -> None:
        super().__init__(embedding_fn)
        self.softmax_temperature, self.seed = softmax_temperature, seed

    def _made(self, lookup: Any, start_tokens: Any, end_token: Any) -> Any:
        return helpers.SampleEmbeddingHelper(lookup, start_tokens, end_token, self.softmax_temperature, self.seed)


class InferenceSampler(_OfHelper):
    """Reads what ``sample_fn`` makes of its outputs, or ``next_inputs_fn`` of that, until ``end_fn`` says so."""

    def __init__(
        self, sample_fn: Any, sample_shape: Any, sample_dtype: Any, end_fn: Any, next_inputs_fn: Any = None
    ) -> None:
        self._arguments = sample_fn, sample_shape, sample_dtype
        self._sample_ids_shape, self._sample_ids_dtype = TensorShape(sample_shape), sample_dtype
        self._end_fn, self._next_inputs_fn = end_fn, next_inputs_fn

    def initialize(self, start_inputs: Any) -> Any:  # type: ignore[override]
        """``(finished, inputs)`` of the first step."""
        return self._begin(helpers.InferenceHelper(*self._arguments, start_inputs, self._end_fn, self._next_inputs_fn))


class HelperOf(helpers.Helper):
    """A sampler and its inputs as a helper."""

    def __init__(self, sampler: Sampler, inputs: Any, arguments: dict[str, Any]) -> None:
        self._sampler, self._inputs, self._arguments = sampler, inputs, arguments

    batch_size = property(lambda self: self._sampler.batch_size)
    sample_ids_shape = property(lambda self: self._sampler.sample_ids_shape)
    sample_ids_dtype = property(lambda self: self._sampler.sample_ids_dtype)

    def initialize(self, name: str | None = None) -> Any:
        return self._sampler.initialize(self._inputs, **self._arguments)

    def sample(self, time: Any, outputs: Any, state: Any, name: str | None = None) -> Any:
        return self._sampler.sample(time=time, outputs=outputs, state=state)

    def next_inputs(self, time: Any, outputs: Any, state: Any, sample_ids: Any, name: str | None = None) -> Any:
        return self._sampler.next_inputs(time=time, outputs=outputs, state=state, sample_ids=sample_ids)
