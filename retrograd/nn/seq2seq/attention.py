"""Attention mechanisms: how much each step of a memory matters to a query."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.graph import dtypes, nest
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.tensor import Tensor
from retrograd.nn.functional import scan
from retrograd.nn.layers.core import Dense
from retrograd.nn.rnn_cells import zero_states
from retrograd.ops import (
    arrays,
    casts,
    checks,
    clipping,
    comparison,
    constants,
    exponentials,
    grids,
    indexing,
    joining,
    matrices,
    permuting,
    powers,
    random,
    ranking,
    reductions,
    scans,
    softmax,
)
from retrograd.ops.trigonometry import tanh
from retrograd.state.initializers import constant_initializer, ones_initializer, zeros_initializer
from retrograd.state.scopes import get_variable, variable_scope


def known_or_dynamic(x: Tensor, axis: int) -> Any:
    """The size of an axis: a number where it is known."""
    return x.shape[axis].value or arrays.shape(x)[axis]


# -- the memory --------------------------------------------------------------------------------


def masked_memory(
    memory: Any, memory_sequence_length: Any = None, memory_mask: Any = None, check_inner_dims_defined: bool = True
) -> Any:
    """The memory with zeros behind the end of each sequence, or where the mask is false."""
    memory = nest.map_structure(lambda m: as_tensor(m, name="memory"), memory)
    _one_of(memory_sequence_length, memory_mask)
    if memory_sequence_length is not None:
        memory_sequence_length = as_tensor(memory_sequence_length, name="memory_sequence_length")
    if check_inner_dims_defined:
        for m in nest.flatten(memory):
            if not m.shape[2:].is_fully_defined():
                raise ValueError(f"Expected memory {m.name} to have fully defined inner dims, but saw shape: {m.shape}")
    first = nest.flatten(memory)[0]
    if memory_sequence_length is not None:
        mask = grids.sequence_mask(memory_sequence_length, maxlen=arrays.shape(first)[1], dtype=first.dtype)
    elif memory_mask is not None:
        mask = casts.cast(memory_mask, first.dtype)
    else:
        return memory

    def masked(m: Tensor) -> Tensor:
        rank = m.rank if m.rank is not None else arrays.rank(m)
        ones = constants.ones(rank - 2, dtype=dtypes.int32)
        return m * arrays.reshape(mask, joining.concat((arrays.shape(mask), ones), 0))

    return nest.map_structure(masked, memory)


def masked_score(
    score: Tensor, memory_sequence_length: Any = None, memory_mask: Any = None, score_mask_value: Any = None
) -> Tensor:
    """The score with ``score_mask_value`` behind the end of each sequence, or where the mask is false."""
    _one_of(memory_sequence_length, memory_mask)
    if memory_sequence_length is not None:
        message = "All values in memory_sequence_length must be greater than zero."
        with control_dependencies([checks.assert_positive(memory_sequence_length, message=message)]):
            memory_mask = grids.sequence_mask(memory_sequence_length, maxlen=arrays.shape(score)[1])
    if memory_mask is None:
        return score
    return comparison.where(memory_mask, score, score_mask_value * constants.ones_like(score))


def _one_of(memory_sequence_length: Any, memory_mask: Any) -> None:
    if memory_sequence_length is not None and memory_mask is not None:
        raise ValueError("memory_sequence_length and memory_mask can't be provided at same time.")


class AttentionMechanism:
    """What ``AttentionWrapper`` asks: ``alignments, next_state = mechanism(query, state)``."""

    @property
    def alignments_size(self) -> Any:
        """The number of steps of the memory."""
        raise NotImplementedError

    @property
    def state_size(self) -> Any:
        """The size of the state, or a structure of sizes."""
        raise NotImplementedError


class _BaseAttentionMechanism(AttentionMechanism):
    """A mechanism that compares queries with keys, which a layer makes of the memory's values."""

    def __init__(
        self,
        query_layer: Any,
        memory: Any,
        probability_fn: Callable[[Any, Any], Any],
        memory_sequence_length: Any = None,
        memory_layer: Any = None,
        check_inner_dims_defined: bool = True,
        score_mask_value: Any = None,
        custom_key_value_fn: Any = None,
        name: Any = None,
    ) -> None:
        self._query_layer, self._memory_layer = query_layer, memory_layer
        self.dtype = memory_layer.dtype
        if not callable(probability_fn):
            raise TypeError(f"probability_fn must be callable, saw type: {type(probability_fn).__name__}")
        if score_mask_value is None:
            score_mask_value = dtypes.as_dtype(self.dtype).as_numpy_dtype(-np.inf)
        self._probability_fn = lambda score, state: probability_fn(
            masked_score(score, memory_sequence_length, None, score_mask_value), state
        )
        with name_scope(name, "BaseAttentionMechanismInit", nest.flatten(memory)):
            self._values = masked_memory(memory, memory_sequence_length, None, check_inner_dims_defined)
            self._keys = memory_layer(self._values) if memory_layer else self._values
            if custom_key_value_fn is not None:
                self._keys, self._values = custom_key_value_fn(self._keys, self._values)
            self._batch_size = known_or_dynamic(self._keys, 0)
            self._alignments_size = known_or_dynamic(self._keys, 1)

    memory_layer = property(lambda self: self._memory_layer, doc="Makes keys of values.")
    query_layer = property(lambda self: self._query_layer, doc="What queries pass first.")
    values = property(lambda self: self._values, doc="What attention takes the mean of.")
    keys = property(lambda self: self._keys, doc="What queries are compared with.")
    batch_size = property(lambda self: self._batch_size, doc="The number of sequences.")
    alignments_size = property(lambda self: self._alignments_size, doc="The number of steps of the memory.")
    state_size = property(lambda self: self._alignments_size, doc="The number of steps of the memory.")

    def initial_alignments(self, batch_size: Any, dtype: Any) -> Any:
        """Zeros."""
        return zero_states(self._alignments_size, batch_size, dtype)

    def initial_state(self, batch_size: Any, dtype: Any) -> Any:
        """That of the alignments."""
        return self.initial_alignments(batch_size, dtype)

    def _aligned(self, score: Any, state: Any) -> Any:
        alignments = self._probability_fn(score, state)
        return alignments, alignments

    def _queried(self, query: Any) -> Any:
        return self.query_layer(query) if self.query_layer else query


def _probabilities(probability_fn: Any) -> Callable[[Any, Any], Any]:
    function = softmax.softmax if probability_fn is None else probability_fn
    return lambda score, _: function(score)


# -- scores ------------------------------------------------------------------------------------


def _luong_score(query: Tensor, keys: Tensor, scale: Any) -> Tensor:
    """``scale * keys . query``."""
    depth, units = query.shape[-1], keys.shape[-1]
    if depth != units:
        raise ValueError(
            f"Incompatible or unknown inner dimensions between query and keys.  Query ({query}) has units: {depth}.  "
            f"Keys ({keys}) have units: {units}.  Perhaps you need to set num_units to the keys' dimension ({units})?"
        )
    query = arrays.expand_dims(query, 1)
    score = arrays.squeeze(matrices.matmul(query, keys, transpose_b=True), [1])
    return score if scale is None else scale * score


def _bahdanau_score(query: Tensor, keys: Tensor, v: Any, g: Any = None, b: Any = None) -> Tensor:
    """``sum(v tanh(keys + query))``; with a gain, ``sum(g v / |v| tanh(keys + query + b))``."""
    query = arrays.expand_dims(query, 1)
    if g is not None and b is not None:
        unit = g * v * powers.rsqrt(reductions.reduce_sum(powers.square(v)))
        return reductions.reduce_sum(unit * tanh(keys + query + b), [2])
    return reductions.reduce_sum(v * tanh(keys + query), [2])


def _bahdanau_variables(num_units: int, normalize: bool, dtype: Any) -> tuple[Any, Any, Any]:
    v = get_variable("attention_v", [num_units], dtype=dtype)
    if not normalize:
        return v, None, None
    gain = constant_initializer(math.sqrt(1.0 / num_units))
    g = get_variable("attention_g", dtype=dtype, initializer=gain, shape=())
    b = get_variable("attention_b", [num_units], dtype=dtype, initializer=zeros_initializer())
    return v, g, b


class LuongAttention(_BaseAttentionMechanism):
    """The product of query and key (Luong et al., 2015), with ``scale`` times a variable.

    Args:
      num_units: the depth of keys and queries.
      memory: ``[batch, time, ...]``.
      memory_sequence_length: the number of steps of each sequence; later ones get no attention.
      probability_fn: makes alignments of scores; by default softmax.
      score_mask_value: the score behind the end, by default minus infinity.
    """

    def __init__(
        self,
        num_units: int,
        memory: Any,
        memory_sequence_length: Any = None,
        scale: bool = False,
        probability_fn: Any = None,
        score_mask_value: Any = None,
        dtype: Any = None,
        custom_key_value_fn: Any = None,
        name: str = "LuongAttention",
    ) -> None:
        layer = Dense(num_units, name="memory_layer", use_bias=False, dtype=dtype or dtypes.float32)
        super().__init__(
            query_layer=None, memory_layer=layer, memory=memory, probability_fn=_probabilities(probability_fn),
            memory_sequence_length=memory_sequence_length, score_mask_value=score_mask_value,
            custom_key_value_fn=custom_key_value_fn, name=name,
        )  # fmt: skip
        self._num_units, self._scale, self._name = num_units, scale, name

    def __call__(self, query: Any, state: Any) -> Any:
        with variable_scope(None, "luong_attention", [query]):
            g = None
            if self._scale:
                g = get_variable("attention_g", dtype=query.dtype, initializer=ones_initializer(), shape=())
            score = _luong_score(query, self._keys, g)
        return self._aligned(score, state)


class BahdanauAttention(_BaseAttentionMechanism):
    """A layer of query plus key (Bahdanau et al., 2015); ``normalize`` gives its vector a length of its own."""

    def __init__(
        self,
        num_units: int,
        memory: Any,
        memory_sequence_length: Any = None,
        normalize: bool = False,
        probability_fn: Any = None,
        score_mask_value: Any = None,
        dtype: Any = None,
        custom_key_value_fn: Any = None,
        name: str = "BahdanauAttention",
    ) -> None:
        dtype = dtype or dtypes.float32
        super().__init__(
            query_layer=Dense(num_units, name="query_layer", use_bias=False, dtype=dtype),
            memory_layer=Dense(num_units, name="memory_layer", use_bias=False, dtype=dtype),
            memory=memory, probability_fn=_probabilities(probability_fn), custom_key_value_fn=custom_key_value_fn,
            memory_sequence_length=memory_sequence_length, score_mask_value=score_mask_value, name=name,
        )  # fmt: skip
        self._num_units, self._normalize, self._name = num_units, normalize, name

    def __call__(self, query: Any, state: Any) -> Any:
        with variable_scope(None, "bahdanau_attention", [query]):
            queried = self._queried(query)
            v, g, b = _bahdanau_variables(self._num_units, self._normalize, query.dtype)
            score = _bahdanau_score(queried, self._keys, v, g, b)
        return self._aligned(score, state)


# -- monotonic attention -----------------------------------------------------------------------


def safe_cumprod(x: Any, *args: Any, **kwargs: Any) -> Tensor:
    """``exp(cumsum(log(x)))`` with x cut to what has a logarithm: a product of numbers between 0 and 1."""
    with name_scope(None, "SafeCumprod", [x]):
        x = as_tensor(x, name="x")
        tiny = np.finfo(x.dtype.as_numpy_dtype).tiny
        return exponentials.exp(scans.cumsum(exponentials.log(clipping.clip_by_value(x, tiny, 1)), *args, **kwargs))


def monotonic_attention(p_choose_i: Any, previous_attention: Any, mode: str) -> Tensor:
    """Where attention moves to, if it stays at or leaves each step with probability ``p`` (Raffel et al., 2017).

    Args:
      mode: ``"recursive"``, exact; ``"parallel"``, by cumulative products; ``"hard"``, for probabilities 0 and 1.

    Raises:
      ValueError: there is no such mode.
    """
    p = as_tensor(p_choose_i, name="p_choose_i")
    before = as_tensor(previous_attention, name="previous_attention")
    if mode == "recursive":
        batch = known_or_dynamic(p, 0)
        passed = joining.concat([constants.ones((batch, 1)), 1 - p[:, :-1]], 1)
        return p * permuting.transpose(
            scan(
                lambda x, yz: arrays.reshape(yz[0] * x + yz[1], (batch,)),
                [permuting.transpose(passed), permuting.transpose(before)], constants.zeros((batch,)),
            )
        )  # fmt: skip
    if mode == "parallel":
        passed = safe_cumprod(1 - p, axis=1, exclusive=True)
        return p * passed * scans.cumsum(before / clipping.clip_by_value(passed, 1e-10, 1.0), axis=1)
    if mode == "hard":
        p = p * scans.cumsum(before, axis=1)
        return p * scans.cumprod(1 - p, axis=1, exclusive=True)
    raise ValueError("mode must be 'recursive', 'parallel', or 'hard'.")


def _monotonic_probability_fn(
    score: Any, previous_alignments: Any, sigmoid_noise: float, mode: str, seed: Any = None
) -> Tensor:
    """``monotonic_attention`` with ``p = sigmoid(score + noise)``, or the sign of the score in hard mode."""
    if sigmoid_noise > 0:
        score = score + sigmoid_noise * random.random_normal(arrays.shape(score), dtype=score.dtype, seed=seed)
    p = casts.cast(score > 0, score.dtype) if mode == "hard" else exponentials.sigmoid(score)
    return monotonic_attention(p, previous_alignments, mode)


class _BaseMonotonicAttentionMechanism(_BaseAttentionMechanism):
    """A mechanism that starts at the first step of the memory and never goes back."""

    def initial_alignments(self, batch_size: Any, dtype: Any) -> Any:
        """1 for the first step, else 0."""
        return indexing.one_hot(constants.zeros((batch_size,), dtype=dtypes.int32), self._alignments_size, dtype=dtype)


class BahdanauMonotonicAttention(_BaseMonotonicAttentionMechanism):
    """``BahdanauAttention`` that moves forward only; ``score_bias_init`` is where the bias of the score starts."""

    def __init__(
        self,
        num_units: int,
        memory: Any,
        memory_sequence_length: Any = None,
        normalize: bool = False,
        score_mask_value: Any = None,
        sigmoid_noise: float = 0.0,
        sigmoid_noise_seed: Any = None,
        score_bias_init: float = 0.0,
        mode: str = "parallel",
        dtype: Any = None,
        name: str = "BahdanauMonotonicAttention",
    ) -> None:
        dtype = dtype or dtypes.float32
        super().__init__(
            query_layer=Dense(num_units, name="query_layer", use_bias=False, dtype=dtype),
            memory_layer=Dense(num_units, name="memory_layer", use_bias=False, dtype=dtype),
            memory=memory, memory_sequence_length=memory_sequence_length, score_mask_value=score_mask_value, name=name,
            probability_fn=functools.partial(
                _monotonic_probability_fn, sigmoid_noise=sigmoid_noise, mode=mode, seed=sigmoid_noise_seed
            ),
        )  # fmt: skip
        self._num_units, self._normalize, self._name = num_units, normalize, name
        self._score_bias_init = score_bias_init

    def __call__(self, query: Any, state: Any) -> Any:
        with variable_scope(None, "bahdanau_monotonic_attention", [query]):
            queried = self._queried(query)
            v, g, b = _bahdanau_variables(self._num_units, self._normalize, query.dtype)
            score = _bahdanau_score(queried, self._keys, v, g, b)
            score = score + _score_bias(query.dtype, self._score_bias_init)
        return self._aligned(score, state)


def _score_bias(dtype: Any, start: float) -> Any:
    return get_variable("attention_score_bias", dtype=dtype, initializer=start)


class LuongMonotonicAttention(_BaseMonotonicAttentionMechanism):
    """``LuongAttention`` that moves forward only."""

    def __init__(
        self,
        num_units: int,
        memory: Any,
        memory_sequence_length: Any = None,
        scale: bool = False,
        score_mask_value: Any = None,
        sigmoid_noise: float = 0.0,
        sigmoid_noise_seed: Any = None,
        score_bias_init: float = 0.0,
        mode: str = "parallel",
        dtype: Any = None,
        name: str = "LuongMonotonicAttention",
    ) -> None:
        layer = Dense(num_units, name="memory_layer", use_bias=False, dtype=dtype or dtypes.float32)
        super().__init__(
            query_layer=None, memory_layer=layer, memory=memory, memory_sequence_length=memory_sequence_length,
            score_mask_value=score_mask_value, name=name,
            probability_fn=functools.partial(
                _monotonic_probability_fn, sigmoid_noise=sigmoid_noise, mode=mode, seed=sigmoid_noise_seed
            ),
        )  # fmt: skip
        self._num_units, self._scale, self._name = num_units, scale, name
        self._score_bias_init = score_bias_init

    def __call__(self, query: Any, state: Any) -> Any:
        with variable_scope(None, "luong_monotonic_attention", [query]):
            g = None
            if self._scale:
                g = get_variable("attention_g", dtype=query.dtype, initializer=ones_initializer(), shape=())
            score = _luong_score(query, self._keys, g)
            score = score + _score_bias(query.dtype, self._score_bias_init)
        return self._aligned(score, state)


def hardmax(logits: Any, name: str | None = None) -> Tensor:
    """1 where each row is largest, else 0."""
    with name_scope(name, "Hardmax", [logits]):
        logits = as_tensor(logits, name="logits")
        depth = known_or_dynamic(logits, -1)
        return indexing.one_hot(ranking.argmax(logits, -1), depth, dtype=logits.dtype)
