"""Unicode: strings as code points and back, in other encodings, and runs of neighbouring strings (n-grams).

Encodings are named as Python names them too (``UTF-8``, ``UTF-16-BE``, ``US-ASCII``, ``latin1``, ...).  What a string
holds against its encoding is an error, left out, or one replacement for each longest wrong part.
"""

from __future__ import annotations

import codecs
import functools
import importlib.resources
import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.definition import REQUIRED, Effect, define, not_differentiable
from retrograd.graph.dtypes import DType
from retrograd.graph.errors import InvalidArgumentError, invalid
from retrograd.graph.shapes import RawShape
from retrograd.graph.tensor import Tensor
from retrograd.ops import kinds, shape_rules

_ERRORS = ("strict", "replace", "ignore")
_OUTPUTS = ("UTF-8", "UTF-16-BE", "UTF-32-BE")


_BY_MARK = {  # the byte order by the mark at the beginning; without one it is big-endian
    "utf-16": [(codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")],
    "utf-32": [(codecs.BOM_UTF32_LE, "utf-32-le"), (codecs.BOM_UTF32_BE, "utf-32-be")],
}


def _str(x: Any) -> str:
    return x.decode() if isinstance(x, bytes) else x


def _check_replacement(point: int) -> None:
    if not 0 <= point <= 0x10FFFF:
        raise invalid("replacement_char out of unicode codepoint range")


def _codec(encoding: Any) -> str:
    try:
        return codecs.lookup(_str(encoding)).name
    except LookupError:
        raise invalid(f"Could not create converter for input encoding: {_str(encoding)}") from None


def _points(text: bytes, codec: str, errors: Any, replacement: int, replace_control: bool) -> Iterator[tuple[int, int]]:
    """Each code point of ``text`` with the place of its first byte."""
    place, way = 0, _str(errors)
    if codec in _BY_MARK:
        codec, place = next(
            ((c, len(mark)) for mark, c in _BY_MARK[codec] if text.startswith(mark)), (codec + "-be", 0)
        )
    while place < len(text):
        try:
            good, wrong = text[place:].decode(codec), 0
        except UnicodeDecodeError as error:
            good, wrong = text[place : place + error.start].decode(codec), max(1, error.end - error.start)
        for char in good:
            point = ord(char)
            if replace_control and point < 0x20:
                if way == "replace":
                    yield replacement, place
            else:
                yield point, place
            place += len(char.encode(codec))
        if wrong:
            if way == "strict":
                raise invalid("Invalid formatting on input string")
            if way == "replace":
                yield replacement, place
            place += wrong


def _encoded(points: list[int], encoding: Any) -> bytes:
    """The text of code points; surrogates are none."""
    chars = [chr(0xFFFD if 0xD800 <= point < 0xE000 else point) for point in points]
    return "".join(chars).encode(_codec(encoding))


def _strings(x: Any) -> list[bytes]:
    return np.ravel(np.asarray(x, dtype=object)).tolist()


def _decode(
    xp: Any, input: Any, *, input_encoding: Any, errors: Any, replacement_char: int, replace_control_characters: bool,
    Tsplits: DType,
) -> list[Any]:  # fmt: skip
    return _decode_with_offsets(
        xp, input, input_encoding=input_encoding, errors=errors, replacement_char=replacement_char,
        replace_control_characters=replace_control_characters, Tsplits=Tsplits,
    )[:2]  # fmt: skip


def _decode_with_offsets(
    xp: Any, input: Any, *, input_encoding: Any, errors: Any, replacement_char: int, replace_control_characters: bool,
    Tsplits: DType,
) -> list[Any]:  # fmt: skip
    _check_replacement(replacement_char)
    codec, splits = _codec(input_encoding), [0]
    found: list[tuple[int, int]] = []
    for text in _strings(input):
        found += _points(text, codec, errors, replacement_char, replace_control_characters)
        splits.append(len(found))
    pairs = np.array(found, np.int64).reshape(-1, 2)
    return [np.array(splits, Tsplits.np), pairs[:, 0].astype(np.int32), pairs[:, 1].copy()]


def _decoded_shapes(input: Tensor) -> list[RawShape]:
    if input.dims is None or None in input.dims:
        return [(None,), (None,)]
    return [(int(np.prod([n or 0 for n in input.dims])) + 1,), (None,)]


_DECODING: dict[str, Any] = {
    "input_encoding": REQUIRED, "errors": "replace", "replacement_char": 65533, "replace_control_characters": False,
}  # fmt: skip
_DECODED: dict[str, Any] = {
    "attrs": {**_DECODING, "Tsplits": dtypes.int64}, "types": {"Tsplits": kinds.INDEX}, "choices": {"errors": _ERRORS},
    "gradient": not_differentiable,
}  # fmt: skip
UNICODE_DECODE = define(
    "UnicodeDecode", "input: string", "row_splits: Tsplits, char_values: int32", shape=_decoded_shapes,
    kernel=_decode, **_DECODED,
)  # fmt: skip
UNICODE_DECODE_WITH_OFFSETS = define(
    "UnicodeDecodeWithOffsets", "input: string",
    "row_splits: Tsplits, char_values: int32, char_to_byte_starts: int64",
    shape=lambda input: [*_decoded_shapes(input), (None,)], kernel=_decode_with_offsets, **_DECODED,
)  # fmt: skip


def _encode(xp: Any, values: Any, splits: Any, *, errors: Any, output_encoding: Any, replacement_char: int) -> Any:
    """The string of each row of code points."""
    _check_replacement(replacement_char)
    points, way = np.asarray(values).tolist(), _str(errors)
    ends = np.asarray(splits).tolist()
    if not ends or ends[0] != 0 or ends[-1] > len(points):
        raise invalid("input_splits must begin with 0 and not exceed the number of input_values")
    out = np.empty(len(ends) - 1, object)
    for i in range(len(ends) - 1):
        row = []
        for point in points[ends[i] : ends[i + 1]]:
            if 0 <= point <= 0x10FFFF:
                row.append(point)
            elif way == "strict":
                raise invalid("Code point value out of valid Unicode range.")
            elif way == "replace":
                row.append(replacement_char)
        out[i] = _encoded(row, output_encoding)
    return out


def _encoded_shape(values: Tensor, splits: Tensor) -> RawShape:
    shape_rules.with_rank(values, 1)
    count = shape_rules.with_rank(splits, 1)[0]
    return (None if count is None else count - 1,)


UNICODE_ENCODE = define(
    "UnicodeEncode", "input_values: int32, input_splits: Tsplits", "output: string",
    attrs={"errors": "replace", "output_encoding": REQUIRED, "replacement_char": 65533, "Tsplits": dtypes.int64},
    types={"Tsplits": kinds.INDEX}, choices={"errors": ("ignore", "replace", "strict"), "output_encoding": _OUTPUTS},
    shape=_encoded_shape, kernel=_encode, gradient=not_differentiable,
)  # fmt: skip


def _transcode(
    xp: Any, input: Any, *, input_encoding: Any, output_encoding: Any, errors: Any, replacement_char: int,
    replace_control_characters: bool,
) -> Any:  # fmt: skip
    _check_replacement(replacement_char)
    codec, texts = _codec(input_encoding), np.asarray(input, dtype=object)
    out = np.empty(texts.shape, object)
    flat = out.reshape(-1)
    for i, text in enumerate(_strings(texts)):
        points = _points(text, codec, errors, replacement_char, replace_control_characters)
        flat[i] = _encoded([point for point, _ in points], output_encoding)
    return out


UNICODE_TRANSCODE = define(
    "UnicodeTranscode", "input: string", "output: string",
    attrs={
        "input_encoding": REQUIRED, "output_encoding": REQUIRED, "errors": "replace", "replacement_char": 65533,
        "replace_control_characters": False,
    },
    choices={"errors": _ERRORS, "output_encoding": _OUTPUTS}, shape=shape_rules.same, kernel=_transcode,
    gradient=not_differentiable,
)  # fmt: skip


def unicode_transcode(
    input: Any, input_encoding: str, output_encoding: str, errors: str = "replace", replacement_char: int = 65533,
    replace_control_characters: bool = False, name: str | None = None,
) -> Tensor:  # fmt: skip
    """Each string in another encoding: ``UTF-8``, ``UTF-16-BE`` or ``UTF-32-BE``.

    Args:
      errors: what to do with what is wrong: ``replace`` it, ``ignore`` it, or fail (``strict``).
      replace_control_characters: whether code points below 32 count as wrong.
    """
    return apply(
        UNICODE_TRANSCODE, input, input_encoding=input_encoding, output_encoding=output_encoding, errors=errors,
        replacement_char=replacement_char, replace_control_characters=replace_control_characters, name=name,
    )  # fmt: skip


# -- n-grams -----------------------------------------------------------------------------------


def _row_ngrams(row: list[bytes], width: int, pad: int, pads: tuple[bytes, bytes], separator: bytes) -> list[bytes]:
    """Each ``width`` neighbours of a row that has ``pad`` pads on both sides."""
    padded = [pads[0]] * pad + row + [pads[1]] * pad
    return [separator.join(padded[i : i + width]) for i in range(len(padded) - width + 1)]


def _ngrams(
    xp: Any, data: Any, data_splits: Any, *, separator: Any, ngram_widths: Any, left_pad: Any, right_pad: Any,
    pad_width: int, preserve_short_sequences: bool, Tsplits: DType,
) -> list[Any]:  # fmt: skip
    texts, ends = _strings(data), np.asarray(data_splits).tolist()
    for end in ends:
        if not 0 <= end <= len(texts):
            raise InvalidArgumentError(None, None, f"Invalid split value {end}, must be in [0,{len(texts)}]")
    between, left, right = (x if isinstance(x, bytes) else x.encode() for x in (separator, left_pad, right_pad))
    found: list[bytes] = []
    splits = [0]
    for start, end in itertools.pairwise(ends):
        row, before = texts[start:end], len(found)
        for width in ngram_widths:
            pad = width - 1 if pad_width < 0 else min(pad_width, width - 1)
            found += _row_ngrams(row, width, pad, (left, right), between)
        if preserve_short_sequences and row and len(found) == before:
            found += _row_ngrams(row, len(row) + 2 * pad_width, pad_width, (left, right), between)
        splits.append(len(found))
    out = np.empty(len(found), object)
    out[:] = found
    return [out, np.array(splits, Tsplits.np)]


STRING_N_GRAMS = define(
    "StringNGrams", "data: string, data_splits: Tsplits", "ngrams: string, ngrams_splits: Tsplits",
    attrs={
        "separator": REQUIRED, "ngram_widths": REQUIRED, "left_pad": REQUIRED, "right_pad": REQUIRED,
        "pad_width": REQUIRED, "preserve_short_sequences": REQUIRED, "Tsplits": dtypes.int64,
    },
    types={"Tsplits": kinds.INDEX}, shape=lambda data, splits: [(None,), splits.dims], kernel=_ngrams,
    gradient=not_differentiable,
)  # fmt: skip


# -- scripts -------------------------------------------------------------------------------------


@functools.cache
def _scripts() -> tuple[Any, Any]:
    """The code points at which another script begins, and the numbers of the scripts, as ICU has them.

    Source: the Unicode Character Database's ``Scripts.txt``, as TensorFlow 1.15.5's ICU reads it.
    """
    text = importlib.resources.files("retrograd.ops").joinpath("unicode_scripts.txt").read_text()
    rows = [line.split() for line in text.splitlines()]
    return np.asarray([int(point, 16) for point, _ in rows]), np.asarray([int(n) for _, n in rows], np.int32)


def code_points_of_script(number: int) -> list[tuple[int, int]]:
    """The first and the last of the code points that follow each other in the script."""
    starts, numbers = _scripts()
    ends = [*starts[1:].tolist(), 0x110000]
    return [(a, b - 1) for a, b, n in zip(starts.tolist(), ends, numbers.tolist(), strict=True) if n == number]


def _script(xp: Any, memory: Any, points: Any) -> Any:
    starts, numbers = _scripts()
    found = numbers[np.searchsorted(starts, points, side="right") - 1]
    return np.where((points >= 0) & (points <= 0x10FFFF), found, np.int32(-1)).astype(np.int32)


UNICODE_SCRIPT = define(
    "UnicodeScript", "input: int32", "output: int32", shape=shape_rules.same, kernel=_script, effect=Effect.HOST,
    gradient=not_differentiable,
)  # fmt: skip


def unicode_script(input: Any, name: str | None = None) -> Tensor:
    """The number of the script that each code point belongs to, as ICU counts them; -1 of what is none.

    Source: ISO 15924; ``UScriptCode`` of the International Components for Unicode.
    """
    script: Tensor = apply(UNICODE_SCRIPT, input, name=name)
    return script
