"""Datasets of what files hold, and a dataset written to one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.files import file_system, lmdb, records
from retrograd.graph import log
from retrograd.graph.definition import REQUIRED, Effect, define, not_differentiable
from retrograd.graph.dtypes import DType
from retrograd.graph.errors import DataLossError, InvalidArgumentError, NotFoundError, invalid
from retrograd.graph.shapes import RawShape
from retrograd.ops import dataset_states as states
from retrograd.ops.csv_files import Columns, CsvFile
from retrograd.ops.dataset_states import Dataset, Scope, unwrapped
from retrograd.ops.datasets import dataset_op
from retrograd.ops.whole_files import matching, texts


def _word(x: Any) -> str:
    return texts(x)[0].decode()


def _checked(compression: Any) -> str:
    """The word, which has to be one that there is."""
    if _word(compression) not in records.COMPRESSIONS:
        raise invalid("Unsupported compression_type.")
    return _word(compression)


def _lines(xp: Any, memory: Any, filenames: Any, compression_type: Any, buffer_size: Any) -> Any:
    chunk = int(buffer_size) or 1 << 18

    def opened(name: bytes) -> Callable[[], bytes | None]:
        file = records.Bytes(file_system.path_of(name), kind, chunk)

        def line() -> bytes | None:
            found = file.line()
            return None if found is None else found.removesuffix(b"\r")

        return line

    kind = _checked(compression_type)
    return states.of_files(texts(filenames), opened)


def _tf_records(xp: Any, memory: Any, filenames: Any, compression_type: Any, buffer_size: Any) -> Any:
    chunk, kind = int(buffer_size) or 1 << 18, _word(compression_type)
    if kind not in records.COMPRESSIONS:
        log.error("Unsupported compression_type:%s. No compression will be used.", kind)
        kind = ""
    return states.of_files(texts(filenames), lambda name: records.Reader(file_system.path_of(name), kind, chunk).read)


def _fixed_length(
    xp: Any, memory: Any, filenames: Any, header: Any, size: Any, footer: Any, buffer_size: Any, compression: Any = b""
) -> Any:
    header, size, footer = int(header), int(size), int(footer)
    for word, value, least in (("header_bytes", header, 0), ("record_bytes", size, 1), ("footer_bytes", footer, 0)):
        if value < least:
            raise invalid(f"`{word}` must be {'> 0' if least else '>= 0'}")

    def opened(name: bytes) -> Callable[[], bytes | None]:
        path = file_system.path_of(name)
        file = records.Bytes(path, kind)

        def uneven(body: int) -> str:
            return (
                f'Excluding the header ({header} bytes) and footer ({footer} bytes), input file "{path}" has body '
                f"length {body} bytes, which is not an exact multiple of the record length ({size} bytes)."
            )

        body = (file_system.statistics(path).length - header - footer) % 2**64  # as TensorFlow counts
        if not kind and body % size:
            raise invalid(uneven(body))
        file.read(header)
        window = b""

        def record() -> bytes | None:
            nonlocal window
            window += file.read(size + footer - len(window))
            if len(window) == size + footer:
                found, window = window[:size], window[size:]
                return found
            if kind and (len(window) != footer or file.offset < header):
                raise DataLossError(None, None, uneven(file.offset - header - footer))
            return None

        return record

    kind = _checked(compression)
    return states.of_files(texts(filenames), opened)


TEXT_LINE = dataset_op("TextLineDataset", "filenames: string, compression_type: string, buffer_size: int64", _lines, {})
TF_RECORD = dataset_op(
    "TFRecordDataset", "filenames: string, compression_type: string, buffer_size: int64", _tf_records, {}
)
_FIXED = "filenames: string, header_bytes: int64, record_bytes: int64, footer_bytes: int64, buffer_size: int64"
FIXED_LENGTH = dataset_op("FixedLengthRecordDataset", _FIXED, _fixed_length, {})
FIXED_LENGTH_V2 = dataset_op("FixedLengthRecordDatasetV2", f"{_FIXED}, compression_type: string", _fixed_length, {})


def _matching(xp: Any, memory: Any, patterns: Any) -> Any:
    """The names are looked for when the first is asked for, and again until there are any."""

    def make(scope: Scope) -> states.Next:
        found: list[states.Next] = []

        def following() -> states.Element:
            if not found:
                names = matching(patterns)
                if not names:
                    raise NotFoundError(None, None, "Don't find any matched files")
                found.append(states.of_files(names, _once).make(scope))
            return found[0]()

        return following

    return Dataset(make, sources=())


def _pairs(xp: Any, memory: Any, filenames: Any) -> Any:
    def opened(name: bytes) -> Callable[[], Any]:
        left = lmdb.Database(name).pairs()
        return lambda: next(left, None)

    return Dataset(lambda scope: _apart(states.of_files(texts(filenames), opened).make(scope)), sources=())


def _apart(inner: states.Next) -> states.Next:
    """Elements that came as one value each, a tuple of values."""
    return lambda: [states.as_value(x) for x in inner()[0]]


LMDB, _ = (dataset_op(f"{word}LMDBDataset", "filenames: string", _pairs) for word in ("", "Experimental"))


def _once(value: bytes) -> Callable[[], bytes | None]:
    left = [value]
    return lambda: left.pop() if left else None


MATCHING_FILES = dataset_op("MatchingFilesDataset", "patterns: string", _matching, {})


def _csv(
    xp: Any, memory: Any, filenames: Any, compression: Any, buffer_size: Any, header: Any, delimiter: Any,
    quotes: Any, na_value: Any, select_cols: Any, defaults: list[Any], *, output_types: list[DType],
) -> Any:  # fmt: skip
    if int(buffer_size) <= 0:
        raise invalid("buffer_size should be positive")
    if any(np.ndim(default) > 1 for default in defaults):
        raise invalid("Each record default should be at most rank 1.")
    if (kind := _word(compression)) not in records.COMPRESSIONS:
        raise invalid(f"Unsupported compression_type: {kind}.")
    chosen, arrays = np.asarray(select_cols).tolist(), [np.asarray(d) for d in defaults]
    columns = Columns(output_types, arrays, chosen, texts(delimiter)[0], bool(quotes), texts(na_value)[0])

    def opened(name: bytes) -> Callable[[], Any]:
        return CsvFile(records.Bytes(file_system.path_of(name), kind), columns, bool(header)).read

    def make(scope: Scope) -> states.Next:
        inner = states.of_files(texts(filenames), opened).make(scope)

        def following() -> states.Element:
            (values,) = inner()
            if isinstance(values, InvalidArgumentError):
                raise values
            return values  # type: ignore[no-any-return]

        return following

    return Dataset(make, sources=())


def _csv_shape(*inputs: Any) -> RawShape:
    """Each default is a vector of one value or of none, or a scalar."""
    for default in inputs[-1]:
        if default.dims is not None and len(default.dims) > 1:
            raise ValueError(f"Shape must be at most rank 1 but is rank {len(default.dims)}")
    return ()


CSV = dataset_op(
    "CSVDataset",
    "filenames: string, compression_type: string, buffer_size: int64, header: bool, field_delim: string, "
    "use_quote_delim: bool, na_value: string, select_cols: int64, record_defaults: *output_types",
    _csv,
    {"output_shapes": REQUIRED},
    shape=_csv_shape,
)


def _to_records(xp: Any, memory: Any, dataset: Any, filename: Any, compression: Any) -> list[Any]:
    import zlib

    kind = _word(compression)
    records.check_compression(kind)
    compressor = zlib.compressobj(wbits=records.window_bits(kind)) if kind else None
    writer, scope = records.Writer(file_system.path_of(texts(filename)[0]), compressor), Scope(memory)
    following = scope.begun(unwrapped(dataset))
    try:
        while True:
            try:
                element = following()
            except StopIteration:
                return []
            writer.write(texts(element[0])[0])
    finally:
        scope.close()
        writer.close()


TO_TF_RECORD = define(
    "DatasetToTFRecord", "input_dataset: variant, filename: string, compression_type: string", "",
    shape=lambda dataset, filename, compression: [], kernel=_to_records, effect=Effect.HOST,
    gradient=not_differentiable,
)  # fmt: skip
