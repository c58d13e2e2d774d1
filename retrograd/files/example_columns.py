"""Many ``tf.train.Example``s read together: for each of some keys the values that all of them hold.

Where the entries of the examples begin is found one by one, for each is as long as it says.  Everything else is worked
out for all entries at once, on arrays: which key an entry has, of which kind its values are, where they stand; and the
numbers of all features are decoded together.  What is not in the form in which protocol buffers write a message is
left to whoever reads examples one by one.

Sources: as in ``examples.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from retrograd.files.examples import BYTES, FLOATS, INTS

_FIRST, _SECOND = 0x0A, 0x12  # tags: field 1 and 2, each a length and so many bytes
_TAG_OF = {BYTES: 0x0A, FLOATS: 0x12, INTS: 0x1A}  # of the lists, in a feature
_WORD = 8  # bytes of a key that are compared at a time
_HALF = np.uint64(32)
_LONG = 64  # bytes of a value from which on it is copied alone
_SHORT = 4096  # bytes of an example up to which all are looked at


class OtherForm(Exception):
    """An example is not in the form in which it would be written, or a feature is of another kind than wanted."""


@dataclass
class Columns:
    """What examples hold under some keys; the first axis of both tables is the keys'."""

    values: list[np.ndarray]  # for each key those of all examples, one behind the other
    counts: np.ndarray  # how many of them each example has
    is_there: np.ndarray  # whether an example has the feature at all


def columns_of(texts: Sequence[bytes], keys: tuple[str, ...], kinds: tuple[int, ...]) -> Columns:
    """The values under ``keys``, which are of these kinds.

    Raises:
      OtherForm: they cannot be read in this way.
    """
    wanted = _wanted(keys)
    data = b"".join([*texts, bytes(wanted.padding)])
    content = np.frombuffer(data, np.uint8)
    try:
        entries, stops, of_example = _entries(data, content, texts)
        of_key, at = wanted.found(data, content, entries)
        place = np.full(len(keys) * len(texts), -1)
        known = np.flatnonzero(of_key >= 0)
        place[of_key[known] * len(texts) + of_example[known]] = known  # of equal keys the last counts
        is_there = place >= 0
        chosen = place[is_there]
        lists, ends, tags = _lists(content, at[chosen], stops[chosen])
    except IndexError:
        raise OtherForm from None
    is_there[np.flatnonzero(is_there)[tags < 0]] = False  # a feature without a list
    lists, ends, tags = lists[tags >= 0], ends[tags >= 0], tags[tags >= 0]
    there = is_there.reshape(len(keys), len(texts))
    of = np.repeat(np.arange(len(keys)), there.sum(1))
    kinds_of = np.array(kinds, np.intp)[of]
    if (tags != np.array([_TAG_OF[kind] for kind in kinds], np.intp)[of]).any():
        raise OtherForm
    counts = np.zeros(len(place), np.intp)
    places = np.flatnonzero(is_there)
    values: list[np.ndarray] = [np.empty(0)] * len(keys)
    for kind, read in ((BYTES, _byte_strings), (FLOATS, _floats), (INTS, _ints)):
        mine = [k for k, other in enumerate(kinds) if other == kind]
        if not mine:
            continue
        own = np.flatnonzero(kinds_of == kind)
        found, counts[places[own]] = read(data, content, lists[own], ends[own])
        sizes = counts.reshape(there.shape)[mine].sum(1)
        for k, end, size in zip(mine, np.cumsum(sizes).tolist(), sizes.tolist(), strict=True):
            values[k] = found[end - size : end]
    return Columns(values, counts.reshape(there.shape), there)


# -- the parts of an example -------------------------------------------------------------------


def _entries(data: bytes, content: np.ndarray, texts: Sequence[bytes]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Behind the tag and the length of each entry, where it ends, and the example that it is in."""
    sizes = np.array([*map(len, texts)], np.intp)
    stops = np.cumsum(sizes)
    full = np.flatnonzero(sizes)
    firsts, ends = _fields(content, (stops - sizes)[full], _FIRST)
    if (ends != stops[full]).any():
        raise OtherForm
    starts = None
    if len(data) < _SHORT * len(texts):
        starts = _likely_entries(content, stops - sizes, firsts, ends)
    if starts is None:
        starts = _following_entries(data, firsts.tolist(), ends.tolist())
    counts = np.diff(np.searchsorted(starts, np.append(firsts, len(data))))
    sizes, at = _sizes(content, starts + 1)
    return at, at + sizes, np.repeat(full, counts)


def _likely_entries(
    content: np.ndarray, examples: np.ndarray, firsts: np.ndarray, ends: np.ndarray
) -> np.ndarray | None:
    """Where bytes look like the beginning of an entry, if each of these begins where the last one ends."""
    is_tag = content == _FIRST
    is_tag[examples] = False
    starts = np.flatnonzero(is_tag[:-4] & is_tag[2:-2])
    sizes, behind_key = content[starts + 1], np.minimum(starts + content[starts + 3] + 4, len(content) - 2)
    is_entry = (content[behind_key] == _SECOND) & (behind_key + content[behind_key + 1] == starts + sizes)
    starts = starts[is_entry & (sizes < 0x80)]
    long = np.flatnonzero(is_tag[:-4] & is_tag[3:-1])  # whose length takes two bytes
    long = long[content[long + 1] > 0x7F]
    if len(long):
        long = long[content[np.minimum(long + content[long + 4] + 5, len(content) - 1)] == _SECOND]
        starts = np.sort(np.concatenate([starts, long]))
    if not len(starts) or (firsts == ends).any():
        return None
    sizes, at = _sizes(content, starts + 1)
    following = np.append(starts[1:], 0)
    last = np.searchsorted(starts, ends) - 1
    following[last] = ends
    is_chain = (at + sizes == following).all() and (starts[np.append(0, last[:-1] + 1)] == firsts).all()
    return starts if is_chain else None


def _following_entries(data: bytes, firsts: list[int], ends: list[int]) -> np.ndarray:
    """Where the entries begin, found one after the other."""
    starts: list[int] = []
    for i, stop in zip(firsts, ends, strict=True):
        while i < stop:
            starts.append(i)
            if data[i] != _FIRST:
                raise OtherForm
            size = data[i + 1]
            if size < 0x80:
                i += 2 + size
            else:
                size, i = _number(data, i + 1)
                i += size
        if i != stop:
            raise OtherForm
    return np.array(starts, np.intp)


def _number(data: bytes, i: int) -> tuple[int, int]:
    """The number at ``i``, of five bytes at most, and where it ends."""
    size = 0
    for shift in (0, 7, 14, 21, 28):
        byte = data[i]
        size |= (byte & 0x7F) << shift
        i += 1
        if byte < 0x80:
            return size, i
    raise OtherForm


def _sizes(content: np.ndarray, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The numbers at ``at``, in groups of seven bits, and where they end."""
    sizes = content[at].astype(np.intp)
    behind = at + 1
    for shift in (7, 14, 21, 28):
        more = np.flatnonzero(sizes >> shift & 1)  # whose last group says that another one follows
        if not len(more):
            return sizes, behind
        sizes[more] += (content[behind[more]].astype(np.intp) - 1) << shift
        behind[more] += 1
    raise OtherForm


def _fields(content: np.ndarray, at: np.ndarray, tag: int) -> tuple[np.ndarray, np.ndarray]:
    """Where the fields at ``at``, which have this tag, begin and end."""
    if (content[at] != tag).any():
        raise OtherForm
    sizes, start = _sizes(content, at + 1)
    return start, start + sizes


def _lists(content: np.ndarray, at: np.ndarray, stops: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Where the lists of the features at ``at`` begin and end, and their tags; -1 where there is none."""
    start, end = _fields(content, at, _SECOND)
    if (end != stops).any():
        raise OtherForm
    tags = content[start].astype(np.intp)
    tags[start == end] = -1
    there = np.flatnonzero(tags >= 0)
    sizes, start[there] = _sizes(content, start[there] + 1)
    if (start[there] + sizes != end[there]).any():
        raise OtherForm
    return start, end, tags


# -- keys --------------------------------------------------------------------------------------


class _Keys:
    """Keys that are looked for, as numbers of 64 bits whose highest bits are places in a table."""

    def __init__(self, keys: Sequence[bytes]) -> None:
        self.longest = max(map(len, keys), default=0)
        self.padding = self.longest + 2 * _WORD
        data = b"".join([*keys, bytes(self.padding)])
        self.sizes = np.array([*map(len, keys)], np.intp)
        self.words = self._read(data, np.cumsum(self.sizes) - self.sizes, self.sizes)
        self.factor, self.shift = self._factor()
        self.table = np.zeros(1 << (64 - int(self.shift)), np.intp)
        self.table[self._places(self.words)] = np.arange(len(keys))

    def _read(self, data: bytes, at: np.ndarray, sizes: np.ndarray) -> list[np.ndarray]:
        """The words of keys."""
        everywhere = np.ndarray((len(data) - _WORD + 1,), "<u8", data, 0, (1,))
        words = []
        for start in range(0, self.longest, _WORD):
            masks = _MASKS[sizes] if self.longest <= _WORD else _MASKS[np.clip(sizes - start, 0, _WORD)]
            words.append(everywhere[at + start] & masks)
        return words

    def _places(self, words: Sequence[np.ndarray]) -> np.ndarray:
        mixed = words[0] * self.factor
        for word in words[1:]:
            mixed = (mixed ^ mixed >> _HALF ^ word) * self.factor
        return (mixed >> self.shift).astype(np.intp)

    def _factor(self) -> tuple[np.uint64, np.uint64]:
        """A factor and a shift that bring every key to a place of its own.

        Raises:
          OtherForm: none is found; equal keys have none.
        """
        draw = np.random.RandomState(0)
        least = max(2 * len(self.sizes), 2).bit_length()
        for bits in (least, least + 2, least + 4):
            self.shift = np.uint64(64 - bits)
            for _ in range(100):
                self.factor = np.uint64(int.from_bytes(draw.bytes(8), "little") | 1)
                if len(np.unique(self._places(self.words))) == len(self.sizes):
                    return self.factor, self.shift
        raise OtherForm

    def found(self, data: bytes, content: np.ndarray, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """For the entries at ``at`` the number of the key that each has, or -1, and where the key ends."""
        start, end = _fields(content, at, _FIRST)
        if not len(at):
            return np.empty(0, np.intp), end
        sizes = end - start
        fits = sizes <= self.longest
        if not fits.all():
            start, sizes = np.where(fits, start, 0), np.where(fits, sizes, 0)
        words = self._read(data, start, sizes)
        numbers = self.table[self._places(words)]
        fits &= sizes == self.sizes[numbers]
        for word, wanted in zip(words, self.words, strict=True):
            fits &= word == wanted[numbers]
        return np.where(fits, numbers, -1), end


_MASKS = np.array([(1 << 8 * n) - 1 for n in range(_WORD + 1)], np.uint64)


@lru_cache(256)
def _wanted(keys: tuple[str, ...]) -> _Keys:
    if not all(keys):  # an empty key, or none at all
        raise OtherForm
    return _Keys([key.encode(errors="surrogateescape") for key in keys])


# -- values ------------------------------------------------------------------------------------


def _byte_strings(
    data: bytes, content: np.ndarray, starts: np.ndarray, ends: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The byte strings of lists, and how many each has."""
    found: list[bytes] = []
    counts = []
    for i, end in zip(starts.tolist(), ends.tolist(), strict=True):
        before = len(found)
        while i < end:
            if data[i] != _FIRST:
                raise OtherForm
            start, size = i + 2, data[i + 1]
            if size > 0x7F:
                size, start = _number(data, i + 1)
            i = start + size
            found.append(data[start:i])
        if i != end:
            raise OtherForm
        counts.append(len(found) - before)
    texts = np.empty(len(found), object)
    texts[:] = found
    return texts, np.array(counts, np.intp)


def _packed(content: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where the numbers of lists begin, each one field of packed numbers, and how many bytes they take."""
    there = np.flatnonzero(starts < ends)
    start, end = _fields(content, starts[there], _FIRST)
    if (end != ends[there]).any() or (start == end).any():
        raise OtherForm
    sizes, starts = np.zeros(len(starts), np.intp), starts.copy()
    sizes[there], starts[there] = end - start, start
    return starts, sizes


def _together(data: bytes, content: np.ndarray, starts: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Pieces of bytes one behind the other."""
    total = int(sizes.sum())
    if total > _LONG * len(sizes):
        pieces = [data[i : i + n] for i, n in zip(starts.tolist(), sizes.tolist(), strict=True)]
        return np.frombuffer(b"".join(pieces), np.uint8)
    return content[np.repeat(starts - (np.cumsum(sizes) - sizes), sizes) + np.arange(total)]


def _floats(data: bytes, content: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    starts, sizes = _packed(content, starts, ends)
    if (sizes & 3).any():
        raise OtherForm
    return _together(data, content, starts, sizes).view("<f4").astype(np.float32), sizes >> 2


def _ints(data: bytes, content: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    starts, sizes = _packed(content, starts, ends)
    groups = _together(data, content, starts, sizes)
    is_last = groups < 0x80
    borders = np.cumsum(sizes)
    if not is_last[borders[sizes > 0] - 1].all():  # a list ends within a number
        raise OtherForm
    (last,) = np.nonzero(is_last)
    if len(last) == len(groups):
        return groups.astype(np.int64), sizes
    lengths = np.diff(last, prepend=-1)
    return _joined(groups, last - lengths + 1, lengths), np.diff(np.searchsorted(last, borders), prepend=0)


def _joined(groups: np.ndarray, first: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """Numbers of 7 bits in each of ``lengths`` bytes: pairs of groups are joined, then pairs of these, and so on."""
    everywhere = np.ndarray((len(groups),), "<u8", groups.tobytes() + bytes(_WORD), 0, (1,))
    numbers = everywhere[first] & _GROUPS[np.minimum(lengths, _WORD)]
    for low, high, shift in _PAIRS:
        numbers = numbers & low | (numbers & high) >> shift
    more = np.flatnonzero(lengths > _WORD)
    if len(more):
        if ((lengths > 10) | (lengths == 10) & (groups[first + lengths - 1] > 1)).any():  # more than 64 bits
            raise OtherForm
        numbers[more] |= (groups[first[more] + 8].astype(np.uint64) & np.uint64(0x7F)) << np.uint64(56)
        ten = more[lengths[more] == 10]
        numbers[ten] |= groups[first[ten] + 9].astype(np.uint64) << np.uint64(63)
    return numbers.view(np.int64)


_GROUPS = _MASKS & np.uint64(0x7F7F7F7F7F7F7F7F)
_PAIRS = [
    (np.uint64(low), np.uint64(high), np.uint64(shift))
    for low, high, shift in (
        (0x007F007F007F007F, 0x7F007F007F007F00, 1),
        (0x00003FFF00003FFF, 0x3FFF00003FFF0000, 2),
        (0x000000000FFFFFFF, 0x0FFFFFFF00000000, 4),
    )
]
