"""TensorFlow 1.15's random streams: the words of Philox4x32-10.

A stream is a ``key`` (uint32, shape (2,)) and a ``counter`` (uint32, shape (4,), least significant
word first). Each counter value yields one *block* of four 32-bit words, so a stream can be read at
any place. An op run reads from its counter on and then moves it by the ``blocks_per_...`` of what it
drew (``ops/draws.py``, ``ops/rejection.py``), however little of that it used: this alone fixes what
the next run of the same op yields.

    key, counter = seeded_stream(seed, seed2)
    values = draws.uniform(np, key, counter, shape, np.float32)
    counter = advance(np, counter, draws.blocks_per_fill(values.size))

Every function here and in those is pure. Those that take ``xp`` run with ``numpy`` and, traced or not,
with ``jax.numpy``; 64-bit arithmetic is switched on for JAX inside them, whatever the process has set.

Sources: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (2011) for the
generator; TensorFlow 1.15.5 on CPU for seeds, layout and distributions, in ``tests/golden/philox.json``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = Any  # an array of the module ``xp``

DEFAULT_GRAPH_SEED = 87654321
LARGEST_SEED = 2**31 - 1

_ROUNDS = 10
_M, _N = 0xD2511F53, 0xCD9E8D57
_W, _V = 0x9E3779B9, 0xBB67AE85
_MULTIPLIERS = np.array([[_M], [_N]], np.uint64)
_KEY_STEPS = np.array([[[_W * i], [_V * i]] for i in range(_ROUNDS)], np.uint64)
_LOW_WORD = np.uint64(0xFFFFFFFF)
WORD = np.uint64(32)
_STATELESS_KEY = np.array([0x3EC8F720, 0x02461E29], np.uint32)


BLOCKS_PER_OUTPUT = 256  # what a run reserves for each output, and where the next output's draws begin

FEW = 8  # blocks that Python's own integers make sooner than NumPy's calls
_MANY = 1024  # blocks that XLA makes sooner in a computation of their own
CHUNK = 8192  # blocks that NumPy works on at a time: its temporaries stay in the cache


def _truncated(seed: Any) -> Any:
    """``seed`` modulo 2^31 - 1, of the integer that a NumPy number holds: its own arithmetic would wrap or overflow."""
    return (seed.item() if isinstance(seed, np.generic | np.ndarray) else seed) % LARGEST_SEED


def get_seed(graph_seed: int | None, op_seed: int | None, last_id: int) -> tuple[int, int] | tuple[None, None]:
    """The seed pair of an op, each seed modulo 2^31 - 1; (None, None) asks for an arbitrary stream.

    ``last_id`` is how many ops the graph had when the seed was asked for: it stands in for an op seed
    that is missing. (0, 0) would ask the kernels for an arbitrary stream, so it becomes (0, 2^31 - 1).

    >>> get_seed(None, 1, 5), get_seed(7, None, 5), get_seed(0, 0, 5)
    ((87654321, 1), (7, 5), (0, 2147483647))
    """
    if graph_seed is None and op_seed is None:
        return None, None
    first = DEFAULT_GRAPH_SEED if graph_seed is None else _truncated(graph_seed)
    second = _truncated(last_id if op_seed is None else op_seed)
    return (0, LARGEST_SEED) if (first, second) == (0, 0) else (first, second)


def seeded_stream(seed: int, seed2: int) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Key and counter of an op with these attributes: key = seed, counter = seed2 << 64.

    Both zero means an arbitrary stream in TensorFlow: the caller draws seeds of its own then.
    """
    key, high = (np.array([n % 2**32, (n >> 32) % 2**32], np.uint32) for n in (seed, seed2))
    return key, np.concatenate([np.zeros(2, np.uint32), high])


def stateless_stream(xp: Any, seed: Array) -> tuple[Array, Array]:
    """Key and counter of a stateless op: with b = Philox(seed), key = b[:2], counter = b[2:] << 64.

    ``seed`` holds two signed integers, which are the halves of the counter of that one block.
    """
    with wide(xp):
        halves = xp.asarray(seed).astype(np.int64).astype(np.uint64)
        counter = xp.stack([halves & _LOW_WORD, halves >> WORD], axis=1).reshape(4).astype(np.uint32)
        mix = philox_blocks(xp, xp.asarray(_STATELESS_KEY), counter, 1)[0]
        return mix[:2], xp.concatenate([xp.zeros(2, np.uint32), mix[2:]])


def first_blocks(seeds: NDArray[Any]) -> NDArray[np.uint32]:
    """The first block of the stateless stream of each row of ``seeds``: uint32, shape (n, 4)."""
    halves = seeds.astype(np.int64).astype(np.uint64)
    words = np.stack([halves & _LOW_WORD, halves >> WORD], axis=-1).reshape(-1, 4).T
    j, k, c, d = _mixed(*words, *_STATELESS_KEY.astype(np.uint64))
    return np.stack(_mixed(np.zeros_like(c), np.zeros_like(c), c, d, j, k), axis=-1).astype(np.uint32)


def advance(xp: Any, counter: Array, n_blocks: int) -> Array:
    """The 128-bit sum ``counter + n_blocks``."""
    if xp is np:
        place = int.from_bytes(counter.astype("<u4").tobytes(), "little") + n_blocks
        return np.frombuffer((place % 2**128).to_bytes(16, "little"), "<u4").astype(np.uint32)
    with wide(xp):
        low, high = _moved(xp, counter, xp.asarray([n_blocks]).astype(np.uint64))
        return xp.concatenate([low & _LOW_WORD, low >> WORD, high & _LOW_WORD, high >> WORD]).astype(np.uint32)


def philox_blocks(xp: Any, key: Array, counter: Array, n_blocks: int) -> Array:
    """The ``n_blocks`` blocks from ``counter`` on: uint32, shape (n_blocks, 4)."""
    with wide(xp):
        if xp is not np:
            return philox_at(xp, key, counter, xp.arange(n_blocks, dtype=np.uint64))
        words = np.empty((n_blocks, 4), np.uint32)
        for part in chunks(n_blocks):
            words[part] = philox_at(np, key, counter, np.arange(part.start, part.stop, dtype=np.uint64))
        return words


def philox_at(xp: Any, key: Array, counter: Array, offsets: Array) -> Array:
    """The blocks at ``counter + offsets`` (uint64, shape (n,)): uint32, shape (n, 4).

    A round takes the words (a, b, c, d) under the key (j, k) to (hi(Nc)^b^j, lo(Nc), hi(Ma)^d^k, lo(Ma))
    and the key to (j + W, k + V). The rows of ``even`` are a, c and those of ``odd`` b, d.
    """
    if xp is not np:
        return _blocks_by_xla(key, counter, offsets)
    if offsets.size <= FEW:
        return few_blocks(key, counter, offsets.tolist())
    low, high = _moved(np, counter, offsets)
    even = np.stack([low & _LOW_WORD, high & _LOW_WORD])
    odd = np.stack([low >> WORD, high >> WORD])
    products = np.empty_like(even)
    keys = key.astype(np.uint64)[:, None] + _KEY_STEPS & _LOW_WORD
    for round_key in keys:
        products = np.multiply(even, _MULTIPLIERS, out=products)[::-1]
        np.right_shift(products, WORD, out=even)
        even ^= odd
        even ^= round_key
        even &= _LOW_WORD
        odd, products = products, odd  # their high words go with the next round's mask, or the cast
    even, odd = even.astype(np.uint32), odd.astype(np.uint32)
    return np.stack([even[0], odd[0], even[1], odd[1]], axis=-1)


def _blocks_by_xla(key: Array, counter: Array, offsets: Array) -> Array:
    from retrograd.ops.jax_start import jnp, lax

    with wide(jnp):
        low, high = _moved(jnp, counter, offsets)
        j, k = (key[i].astype(np.uint64) for i in (0, 1))

        def halves() -> tuple[Array, Array]:
            a, b, c, d = _mixed(low & _LOW_WORD, low >> WORD, high & _LOW_WORD, high >> WORD, j, k)
            return a | b << WORD, c | d << WORD

        if offsets.size < _MANY:
            first, second = halves()
        else:
            # a condition that XLA does not know to hold lets them be computed by themselves: together with what
            # reads them, each word would go through the rounds of all, one after the other.  As one complex
            # number both are one array, or each would go through the rounds of both
            def both() -> Array:
                return lax.complex(*(lax.bitcast_convert_type(half, np.float64) for half in halves()))

            drawn = lax.cond((j & 1) + (j + 1 & 1) == 1, both, lambda: jnp.zeros(offsets.shape, np.complex128))
            first, second = (lax.bitcast_convert_type(half, np.uint64) for half in (lax.real(drawn), lax.imag(drawn)))
        return lax.bitcast_convert_type(jnp.stack([first, second], axis=-1), np.uint32).reshape(-1, 4)


def _mixed(a: Array, b: Array, c: Array, d: Array, j: Array, k: Array) -> tuple[Array, Array, Array, Array]:
    """The words of blocks, integers of more than 32 bits, after all rounds under the key (j, k)."""
    low = 0xFFFFFFFF
    for _ in range(_ROUNDS):
        p, q = _M * a, _N * c
        a, b, c, d = q >> 32 ^ b ^ j, q & low, p >> 32 ^ d ^ k, p & low
        j, k = j + _W & low, k + _V & low
    return a, b, c, d


def few_blocks(key: NDArray[np.uint32], counter: NDArray[np.uint32], offsets: Sequence[int]) -> NDArray[np.uint32]:
    """The same in Python's integers."""
    low, blocks = 0xFFFFFFFF, []
    start, (j, k) = int.from_bytes(counter.astype("<u4").tobytes(), "little"), key.tolist()
    for offset in offsets:
        place = start + offset
        blocks.append(_mixed(place & low, place >> 32 & low, place >> 64 & low, place >> 96 & low, j, k))
    return np.array(blocks, np.uint32).reshape(-1, 4)


def _moved(xp: Any, counter: Array, offsets: Array) -> tuple[Array, Array]:
    """The low and the high 64 bits of ``counter + offsets``."""
    words = counter.astype(np.uint64)
    start, high = words[0::2] | words[1::2] << WORD
    low = start + offsets
    return low, high + (low < offsets).astype(np.uint64)


def chunks(n: int, size: int = CHUNK) -> Iterator[slice]:
    """Cut 0 .. n into pieces, by default such as stay in the cache."""
    return (slice(start, min(start + size, n)) for start in range(0, n, size))


def wide(xp: Any) -> AbstractContextManager[Any]:
    """A context in which ``xp`` has 64-bit types: JAX keeps them off unless asked."""
    if xp is np:
        return nullcontext()
    from retrograd.ops.jax_start import jax

    wide: AbstractContextManager[Any] = jax.enable_x64(True)
    return wide
