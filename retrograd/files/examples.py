"""``tf.train.Example`` read from its bytes: which part of them holds the values of each feature.

Most examples of a file differ in their values alone.  So where the values stand is found once, as a ``Layout``, and
the following examples are compared with it.  A layout is read from the form in which protocol buffers write a message;
any other (fields out of place, twice, unknown, numbers that are not packed) is brought into that form by the protobuf
library, which also says what is no message.

Sources: the encoding of protocol buffers (https://protobuf.dev/programming-guides/encoding); the fields of Example,
Features, Feature, BytesList, FloatList and Int64List stand in ``messages.py``.
"""

from __future__ import annotations

import re
from functools import cached_property

import numpy as np

from retrograd.files.messages import message

BYTES, FLOATS, INTS = 1, 2, 3  # the kinds of a feature, by the number of their field
_FIRST, _SECOND = 0x0A, 0x12  # tags: field 1 and 2, each a length and so many bytes
_KINDS = {0x0A: BYTES, 0x12: FLOATS, 0x1A: INTS}
_LONGEST = 10  # bytes of a number
_TOO_LARGE = re.compile(rb"[\x80-\xff]{9}[\x02-\xff]")  # a number of more than 64 bits
_FEW = 32  # bytes that are read one by one sooner than by NumPy

Span = tuple[int, int]
Values = tuple[int, tuple[Span, ...]]  # the kind of a feature; where its byte strings are, or its numbers together


class Layout:
    """Where the features of an example are: the same for every example of this length with the same bytes between."""

    def __init__(self, data: bytes, features: dict[str, Values]) -> None:
        self.data = data
        self.features = features

    @cached_property
    def _between(self) -> list[tuple[int, int, bytes]]:
        spans = sorted(span for _, spans in self.features.values() for span in spans)
        ends = [0, *(end for _, end in spans)]
        starts = [*(start for start, _ in spans), len(self.data)]
        return [(end, start, self.data[end:start]) for end, start in zip(ends, starts, strict=True)]

    @cached_property
    def _numbers(self) -> list[Span]:
        return [spans[0] for kind, spans in self.features.values() if kind == INTS and spans]

    def fits(self, data: bytes) -> bool:
        """Whether it is that of ``data``, which has the same length."""
        for start, end, between in self._between:
            if data[start:end] != between:
                return False
        for start, end in self._numbers:
            if data[end - 1] >= 0x80 or (end - start >= _LONGEST and _TOO_LARGE.search(data, start, end)):
                return False
        return True


class Layouts:
    """The layouts of the examples that were read last."""

    def __init__(self) -> None:
        self._by_length: dict[int, list[Layout]] = {}

    def of(self, data: bytes) -> tuple[bytes, Layout]:
        """The layout of an example, and the bytes that it speaks of.

        Raises:
          google.protobuf.message.DecodeError: ``data`` is no message.
        """
        known = self._by_length.get(len(data), ())
        for layout in known:
            if layout.fits(data):
                return data, layout
        try:
            layout = Layout(data, _features(data))
        except (_OtherForm, IndexError, UnicodeDecodeError):
            example = message("Example").FromString(data)
            example.DiscardUnknownFields()
            data = example.SerializeToString()
            return data, Layout(data, _features(data))
        if len(self._by_length) > 64:
            self._by_length.clear()
        self._by_length[len(data)] = [layout, *known[:3]]
        return data, layout


class _OtherForm(Exception):
    """A message is not in the form in which it would be written."""


def _features(data: bytes) -> dict[str, Values]:
    """The features that hold a list, by their keys."""
    found: dict[str, Values] = {}
    if not data:
        return found
    i, end = _length(data, 0, _FIRST)
    if end != len(data):
        raise _OtherForm
    while i < end:
        i, after = _length(data, i, _FIRST)
        start, stop = _length(data, i, _FIRST)
        key = data[start:stop].decode()
        start, stop = _length(data, stop, _SECOND)
        if stop != after or key in found:
            raise _OtherForm
        if start < stop:
            kind = _KINDS.get(data[start])
            start, stop = _length(data, start, data[start])
            if stop != after or kind is None:
                raise _OtherForm
            found[key] = kind, _texts(data, start, stop) if kind == BYTES else _packed(data, kind, start, stop)
        i = after
    if i != end:
        raise _OtherForm
    return found


def _texts(data: bytes, i: int, end: int) -> tuple[Span, ...]:
    """Where the byte strings of a list are."""
    spans = []
    while i < end:
        span = _length(data, i, _FIRST)
        spans.append(span)
        i = span[1]
    if i != end:
        raise _OtherForm
    return tuple(spans)


def _packed(data: bytes, kind: int, i: int, end: int) -> tuple[Span, ...]:
    """Where the numbers of a list are, which is one field of packed numbers."""
    if i == end:
        return ()
    start, stop = _length(data, i, _FIRST)
    if stop != end or start == end or (kind == FLOATS and (end - start) % 4):
        raise _OtherForm
    if kind == INTS and (data[end - 1] >= 0x80 or _TOO_LARGE.search(data, start, end)):
        raise _OtherForm
    return ((start, end),)


def _length(data: bytes, i: int, tag: int) -> Span:
    """Where the field at ``i``, which has this tag, begins and ends."""
    if data[i] != tag:
        raise _OtherForm
    size = data[i + 1]
    if size < 0x80:
        return i + 2, i + 2 + size
    size, start = _number(data, i + 1)
    return start, start + size


def _number(data: bytes, i: int) -> tuple[int, int]:
    """The number at ``i``, in groups of seven bits, and where it ends."""
    value = shift = 0
    while True:
        byte = data[i]
        value |= (byte & 0x7F) << shift
        i += 1
        if byte < 0x80:
            return value, i
        shift += 7
        if shift >= 7 * _LONGEST:
            raise _OtherForm


# -- values ------------------------------------------------------------------------------------


def values_in(data: bytes, values: Values) -> np.ndarray:
    """The values of a feature of an example."""
    kind, spans = values
    if kind == BYTES:
        texts = np.empty(len(spans), object)
        texts[:] = [data[start:end] for start, end in spans]
        return texts
    if not spans:
        return np.empty(0, np.float32 if kind == FLOATS else np.int64)
    ((start, end),) = spans
    if kind == FLOATS:
        return np.frombuffer(data, "<f4", (end - start) // 4, start).astype(np.float32)
    if end - start > _FEW:
        return numbers_in(data[start:end])[0]
    found = []
    while start < end:
        value, start = _number(data, start)
        found.append(value)
    return np.array(found, np.uint64).view(np.int64)


def numbers_in(data: bytes) -> tuple[np.ndarray, np.ndarray]:
    """All numbers of ``data``, in groups of seven bits, and the place of each one's last byte."""
    groups = np.frombuffer(data, np.uint8)
    (last,) = np.nonzero(groups < 0x80)
    if len(last) == len(groups):  # also where there are none
        return groups.astype(np.int64), last
    first = np.concatenate([[0], last[:-1] + 1])
    shift = np.arange(len(groups)) - np.repeat(first, last - first + 1)
    values = (groups & 0x7F).astype(np.uint64) << (7 * shift).astype(np.uint64)
    return np.bitwise_or.reduceat(values, first).view(np.int64), last
