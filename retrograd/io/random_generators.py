"""``tf.random.experimental``: generators, which keep their place in a stream in a variable."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.dtypes import as_dtype
from retrograd.graph.scopes import name_scope
from retrograd.graph.tensor import Tensor
from retrograd.io.tracking import AutoTrackable
from retrograd.ops import arithmetic, arrays, constants, joining, stateful_random
from retrograd.ops.random import check_uniform
from retrograd.ops.stateful_random import PHILOX
from retrograd.state.resource import ResourceVariable

_SIZES = {PHILOX: 3}  # how many numbers a state has


def _size(alg: int) -> int:
    if alg not in _SIZES:
        raise ValueError(f"Unsupported algorithm id: {alg}")
    return _SIZES[alg]


def _signed(n: Any) -> Any:
    return n - 2**64 if isinstance(n, int) and n >= 2**63 else n


def create_rng_state(seed: Any, algorithm: int) -> Any:
    """The state of a generator: the seed in pieces of 64 bits, the lowest first, or its numbers behind zeros.

    Raises:
      ValueError: the seed has more than one dimension, or the algorithm is unknown.
    """
    size = _size(algorithm)
    if isinstance(seed, int):
        seed = [seed >> 64 * i & 2**64 - 1 for i in range(size)]
    state = np.asarray([_signed(n) for n in seed], np.int64)
    if state.ndim != 1:
        raise ValueError(f"seed should only have one dimension; got shape: {state.shape}")
    return np.pad(state[:size], [(size - state[:size].size, 0)])


def _state_tensor(state: Any) -> Tensor:
    return as_tensor([_signed(n) for n in state] if isinstance(state, list) else state, dtypes.int64)


def _from_parts(key: Any, counter: Any, alg: int) -> Tensor:
    counter, key = _state_tensor(counter), _state_tensor(key)
    counter.shape.assert_is_compatible_with([_size(alg) - 1])
    key.shape.assert_is_compatible_with([])
    return joining.concat([counter, arrays.reshape(key, [1])], 0)


def _shape_tensor(shape: Any) -> Tensor:
    return as_tensor(shape, dtypes.int64 if isinstance(shape, tuple | list) and not shape else None, name="shape")


class Generator(AutoTrackable):
    """A source of random numbers whose place, a variable, is moved on by every draw and saved with a checkpoint."""

    def __init__(self, copy_from: Any = None, state: Any = None, alg: int | None = None) -> None:
        if copy_from is not None:
            assert (alg or state) is None
            self._state_var = ResourceVariable(copy_from.state, dtype=dtypes.int64, trainable=False)
            self._alg_var = copy_from.algorithm
            return
        assert alg is not None
        assert state is not None
        state = _state_tensor(state)
        state.shape.assert_is_compatible_with([_size(alg)])
        self._state_var = ResourceVariable(state, dtype=dtypes.int64, trainable=False)
        self._alg_var = alg

    @classmethod
    def from_state(cls, state: Any, alg: int) -> Generator:
        """The generator in a state."""
        return cls(alg=alg, state=state)

    @classmethod
    def from_seed(cls, seed: Any, alg: int | None = None) -> Generator:
        """The generator that a seed begins."""
        alg = PHILOX if alg is None else alg
        return cls(state=create_rng_state(seed, alg), alg=alg)

    @classmethod
    def from_non_deterministic_state(cls, alg: int | None = None) -> Generator:
        """A generator that begins somewhere."""
        alg = PHILOX if alg is None else alg
        return cls(state=stateful_random.non_deterministic_ints(shape=[_size(alg)], dtype=dtypes.int64), alg=alg)

    @classmethod
    def from_key_counter(cls, key: Any, counter: Any, alg: int) -> Generator:
        """The generator with this key and this counter."""
        return cls(state=_from_parts(key, counter, alg), alg=alg)

    def reset(self, state: Any) -> None:
        """Go to a state."""
        state = _state_tensor(state)
        state.shape.assert_is_compatible_with([_size(self.algorithm)])
        self._state_var.assign(state)

    def reset_from_seed(self, seed: Any) -> None:
        """Go to where a seed begins."""
        self._state_var.assign(create_rng_state(seed, self.algorithm))

    def reset_from_key_counter(self, key: Any, counter: Any) -> None:
        """Go to a counter of a key."""
        self._state_var.assign(_from_parts(key, counter, self.algorithm))

    @property
    def state(self) -> ResourceVariable:
        """The variable that holds counter and key."""
        return self._state_var

    @property
    def algorithm(self) -> int:
        """The number of the algorithm: 1 is Philox."""
        return self._alg_var

    @property
    def key(self) -> Tensor:
        """The key: the last number of the state."""
        state: Any = self._state_var
        key: Tensor = state[-1]
        return key

    def skip(self, delta: Any) -> None:
        """Move on as if ``delta`` numbers had been drawn."""
        apply(stateful_random.RNG_SKIP, self.state.handle, self.algorithm, delta)

    def _drawn(self, record: Any, shape: Any, *bounds: Any, name: str | None = None, **attrs: Any) -> Tensor:
        return apply(record, self.state.handle, self.algorithm, shape, *bounds, name=name, **attrs)

    def normal(
        self, shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = dtypes.float32, name: str | None = None
    ) -> Tensor:
        """Normal numbers."""
        return self._moved(stateful_random.STATEFUL_NORMAL, "stateful_normal", shape, mean, stddev, dtype, name)

    def truncated_normal(
        self, shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = dtypes.float32, name: str | None = None
    ) -> Tensor:
        """Normal numbers within two deviations of the mean."""
        return self._moved(stateful_random.STATEFUL_TRUNCATED, "truncated_normal", shape, mean, stddev, dtype, name)

    def _moved(
        self, record: Any, word: str, shape: Any, mean: Any, stddev: Any, dtype: Any, name: str | None
    ) -> Tensor:
        with name_scope(name, word, [shape, mean, stddev]) as name:
            shape = _shape_tensor(shape)
            mean = as_tensor(mean, dtype, name="mean")
            stddev = as_tensor(stddev, dtype, name="stddev")
            return arithmetic.add(self._drawn(record, shape, dtype=as_dtype(dtype)) * stddev, mean, name=name)

    def uniform(
        self, shape: Any, minval: Any = 0, maxval: Any = None, dtype: Any = dtypes.float32, name: str | None = None
    ) -> Tensor:
        """Uniform numbers in [minval, maxval).

        Raises:
          ValueError: integers are wanted and there is no ``maxval``.
        """
        dtype = as_dtype(dtype)
        check_uniform(dtype, maxval)
        maxval = 1 if maxval is None else maxval
        with name_scope(name, "stateful_uniform", [shape, minval, maxval]) as name:
            shape = _shape_tensor(shape)
            minval = as_tensor(minval, dtype, name="min")
            maxval = as_tensor(maxval, dtype, name="max")
            if dtype.is_integer:
                return self._drawn(stateful_random.STATEFUL_UNIFORM_INT, shape, minval, maxval, name=name)
            drawn = self._drawn(stateful_random.STATEFUL_UNIFORM, shape, dtype=dtype)
            return arithmetic.add(drawn * (maxval - minval), minval, name=name)

    def uniform_full_int(self, shape: Any, dtype: Any = dtypes.uint64, name: str | None = None) -> Tensor:
        """Integers of the whole range of their type."""
        with name_scope(name, "stateful_uniform_full_int", [shape]) as name:
            record = stateful_random.STATEFUL_FULL_INT
            return self._drawn(record, _shape_tensor(shape), dtype=as_dtype(dtype), name=name)

    def binomial(
        self, shape: Any, counts: Any, probs: Any, dtype: Any = dtypes.int32, name: str | None = None
    ) -> Tensor:
        """How many of ``counts`` trials succeed, of which each does with a probability of ``probs``."""
        dtype = as_dtype(dtype)
        with name_scope(name, "binomial", [shape, counts, probs]) as name:
            counts = as_tensor(counts, name="counts")
            probs = as_tensor(probs, counts.dtype, name="probs")
            shape = _shape_tensor(shape)
            return self._drawn(stateful_random.STATEFUL_BINOMIAL, shape, counts, probs, dtype=dtype, name=name)

    def make_seeds(self, count: int = 1) -> Tensor:
        """Seeds for stateless ops, one in each column."""
        keys = self.uniform_full_int([count], dtypes.int64)
        return joining.stack([keys, constants.zeros_like(keys)])

    def split(self, count: int = 1) -> list[Generator]:
        """New generators of keys that are drawn from this one; where ops run at once."""
        keys: Any = self.uniform_full_int([count], dtypes.int64)
        return [Generator(state=[0, 0, int(key)], alg=self.algorithm) for key in keys.numpy()]


_global: list[Generator] = []


def get_global_generator() -> Generator:
    """The generator of the process; it begins somewhere."""
    if not _global:
        _global.append(Generator.from_non_deterministic_state())
    return _global[0]


def set_global_generator(generator: Generator) -> None:
    """Put another generator in the place of the process's."""
    _global[:] = [generator]
