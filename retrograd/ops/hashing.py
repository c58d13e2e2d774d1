"""The hash functions of TensorFlow's string ops, as numbers of 64 bits.

Sources: MurmurHash64A (Appleby, public domain), FarmHash's Fingerprint64 (Google, MIT licence), and
Aumasson and Bernstein, "SipHash: a fast short-input PRF" (2012).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

_MASK = 2**64 - 1


def _word(text: Any, at: Any, size: int = 8) -> Any:
    """The number in ``size`` bytes of a text, or of each of many."""
    if isinstance(text, _Texts):
        return text.words(at, size)
    return int.from_bytes(text[at : at + size], "little")


class _Texts:
    """Many texts in the place of one: what is computed of their words is an array of 64-bit numbers, which wrap."""

    def __init__(self, words: NDArray[np.uint64], starts: NDArray[np.int64], lengths: NDArray[np.uint64]) -> None:
        self._words, self._starts, self.lengths = words, starts, lengths

    @classmethod
    def of(cls, texts: Sequence[bytes]) -> _Texts:
        """Those of a list."""
        lengths = np.fromiter(map(len, texts), np.int64, len(texts))
        joined = b"".join([*texts, b"\0" * 8])
        words = np.ndarray((len(joined) - 7,), "<u8", joined, strides=(1,))
        return cls(words, np.cumsum(lengths) - lengths, lengths.astype(np.uint64))

    def some(self, at: NDArray[np.int64]) -> _Texts:
        """The texts with these numbers."""
        return _Texts(self._words, self._starts[at], self.lengths[at])

    def first(self, count: int) -> _Texts:
        """The first texts."""
        return _Texts(self._words, self._starts[:count], self.lengths[:count])

    def rest(self, n_words: NDArray[np.int64]) -> NDArray[np.uint64]:
        """What stands behind so many whole words of each text."""
        above = np.uint64(2**64 - 1) << np.uint64(8) * (self.lengths & np.uint64(7))
        return self.words(8 * n_words) & ~above

    def words(self, at: Any, size: int = 8) -> NDArray[np.uint64]:
        """The number in ``size`` bytes of each text."""
        found = self._words[self._starts + (at.astype(np.int64) if isinstance(at, np.ndarray) else at)]
        return found if size == 8 else found & np.uint64(2 ** (8 * size) - 1)


def _longest_first(texts: Sequence[bytes]) -> tuple[NDArray[np.int64], _Texts, NDArray[np.int64]]:
    """Where the texts stood, the texts, and how many whole words each has: the first of them have a k-th word."""
    order = np.argsort([-len(text) for text in texts], kind="stable")
    whole = _Texts.of(texts).some(order)
    return order, whole, (whole.lengths >> 3).astype(np.int64)


def _cut(x: Any) -> Any:
    """The low 64 bits: arrays have no others."""
    return x & _MASK if type(x) is int else x


def _rotated(x: Any, n: int) -> Any:
    """``x`` turned right by ``n`` bits."""
    x = _cut(x)
    return x >> n | _cut(x << (64 - n))


def murmur(text: bytes, seed: int = 0xDECAFCAFFE) -> int:
    """MurmurHash64A."""
    m = 0xC6A4A7935BD1E995
    h = seed ^ len(text) * m & _MASK
    n_whole = len(text) // 8 * 8
    for at in range(0, n_whole, 8):
        k = _word(text, at) * m & _MASK
        k = (k ^ k >> 47) * m & _MASK
        h = (h ^ k) * m & _MASK
    if n_whole < len(text):
        h = (h ^ _word(text, n_whole)) * m & _MASK
    h = (h ^ h >> 47) * m & _MASK
    return h ^ h >> 47


def murmurs(texts: Sequence[bytes], seed: int = 0xDECAFCAFFE) -> NDArray[np.uint64]:
    """The same of many texts."""
    m = np.uint64(0xC6A4A7935BD1E995)
    order, whole, n_words = _longest_first(texts)
    h = np.uint64(seed) ^ whole.lengths * m
    for i in range(n_words.max(initial=0)):
        count = int(np.searchsorted(-n_words, -i))
        k = whole.first(count).words(8 * i) * m
        k ^= k >> np.uint64(47)
        k *= m
        h[:count] ^= k
        h[:count] *= m
    rest = whole.rest(n_words)
    h = np.where(whole.lengths & 7, (h ^ rest) * m, h)
    h = (h ^ h >> np.uint64(47)) * m
    found = np.empty(len(texts), np.uint64)
    found[order] = h ^ h >> np.uint64(47)
    return found


# -- FarmHash ----------------------------------------------------------------------------------

_K0, _K1, _K2 = 0xC3A5C85C97CB3127, 0xB492B66FBE98F273, 0x9AE16A3B2F90404F


def _shift_mixed(x: Any) -> Any:
    x = _cut(x)
    return x ^ x >> 47


def _mixed(u: Any, v: Any, mul: Any) -> Any:
    a = _shift_mixed((u ^ v) * mul)
    return _cut(_shift_mixed((v ^ a) * mul) * mul)


def farm(text: bytes) -> int:
    """FarmHash's Fingerprint64."""
    n = len(text)
    if n > 64:
        return _long_farm(text)
    of_length = next(function for most, function in _BY_LENGTH if n <= most)
    return int(of_length(text, n, _K2 + 2 * n & _MASK)) if n else _K2


def farms(texts: Sequence[bytes]) -> NDArray[np.uint64]:
    """The same of many texts: those of up to 64 bytes all at once."""
    whole = _Texts.of(texts)
    lengths = whole.lengths
    found = np.full(len(texts), _K2, np.uint64)
    least = 1
    for most, of_length in _BY_LENGTH:
        at = np.flatnonzero((least <= lengths) & (lengths <= most))
        if at.size:
            some = whole.some(at)
            found[at] = of_length(some, some.lengths, _K2 + 2 * some.lengths)
        least = most + 1
    for i in np.flatnonzero(lengths > 64).tolist():
        found[i] = _long_farm(texts[i])
    return found


def _farm_3(text: Any, n: Any, mul: Any) -> Any:
    y, z = _word(text, 0, 1) + (_word(text, n >> 1, 1) << 8), n + (_word(text, n - 1, 1) << 2)
    return _cut(_shift_mixed(y * _K2 ^ z * _K0) * _K2)


def _farm_7(text: Any, n: Any, mul: Any) -> Any:
    return _mixed(n + (_word(text, 0, 4) << 3), _word(text, n - 4, 4), mul)


def _farm_16(text: Any, n: Any, mul: Any) -> Any:
    a, b = _cut(_word(text, 0) + _K2), _word(text, n - 8)
    return _mixed(_cut(_rotated(b, 37) * mul + a), _cut((_rotated(a, 25) + b) * mul), mul)


def _farm_32(text: Any, n: Any, mul: Any) -> Any:
    return _halves(text, n, mul, _K1)[-1]


def _farm_64(text: Any, n: Any, mul: Any) -> Any:
    a, y, z = _halves(text, n, mul, _K2)
    e, f = _cut(_word(text, 16) * mul), _word(text, 24)
    g, h = _cut((y + _word(text, n - 32)) * mul), _cut((z + _word(text, n - 24)) * mul)
    return _mixed(_cut(_rotated(e + f, 43) + _rotated(g, 30) + h), _cut(e + _rotated(f + a, 18) + g), mul)


def _halves(text: Any, n: Any, mul: Any, first: int) -> tuple[Any, Any, Any]:
    """Of the first and the last 16 bytes."""
    a, b = _cut(_word(text, 0) * first), _word(text, 8)
    c, d = _cut(_word(text, n - 8) * mul), _cut(_word(text, n - 16) * _K2)
    y = _cut(_rotated(a + b, 43) + _rotated(c, 30) + d)
    return a, y, _mixed(y, _cut(a + _rotated(b + _K2, 18) + c), mul)


_BY_LENGTH = ((3, _farm_3), (7, _farm_7), (16, _farm_16), (32, _farm_32), (64, _farm_64))


def _weak(text: bytes, at: int, a: int, b: int) -> tuple[int, int]:
    w, x, y, z = (_word(text, at + i) for i in (0, 8, 16, 24))
    a += w
    b = _rotated(b + a + z, 21)
    c = a
    a += x + y
    return a + z & _MASK, b + _rotated(a, 44) + c & _MASK


def _long_farm(text: bytes) -> int:
    """Of more than 64 bytes: 64 at a time, and then the last 64 again."""
    n = len(text)
    x, y = 81, 81 * _K1 + 113 & _MASK
    z = _shift_mixed(y * _K2 + 113) * _K2 & _MASK
    v, w = (0, 0), (0, 0)
    x = x * _K2 + _word(text, 0) & _MASK

    def absorb(at: int, mul: int, times: int) -> None:
        nonlocal x, y, z, v, w
        x = _rotated(x + y + v[0] + _word(text, at + 8), 37) * mul & _MASK
        y = _rotated(y + v[1] + _word(text, at + 48), 42) * mul & _MASK
        x ^= w[1] * times & _MASK
        y = y + v[0] * times + _word(text, at + 40) & _MASK
        z = _rotated(z + w[0], 33) * mul & _MASK
        v = _weak(text, at, v[1] * mul, x + w[0])
        w = _weak(text, at + 32, z + w[1], y + _word(text, at + 16))
        x, z = z, x

    for at in range(0, (n - 1) // 64 * 64, 64):
        absorb(at, _K1, 1)
    mul = _K1 + ((z & 0xFF) << 1) & _MASK
    first = w[0] + (n - 1 & 63)
    v = (v[0] + first & _MASK, v[1])
    w = (first + v[0] & _MASK, w[1])
    absorb(n - 64, mul, 9)
    return _mixed(_mixed(v[0], w[0], mul) + _shift_mixed(y) * _K0 + z & _MASK, _mixed(v[1], w[1], mul) + x & _MASK, mul)


# -- FarmHash of 128 bits: two numbers -------------------------------------------------------------

_K_PAIR = 0x9DDFEA08EB382D69


def _paired(u: int, v: int) -> int:
    return _mixed(u & _MASK, v & _MASK, _K_PAIR)


def farm_128(text: bytes) -> tuple[int, int]:
    """FarmHash's Fingerprint128: its lower and its upper half."""
    if len(text) < 16:
        return _seeded_128(text, _K0, _K1)
    return _seeded_128(text[16:], _word(text, 0), _word(text, 8) + _K0 & _MASK)


def _seeded_128(text: bytes, low: int, high: int) -> tuple[int, int]:
    return _long_128(text, low, high) if len(text) >= 128 else _short_128(text, low, high)


def _short_128(text: bytes, a: int, b: int) -> tuple[int, int]:
    """Of up to 127 bytes: 16 at a time."""
    n = len(text)
    if n <= 16:
        a = _shift_mixed(a * _K1) * _K1 & _MASK
        c = b * _K1 + farm(text) & _MASK
        d = _shift_mixed(a + (_word(text, 0) if n >= 8 else c))
    else:
        c = _paired(_word(text, n - 8) + _K1, a)
        d = _paired(b + n, c + _word(text, n - 16))
        a = a + d & _MASK
        for at in range(0, n - 16, 16):
            a = (a ^ _shift_mixed(_word(text, at) * _K1) * _K1 & _MASK) * _K1 & _MASK
            b ^= a
            c = (c ^ _shift_mixed(_word(text, at + 8) * _K1) * _K1 & _MASK) * _K1 & _MASK
            d ^= c
    a, b = _paired(a, c), _paired(d, b)
    return a ^ b, _paired(b, a)


def _long_128(text: bytes, x: int, y: int) -> tuple[int, int]:
    """Of 128 bytes and more: 128 at a time, and then what is left from the end, 32 at a time."""
    n = len(text)
    z = n * _K1 & _MASK
    first = _rotated(y ^ _K1, 49) * _K1 + _word(text, 0) & _MASK
    v = (first, _rotated(first, 42) * _K1 + _word(text, 8) & _MASK)
    w = (_rotated(y + z, 35) * _K1 + x & _MASK, _rotated(x + _word(text, 88), 53) * _K1 & _MASK)
    whole = n // 128 * 128
    for at in range(0, whole, 64):
        x = _rotated(x + y + v[0] + _word(text, at + 8), 37) * _K1 & _MASK
        y = _rotated(y + v[1] + _word(text, at + 48), 42) * _K1 & _MASK
        x ^= w[1]
        y = y + v[0] + _word(text, at + 40) & _MASK
        z = _rotated(z + w[0], 33) * _K1 & _MASK
        v = _weak(text, at, v[1] * _K1, x + w[0])
        w = _weak(text, at + 32, z + w[1], y + _word(text, at + 16))
        x, z = z, x
    x = x + _rotated(v[0] + z, 49) * _K0 & _MASK
    y = y * _K0 + _rotated(w[1], 37) & _MASK
    z = z * _K0 + _rotated(w[0], 27) & _MASK
    v, w = (v[0] * _K0 & _MASK, v[1]), (w[0] * 9 & _MASK, w[1])
    for done in range(32, n - whole + 32, 32):
        at = n - done
        y = _rotated(x + y, 42) * _K0 + v[1] & _MASK
        w = (w[0] + _word(text, at + 16) & _MASK, w[1])
        x = x * _K0 + w[0] & _MASK
        z = z + w[1] + _word(text, at) & _MASK
        w = (w[0], w[1] + v[0] & _MASK)
        v = _weak(text, at, v[0] + z, v[1])
        v = (v[0] * _K0 & _MASK, v[1])
    x, y = _paired(x, v[0]), _paired(y + z, w[0])
    return _paired(x + v[1], w[1]) + y & _MASK, _paired(x + w[1], y + v[1])


# -- SipHash -----------------------------------------------------------------------------------


def farm_of_two(first: int, second: int) -> int:
    """The fingerprint of two fingerprints, in this order."""
    m = 0xC6A4A7935BD1E995
    mixed = first ^ m ^ _shift_mixed(second * m) * m & _MASK
    return _shift_mixed(_shift_mixed(mixed * m) * m)


def sip(text: bytes, key: tuple[int, int]) -> int:
    """SipHash-2-4 under a key of two words."""
    state = _begun(key)
    whole = len(text) // 8
    for word in [*(_word(text, 8 * i) for i in range(whole)), _word(text, 8 * whole) | (len(text) & 0xFF) << 56]:
        state[3] ^= word
        _two_rounds(state)
        state[0] ^= word
    state[2] ^= 0xFF
    for _ in range(2):
        _two_rounds(state)
    a, b, c, d = state
    return a ^ b ^ c ^ d


def _begun(key: tuple[int, int]) -> list[int]:
    k0, k1 = key
    return [k0 ^ 0x736F6D6570736575, k1 ^ 0x646F72616E646F6D, k0 ^ 0x6C7967656E657261, k1 ^ 0x7465646279746573]


def _two_rounds(state: list[int]) -> None:
    a, b, c, d = state
    for _ in range(2):
        a, c = a + b & _MASK, c + d & _MASK
        b, d = _rotated(b, 51) ^ a, _rotated(d, 48) ^ c
        a = _rotated(a, 32)
        c, a = c + b & _MASK, a + d & _MASK
        b, d = _rotated(b, 47) ^ c, _rotated(d, 43) ^ a
        c = _rotated(c, 32)
    state[:] = a, b, c, d


def sips(texts: Sequence[bytes], key: tuple[int, int]) -> NDArray[np.uint64]:
    """The same of many texts."""
    order, whole, n_words = _longest_first(texts)
    state = np.empty((4, len(texts)), np.uint64)
    state[:] = np.array(_begun(key), np.uint64)[:, None]
    room = np.empty((2, len(texts)), np.uint64)
    for i in range(n_words.max(initial=0)):
        count = int(np.searchsorted(-n_words, -i))
        _absorbed(state[:, :count], whole.first(count).words(8 * i), room[:, :count])
    _absorbed(state, whole.rest(n_words) | (whole.lengths & np.uint64(255)) << np.uint64(56), room)
    state[2] ^= 0xFF
    _rounds(state, 4, room)
    found = np.empty(len(texts), np.uint64)
    found[order] = state[0] ^ state[1] ^ state[2] ^ state[3]
    return found


def _absorbed(state: NDArray[np.uint64], word: NDArray[np.uint64], room: NDArray[np.uint64]) -> None:
    state[3] ^= word
    _rounds(state, 2, room)
    state[0] ^= word


def _rounds(state: NDArray[np.uint64], count: int, room: NDArray[np.uint64]) -> None:
    """``_two_rounds`` for arrays, without a new one: (a, c) and (b, d) are moved on together."""
    first, second = state[0::2], state[1::2]
    crossed = second[::-1]
    for _ in range(count):
        first += second
        _turn(second, _BY[0], room)
        second ^= first
        _turn(first[:1], _BY[1][:1], room[:1])
        first += crossed
        _turn(second, _BY[2], room)
        second ^= first[::-1]
        _turn(first[1:], _BY[1][1:], room[1:])


_BY = [np.array([[n], [m]], np.uint64) for n, m in ((13, 16), (32, 32), (17, 21))]


def _turn(x: NDArray[np.uint64], by: NDArray[np.uint64], room: NDArray[np.uint64]) -> None:
    """Turn the numbers of each row left by its number of bits."""
    np.left_shift(x, by, room)
    np.right_shift(x, np.uint64(64) - by, x)
    x |= room
