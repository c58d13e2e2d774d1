"""Messages of protocol buffers taken apart into tensors and put together: ``decode_proto`` and ``encode_proto``."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from retrograd.files import file_system, messages, wire
from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.definition import REQUIRED, define, not_differentiable
from retrograd.graph.dtypes import DType, as_dtype, type_word
from retrograd.graph.errors import DataLossError, InvalidArgumentError, OpError
from retrograd.graph.shapes import RawShape, merge
from retrograd.graph.tensor import Tensor
from retrograd.ops import shape_rules

_INT32, _UINT32 = (dtypes.int32, dtypes.int64), (dtypes.uint32, dtypes.uint64)
_DTYPES = {  # that hold the values of a type of field
    **dict.fromkeys(("int32", "sint32", "sfixed32"), _INT32),
    **dict.fromkeys(("int64", "sint64", "sfixed64"), (dtypes.int64,)),
    **dict.fromkeys(("uint32", "fixed32"), _UINT32),
    **dict.fromkeys(("uint64", "fixed64"), (dtypes.uint64,)),
    **dict.fromkeys(("string", "bytes", "message", "group"), (dtypes.string,)),
    "double": (dtypes.float64,),
    "float": (dtypes.float32, dtypes.float64),
    "bool": (dtypes.bool,),
    "enum": (dtypes.int32,),
}


def _wrong(text: str) -> InvalidArgumentError:
    return InvalidArgumentError(None, None, text)


@lru_cache(maxsize=16)
def _pool(content: bytes) -> Any:
    """The descriptors of a ``FileDescriptorSet``; a file is added after those that it imports."""
    from google.protobuf import descriptor_pb2, descriptor_pool
    from google.protobuf.message import DecodeError

    try:
        files = {file.name: file for file in descriptor_pb2.FileDescriptorSet.FromString(content).file}
    except DecodeError:
        raise _wrong("Source does not represent serialized file descriptor set proto.") from None
    pool = descriptor_pool.DescriptorPool()

    def add(name: str) -> None:
        file = files.pop(name, None)
        if file is not None:
            for other in file.dependency:
                add(other)
            pool.AddSerializedFile(file.SerializeToString())

    try:
        while files:
            add(next(iter(files)))
    except TypeError as error:
        raise _wrong(f"Source does not represent serialized file descriptor set proto: {error}") from None
    return pool


def _local(name: str) -> Any:
    """The descriptor of a message of TensorFlow's own; KeyError if there is none."""
    package, _, short = name.rpartition(".")
    if package != "tensorflow":
        raise KeyError(name)
    from google.protobuf import descriptor_pool
    from tensorboard.compat import proto

    try:
        return messages.message(short).DESCRIPTOR
    except KeyError:
        for module in pkgutil.iter_modules(proto.__path__, f"{proto.__name__}."):
            importlib.import_module(module.name)
        return descriptor_pool.Default().FindMessageTypeByName(f"tensorboard.{short}")


def _descriptor(source: Any, name: str) -> tuple[Any, Any]:
    """A message's descriptor, and the pool with its extensions."""
    source = source if isinstance(source, bytes) else source.encode()
    try:
        if source in (b"", b"local://"):
            descriptor = _local(name)
            return descriptor, descriptor.file.pool
        try:
            content = source[8:] if source.startswith(b"bytes://") else file_system.read(source)
        except OpError:
            content = b"\0"  # of no set
        pool = _pool(content)
        return pool.FindMessageTypeByName(name), pool
    except KeyError:
        raise _wrong(f"No descriptor found for message type {name}") from None


def _word(words: Any) -> str:
    return words.decode() if isinstance(words, bytes) else str(words)


def _fields(descriptor: Any, pool: Any, names: Sequence[Any], message_type: str, extensions: bool) -> list[Any]:
    found = []
    for name in map(_word, names):
        field = descriptor.fields_by_name.get(name)
        if field is None and extensions:
            try:
                field = pool.FindExtensionByName(name)
            except KeyError:
                field = None
        if field is None:
            raise _wrong(f"Unknown field: {name} in message type {message_type}")
        found.append(field)
    return found


def _type(field: Any) -> str:
    """The word for a field's type; descriptors count types from 1, in this order."""
    return list(wire.KINDS)[field.type - 1]


def _whole(text: bytes, descriptor: Any, pool: Any, form: str, sanitize: bool) -> bytes:
    """A message's bytes; from text, or read and written anew, if that is asked for."""
    if form == "binary" and not sanitize:
        return text
    from google.protobuf import message_factory, text_format
    from google.protobuf.message import DecodeError

    message = message_factory.GetMessageClass(descriptor)()
    try:
        if form == "text":
            text_format.Parse(text, message, descriptor_pool=pool)
        else:
            message.ParseFromString(text)
    except (DecodeError, text_format.ParseError, UnicodeDecodeError):
        raise DataLossError(None, None, f"Unable to parse {form} protobuf") from None
    if not message.IsInitialized():
        raise DataLossError(None, None, f"Unable to parse {form} protobuf")
    written: bytes = message.SerializePartialToString()
    return written


def _absent(field: Any, dtype: DType) -> Any:
    """What stands where a message has no entry: the field's default, or nothing in a list."""
    default = None if field.is_repeated or _type(field) in ("message", "group") else field.default_value
    if dtype == dtypes.string:
        return default.encode() if isinstance(default, str) else default or b""
    return default or 0


def _decode(
    xp: Any, buffers: Any, *, message_type: Any, field_names: Any, output_types: Any, descriptor_source: Any,
    message_format: Any, sanitize: bool,
) -> list[Any]:  # fmt: skip
    """Entries of each field, padded to those of the message that has most, and their numbers in each message."""
    name, form = _word(message_type), _word(message_format)
    descriptor, pool = _descriptor(descriptor_source, name)
    if len(field_names) != len(output_types):
        raise _wrong("field_names and output_types attributes must have the same length")
    fields = _fields(descriptor, pool, field_names, name, extensions=True)
    for field, dtype in zip(fields, output_types, strict=True):
        if dtype not in _DTYPES[_type(field)]:
            shown = f"{name}.{field.name}" if not field.is_extension else field.full_name
            raise _wrong(f"Unexpected output type for {shown}: {field.cpp_type} to {as_dtype(dtype).as_datatype_enum}")
    if form not in ("binary", "text"):
        raise _wrong("format must be one of binary or text")
    batch = np.shape(buffers)
    texts = np.asarray(buffers, object).ravel()
    if not texts.size:
        raise _wrong("Bufs argument must contain at least one value")
    kinds = {field.number: wire.KINDS[_type(field)] for field in fields}
    at = {field.number: i for i, field in enumerate(fields)}  # a field that is named twice is read once
    held: list[list[list[Any]]] = [[[] for _ in texts] for _ in fields]
    for row, text in enumerate(texts):
        for number, value in wire.entries(_whole(text, descriptor, pool, form, sanitize), kinds):
            values = held[at[number]][row]
            if not fields[at[number]].is_repeated:
                values.clear()
            values.append(value)
    sizes = np.array([[len(values) for values in rows] for rows in held], np.int32).reshape(len(fields), len(texts))
    outputs = [sizes.T.reshape(*batch, len(fields))]
    for field, dtype, rows in zip(fields, output_types, held, strict=True):
        array = np.full((len(texts), max(1, *map(len, rows))), _absent(field, dtype), dtype.np)
        for row, values in enumerate(rows):
            for column, value in enumerate(values):
                array[row, column] = value
        outputs.append(array.reshape(*batch, -1))
    return outputs


def _decoded(buffers: Tensor, *, field_names: Any, output_types: Any) -> list[RawShape]:
    dims = buffers.dims
    if dims is None:
        return [None] * (1 + len(output_types))
    return [(*dims, len(field_names)), *((*dims, None) for _ in output_types)]


DECODE = define(
    "DecodeProtoV2", "bytes: string", "sizes: int32, values: *output_types",
    attrs={
        "message_type": REQUIRED, "field_names": REQUIRED, "output_types": REQUIRED,
        "descriptor_source": "local://", "message_format": "binary", "sanitize": False,
    },
    shape=_decoded, kernel=_decode, gradient=not_differentiable,
)  # fmt: skip


def _encode(xp: Any, sizes: Any, values: Any, *, field_names: Any, message_type: Any, descriptor_source: Any) -> Any:
    """The bytes of messages, their fields by their numbers."""
    name = _word(message_type)
    descriptor, pool = _descriptor(descriptor_source, name)
    fields = _fields(descriptor, pool, field_names, name, extensions=False)
    if len(fields) != len(values):
        raise _wrong("Length of inputs list must match field_names")
    arrays = [np.asarray(value) for value in values]
    batch = arrays[0].shape[:-1]
    if any(array.shape[:-1] != batch for array in arrays):
        raise _wrong("Values must match up to the last dimension")
    if np.shape(sizes) != (*batch, len(fields)):
        saw, expected = (f"[{','.join(map(str, dims))}]" for dims in (np.shape(sizes), (*batch, len(fields))))
        raise _wrong(f"sizes should be batch_size + [len(field_names)].  Saw: {saw} but expected: {expected}")
    for field, array in zip(fields, arrays, strict=True):
        dtype = dtypes.string if array.dtype.kind == "O" else as_dtype(array.dtype)
        if dtype not in _DTYPES[_type(field)]:
            raise _wrong(
                f"Incompatible type for field {field.name}.  "
                f"Saw dtype: {type_word(dtype)} but field type is: {_type(field)}"
            )
    counts = np.reshape(sizes, (-1, len(fields)))
    rows = [array.reshape(len(counts), array.shape[-1]) for array in arrays]
    texts = np.empty(len(counts), object)
    order = sorted(range(len(fields)), key=lambda i: fields[i].number)
    for message, count in enumerate(counts):
        for i in range(len(fields)):
            if count[i] > rows[i].shape[1]:
                raise _wrong(
                    "Size to write must not be larger than value tensor; but saw: "
                    f"{count[i]} > {rows[i].shape[1]} at message {message} field {i}"
                )
        texts[message] = b"".join(_written(fields[i], rows[i][message, : max(0, count[i])].tolist()) for i in order)
    return texts.reshape(batch)


def _written(field: Any, values: list[Any]) -> bytes:
    return wire.field(field.number, _type(field), values, field.is_packed)


def _encoded(sizes: Tensor, values: Sequence[Tensor]) -> RawShape:
    dims: RawShape = None
    for value in values:
        shape = shape_rules.with_rank_at_least(value, 2)
        dims = merge(dims, None if shape is None else shape[:-1])
    return dims


ENCODE = define(
    "EncodeProto", "sizes: int32, values: *Tinput_types", "bytes: string",
    attrs={"field_names": REQUIRED, "message_type": REQUIRED, "descriptor_source": "local://"},
    shape=_encoded, kernel=_encode, gradient=not_differentiable,
)  # fmt: skip


def decode_proto(
    bytes: Any,
    message_type: str,
    field_names: Sequence[str],
    output_types: Sequence[Any],
    descriptor_source: Any = "local://",
    message_format: str = "binary",
    sanitize: bool = False,
    name: str | None = None,
) -> tuple[Tensor, list[Tensor]]:
    """How many entries each field has in each message, [..., fields], and the fields' values, [..., most entries].

    ``descriptor_source`` is ``local://`` (TensorFlow's own messages), the path of a file that holds a
    ``FileDescriptorSet`` (``protoc --include_imports --descriptor_set_out``), or ``bytes://`` before its bytes.
    A message in a message is a string. Where a message has no entry its field's default stands.

    Raises:
      InvalidArgumentError: when run, no such message or field is described, or the field has another type.
      DataLossError: when run, a string is no message.
    """
    sizes, *values = _as_list(
        apply(
            DECODE, bytes, message_type=message_type, field_names=list(field_names),
            output_types=[as_dtype(dtype) for dtype in output_types], descriptor_source=descriptor_source,
            message_format=message_format, sanitize=sanitize, name=name,
        )
    )  # fmt: skip
    return sizes, values


def _as_list(outputs: Any) -> list[Tensor]:
    return [outputs] if isinstance(outputs, Tensor) else list(outputs)


def encode_proto(
    sizes: Any,
    values: Sequence[Any],
    field_names: Sequence[str],
    message_type: str,
    descriptor_source: Any = "local://",
    name: str | None = None,
) -> Tensor:
    """Messages, [...], of so many (``sizes``, [..., fields]) of the values of each field, [..., most entries].

    Raises:
      InvalidArgumentError: when run, no such message or field is described, or shapes or types do not fit.
    """
    encoded: Tensor = apply(
        ENCODE, sizes, list(values), field_names=list(field_names), message_type=message_type,
        descriptor_source=descriptor_source, name=name,
    )  # fmt: skip
    return encoded
