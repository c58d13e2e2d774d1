"""TensorFlow 1.15's random streams: Philox4x32-10 and the distributions drawn from it.

A stream is a ``key`` (uint32, shape (2,)) and a ``counter`` (uint32, shape (4,), least significant
word first). Each counter value yields one *block* of four 32-bit words, so a stream can be read at
any place. An op run reads from its counter on and then moves it by the ``blocks_per_...`` of what it
drew, however little of that it used: this alone fixes what the next run of the same op yields.

    key, counter = seeded_stream(seed, seed2)
    values = uniform(np, key, counter, shape, np.float32)
    counter = advance(np, counter, blocks_per_fill(values.size))

Every function is pure. Those that take ``xp`` run with ``numpy`` and, traced or not, with
``jax.numpy``; 64-bit arithmetic is switched on for JAX inside them, whatever the process has set.

Sources: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (2011) for the
generator; TensorFlow 1.15.5 on CPU for seeds, layout and distributions, in ``tests/golden/philox.json``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from retrograd.ops import libm

Array = Any  # an array of the module ``xp``
Draw = Callable[[Any, Array], Array]  # blocks (..., 4) of words -> values (..., values per block)

DEFAULT_GRAPH_SEED = 87654321
LARGEST_SEED = 2**31 - 1

_ROUNDS = 10
_M, _N = 0xD2511F53, 0xCD9E8D57
_W, _V = 0x9E3779B9, 0xBB67AE85
_MULTIPLIERS = np.array([[_M], [_N]], np.uint64)
_KEY_STEPS = np.array([[[_W * i], [_V * i]] for i in range(_ROUNDS)], np.uint64)
_LOW_WORD = np.uint64(0xFFFFFFFF)
_WORD = np.uint64(32)
_STATELESS_KEY = np.array([0x3EC8F720, 0x02461E29], np.uint32)

_BLOCKS_PER_OUTPUT = 256  # what a run reserves for each output, and where the next output's draws begin
_MANTISSA_BITS = {"bfloat16": 7, "float16": 10, "float32": 23}

_FEW = 8  # blocks that Python's own integers make sooner than NumPy's calls
_MANY = 1024  # blocks that XLA makes sooner in a computation of their own
_TRADES = 1 << 14  # rows that are shuffled at a time
_CHUNK = 8192  # blocks that NumPy works on at a time: its temporaries stay in the cache


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
    with _wide(xp):
        halves = xp.asarray(seed).astype(np.int64).astype(np.uint64)
        counter = xp.stack([halves & _LOW_WORD, halves >> _WORD], axis=1).reshape(4).astype(np.uint32)
        mix = philox_blocks(xp, xp.asarray(_STATELESS_KEY), counter, 1)[0]
        return mix[:2], xp.concatenate([xp.zeros(2, np.uint32), mix[2:]])


def advance(xp: Any, counter: Array, n_blocks: int) -> Array:
    """The 128-bit sum ``counter + n_blocks``."""
    if xp is np:
        place = int.from_bytes(counter.astype("<u4").tobytes(), "little") + n_blocks
        return np.frombuffer((place % 2**128).to_bytes(16, "little"), "<u4").astype(np.uint32)
    with _wide(xp):
        low, high = _moved(xp, counter, xp.asarray([n_blocks]).astype(np.uint64))
        return xp.concatenate([low & _LOW_WORD, low >> _WORD, high & _LOW_WORD, high >> _WORD]).astype(np.uint32)


def blocks_per_fill(n_outputs: int) -> int:
    """What uniforms, integers, normals, truncated normals, gammas and Poissons reserve: 256 an output."""
    return _BLOCKS_PER_OUTPUT * n_outputs


def blocks_per_shuffle(n_rows: int) -> int:
    """What a shuffle reserves: one word for each row but the last, in whole blocks."""
    return -(-max(n_rows - 1, 0) // 4)


def blocks_per_multinomial(batch: int, n_samples: int) -> int:
    """What a multinomial reserves: two words a sample, each row's samples rounded up to four."""
    return _BLOCKS_PER_OUTPUT * 2 * batch * (-(-n_samples // 4) * 4)


def philox_blocks(xp: Any, key: Array, counter: Array, n_blocks: int) -> Array:
    """The ``n_blocks`` blocks from ``counter`` on: uint32, shape (n_blocks, 4)."""
    with _wide(xp):
        if xp is not np:
            return philox_at(xp, key, counter, xp.arange(n_blocks, dtype=np.uint64))
        words = np.empty((n_blocks, 4), np.uint32)
        for part in _chunks(n_blocks):
            words[part] = philox_at(np, key, counter, np.arange(part.start, part.stop, dtype=np.uint64))
        return words


def philox_at(xp: Any, key: Array, counter: Array, offsets: Array) -> Array:
    """The blocks at ``counter + offsets`` (uint64, shape (n,)): uint32, shape (n, 4).

    A round takes the words (a, b, c, d) under the key (j, k) to (hi(Nc)^b^j, lo(Nc), hi(Ma)^d^k, lo(Ma))
    and the key to (j + W, k + V). The rows of ``even`` are a, c and those of ``odd`` b, d.
    """
    if xp is not np:
        return _blocks_by_xla(key, counter, offsets)
    if offsets.size <= _FEW:
        return _few_blocks(key, counter, offsets.tolist())
    low, high = _moved(np, counter, offsets)
    even = np.stack([low & _LOW_WORD, high & _LOW_WORD])
    odd = np.stack([low >> _WORD, high >> _WORD])
    products = np.empty_like(even)
    keys = key.astype(np.uint64)[:, None] + _KEY_STEPS & _LOW_WORD
    for round_key in keys:
        products = np.multiply(even, _MULTIPLIERS, out=products)[::-1]
        np.right_shift(products, _WORD, out=even)
        even ^= odd
        even ^= round_key
        even &= _LOW_WORD
        odd, products = products, odd  # their high words go with the next round's mask, or the cast
    even, odd = even.astype(np.uint32), odd.astype(np.uint32)
    return np.stack([even[0], odd[0], even[1], odd[1]], axis=-1)


def _blocks_by_xla(key: Array, counter: Array, offsets: Array) -> Array:
    from retrograd.ops.jax_start import jnp, lax

    with _wide(jnp):
        low, high = _moved(jnp, counter, offsets)
        j, k = (key[i].astype(np.uint64) for i in (0, 1))

        def halves() -> tuple[Array, Array]:
            a, b, c, d = _mixed(low & _LOW_WORD, low >> _WORD, high & _LOW_WORD, high >> _WORD, j, k)
            return a | b << _WORD, c | d << _WORD

        if offsets.size < _MANY:
            first, second = halves()
        else:
            # a condition that XLA does not know to hold lets both be computed by themselves: together with what
            # reads them, each word would go through the rounds of all, one after the other
            first, second = lax.cond((j & 1) + (j + 1 & 1) == 1, halves, lambda: (low, high))
        return lax.bitcast_convert_type(jnp.stack([first, second], axis=-1), np.uint32).reshape(-1, 4)


def _mixed(a: Array, b: Array, c: Array, d: Array, j: Array, k: Array) -> tuple[Array, Array, Array, Array]:
    """The words of blocks, integers of more than 32 bits, after all rounds under the key (j, k)."""
    low = 0xFFFFFFFF
    for _ in range(_ROUNDS):
        p, q = _M * a, _N * c
        a, b, c, d = q >> 32 ^ b ^ j, q & low, p >> 32 ^ d ^ k, p & low
        j, k = j + _W & low, k + _V & low
    return a, b, c, d


def _few_blocks(key: NDArray[np.uint32], counter: NDArray[np.uint32], offsets: Sequence[int]) -> NDArray[np.uint32]:
    """The same in Python's integers."""
    low, blocks = 0xFFFFFFFF, []
    start, (j, k) = int.from_bytes(counter.astype("<u4").tobytes(), "little"), key.tolist()
    for offset in offsets:
        place = start + offset
        blocks.append(_mixed(place & low, place >> 32 & low, place >> 64 & low, place >> 96 & low, j, k))
    return np.array(blocks, np.uint32).reshape(-1, 4)


def uniform(xp: Any, key: Array, counter: Array, shape: tuple[int, ...], dtype: DTypeLike) -> Array:
    """Uniform on [0, 1): the low m bits of a word over 2^m, m the bits of ``dtype``'s mantissa.

    float64 takes 20 bits of one word and then the whole of the next.
    """
    draw, per_block = _uniforms_of(np.dtype(dtype))
    return _fill(xp, key, counter, shape, np.dtype(dtype), draw, per_block)


def uniform_int(
    xp: Any,
    key: Array,
    counter: Array,
    shape: tuple[int, ...],
    dtype: DTypeLike,
    minval: Array,
    maxval: Array,
) -> Array:
    """Integers in [minval, maxval): minval + word mod (maxval - minval), int64 from two words, low first.

    The caller has checked that ``minval < maxval``.
    """
    draw, per_block = _integers_of(np.dtype(dtype), minval, maxval)
    return _fill(xp, key, counter, shape, np.dtype(dtype), draw, per_block)


def normal(xp: Any, key: Array, counter: Array, shape: tuple[int, ...], dtype: DTypeLike) -> Array:
    """Standard normal, by Box and Muller: r sin t, r cos t with r = sqrt(-2 log u), t = 2 pi v.

    u, v are successive uniforms, u no less than 1e-7; the narrow types round float32 values. With NumPy
    every bit is TensorFlow's. With JAX that holds for all but float64, whose log, sin and cos are XLA's.
    """
    draw, per_block = _normals_of(np.dtype(dtype))
    return _fill(xp, key, counter, shape, np.dtype(dtype), draw, per_block)


def truncated_normal(xp: Any, key: Array, counter: Array, shape: tuple[int, ...], dtype: DTypeLike) -> Array:
    """Standard normal within two deviations: of a stream of normals, those with |x| < 2.

    Outputs come in groups of four (float64: two). Group g keeps the first that fit among the normals
    drawn from where its outputs' reserved blocks begin, 256 g (float64: 128 g) blocks on.
    """
    dtype = np.dtype(dtype)
    draw, per_group = _normals_of(dtype)
    n_outputs = math.prod(shape)
    n_groups = -(-n_outputs // per_group)
    spacing = np.uint64(_BLOCKS_PER_OUTPUT * per_group // 4)
    with _wide(xp):
        starts = xp.arange(n_groups, dtype=np.uint64)[:, None] * spacing
        empty = xp.zeros((n_groups, per_group), np.promote_types(np.float32, dtype))

        def normals(places: Array) -> Array:
            """What the blocks at ``places`` (groups, blocks) hold for each group."""
            blocks = philox_at(xp, key, counter, places.reshape(-1))
            return draw(xp, blocks).reshape(len(places), -1)

        keep = _keep_with_numpy if xp is np else _keep_with_jax
        values = keep(normals, starts, empty)
        return values.reshape(-1)[:n_outputs].astype(dtype).reshape(shape)


def shuffled_rows(key: NDArray[np.uint32], counter: NDArray[np.uint32], n_rows: int) -> NDArray[np.int64]:
    """The rows 0 .. n_rows - 1 in shuffled order: row i trades places with row i + word_i mod (n - i)."""
    words = philox_blocks(np, key, counter, blocks_per_shuffle(n_rows)).reshape(-1)[: max(n_rows - 1, 0)]
    rows = np.arange(n_rows, dtype=np.int64)
    for first in range(0, words.size, _TRADES):
        part = words[first : first + _TRADES]
        _trade(rows[first:], part % np.arange(n_rows - first, n_rows - first - part.size, -1))
    return rows


def _trade(rows: NDArray[np.int64], distances: NDArray[np.int64]) -> None:
    """Row i trades places with row i + distances[i], one after the other: all at once.

    Nobody comes back to place i behind trade i. So trade i takes what the last trade before it left at
    its partner's place, and what lay there when there was none; and it leaves there what it found at i.
    """
    trades = np.arange(distances.size)
    partners = trades + distances
    giver = trades.copy()  # whose place in the beginning held what trade i finds at i
    near = (distances > 0) & (partners < trades.size)
    giver[partners[near]] = trades[near]  # of several the last one counts
    while True:
        further = giver[giver]
        if np.array_equal(further, giver):
            break
        giver = further
    found = rows[giver]
    by_partner = np.sort(partners * _TRADES + trades)
    order, places = by_partner % _TRADES, by_partner // _TRADES
    taken = rows[places]
    later = np.flatnonzero(places[1:] == places[:-1]) + 1
    taken[later] = found[order[later - 1]]
    rows[partners] = found
    rows[order] = taken


def multinomial(xp: Any, key: Array, counter: Array, logits: Array, n_samples: int, dtype: DTypeLike) -> Array:
    """``n_samples`` classes for each row of ``logits``: the first class whose cumulated weight exceeds u.

    The weights are exp(logit - largest finite logit), zero for a logit that is not finite, and u is a
    float64 uniform times their sum; a row of no finite logit yields the number of classes. The draws run
    on from row to row, as TensorFlow's do when one thread works off the batch (each of its threads starts
    anew at a place that depends on how many there are).
    """
    with _wide(xp):
        logits = xp.asarray(logits).astype(np.float64)
        finite = xp.isfinite(logits)
        top = xp.max(logits, axis=1, keepdims=True, where=finite, initial=np.finfo(np.float64).min)
        weights = xp.where(finite, xp.exp(xp.where(finite, logits, top) - top), 0.0)
        cumulated = xp.cumsum(weights, axis=1)
        wanted = uniform(xp, key, counter, (logits.shape[0], n_samples), np.float64) * cumulated[:, -1:]
        if xp is not np:
            from retrograd.ops.jax_start import jax

            found = jax.vmap(lambda row, x: xp.searchsorted(row, x, side="right"))(cumulated, wanted)
            return found.astype(dtype)
    classes = np.empty(wanted.shape, dtype)
    for i, row in enumerate(cumulated):
        classes[i] = np.searchsorted(row, wanted[i], side="right")
    return classes


def gamma(
    key: NDArray[np.uint32], counter: NDArray[np.uint32], shape: tuple[int, ...], alpha: NDArray[Any]
) -> NDArray[Any]:
    """Gamma(alpha, 1), shape ``shape + alpha.shape``, by Marsaglia and Tsang (2000), in float64.

    With d = a - 1/3, c = 1 / (3 sqrt(d)) and v = (1 + c x)^3, a normal x is accepted and yields d v if
    log u < x^2/2 + d (1 - v + log v). For alpha < 1, a = alpha + 1 and the result is times u^(1/alpha);
    alpha = 1 is exponential, -log(1 - u). Each output reads the stream from its own 256 blocks on. A negative
    or NaN alpha yields NaN.
    """
    alphas = alpha.astype(np.float64).repeat(math.prod(shape))
    values = np.empty(alphas.size)
    for part in _chunks(alphas.size):
        values[part] = _gammas(alphas[part], _Readers(key, counter, part))
    if alpha.dtype == np.float16:
        values = values.astype(np.float32).astype(np.float64)  # TensorFlow rounds twice
    return _samples_first(values, shape, alpha.shape).astype(alpha.dtype)


def _gammas(alphas: NDArray[np.float64], read: _Readers) -> NDArray[np.float64]:
    values, is_done = np.full(alphas.size, np.nan), np.zeros(alphas.size, bool)
    normals, uniforms = read.by(_normal64), read.by(_uniform64)

    exponential = np.flatnonzero(alphas == 1)
    values[exponential] = -libm.each(math.log, 1 - uniforms(exponential))

    pending = np.flatnonzero((alphas >= 0) & (alphas != 1))
    has_small = bool((alphas < 1).any())
    ds = alphas + np.where(alphas < 1, 2 / 3, -1 / 3) if has_small else alphas + -1 / 3
    cs = np.zeros(alphas.size)
    cs[pending] = (1 / 3) / np.sqrt(ds[pending])
    while pending.size:
        trying, x, d = pending, normals(pending), ds[pending]
        v = 1 + cs[pending] * x
        (trying, x, d, v) = _where(v > 0, trying, x, d, v)
        v, u, square = v * v * v, uniforms(trying), x * x
        accepted = u < 1 - 0.0331 * square * square
        unsure = np.flatnonzero(~accepted)
        w, u = v[unsure], u[unsure]
        with np.errstate(divide="ignore", invalid="ignore"):
            accepted[unsure] = np.log(u) < 0.5 * square[unsure] + d[unsure] * (1 - w + np.log(w))
        done, result = _where(accepted, trying, d * v)
        if has_small:
            small = alphas[done] < 1
            with np.errstate(divide="ignore"):
                power = 1 / alphas[done[small]]
            result[small] *= libm.each(math.pow, uniforms(done[small]), power)
        values[done] = result
        is_done[done] = True
        pending = pending[~is_done[pending]]
    return values


def _where(chosen: NDArray[np.bool_], *arrays: NDArray[Any]) -> tuple[NDArray[Any], ...]:
    """What is chosen of each array."""
    return arrays if chosen.all() else tuple(array[chosen] for array in arrays)


def poisson(
    key: NDArray[np.uint32],
    counter: NDArray[np.uint32],
    shape: tuple[int, ...],
    rate: NDArray[Any],
    dtype: DTypeLike,
) -> NDArray[Any]:
    """Poisson(rate), shape ``shape + rate.shape``, each output from its own 256 blocks on, in float64.

    Below a rate of 10 by Knuth: how many uniforms can be multiplied before exp(-rate) is reached. From
    there on by Hoermann's transformed rejection (1993). An infinite or NaN rate yields NaN.
    """
    rates = rate.astype(np.float64).repeat(math.prod(shape))
    values = np.where(np.isfinite(rates), 0.0, np.nan)
    for part in _chunks(rates.size):
        some, read = rates[part], _Readers(key, counter, part)
        _count_products(values[part], some, np.flatnonzero(some < 10), read)
        pending = np.flatnonzero((some >= 10) & (some < np.inf))
        _reject_transformed(values[part], some, pending, read.by(_uniform64))
    return _samples_first(values, shape, rate.shape).astype(dtype)


def blocks_of_uniforms(key: Array, counter: Array, first: int, count: int) -> Array:
    """The two float64 uniforms of each of ``count`` blocks, from the ``first`` behind ``counter`` on."""
    return _uniforms64(np, philox_at(np, key, counter, np.arange(first, first + count, dtype=np.uint64)))


def _count_products(
    values: NDArray[np.float64],
    rates: NDArray[np.float64],
    pending: NDArray[np.int64],
    read: _Readers,
) -> None:
    """values[i] = the number of leading products u_1 ... u_k that stay above exp(-rate)."""
    with np.errstate(over="ignore"):
        least = np.exp(-rates[pending])
    product: NDArray[np.float64] = np.ones(pending.size)
    count = np.zeros(pending.size)
    while pending.size:
        blocks = read.next(pending, _AT_ONCE).reshape(-1, 4)
        first, second = (_uniform64(blocks, which).reshape(-1, _AT_ONCE) for which in (0, 1))
        for i in range(_AT_ONCE):
            for uniform in (second, first):
                product *= uniform[:, i]
                count += product > least
        values[pending] = count
        left = product > least
        pending, product, least, count = pending[left], product[left], least[left], count[left]


_AT_ONCE = 2  # blocks that an output takes before the outputs are chosen that need more


def _reject_transformed(
    values: NDArray[np.float64],
    rates: NDArray[np.float64],
    pending: NDArray[np.int64],
    uniforms: _Read,
) -> None:
    """Hoermann's PTRS: k = floor((2a / (1/2 - |u|) + b) u + rate + 0.43), with u on [-1/2, 1/2)."""
    while pending.size:
        rate = rates[pending]
        b = 0.931 + 2.53 * np.sqrt(rate)
        a = -0.059 + 0.02483 * b
        u, v = uniforms(pending) - 0.5, uniforms(pending)
        margin = 0.5 - np.abs(u)
        with np.errstate(all="ignore"):
            k = np.floor((2 * a / margin + b) * u + rate + 0.43)
            inside = (margin >= 0.07) & (v <= 0.9277 - 3.6224 / (b - 2))
            outside = (k < 0) | ((margin < 0.013) & (v > margin))
            height = np.log(v * (1.1239 + 1.1328 / (b - 3.4)) / (a / (margin * margin) + b))
        unsure = np.flatnonzero(~inside & ~outside)
        log_factorial = libm.each(math.lgamma, k[unsure] + 1)
        inside[unsure] = height[unsure] <= k[unsure] * np.log(rate[unsure]) - rate[unsure] - log_factorial
        values[pending[inside]] = k[inside]
        pending = pending[~inside]


def parameterized_truncated_normal(
    key: NDArray[np.uint32],
    counter: NDArray[np.uint32],
    shape: tuple[int, ...],
    mean: NDArray[Any],
    stddev: NDArray[Any],
    minval: NDArray[Any],
    maxval: NDArray[Any],
) -> NDArray[Any]:
    """Normal(mean, stddev) within [minval, maxval], by rejection; parameters are scalars or one a batch.

    A batch is a row of ``shape``, or a hundred outputs where all parameters are scalars. Batch follows
    batch in the stream, as with one thread. NaN stands where TensorFlow fails: after 1000 rejections in a
    row. The caller has checked that stddev > 0, minval < maxval, and one of these is finite.
    """
    n_outputs, batches = math.prod(shape), _parameter_batches(shape, mean, stddev, minval, maxval)
    values = np.full(n_outputs, np.nan, mean.dtype)
    place = 0
    for batch in range(batches[0]):
        part = values[batch * batches[1] : (batch + 1) * batches[1]]
        m, s, low, high = (p.ravel()[batch if p.size > 1 else 0] for p in (mean, stddev, minval, maxval))
        if low == -np.inf or high < m:
            s, low, high = -s, high, low
        propose, n_blocks, n_proposed = _proposals((low - m) / s, (high - m) / s)
        n_rounds = part.size // n_proposed + 1
        while True:
            offsets = place + np.arange(n_rounds * n_blocks, dtype=np.uint64)
            z, accepted = (a.ravel() for a in propose(philox_at(np, key, counter, offsets)))
            hits = np.flatnonzero(accepted)[: part.size]
            if hits.size == part.size or n_rounds > 1000 * part.size:
                break
            n_rounds *= 2
        part[: hits.size] = z[hits] * s + m
        place += n_blocks * (int(hits[-1] if hits.size else 0) // n_proposed + 1)
    return values.reshape(shape)


def blocks_per_parameterized(
    shape: tuple[int, ...],
    mean: NDArray[Any],
    stddev: NDArray[Any],
    minval: NDArray[Any],
    maxval: NDArray[Any],
) -> int:
    """What a parameterized truncated normal reserves: 2000 words an output, three more outputs a batch."""
    n_batches, per_batch = _parameter_batches(shape, mean, stddev, minval, maxval)
    return n_batches * 2000 * (per_batch + 3) // 4


def _parameter_batches(shape: tuple[int, ...], *parameters: NDArray[Any]) -> tuple[int, int]:
    """How many batches share their parameters, and the outputs of each: a hundred if all are alike."""
    mean, stddev, minval, maxval = parameters
    if mean.size == stddev.size == 1 and minval.ndim == maxval.ndim == 0:
        return -(-math.prod(shape) // 100), 100
    return shape[0], math.prod(shape[1:])


def _proposals(low: Any, high: Any) -> tuple[Callable[[NDArray[np.uint32]], tuple[Any, Any]], int, int]:
    """How to propose a normal in [low, high]: blocks -> (values, accepted), blocks and values a round.

    Robert, "Simulation of truncated normal variables" (1995): propose normals where the bounds leave
    enough of them, else uniforms where the interval is short, else exponentials.
    """
    dtype = np.dtype(type(low))
    normals, per_block = _normals_of(dtype)
    uniforms, _ = _uniforms_of(dtype)
    root = np.sqrt(low * low + 4)
    short = 2 * np.exp(0.5 + (low * (low - root)) / 4) / (low + root)
    alpha = (low + root) / 2

    def propose_normal(blocks: NDArray[np.uint32]) -> tuple[Any, Any]:
        z = normals(np, blocks).astype(dtype)
        return z, (z >= low) & (z <= high)

    def propose_uniform(blocks: NDArray[np.uint32]) -> tuple[Any, Any]:
        u, v = (uniforms(np, blocks[i::2]).astype(dtype) for i in (0, 1))
        z = u * (high - low) + low
        return z, v <= np.exp(((0 if low < 0 else low * low) - z * z) / 2)

    def propose_exponential(blocks: NDArray[np.uint32]) -> tuple[Any, Any]:
        u = uniforms(np, blocks).astype(dtype)
        z = -_log_of_uniform(u[:, 0::2]) / alpha + low
        x = alpha - z if low < alpha else low - alpha
        return z, (u[:, 1::2] <= np.exp(-x * x / 2)) & (z < high)

    if (low < -1.3 and high >= 0) or (high > 1.3 and low <= 0):
        return propose_normal, 1, per_block
    if high - low < short:
        return propose_uniform, 2, per_block
    return propose_exponential, 1, per_block // 2


def _log_of_uniform(u: NDArray[Any]) -> NDArray[Any]:
    """log(u), rounded as the C library does; -inf at 0."""
    safe = np.where(u > 0, u, 0.5)
    log = libm.each(math.log, safe) if u.dtype == np.float64 else libm.logf(np, safe.astype(np.float32))
    result: NDArray[Any] = np.where(u > 0, log, -np.inf).astype(u.dtype)
    return result


_Read = Callable[[NDArray[np.int64]], NDArray[np.float64]]


class _Readers:
    """A place in the stream for each of some outputs, 256 blocks apart."""

    def __init__(self, key: NDArray[np.uint32], counter: NDArray[np.uint32], outputs: slice):
        self.key, self.counter = key, counter
        self.place = np.arange(outputs.start, outputs.stop, dtype=np.uint64) * np.uint64(_BLOCKS_PER_OUTPUT)

    def next(self, outputs: NDArray[np.int64], count: int) -> NDArray[np.uint32]:
        """The next ``count`` blocks of each output: (outputs, count, 4)."""
        places: NDArray[np.uint64] = self.place if outputs.size == self.place.size else self.place[outputs]
        if count > 1:
            places = np.add(places[:, None], np.arange(count, dtype=np.uint64), dtype=np.uint64)
        blocks = philox_at(np, self.key, self.counter, places.reshape(-1))
        self.place[outputs] += np.uint64(count)
        return blocks.reshape(-1, count, 4)

    def by(self, draw: Callable[[NDArray[np.uint32], int], NDArray[np.float64]]) -> _Read:
        """A function that yields the next value of each output it is given: ``draw(blocks, which)`` of a block's two.

        The second is handed out first, and the first when the output is given again.
        """
        kept = np.empty((self.place.size, 4), np.uint32)
        is_left = np.zeros(self.place.size, bool)

        def read(outputs: NDArray[np.int64]) -> NDArray[np.float64]:
            nonlocal kept
            has = is_left[outputs]
            if not has.any():
                blocks = self.next(outputs, 1)[:, 0]
                if outputs.size == len(kept):
                    kept = blocks
                else:
                    kept[outputs] = blocks
                is_left[outputs] = True
                return draw(blocks, 1)
            if has.all():
                is_left[outputs] = False
                return draw(kept[outputs], 0)
            values = np.empty(outputs.size)
            values[has], values[~has] = read(outputs[has]), read(outputs[~has])
            return values

        return read


def _samples_first(
    values: NDArray[np.float64], shape: tuple[int, ...], parameters: tuple[int, ...]
) -> NDArray[np.float64]:
    """Reorder values drawn parameter by parameter to the output's shape, ``shape + parameters``."""
    return values.reshape(math.prod(parameters), math.prod(shape)).T.reshape(shape + parameters)


# --- for many at once -----------------------------------------------------------------------------


def rows_of_uniforms(key: Array, counter: Array, count: int, shape: tuple[int, ...], dtype: DTypeLike) -> Array:
    """What ``count`` runs of ``uniform``, one after the other, give, as rows."""
    return _fill_rows(key, counter, count, shape, np.dtype(dtype), *_uniforms_of(np.dtype(dtype)))


def rows_of_normals(key: Array, counter: Array, count: int, shape: tuple[int, ...], dtype: DTypeLike) -> Array:
    """What ``count`` runs of ``normal``, one after the other, give, as rows."""
    return _fill_rows(key, counter, count, shape, np.dtype(dtype), *_normals_of(np.dtype(dtype)))


def rows_of_integers(
    key: Array, counter: Array, count: int, shape: tuple[int, ...], dtype: DTypeLike, minval: Array, maxval: Array
) -> Array:
    """What ``count`` runs of ``uniform_int``, one after the other, give, as rows."""
    draw, per_block = _integers_of(np.dtype(dtype), minval, maxval)
    return _fill_rows(key, counter, count, shape, np.dtype(dtype), draw, per_block)


def _fill_rows(
    key: Array, counter: Array, count: int, shape: tuple[int, ...], dtype: np.dtype[Any], draw: Draw, per_block: int
) -> Array:
    """Rows of ``shape``, each filled from where the blocks begin that it reserves."""
    n_outputs = math.prod(shape)
    spacing, n_blocks = blocks_per_fill(n_outputs), -(-n_outputs // per_block)
    values = np.empty((count * n_blocks, per_block), dtype)
    for part in _chunks(count * n_blocks):
        row, block = np.divmod(np.arange(part.start, part.stop, dtype=np.uint64), np.uint64(max(n_blocks, 1)))
        values[part] = draw(np, philox_at(np, key, counter, row * np.uint64(spacing) + block))
    return values.reshape(count, n_blocks * per_block)[:, :n_outputs].reshape(count, *shape)


# --- from words to values -------------------------------------------------------------------------


@lru_cache(16)
def _uniforms_of(dtype: np.dtype[Any]) -> tuple[Draw, int]:
    """The uniform draw of a float type, and how many values it makes of a block."""
    if dtype == np.float64:
        return _uniforms64, 2
    bits = _MANTISSA_BITS[dtype.name]
    return lambda xp, blocks: _uniforms32(xp, blocks, bits), 4


def _integers_of(dtype: np.dtype[Any], minval: Array, maxval: Array) -> tuple[Draw, int]:
    """The draw of integers of [minval, maxval), and how many it makes of a block."""
    wide = dtype.itemsize == 8
    unsigned: type[np.unsignedinteger[Any]] = np.uint64 if wide else np.uint32

    def draw(xp: Any, blocks: Array) -> Array:
        low, high = (xp.asarray(n).reshape(1).astype(dtype).astype(unsigned) for n in (minval, maxval))
        words = blocks.astype(unsigned)
        bits = words[:, 0::2] | words[:, 1::2] << _WORD if wide else words
        return (low + bits % (high - low)).astype(dtype)

    return draw, 2 if wide else 4


def _normals_of(dtype: np.dtype[Any]) -> tuple[Draw, int]:
    """The normal draw of a float type, and how many values it makes of a block."""
    return (_normals64, 2) if dtype == np.float64 else (_normals32, 4)


def _uniforms32(xp: Any, words: Array, bits: int = 23) -> Array:
    """float32 uniforms: the words' low ``bits`` over 2^bits."""
    mantissa = (words & np.uint32(2**bits - 1)).view(np.int32)  # signed: converts faster
    return mantissa.astype(np.float32) * np.float32(2.0**-bits)


def _uniforms64(xp: Any, blocks: Array) -> Array:
    """float64 uniforms: of each two words, 20 bits of the first and all of the second, over 2^52."""
    high = (blocks[..., 0::2] & np.uint32(0xFFFFF)).astype(np.float64)
    return high * 2.0**-20 + blocks[..., 1::2].astype(np.float64) * 2.0**-52


def _normals32(xp: Any, blocks: Array) -> Array:
    """float32 normals, two of each two words."""
    u = xp.maximum(_uniforms32(xp, blocks[..., 0::2]), np.float32(1e-7))
    v = _uniforms32(xp, blocks[..., 1::2])
    angle = (v.astype(np.float64) * (2.0 * math.pi)).astype(np.float32)
    # The square root of a float32, taken in float64 and rounded, is the correctly rounded one anywhere.
    radius = xp.sqrt((np.float32(-2) * libm.logf(xp, u)).astype(np.float64)).astype(np.float32)
    sine, cosine = libm.sincosf(xp, angle)
    return xp.stack([sine * radius, cosine * radius], axis=-1).reshape(blocks.shape)


def _uniform64(blocks: NDArray[np.uint32], which: int) -> NDArray[np.float64]:
    """The first or the second float64 uniform of each block."""
    return _uniforms64(np, blocks[:, 2 * which : 2 * which + 2])[:, 0]  # type: ignore[no-any-return]


def _normal64(blocks: NDArray[np.uint32], which: int) -> NDArray[np.float64]:
    """The first or the second float64 normal of each block."""
    u, angle = np.maximum(_uniform64(blocks, 0), 1e-7), _uniform64(blocks, 1) * (2.0 * math.pi)
    result: NDArray[np.float64] = libm.each((math.sin, math.cos)[which], angle)
    result *= np.sqrt(-2.0 * libm.each(math.log, u))
    return result


def _normals64(xp: Any, blocks: Array) -> Array:
    """float64 normals, two of each four words."""
    u, v = (_uniforms64(xp, blocks[..., half])[..., 0] for half in (slice(0, 2), slice(2, 4)))
    u, angle = xp.maximum(u, 1e-7), v * (2.0 * math.pi)
    if xp is np:
        log, sine, cosine = libm.each(math.log, u), libm.each(math.sin, angle), libm.each(math.cos, angle)
    else:
        log, sine, cosine = xp.log(u), xp.sin(angle), xp.cos(angle)
    radius = xp.sqrt(-2.0 * log)
    return xp.stack([sine * radius, cosine * radius], axis=-1)


# --- filling ------------------------------------------------------------------------------------------


def _fill(
    xp: Any,
    key: Array,
    counter: Array,
    shape: tuple[int, ...],
    dtype: np.dtype[Any],
    draw: Draw,
    per_block: int,
) -> Array:
    """Fill ``shape`` in order with what ``draw`` makes of the blocks from ``counter`` on."""
    n_outputs = math.prod(shape)
    n_blocks = -(-n_outputs // per_block)
    with _wide(xp):
        if xp is not np:
            values = draw(xp, philox_blocks(xp, key, counter, n_blocks)).astype(dtype)
            return values.reshape(-1)[:n_outputs].reshape(shape)
        if n_blocks <= _FEW:
            few = draw(np, _few_blocks(key, counter, range(n_blocks))).astype(dtype, copy=False)
            return few.reshape(-1)[:n_outputs].reshape(shape)
        values = np.empty((n_blocks, per_block), dtype)
        for part in _chunks(n_blocks):
            offsets = np.arange(part.start, part.stop, dtype=np.uint64)
            values[part] = draw(np, philox_at(np, key, counter, offsets))
        return values.reshape(-1)[:n_outputs].reshape(shape)


def _keep_with_numpy(normals: Callable[[Array], Array], starts: Array, values: Array) -> Array:
    """Fill each row with the first normals from its start on with |x| < 2; redraw more where they lack."""
    n_groups, per_group = values.shape
    for part in _chunks(n_groups):
        values[part] = normals(starts[part])
        pending, n_blocks = part.start + np.flatnonzero(~(np.abs(values[part]) < 2).all(axis=1)), 2
        while pending.size:
            x = normals(starts[pending] + np.arange(n_blocks, dtype=np.uint64))
            kept = np.abs(x) < 2
            rank = kept.cumsum(axis=1)
            done = rank[:, -1] >= per_group
            first = (kept & (rank <= per_group))[done]
            values[pending[done]] = x[done][first].reshape(-1, per_group)
            pending, n_blocks = pending[~done], 2 * n_blocks
    return values


def _keep_with_jax(normals: Callable[[Array], Array], starts: Array, values: Array) -> Array:
    """The same in fixed shapes: block after block, until every row is full."""
    from retrograd.ops.jax_start import jax, jnp

    per_group = values.shape[1]

    def add_block(state: tuple[Array, Array, Array]) -> tuple[Array, Array, Array]:
        values, n_kept, place = state
        x = normals(place)
        kept = jnp.abs(x) < 2
        rank = n_kept + jnp.cumsum(kept, axis=1) - 1
        lands = kept[:, :, None] & (rank[:, :, None] == jnp.arange(per_group))
        values = values + jnp.sum(jnp.where(lands, x[:, :, None], 0), axis=1)
        return values, n_kept + jnp.sum(kept, axis=1, keepdims=True), place + np.uint64(1)

    start = values, jnp.zeros(starts.shape, np.int64), starts
    return jax.lax.while_loop(lambda state: jnp.any(state[1] < per_group), add_block, start)[0]


def _moved(xp: Any, counter: Array, offsets: Array) -> tuple[Array, Array]:
    """The low and the high 64 bits of ``counter + offsets``."""
    words = counter.astype(np.uint64)
    start, high = words[0::2] | words[1::2] << _WORD
    low = start + offsets
    return low, high + (low < offsets).astype(np.uint64)


def _chunks(n: int) -> Iterator[slice]:
    """Cut 0 .. n into pieces that stay in the cache."""
    return (slice(start, min(start + _CHUNK, n)) for start in range(0, n, _CHUNK))


def _wide(xp: Any) -> AbstractContextManager[Any]:
    """A context in which ``xp`` has 64-bit types: JAX keeps them off unless asked."""
    if xp is np:
        return nullcontext()
    from retrograd.ops.jax_start import jax

    wide: AbstractContextManager[Any] = jax.enable_x64(True)
    return wide
