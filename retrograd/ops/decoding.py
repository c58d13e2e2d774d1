"""Bytes to tensors: raw numbers, comma-separated values, compressed strings, serialized tensors."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import REQUIRED, define, not_differentiable
from retrograd.graph.deprecation import deprecated_argument_lookup
from retrograd.graph.dtypes import DType, as_dtype, type_word
from retrograd.graph.errors import DataLossError, invalid
from retrograd.graph.shapes import RawShape, shape_text
from retrograd.graph.tensor import Tensor
from retrograd.graph.values import in_array
from retrograd.ops import shape_rules


def _texts(x: Any) -> list[bytes]:
    return np.asarray(x, object).ravel().tolist()  # type: ignore[no-any-return]


def _objects(values: list[Any], shape: Any) -> np.ndarray:
    array = np.empty(len(values), object)
    array[:] = values
    return array.reshape(shape)


# -- raw numbers -------------------------------------------------------------------------------

_NUMBERS = (
    dtypes.float16, dtypes.float32, dtypes.float64, dtypes.int32, dtypes.uint16, dtypes.uint8, dtypes.int16,
    dtypes.int8, dtypes.int64,
)  # fmt: skip


def _one_more(x: Tensor) -> RawShape:
    return None if x.dims is None else (*x.dims, None)


def _numbers(data: bytes, dtype: DType, little_endian: bool) -> np.ndarray:
    """The numbers whose bytes these are."""
    kind = np.dtype(dtype.np)
    order = kind.newbyteorder("<" if little_endian else ">")
    return np.frombuffer(data, order).astype(kind, copy=False)


def _decode_raw(xp: Any, bytes_: Any, *, out_type: DType, little_endian: bool) -> Any:
    texts, shape = _texts(bytes_), np.shape(bytes_)
    if not texts:
        return np.empty((*shape, 0), out_type.np)
    length, size = len(texts[-1]), np.dtype(out_type.np).itemsize
    for i, text in enumerate(texts):
        if len(text) != len(texts[0]):
            raise invalid(
                "DecodeRaw requires input strings to all be the same size, but element "
                f"{i} has size {len(texts[0])} != {len(text)}"
            )
    if length % size:
        what = f"a multiple of {size}, the size of {type_word(out_type)}"
        raise invalid(f"Input to DecodeRaw has length {length} that is not {what}")
    return _numbers(b"".join(texts), out_type, little_endian).reshape(*shape, length // size)


DECODE_RAW = define(
    "DecodeRaw", "bytes: string", "output: out_type", attrs={"out_type": REQUIRED, "little_endian": True},
    types={"out_type": (*_NUMBERS, dtypes.complex64, dtypes.complex128, dtypes.bool)}, shape=_one_more,
    kernel=_decode_raw, gradient=not_differentiable,
)  # fmt: skip


def decode_raw_v1(
    input_bytes: Any = None, out_type: Any = None, little_endian: bool = True, name: str | None = None,
    bytes: Any = None,
) -> Tensor:  # fmt: skip
    """The numbers whose bytes the strings are: one more dimension; all strings have one length."""
    input_bytes = deprecated_argument_lookup("input_bytes", input_bytes, "bytes", bytes)
    if out_type is None:
        raise ValueError("decode_raw_v1() missing 1 positional argument: 'out_type'")
    return apply(DECODE_RAW, input_bytes, out_type=as_dtype(out_type), little_endian=little_endian, name=name)


def _decode_padded_raw(xp: Any, bytes_: Any, fixed_length: Any, *, out_type: DType, little_endian: bool) -> Any:
    size, length = np.dtype(out_type.np).itemsize, int(fixed_length)
    if length <= 0 or length % size:
        raise invalid(
            f"fixed_length ({length}) must be greater than zero and a multiple of the size of out_type ({size})"
        )
    data = b"".join(text[:length].ljust(length, b"\x00") for text in _texts(bytes_))
    return _numbers(data, out_type, little_endian).reshape(*np.shape(bytes_), length // size)


DECODE_PADDED_RAW = define(
    "DecodePaddedRaw", "input_bytes: string, fixed_length: int32", "output: out_type",
    attrs={"out_type": REQUIRED, "little_endian": True}, types={"out_type": _NUMBERS}, static=("fixed_length",),
    shape=lambda input_bytes, fixed_length: _one_more(input_bytes), kernel=_decode_padded_raw,
    gradient=not_differentiable,
)  # fmt: skip


def decode_raw(
    input_bytes: Any, out_type: Any, little_endian: bool = True, fixed_length: Any = None, name: str | None = None
) -> Tensor:
    """The numbers whose bytes the strings are; with ``fixed_length`` each is cut or filled up to so many bytes."""
    out_type = as_dtype(out_type)
    if fixed_length is not None:
        return apply(
            DECODE_PADDED_RAW, input_bytes, fixed_length, out_type=out_type, little_endian=little_endian, name=name
        )
    return apply(DECODE_RAW, input_bytes, out_type=out_type, little_endian=little_endian, name=name)


# -- comma-separated values --------------------------------------------------------------------

_FIELDS = (dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64, dtypes.string)


def _csv_shapes(records: Tensor, record_defaults: list[Tensor], *, select_cols: list[int]) -> list[RawShape]:
    for default in record_defaults:
        dims = default.dims
        if dims is not None and len(dims) > 1:
            raise ValueError(f"Shape must be at most rank 1 but is rank {len(dims)}")
        if dims and dims[0] is not None and dims[0] > 1:
            raise ValueError("Shape of a default must be a length-0 or length-1 vector, or a scalar.")
    return [records.dims] * len(record_defaults)


def csv_fields(record: bytes, delimiter: bytes, quotes: bool, chosen: list[int]) -> list[bytes]:
    """The fields of one record, or those of them that are ``chosen``.

    Raises:
      InvalidArgumentError: a quote is where it may not be.
    """
    if not record:
        return []
    if not quotes or b'"' not in record:
        if quotes and (b"\n" in record or b"\r" in record):
            raise invalid("Unquoted fields cannot have quotes/CRLFs inside")
        fields = record.split(delimiter)
    else:
        fields = list(_quoted_fields(record, delimiter))
    return [fields[i] for i in chosen if i < len(fields)] if chosen else fields


def _quoted_fields(record: bytes, delimiter: bytes) -> Iterator[bytes]:
    place = 0
    while True:
        if record[place : place + 1] == b'"':
            field, place = _quoted(record, place + 1, delimiter)
            yield field
        else:
            end = record.find(delimiter, place)
            end = len(record) if end < 0 else end
            field = record[place:end]
            if b'"' in field or b"\n" in field or b"\r" in field:
                raise invalid("Unquoted fields cannot have quotes/CRLFs inside")
            yield field
            place = end
        if place >= len(record):
            return
        place += 1
        if place == len(record):
            yield b""
            return


def _quoted(record: bytes, place: int, delimiter: bytes) -> tuple[bytes, int]:
    """The field behind an opening quote, and where it ends."""
    parts = []
    while True:
        end = record.find(b'"', place)
        if end < 0:
            raise invalid("Quoted field has to end with quote followed by delim or end")
        parts.append(record[place:end])
        following = record[end + 1 : end + 2]
        if following == b'"':
            parts.append(b'"')
            place = end + 2
        elif not following or following == delimiter:
            return b"".join(parts), end + 1
        else:
            raise invalid("Quote inside a string has to be escaped by another quote")


def csv_value(field: bytes, dtype: DType, default: np.ndarray, na_value: bytes, where: str) -> Any:
    """A field as a value; an empty one, or ``na_value``, is the default."""
    if not field or field == na_value:
        if not default.size:
            raise invalid(f"Field {where.split()[0]} is required but missing in record {where.split()[-1]}!")
        return default.reshape(-1)[0]
    if dtype is dtypes.string:
        return field
    text = field.strip(b" \t\n\v\f\r")
    try:
        if b"_" in text:
            raise ValueError
        if not dtype.is_integer:
            return float(text)
        value = int(text)
        if dtype.min <= value <= dtype.max:
            return value
    except ValueError:
        pass
    shown = field.decode(errors="replace")
    raise invalid(f"Field {where.split()[0]} in record {where.split()[-1]} is not a valid {type_word(dtype)}: {shown}")


def plain_csv_columns(
    records: Sequence[bytes], kinds: Sequence[DType], delimiter: bytes, na_value: bytes, chosen: Sequence[int]
) -> list[np.ndarray] | None:
    """The columns of records without quotes whose values are all there; None if some are not like that."""
    whole = b"".join(records)
    if not all(records) or any(mark in whole for mark in (b'"', b"\n", b"\r")):
        return None
    rows = [record.split(delimiter) for record in records]
    if len({*map(len, rows)}) != 1 or len(rows[0]) <= max(chosen, default=-1):
        return None
    columns = list(zip(*rows, strict=True))
    columns = [columns[i] for i in chosen] if chosen else columns
    if len(columns) != len(kinds):
        return None
    try:
        return [
            _plain_column(column, kind, na_value, b"_" in whole) for column, kind in zip(columns, kinds, strict=True)
        ]
    except (ValueError, OverflowError):
        return None


def _plain_column(column: Sequence[bytes], kind: DType, na_value: bytes, has_underscores: bool) -> np.ndarray:
    if b"" in column or na_value in column:
        raise ValueError("a value is missing")
    if kind is dtypes.string:
        return _objects(list(column), (len(column),))
    if has_underscores and b"_" in b"".join(column):
        raise ValueError("Python reads such numbers, TensorFlow does not")
    if not kind.is_integer:
        with np.errstate(over="ignore"):
            return np.array([*map(float, column)], kind.np)
    return np.array([*map(int, column)], kind.np)


def _decode_csv(
    xp: Any, records: Any, defaults: list[Any], *, OUT_TYPE: list[DType], field_delim: Any, use_quote_delim: bool,
    na_value: Any, select_cols: list[int],
) -> list[Any]:  # fmt: skip
    delimiter, missing = (x.encode() if isinstance(x, str) else x for x in (field_delim, na_value))
    texts = _texts(records)
    plain = plain_csv_columns(texts, OUT_TYPE, delimiter, missing, select_cols) if texts else None
    if plain is not None:
        return [column.reshape(np.shape(records)) for column in plain]
    columns: list[list[Any]] = [[] for _ in OUT_TYPE]
    arrays = [np.asarray(d) for d in defaults]
    for i, record in enumerate(texts):
        fields = csv_fields(record, delimiter, use_quote_delim, select_cols)
        if len(fields) != len(OUT_TYPE):
            raise invalid(f"Expect {len(OUT_TYPE)} fields but have {len(fields)} in record {i}")
        for j, field in enumerate(fields):
            columns[j].append(csv_value(field, OUT_TYPE[j], arrays[j], missing, f"{j} {i}"))
    shape = np.shape(records)
    with np.errstate(over="ignore"):
        return [
            _objects(column, shape) if dtype is dtypes.string else np.array(column, dtype.np).reshape(shape)
            for column, dtype in zip(columns, OUT_TYPE, strict=True)
        ]


DECODE_CSV = define(
    "DecodeCSV", "records: string, record_defaults: *OUT_TYPE", "output: *OUT_TYPE",
    attrs={"field_delim": ",", "use_quote_delim": True, "na_value": "", "select_cols": []},
    types={"OUT_TYPE": _FIELDS}, lengths={"OUT_TYPE": 1}, shape=_csv_shapes, kernel=_decode_csv,
    gradient=not_differentiable,
)  # fmt: skip


def decode_csv(
    records: Any, record_defaults: Any, field_delim: str = ",", use_quote_delim: bool = True,
    name: str | None = None, na_value: str = "", select_cols: Any = None,
) -> list[Tensor]:  # fmt: skip
    """The columns of records of comma-separated values, one tensor for each.

    Args:
      record_defaults: for each column its default value, whose dtype is the column's; an empty one means
        that there must be a value.
      select_cols: the columns that are wanted, in ascending order; by default all.
    """
    return decode_csv_v2(records, record_defaults, field_delim, use_quote_delim, na_value, select_cols, name)


def decode_csv_v2(
    records: Any, record_defaults: Any, field_delim: str = ",", use_quote_delim: bool = True, na_value: str = "",
    select_cols: Any = None, name: str | None = None,
) -> list[Tensor]:  # fmt: skip
    """``decode_csv`` with its arguments in another order."""
    if select_cols is not None and any(a >= b for a, b in pairwise(select_cols)):
        raise ValueError("select_cols is not strictly increasing.")
    if select_cols is not None and select_cols[0] < 0:
        raise ValueError("select_cols contains negative values.")
    if select_cols is not None and len(select_cols) != len(record_defaults):
        raise ValueError("Length of select_cols and record_defaults do not match.")
    if len(field_delim) != 1:
        raise invalid("field_delim should be only 1 char")
    columns: list[Tensor] = apply(
        DECODE_CSV, records, record_defaults, field_delim=field_delim, use_quote_delim=use_quote_delim,
        na_value=na_value, select_cols=list(select_cols or ()), name=name,
    )  # fmt: skip
    return columns


# -- compressed strings ------------------------------------------------------------------------


def _decode_compressed(xp: Any, bytes_: Any, *, compression_type: Any) -> Any:
    kind = compression_type.decode() if isinstance(compression_type, bytes) else compression_type
    if kind not in ("", "ZLIB", "GZIP"):
        raise invalid("Only ZLIB, GZIP or NONE are supported compressions")
    texts = _texts(bytes_)
    if kind:
        texts = [_inflated(text, zlib.MAX_WBITS + (16 if kind == "GZIP" else 0)) for text in texts]
    return _objects(texts, np.shape(bytes_))


def _inflated(data: bytes, bits: int) -> bytes:
    try:
        return zlib.decompressobj(bits).decompress(data)
    except zlib.error as error:
        code, _, words = str(error).removeprefix("Error ").partition(" while decompressing data: ")
        raise DataLossError(None, None, f"inflate() failed with error {code}: {words}") from None


DECODE_COMPRESSED = define(
    "DecodeCompressed", "bytes: string", "output: string", attrs={"compression_type": ""}, shape=shape_rules.same,
    kernel=_decode_compressed, gradient=not_differentiable,
)  # fmt: skip


def decode_compressed(bytes: Any, compression_type: str = "", name: str | None = None) -> Tensor:
    """The strings that were compressed with ``"ZLIB"`` or ``"GZIP"``."""
    return apply(DECODE_COMPRESSED, bytes, compression_type=compression_type, name=name)


# -- protocol buffers --------------------------------------------------------------------------


def _decode_json(xp: Any, json_examples: Any) -> Any:
    from google.protobuf import json_format

    from retrograd.files.messages import message

    results = []
    for text in _texts(json_examples):
        try:
            example = json_format.Parse(text.decode(), message("Example")())
        except (json_format.ParseError, UnicodeDecodeError) as error:
            raise invalid(f"Error while parsing JSON: {error}") from None
        results.append(example.SerializeToString(deterministic=True))
    return _objects(results, np.shape(json_examples))


DECODE_JSON_EXAMPLE = define(
    "DecodeJSONExample", "json_examples: string", "binary_examples: string", shape=shape_rules.same,
    kernel=_decode_json, gradient=not_differentiable,
)  # fmt: skip


def decode_json_example(json_examples: Any, name: str | None = None) -> Tensor:
    """Serialized ``tf.train.Example``s of their JSON form."""
    return apply(DECODE_JSON_EXAMPLE, json_examples, name=name)


def _parse_tensor(xp: Any, serialized: Any, *, out_type: DType) -> Any:
    from tensorboard.compat.proto.tensor_pb2 import TensorProto

    from retrograd.graph.protos import make_ndarray

    if np.ndim(serialized):
        raise invalid(f"Expected `serialized` to be a scalar, got shape: {shape_text(np.shape(serialized))}")
    text = _texts(serialized)[0]
    try:
        proto = TensorProto.FromString(text)
        array = _state_in(proto) if proto.dtype == dtypes.variant.as_datatype_enum else make_ndarray(proto)
    except Exception:  # protobuf's DecodeError, or contents that do not fit the shape
        shown = text.decode(errors="replace")
        raise invalid(f"Could not parse `serialized` as TensorProto: '{shown}'") from None
    found = as_dtype(proto.dtype)
    if found != out_type:
        raise invalid(f"Type mismatch between parsed tensor ({type_word(found)}) and dtype ({type_word(out_type)})")
    return array


PARSE_TENSOR = define(
    "ParseTensor", "serialized: string", "output: out_type", attrs={"out_type": REQUIRED},
    shape=lambda serialized: None, kernel=_parse_tensor,
    gradient=not_differentiable,
)  # fmt: skip


def parse_tensor(serialized: Any, out_type: Any, name: str | None = None) -> Tensor:
    """The tensor of a serialized ``TensorProto``, which must be of dtype ``out_type``."""
    return apply(PARSE_TENSOR, serialized, out_type=as_dtype(out_type), name=name)


_STATE = "retrograd.IteratorState"  # the one kind of variant that consists of bytes


def _state_in(proto: Any) -> Any:
    """The state of an iterator that a ``TensorProto`` holds."""
    (value,) = proto.variant_val
    if value.type_name != _STATE:
        raise ValueError(f"of another kind: {value.type_name}")
    return in_array(value.metadata)


def _serialize_tensor(xp: Any, tensor: Any, *, T: DType) -> Any:
    from retrograd.graph.protos import tensor_proto

    if dtypes.variant != T:
        return in_array(tensor_proto(np.asarray(tensor)).SerializeToString(deterministic=True))
    from tensorboard.compat.proto.tensor_pb2 import TensorProto

    state = np.asarray(tensor).item() if np.ndim(tensor) == 0 else None
    if not isinstance(state, bytes):
        raise invalid("Of variants only the state of an iterator can be serialized.")
    proto = TensorProto(dtype=dtypes.variant.as_datatype_enum)
    proto.tensor_shape.SetInParent()
    proto.variant_val.add(type_name=_STATE, metadata=state)
    return in_array(proto.SerializeToString(deterministic=True))


SERIALIZE_TENSOR = define(
    "SerializeTensor", "tensor: T", "serialized: string", shape=lambda tensor: (), kernel=_serialize_tensor,
    gradient=not_differentiable,
)  # fmt: skip


def serialize_tensor(tensor: Any, name: str | None = None) -> Tensor:
    """A tensor as a serialized ``TensorProto``."""
    return apply(SERIALIZE_TENSOR, as_tensor(tensor), name=name)
