"""Random streams of environments."""

from __future__ import annotations

import hashlib
import os

import numpy as np


def create_seed(a: int | str | None = None, max_bytes: int = 8) -> int:
    """The seed that ``a`` stands for; a new one for None."""
    if a is None:
        return int.from_bytes(os.urandom(max_bytes), "little")
    if isinstance(a, str):
        return int.from_bytes(hashlib.sha512(a.encode()).digest()[:max_bytes], "little")
    return int(a % 2 ** (8 * max_bytes))


def hash_seed(seed: int | None = None, max_bytes: int = 8) -> int:
    """A seed far from those of the neighbours of ``seed``."""
    text = str(create_seed(max_bytes=max_bytes) if seed is None else seed)
    return int.from_bytes(hashlib.sha512(text.encode()).digest()[:max_bytes], "little")


def np_random(seed: int | None = None) -> tuple[np.random.RandomState, int]:
    """A stream that starts from ``seed``, with the methods that streams had then, and the seed."""
    seed = create_seed(seed)
    digest = hash_seed(seed)
    return np.random.RandomState([digest % 2**32, digest >> 32]), seed
