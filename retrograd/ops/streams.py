"""A session's place in the random stream of one op."""

from __future__ import annotations

import os
import threading
from typing import Any

import numpy as np

from retrograd.ops import philox
from retrograd.ops.kept import Kept


class Stream(Kept):
    """A ``key``, and a value: the counter that each run moves on by what it reserves.

    A random op's kernel meets a stream only in ``take``.  So a compiled plan hands each kernel a stream
    of its own with the counter that the run was given, and reads from it the counter to go on with.
    """

    __slots__ = ("__weakref__", "_lock", "key")

    def __init__(self, key: Any, counter: Any) -> None:
        super().__init__(counter)
        self.key = key
        self._lock = threading.Lock()

    @classmethod
    def of(cls, seed: int, seed2: int) -> Stream:
        """The stream of an op with these attributes; an arbitrary one where both are 0."""
        if not seed and not seed2:
            seed, seed2 = (int.from_bytes(os.urandom(8), "little") >> 1 for _ in range(2))
        return cls(*philox.seeded_stream(seed, seed2))

    def take(self, xp: Any, n_blocks: int) -> tuple[Any, Any]:
        """The key, and the counter where the caller may read ``n_blocks`` blocks that no other gets."""
        with self._lock:
            counter = self.value
            self.value = philox.advance(xp, counter, n_blocks)
            return self.key, counter


class Draws:
    """32-bit words of a stream, one after the other."""

    def __init__(self, stream: Stream, count: int) -> None:
        self._key, self._counter = stream.take(np, (count + 3) // 4)
        self._words: list[int] = []

    def _word(self) -> int:
        if not self._words:
            self._words = philox.philox_blocks(np, self._key, self._counter, 1).ravel().tolist()
            self._counter = philox.advance(np, self._counter, 1)
        return self._words.pop(0)

    def below(self, n: int) -> int:
        """A number below ``n``, the lower ones a little more often."""
        return self._word() % n

    def evenly_below(self, n: int) -> int:
        """A number below ``n``, all as often: the lowest words, too many by ``2**32 % n``, are left out."""
        if n & (n - 1) == 0:
            return self._word() & (n - 1)
        while (word := self._word()) <= 0xFFFFFFFF % n:
            pass
        return word % n

    def unit(self) -> np.float32:
        """A number in [0, 1) of 23 bits."""
        return np.float32((self._word() & 0x7FFFFF) * 2.0**-23)
