"""Strings: joining, cutting, searching, numbers to text and back.

A string tensor is an object array of ``bytes`` at run time.
"""

from __future__ import annotations

import binascii
import math
import re
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from retrograd.graph import dtypes, shapes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import REQUIRED, OpDef, define, not_differentiable
from retrograd.graph.deprecation import deprecated_argument_lookup
from retrograd.graph.errors import OutOfRangeError, invalid
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import RawShape
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.static import static_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, constants, hashing, kinds, shape_rules


def as_strings(x: Any) -> np.ndarray:
    return np.asarray(x, dtype=object)


def as_text(x: bytes) -> str:
    """UTF-8 as text; what is none comes back as it was by ``as_bytes``."""
    return x.decode(errors="surrogateescape")


def as_texts(x: list[bytes]) -> list[str]:
    """The same of many."""
    try:
        return [*map(bytes.decode, x)]
    except UnicodeDecodeError:
        return [*map(as_text, x)]


def as_bytes(x: str) -> bytes:
    return x.encode(errors="surrogateescape")


def of_each(function: Callable[..., Any], *inputs: Any, dtype: Any = object) -> np.ndarray:
    """``function`` of the elements of broadcast inputs."""
    broadcast = np.broadcast_arrays(*map(as_strings, inputs))
    result = np.empty(broadcast[0].shape, dtype)
    result.reshape(-1)[:] = [function(*row) for row in zip(*(b.ravel().tolist() for b in broadcast), strict=True)]
    return result


def _elementwise(name: str, function: Callable[..., Any], attrs: dict[str, Any] | None = None) -> OpDef:
    """The record of an op from strings to strings, one by one; ``function(text)``."""
    return define(
        name, "input: string", "output: string", attrs=attrs, shape=shape_rules.same,
        kernel=lambda xp, x: of_each(function, x), gradient=not_differentiable,
    )  # fmt: skip


# -- joining -----------------------------------------------------------------------------------


def _joined_shape(inputs: list[Tensor]) -> RawShape:
    dims: RawShape = ()
    for x in inputs:
        if x.dims != ():
            dims = x.dims if dims == () else shapes.merge(dims, x.dims)
    return dims


def _join(xp: Any, inputs: list[Any], *, separator: str) -> Any:
    found = dict.fromkeys(np.shape(x) for x in inputs if np.ndim(x))
    if len(found) > 1:
        raise invalid("Input shapes do not match: " + " vs. ".join(map(shapes.shape_text, found)))
    return of_each(lambda *parts: separator.encode().join(parts), *inputs)


STRING_JOIN = define(
    "StringJoin", "inputs: N*string", "output: string", attrs={"separator": ""}, shape=_joined_shape,
    kernel=_join, gradient=not_differentiable,
)  # fmt: skip


def string_join(inputs: Any, separator: str = "", name: str | None = None) -> Tensor:
    """The strings of several tensors of one shape, joined element by element; scalars go to every element."""
    return apply(STRING_JOIN, inputs, separator=separator, name=name)


def _reduced(x: Tensor, axes: Tensor, *, keep_dims: bool) -> RawShape:
    wanted = static_value(axes)
    if x.dims is None or wanted is None:
        return None
    gone = {shape_rules.axis_index(int(a), len(x.dims)) for a in wanted.ravel()}
    return tuple(1 if i in gone else n for i, n in enumerate(x.dims) if keep_dims or i not in gone)


def _reduce_join(xp: Any, x: Any, axes: Any, *, keep_dims: bool, separator: str) -> Any:
    """Of the axes, the one that is listed first varies fastest along the joined string."""
    x = as_strings(x)
    order: list[int] = []
    for axis in np.ravel(axes).tolist():
        if not -x.ndim <= axis < x.ndim:
            raise OutOfRangeError(
                None, None, f"Invalid reduction dimension {axis} for input with {x.ndim} dimension(s)"
            )
        if axis % x.ndim in order:
            raise invalid(f"Duplicate reduction dimension {axis}")
        order.append(axis % x.ndim)
    kept = [i for i in range(x.ndim) if i not in order]
    result = np.empty([x.shape[i] for i in kept], object)
    length = math.prod(x.shape[i] for i in order)
    rows = x.transpose(kept + order[::-1]).reshape(result.size, length)
    result.reshape(-1)[:] = [separator.encode().join(row) for row in rows.tolist()]
    return result.reshape([1 if i in order else n for i, n in enumerate(x.shape)]) if keep_dims else result


REDUCE_JOIN = define(
    "ReduceJoin", "inputs: string, reduction_indices: int32", "output: string",
    attrs={"keep_dims": False, "separator": ""}, static=("reduction_indices",), shape=_reduced,
    kernel=_reduce_join, gradient=not_differentiable,
)  # fmt: skip


def reduce_join(
    inputs: Any, axis: Any = None, keep_dims: bool | None = None, separator: str = "",
    name: str | None = None, reduction_indices: Any = None, keepdims: bool | None = None,
) -> Tensor:  # fmt: skip
    """The strings along ``axis`` joined to one; by default all of them."""
    keepdims = deprecated_argument_lookup("keepdims", keepdims, "keep_dims", keep_dims)
    axis = deprecated_argument_lookup("axis", axis, "reduction_indices", reduction_indices)
    with name_scope(name, "ReduceJoin", [inputs, axis]):
        return _joined(inputs, axis, bool(keepdims), separator)


def reduce_join_v2(
    inputs: Any, axis: Any = None, keepdims: bool = False, separator: str = "", name: str | None = None
) -> Tensor:
    """The strings along ``axis`` joined to one; by default all of them."""
    with name_scope(None, "ReduceJoin", [inputs, axis]):
        return _joined(inputs, axis, keepdims, separator, name)


def _joined(inputs: Any, axis: Any, keepdims: bool, separator: str, name: str | None = None) -> Tensor:
    inputs = as_tensor(inputs, dtypes.string)
    axis = _all_axes(inputs) if axis is None else axis
    return apply(REDUCE_JOIN, inputs, axis, keep_dims=keepdims, separator=separator, name=name)


def _all_axes(inputs: Tensor) -> Tensor:
    if inputs.dims is not None:
        return constants.constant(np.arange(len(inputs.dims) - 1, -1, -1), dtypes.int32)
    return constants.range_(arrays.rank(inputs) - 1, -1, -1)


# -- cutting -----------------------------------------------------------------------------------


def _split_shapes(input: Tensor, sep: Tensor) -> list[RawShape]:
    shape_rules.with_rank(input, 1)
    shape_rules.with_rank(sep, 0)
    return [(None, 2), (None,), (2,)]


def _sparse(rows: list[list[bytes]]) -> list[Any]:
    """Rows of unequal length as the parts of a sparse tensor."""
    lengths = np.fromiter(map(len, rows), np.int64, len(rows))
    starts = np.cumsum(lengths) - lengths
    places = np.empty((int(lengths.sum()), 2), np.int64)
    places[:, 0] = np.repeat(np.arange(len(rows)), lengths)
    places[:, 1] = np.arange(len(places)) - np.repeat(starts, lengths)
    values = np.empty(len(places), object)
    values[:] = [text for row in rows for text in row]
    return [places, values, np.array([len(rows), lengths.max(initial=0)], np.int64)]


def _scalar(name: str, x: Any) -> bytes:
    if np.ndim(x):
        raise invalid(f"{name} must be a scalar, got shape: {shapes.shape_text(np.shape(x))}")
    text: bytes = as_strings(x).item()
    return text


def _split_at_any(xp: Any, input: Any, delimiter: Any, *, skip_empty: bool) -> list[Any]:
    """Cut at each character of ``delimiter``; an empty one cuts into characters."""
    marks = _scalar("delimiter", delimiter)
    texts = as_strings(input).tolist()
    if not marks:
        rows = [[text[i : i + 1] for i in range(len(text))] for text in texts]
    elif len(marks) == 1:
        rows = [text.split(marks) if text else [] for text in texts]
    else:
        split = re.compile(b"[" + re.escape(marks) + b"]").split
        rows = [split(text) if text else [] for text in texts]
    return _sparse([[*filter(None, row)] for row in rows] if skip_empty else rows)


_SPLIT_OUTPUTS = "indices: int64, values: string, shape: int64"

STRING_SPLIT = define(
    "StringSplit", "input: string, delimiter: string", _SPLIT_OUTPUTS, attrs={"skip_empty": True},
    ranks={"input": "1: input must be a vector, got shape: {}"},
    shape=_split_shapes, kernel=_split_at_any, gradient=not_differentiable,
)  # fmt: skip


def string_split(source: Any, sep: Any = None, skip_empty: bool = True, delimiter: Any = None) -> SparseTensor:
    """The pieces of each string between any of the characters of ``delimiter`` (a space)."""
    delimiter = deprecated_argument_lookup("sep", sep, "delimiter", delimiter)
    delimiter = as_tensor(" " if delimiter is None else delimiter, dtypes.string)
    source = as_tensor(source, dtypes.string)
    return SparseTensor(*apply(STRING_SPLIT, source, delimiter, skip_empty=skip_empty))


def _split_as_python(xp: Any, input: Any, sep: Any, *, maxsplit: int) -> list[Any]:
    """As ``bytes.split`` does, but ``maxsplit`` pieces are always followed by the rest, empty or not."""
    mark, most = _scalar("sep", sep) or None, maxsplit if maxsplit > 0 else -1
    rows = [text.split(mark, most) for text in as_strings(input).tolist()]
    return _sparse([[*row, b""] if len(row) == most and mark is None else row for row in rows])


STRING_SPLIT_V2 = define(
    "StringSplitV2", "input: string, sep: string", _SPLIT_OUTPUTS, attrs={"maxsplit": -1},
    ranks={"input": "1: input must be a vector, got shape: {}"},
    shape=_split_shapes, kernel=_split_as_python, gradient=not_differentiable,
)  # fmt: skip


def string_split_v2(source: Any, sep: Any = None, maxsplit: int = -1) -> SparseTensor:
    """The pieces of each string between occurrences of ``sep`` (white space), at most ``maxsplit`` + 1."""
    sep = as_tensor("" if sep is None else sep, dtypes.string)
    source = as_tensor(source, dtypes.string)
    return SparseTensor(*apply(STRING_SPLIT_V2, source, sep, maxsplit=maxsplit))


def _check_unit(op_type: str, unit: str) -> None:
    if unit not in ("BYTE", "UTF8_CHAR"):
        raise ValueError(f"Attr 'unit' of '{op_type}' Op passed string '{unit}' not in: \"BYTE\", \"UTF8_CHAR\".")


def _cut_shape(input: Tensor, pos: Tensor, length: Tensor) -> RawShape:
    if length.dims is not None:
        shapes.merge(shape_rules.with_rank(pos, len(length.dims)), length.dims)
    return shape_rules.broadcast(input, pos)


def _substr(xp: Any, input: Any, pos: Any, len_: Any, *, unit: str) -> Any:
    in_bytes = unit == "BYTE"
    texts = as_strings(input)
    if in_bytes and texts.size and np.ndim(pos) == np.ndim(len_) == 0 and pos >= 0:
        flat, start, end = texts.ravel().tolist(), int(pos), int(pos) + max(int(len_), 0)
        if min(map(len, flat)) >= start:
            result = np.empty(texts.shape, object)
            result.reshape(-1)[:] = [text[start:end] for text in flat]
            return result
    places = iter(range(np.broadcast(texts, pos).size))

    def cut(text: bytes, start: int, length: int) -> bytes:
        at = next(places)
        whole: Any = text if in_bytes else as_text(text)
        if not -len(whole) <= start <= len(whole):
            shown = f" b'{text.decode(errors='replace')}'" if in_bytes else ""
            raise invalid(f"pos {start} out of range for string{shown} at index {at}")
        start += len(whole) if start < 0 else 0
        piece = whole[start : start + max(length, 0)]
        return piece if in_bytes else as_bytes(piece)

    return of_each(cut, input, pos, len_)


SUBSTR = define(
    "Substr", "input: string, pos: T, len: T", "output: string", attrs={"unit": "BYTE"},
    types={"T": kinds.INDEX}, shape=_cut_shape, kernel=_substr, gradient=not_differentiable,
)  # fmt: skip


def substr(input: Any, pos: Any, len: Any, name: str | None = None, unit: str = "BYTE") -> Tensor:
    """``len`` bytes (or characters) of each string from ``pos`` on, which counts from the end if negative."""
    _check_unit("Substr", unit)
    return apply(SUBSTR, input, pos, len, unit=unit, name=name)


# -- measures ----------------------------------------------------------------------------------


def _length(xp: Any, input: Any, *, unit: str) -> Any:
    if unit == "BYTE":
        return of_each(len, input, dtype=np.int32)
    return of_each(lambda text: sum(c & 0xC0 != 0x80 for c in text), input, dtype=np.int32)


STRING_LENGTH = define(
    "StringLength", "input: string", "output: int32", attrs={"unit": "BYTE"}, shape=shape_rules.same,
    kernel=_length, gradient=not_differentiable,
)  # fmt: skip


def string_length(input: Any, name: str | None = None, unit: str = "BYTE") -> Tensor:
    """The number of bytes, or with ``unit="UTF8_CHAR"`` of characters, of each string."""
    _check_unit("StringLength", unit)
    return apply(STRING_LENGTH, input, unit=unit, name=name)


_FEW = 32  # strings that are hashed sooner one by one


def _buckets(x: Any, count: int, of_one: Callable[[bytes], int], of_many: Callable[..., Any]) -> np.ndarray:
    texts = as_strings(x)
    if texts.size < _FEW:
        return of_each(lambda text: of_one(text) % count, x, dtype=np.int64)
    return (of_many(texts.ravel().tolist()) % np.uint64(count)).astype(np.int64).reshape(texts.shape)  # type: ignore[no-any-return]


def _by_murmur(xp: Any, x: Any, *, num_buckets: int) -> Any:
    return _buckets(x, num_buckets, hashing.murmur, hashing.murmurs)


def _by_farm(xp: Any, x: Any, *, num_buckets: int) -> Any:
    return _buckets(x, num_buckets, hashing.farm, hashing.farms)


def _hashed(name: str, argument: str, kernel: Callable[..., Any]) -> OpDef:
    return define(
        name, f"{argument}: string", "output: int64", attrs={"num_buckets": REQUIRED}, shape=shape_rules.same,
        kernel=kernel, gradient=not_differentiable,
    )  # fmt: skip


STRING_TO_HASH_BUCKET = _hashed("StringToHashBucket", "string_tensor", _by_murmur)
STRING_TO_HASH_BUCKET_FAST = _hashed("StringToHashBucketFast", "input", _by_farm)


def _strongly_hashed(xp: Any, input: Any, *, num_buckets: int, key: list[int]) -> Any:
    if len(key) != 2:
        raise invalid("Key must have 2 elements")
    pair = (key[0] % 2**64, key[1] % 2**64)
    return _buckets(input, num_buckets, partial(hashing.sip, key=pair), partial(hashing.sips, key=pair))


STRING_TO_HASH_BUCKET_STRONG = define(
    "StringToHashBucketStrong", "input: string", "output: int64",
    attrs={"num_buckets": REQUIRED, "key": REQUIRED}, shape=shape_rules.same, kernel=_strongly_hashed,
    gradient=not_differentiable,
)  # fmt: skip


def string_to_hash_bucket(
    string_tensor: Any = None, num_buckets: int | None = None, name: str | None = None, input: Any = None
) -> Tensor:
    """A number in ``[0, num_buckets)`` for each string, by the hash function of early TensorFlow."""
    string_tensor = deprecated_argument_lookup("input", input, "string_tensor", string_tensor)
    return apply(STRING_TO_HASH_BUCKET, string_tensor, num_buckets=num_buckets, name=name)


def string_to_hash_bucket_fast(input: Any, num_buckets: int, name: str | None = None) -> Tensor:
    """A number in ``[0, num_buckets)`` for each string, by FarmHash."""
    return apply(STRING_TO_HASH_BUCKET_FAST, input, num_buckets=num_buckets, name=name)


def string_to_hash_bucket_strong(input: Any, num_buckets: int, key: list[int], name: str | None = None) -> Tensor:
    """A number in ``[0, num_buckets)`` for each string, by SipHash under ``key``, two integers."""
    return apply(STRING_TO_HASH_BUCKET_STRONG, input, num_buckets=num_buckets, key=list(key), name=name)


# -- case, white space, base64 -----------------------------------------------------------------

STRING_STRIP = _elementwise("StringStrip", bytes.strip)


def string_strip(input: Any, name: str | None = None) -> Tensor:
    """The strings without white space at both ends."""
    return apply(STRING_STRIP, input, name=name)


def _in_case(name: str, of_bytes: Callable[[bytes], bytes], of_text: Callable[[str], str]) -> OpDef:
    def kernel(xp: Any, input: Any, *, encoding: str) -> Any:
        if encoding == "utf-8":
            return of_each(lambda s: as_bytes(of_text(as_text(s))), input)
        if encoding:
            raise invalid(f"only utf-8 or '' (no encoding) is supported, received {encoding}")
        return of_each(of_bytes, input)

    return define(
        name, "input: string", "output: string", attrs={"encoding": ""}, shape=shape_rules.same,
        kernel=kernel, gradient=not_differentiable,
    )  # fmt: skip


STRING_LOWER = _in_case("StringLower", bytes.lower, str.lower)
STRING_UPPER = _in_case("StringUpper", bytes.upper, str.upper)


def string_lower(input: Any, encoding: str = "", name: str | None = None) -> Tensor:
    """The strings in lower case: ASCII letters only, or with ``encoding="utf-8"`` all."""
    return apply(STRING_LOWER, input, encoding=encoding, name=name)


def string_upper(input: Any, encoding: str = "", name: str | None = None) -> Tensor:
    """The strings in upper case: ASCII letters only, or with ``encoding="utf-8"`` all."""
    return apply(STRING_UPPER, input, encoding=encoding, name=name)


def _encode(xp: Any, input: Any, *, pad: bool) -> Any:
    encoded = of_each(lambda text: binascii.b2a_base64(text, newline=False).translate(_TO_WEB), input)
    return encoded if pad else of_each(lambda text: text.rstrip(b"="), encoded)


_TO_WEB, _FROM_WEB = bytes.maketrans(b"+/", b"-_"), bytes.maketrans(b"-_", b"+/")


ENCODE_BASE64 = define(
    "EncodeBase64", "input: string", "output: string", attrs={"pad": False}, shape=shape_rules.same,
    kernel=_encode, gradient=not_differentiable,
)  # fmt: skip


def encode_base64(input: Any, pad: bool = False, name: str | None = None) -> Tensor:
    """The strings in web-safe base64."""
    return apply(ENCODE_BASE64, input, pad=pad, name=name)


def _decoded(text: bytes) -> bytes:
    body = text if len(text) % 4 else text.removesuffix(b"=").removesuffix(b"=")
    if not re.fullmatch(rb"[0-9A-Za-z_-]*", body):
        raise invalid("Invalid character found in base64.")
    if len(body) % 4 == 1:
        raise invalid("Base64 string length cannot be 1 modulo 4.")
    return binascii.a2b_base64(body.translate(_FROM_WEB) + b"=" * (-len(body) % 4))


DECODE_BASE64 = _elementwise("DecodeBase64", _decoded)


def decode_base64(input: Any, name: str | None = None) -> Tensor:
    """What was encoded in web-safe base64, padded or not."""
    return apply(DECODE_BASE64, input, name=name)


FACT = define("Fact", "", "fact: string", shape=lambda: None, kernel=lambda xp: b"0! == 1", gradient=not_differentiable)


def my_fact() -> Tensor:
    """The text "0! == 1": TensorFlow's example of an op of one's own."""
    fact: Tensor = apply(FACT)
    return fact
