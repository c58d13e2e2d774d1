"""Numbers drawn by rejection: gammas, Poissons, normals between bounds.

An output takes from a stream as much as it happens to need, so each reads it from a place of its own.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from retrograd.ops import libm
from retrograd.ops.draws import normals_of, uniforms64, uniforms_of
from retrograd.ops.philox import BLOCKS_PER_OUTPUT, chunks, philox_at

_AT_ONCE = 2  # blocks that an output takes before the outputs are chosen that need more

_Read = Callable[[NDArray[np.int64]], NDArray[np.float64]]


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
    for part in chunks(alphas.size):
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
    for part in chunks(rates.size):
        some, read = rates[part], _Readers(key, counter, part)
        _count_products(values[part], some, np.flatnonzero(some < 10), read)
        pending = np.flatnonzero((some >= 10) & (some < np.inf))
        _reject_transformed(values[part], some, pending, read.by(_uniform64))
    return _samples_first(values, shape, rate.shape).astype(dtype)


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
    normals, per_block = normals_of(dtype)
    uniforms, _ = uniforms_of(dtype)
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


class _Readers:
    """A place in the stream for each of some outputs, 256 blocks apart."""

    def __init__(self, key: NDArray[np.uint32], counter: NDArray[np.uint32], outputs: slice):
        self.key, self.counter = key, counter
        self.place = np.arange(outputs.start, outputs.stop, dtype=np.uint64) * np.uint64(BLOCKS_PER_OUTPUT)

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


def _uniform64(blocks: NDArray[np.uint32], which: int) -> NDArray[np.float64]:
    """The first or the second float64 uniform of each block."""
    return uniforms64(np, blocks[:, 2 * which : 2 * which + 2])[:, 0]  # type: ignore[no-any-return]


def _normal64(blocks: NDArray[np.uint32], which: int) -> NDArray[np.float64]:
    """The first or the second float64 normal of each block."""
    u, angle = np.maximum(_uniform64(blocks, 0), 1e-7), _uniform64(blocks, 1) * (2.0 * math.pi)
    result: NDArray[np.float64] = libm.each((math.sin, math.cos)[which], angle)
    result *= np.sqrt(-2.0 * libm.each(math.log, u))
    return result
