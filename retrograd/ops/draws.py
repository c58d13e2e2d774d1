"""Numbers made of the words of a stream: uniforms, normals, integers, classes, shuffled rows.

How they lie in a stream, and what a run reserves of it, is TensorFlow 1.15.5's on a CPU.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from retrograd.ops import large_draws, libm
from retrograd.ops.philox import (
    BLOCKS_PER_OUTPUT,
    CHUNK,
    FEW,
    WORD,
    Array,
    chunks,
    few_blocks,
    first_blocks,
    philox_at,
    philox_blocks,
    wide,
)  # fmt: skip

Draw = Callable[[Any, Array], Array]  # blocks (..., 4) of words -> values (..., values per block)

_MANTISSA_BITS = {"bfloat16": 7, "float16": 10, "float32": 23}
_TRADES = 1 << 14  # rows that are shuffled at a time
_GROUPS = 1 << 20  # of truncated normals that are looked at together


def blocks_per_fill(n_outputs: int) -> int:
    """What uniforms, integers, normals, truncated normals, gammas and Poissons reserve: 256 an output."""
    return BLOCKS_PER_OUTPUT * n_outputs


def blocks_per_shuffle(n_rows: int) -> int:
    """What a shuffle reserves: one word for each row but the last, in whole blocks."""
    return -(-max(n_rows - 1, 0) // 4)


def blocks_per_multinomial(batch: int, n_samples: int) -> int:
    """What a multinomial reserves: two words a sample, each row's samples rounded up to four."""
    return BLOCKS_PER_OUTPUT * 2 * batch * (-(-n_samples // 4) * 4)


def uniform(xp: Any, key: Array, counter: Array, shape: tuple[int, ...], dtype: DTypeLike) -> Array:
    """Uniform on [0, 1): the low m bits of a word over 2^m, m the bits of ``dtype``'s mantissa.

    float64 takes 20 bits of one word and then the whole of the next.
    """
    draw, per_block = uniforms_of(np.dtype(dtype))
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
    draw, per_block = normals_of(np.dtype(dtype))
    return _fill(xp, key, counter, shape, np.dtype(dtype), draw, per_block)


def truncated_normal(xp: Any, key: Array, counter: Array, shape: tuple[int, ...], dtype: DTypeLike) -> Array:
    """Standard normal within two deviations: of a stream of normals, those with |x| < 2.

    Outputs come in groups of four (float64: two). Group g keeps the first that fit among the normals
    drawn from where its outputs' reserved blocks begin, 256 g (float64: 128 g) blocks on.
    """
    dtype = np.dtype(dtype)
    draw, per_group = normals_of(dtype)
    n_outputs = math.prod(shape)
    n_groups = -(-n_outputs // per_group)
    spacing = np.uint64(BLOCKS_PER_OUTPUT * per_group // 4)
    with wide(xp):
        starts = xp.arange(n_groups, dtype=np.uint64)[:, None] * spacing
        empty = xp.zeros((n_groups, per_group), np.promote_types(np.float32, dtype))

        made, size = _made_of(draw, n_groups) if xp is np else (lambda *at: draw(xp, philox_at(xp, *at)), 0)

        def normals(places: Array) -> Array:
            """What the blocks at ``places`` (groups, blocks) hold for each group."""
            if xp is not np or places.size <= size:
                return made(key, counter, places.reshape(-1)).reshape(len(places), -1)
            pieces = [made(key, counter, places.reshape(-1)[part]) for part in chunks(places.size, size)]
            return np.concatenate(pieces).reshape(len(places), -1)

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
    with wide(xp):
        cumulated = _cumulated(xp, logits)
        wanted = uniform(xp, key, counter, (len(cumulated), n_samples), np.float64) * cumulated[:, -1:]
        if xp is not np:
            from retrograd.ops.jax_start import jax

            found = jax.vmap(lambda row, x: xp.searchsorted(row, x, side="right"))(cumulated, wanted)
            return found.astype(dtype)
    classes = np.empty(wanted.shape, dtype)
    for i, row in enumerate(cumulated):
        classes[i] = np.searchsorted(row, wanted[i], side="right")
    return classes


def multinomial_by_seed(seeds: NDArray[Any], logits: NDArray[Any], dtype: DTypeLike) -> Array:
    """One class of the only row of ``logits`` for each row of ``seeds``: the first of its stateless stream."""
    (cumulated,) = _cumulated(np, logits)
    wanted = uniforms64(np, first_blocks(seeds)[:, :2])[:, 0] * cumulated[-1]
    return np.searchsorted(cumulated, wanted, side="right").astype(dtype)


def _cumulated(xp: Any, logits: Array) -> Array:
    """The sums of the weights of all classes up to each."""
    logits = xp.asarray(logits).astype(np.float64)
    finite = xp.isfinite(logits)
    top = xp.max(logits, axis=1, keepdims=True, where=finite, initial=np.finfo(np.float64).min)
    return xp.cumsum(xp.where(finite, xp.exp(xp.where(finite, logits, top) - top), 0.0), axis=1)


def blocks_of_uniforms(key: Array, counter: Array, first: int, count: int) -> Array:
    """The two float64 uniforms of each of ``count`` blocks, from the ``first`` behind ``counter`` on."""
    return uniforms64(np, philox_at(np, key, counter, np.arange(first, first + count, dtype=np.uint64)))


# --- for many at once -----------------------------------------------------------------------------


def rows_of_uniforms(key: Array, counter: Array, count: int, shape: tuple[int, ...], dtype: DTypeLike) -> Array:
    """What ``count`` runs of ``uniform``, one after the other, give, as rows."""
    return _fill_rows(key, counter, count, shape, np.dtype(dtype), *uniforms_of(np.dtype(dtype)))


def rows_of_normals(key: Array, counter: Array, count: int, shape: tuple[int, ...], dtype: DTypeLike) -> Array:
    """What ``count`` runs of ``normal``, one after the other, give, as rows."""
    return _fill_rows(key, counter, count, shape, np.dtype(dtype), *normals_of(np.dtype(dtype)))


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
    for part in chunks(count * n_blocks):
        row, block = np.divmod(np.arange(part.start, part.stop, dtype=np.uint64), np.uint64(max(n_blocks, 1)))
        values[part] = draw(np, philox_at(np, key, counter, row * np.uint64(spacing) + block))
    return values.reshape(count, n_blocks * per_block)[:, :n_outputs].reshape(count, *shape)


# --- from words to values -------------------------------------------------------------------------


@lru_cache(16)
def uniforms_of(dtype: np.dtype[Any]) -> tuple[Draw, int]:
    """The uniform draw of a float type, and how many values it makes of a block."""
    if dtype == np.float64:
        return uniforms64, 2
    bits = _MANTISSA_BITS[dtype.name]
    return lambda xp, blocks: uniforms32(xp, blocks, bits), 4


def _integers_of(dtype: np.dtype[Any], minval: Array, maxval: Array) -> tuple[Draw, int]:
    """The draw of integers of [minval, maxval), and how many it makes of a block."""
    wide = dtype.itemsize == 8
    unsigned: type[np.unsignedinteger[Any]] = np.uint64 if wide else np.uint32

    def draw(xp: Any, blocks: Array) -> Array:
        low, high = (xp.asarray(n).reshape(1).astype(dtype).astype(unsigned) for n in (minval, maxval))
        words = blocks.astype(unsigned)
        bits = words[:, 0::2] | words[:, 1::2] << WORD if wide else words
        return (low + bits % (high - low)).astype(dtype)

    return draw, 2 if wide else 4


def normals_of(dtype: np.dtype[Any]) -> tuple[Draw, int]:
    """The normal draw of a float type, and how many values it makes of a block."""
    return (_normals64, 2) if dtype == np.float64 else (_normals32, 4)


def uniforms32(xp: Any, words: Array, bits: int = 23) -> Array:
    """float32 uniforms: the words' low ``bits`` over 2^bits."""
    mantissa = (words & np.uint32(2**bits - 1)).view(np.int32)  # signed: converts faster
    return mantissa.astype(np.float32) * np.float32(2.0**-bits)


def uniforms64(xp: Any, blocks: Array) -> Array:
    """float64 uniforms: of each two words, 20 bits of the first and all of the second, over 2^52."""
    high = (blocks[..., 0::2] & np.uint32(0xFFFFF)).astype(np.float64)
    return high * 2.0**-20 + blocks[..., 1::2].astype(np.float64) * 2.0**-52


def _normals32(xp: Any, blocks: Array) -> Array:
    """float32 normals, two of each two words."""
    u = xp.maximum(uniforms32(xp, blocks[..., 0::2]), np.float32(1e-7))
    v = uniforms32(xp, blocks[..., 1::2])
    angle = (v.astype(np.float64) * (2.0 * math.pi)).astype(np.float32)
    # The square root of a float32, taken in float64 and rounded, is the correctly rounded one anywhere.
    radius = xp.sqrt((np.float32(-2) * libm.logf(xp, u)).astype(np.float64)).astype(np.float32)
    sine, cosine = libm.sincosf(xp, angle)
    return xp.stack([sine * radius, cosine * radius], axis=-1).reshape(blocks.shape)


def _normals64(xp: Any, blocks: Array) -> Array:
    """float64 normals, two of each four words."""
    u, v = (uniforms64(xp, blocks[..., half])[..., 0] for half in (slice(0, 2), slice(2, 4)))
    u, angle = xp.maximum(u, 1e-7), v * (2.0 * math.pi)
    if xp is np:
        log, sine, cosine = libm.each(math.log, u), libm.each(math.sin, angle), libm.each(math.cos, angle)
    else:
        log, sine, cosine = xp.log(u), xp.sin(angle), xp.cos(angle)
    radius = xp.sqrt(-2.0 * log)
    return xp.stack([sine * radius, cosine * radius], axis=-1)


_SECONDS = {uniforms_of(np.dtype(np.float32))[0]: 27e-9, _normals32: 75e-9}  # of a block; float64 normals differ


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
    with wide(xp):
        if xp is not np:
            values = draw(xp, philox_blocks(xp, key, counter, n_blocks)).astype(dtype)
            return values.reshape(-1)[:n_outputs].reshape(shape)
        if n_blocks <= FEW:
            few = draw(np, few_blocks(key, counter, range(n_blocks))).astype(dtype, copy=False)
            return few.reshape(-1)[:n_outputs].reshape(shape)
        values = np.empty((n_blocks, per_block), dtype)
        made, size = _made_of(draw, n_blocks)
        for part in chunks(n_blocks, size):
            values[part] = made(key, counter, np.arange(part.start, part.stop, dtype=np.uint64))
        return values.reshape(-1)[:n_outputs].reshape(shape)


def _made_of(draw: Draw, n_blocks: int) -> tuple[Callable[[Array, Array, Array], Array], int]:
    """What makes NumPy's arrays of ``n_blocks`` at a counter and offsets, and how many at a time it is best given."""
    if large_draws.is_worth(n_blocks, _SECONDS.get(draw, 0.0)):
        return partial(large_draws.drawn, draw), large_draws.BLOCKS
    return lambda key, counter, offsets: draw(np, philox_at(np, key, counter, offsets)), CHUNK


def _keep_with_numpy(normals: Callable[[Array], Array], starts: Array, values: Array) -> Array:
    """Fill each row with the first normals from its start on with |x| < 2; redraw more where they lack."""
    per_group = values.shape[1]
    all_kept = np.ones(per_group, bool).view(f"u{per_group}")
    for part in chunks(len(starts), _GROUPS):
        values[part] = x = normals(starts[part])
        pending = part.start + np.flatnonzero((np.abs(x) < 2).view(all_kept.dtype) != all_kept)
        x, n_blocks = values[pending], 1
        while pending.size:
            more = normals(starts[pending] + np.arange(n_blocks, 2 * n_blocks, dtype=np.uint64))
            x, n_blocks = np.concatenate([x, more], axis=1), 2 * n_blocks
            kept = np.abs(x) < 2
            rank = kept.cumsum(axis=1)
            done = rank[:, -1] >= per_group
            first = (kept & (rank <= per_group))[done]
            values[pending[done]] = x[done][first].reshape(-1, per_group)
            pending, x = pending[~done], x[~done]
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
