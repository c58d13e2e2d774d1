"""TensorFlow's checkpoints, version 1: tables that hold the tensors themselves."""

from __future__ import annotations

import glob
import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from retrograd.files import tables
from retrograd.files.bundles import Extents, joined, parse_slice, saved_slices, slice_key
from retrograd.files.messages import message
from retrograd.files.replacing import file_error, replace_file
from retrograd.graph import errors
from retrograd.graph.dtypes import DType, as_dtype
from retrograd.graph.protos import field_proto, make_ndarray

_PRODUCER = 1  # the version of the format


# -- reading -----------------------------------------------------------------------------------


def files_of(path: str) -> list[str]:
    """The files of a checkpoint; the path of one in several files has ``?`` for the number of each."""
    return sorted(glob.glob(path)) or ([path] if glob.glob(glob.escape(path)) else [])


def exists(path: str) -> bool:
    """Whether there is a checkpoint of that name."""
    return bool(files_of(path))


class Reader:
    """Reads tensors of a checkpoint, each when it is asked for.

    Raises:
      DataLossError: it is damaged, or another kind of file.
    """

    def __init__(self, path: str) -> None:
        from google.protobuf.message import DecodeError

        self.prefix = path
        self.entries: dict[bytes, Any] = {}
        self.slices: dict[bytes, list[tuple[Extents, bytes]]] = {}
        self.places: dict[bytes, tuple[str, tables.Place]] = {}  # of the rows with the slices
        for file in files_of(path):
            about = b""
            with _opened(file) as data:
                for key, value, place in tables.placed_entries_of(data):
                    if key:
                        self.places[key] = file, place
                    else:
                        about = value
            try:
                meta = message("SavedTensorSlices").FromString(about).meta
            except DecodeError:
                raise _damaged(file, "its description is no protocol buffer") from None
            for entry in meta.tensor:
                name = entry.name.encode()
                self.entries.setdefault(name, entry)
                try:
                    saved = saved_slices(entry.slice, self.shape(name))
                except errors.DataLossError as error:
                    raise _damaged(file, f"{name!r} has {error.message}") from None
                self.slices.setdefault(name, []).extend((whole, slice_key(name, key)) for whole, key in saved)

    @property
    def names(self) -> list[bytes]:
        """The names of the tensors in order."""
        return sorted(self.entries)

    def has(self, name: bytes) -> bool:
        """Whether there is a tensor of that name."""
        return name in self.entries

    def _entry(self, name: bytes) -> Any:
        if name not in self.entries:
            words = f"Key {name.decode(errors='replace')} not found in checkpoint"
            raise errors.NotFoundError(None, None, words)
        return self.entries[name]

    def shape(self, name: bytes) -> tuple[int, ...]:
        """The shape of a tensor."""
        return tuple(d.size for d in self._entry(name).shape.dim)

    def dtype(self, name: bytes) -> DType:
        """The dtype of a tensor."""
        try:
            return as_dtype(self._entry(name).type)
        except TypeError:
            raise _damaged(self.prefix, f"{name!r} is of dtype {self._entry(name).type}") from None

    def tensor(self, name: bytes) -> np.ndarray:
        """The value of a tensor."""
        return self.part(name, tuple((0, n) for n in self.shape(name)))

    def check(self, name: bytes) -> None:
        """Raises ``DataLossError`` if the value of a tensor is not to be had."""
        self.tensor(name)

    def part(self, name: bytes, extents: Extents) -> np.ndarray:
        """The part ``extents`` of a tensor, put together from the slices that were saved."""
        value = joined(extents, self.dtype(name), self.slices[name], lambda key: self._slice(name, key))
        if value is None:
            raise _damaged(self.prefix, f"the slices of {name!r} do not cover it")
        return value

    def _slice(self, name: bytes, key: bytes) -> np.ndarray:
        from google.protobuf.message import DecodeError
        from tensorboard.compat.proto.tensor_pb2 import TensorProto

        extents = next(whole for whole, k in self.slices[name] if k == key)
        try:
            file, place = self.places[key]
            with _opened(file) as data:
                row = tables.value_at(data, place, key) or b""
            size = len(row)
            proto = TensorProto.FromString(message("SavedTensorSlices").FromString(row).data.data)
            del row
        except (DecodeError, KeyError):
            raise _damaged(self.prefix, f"a slice of {name!r} is lost") from None
        count = math.prod(length for _, length in extents)
        if count > size:
            raise _damaged(self.prefix, f"a slice of {name!r} has fewer than {count} elements")
        del proto.tensor_shape.dim[:]
        proto.dtype = self.dtype(name).as_datatype_enum
        proto.tensor_shape.dim.add(size=count)
        value = make_ndarray(proto)
        if value.size != count:
            raise _damaged(self.prefix, f"a slice of {name!r} has {value.size} elements of {count}")
        return value.reshape([length for _, length in extents])


@contextmanager
def _opened(path: str) -> Iterator[tables.FileBytes]:
    """The bytes of a table; what is wrong with it is told with the file's name."""
    try:
        with open(path, "rb") as file:
            yield tables.FileBytes(file)
    except OSError as error:
        raise file_error(error, path) from None
    except errors.DataLossError as error:
        words = (
            f"Unable to open table file {path}: Data loss: {error.message}: perhaps your file is "
            "in a different file format and you need to use a different restore operator?"
        )
        raise errors.DataLossError(None, None, words) from None


def _damaged(path: str, what: str) -> errors.OpError:
    return errors.DataLossError(None, None, f"The checkpoint {path} is damaged: {what}")


# -- writing -----------------------------------------------------------------------------------


def write(path: str, tensors: list[tuple[bytes, str, Any]]) -> None:
    """Write ``tensors``, each with its name and which part of a whole it is, to one file.

    Raises:
      InvalidArgumentError: two parts of one name are of wholes of different shapes.
    """
    about = message("SavedTensorSlices")()
    about.meta.versions.producer = _PRODUCER
    rows: dict[bytes, bytes] = {}
    metas: dict[bytes, Any] = {}
    for name, spec, value in tensors:
        value = np.asarray(value)
        shape, extents = parse_slice(spec) if spec else (value.shape, tuple((0, n) for n in value.shape))
        if name not in metas:
            metas[name] = about.meta.tensor.add(name=name.decode())
        entry = metas[name]
        dtype = as_dtype(value.dtype)
        if entry.type and (tuple(d.size for d in entry.shape.dim) != shape or entry.type != dtype.as_datatype_enum):
            words = f"Slices of {name.decode()} are of tensors of different shapes"
            raise errors.InvalidArgumentError(None, None, words)
        if not entry.type:
            entry.type = dtype.as_datatype_enum
            entry.shape.SetInParent()
            for n in shape:
                entry.shape.dim.add(size=n)
        row = message("SavedTensorSlices")()
        row.data.name = name.decode()
        row.data.slice.SetInParent()
        is_whole = extents == tuple((0, n) for n in shape)
        for target in (entry.slice.add(), row.data.slice):
            for start, length in extents:
                target.extent.add(**({} if is_whole else {"start": start, "length": length}))
        row.data.data = field_proto(value, dtype).SerializeToString()
        key = slice_key(name, [(0, -1)] * len(shape) if is_whole else extents)
        rows[key] = row.SerializeToString()
    try:
        replace_file(path, tables.table([(b"", about.SerializeToString()), *sorted(rows.items())]))
    except OSError as error:
        raise file_error(error, path) from None
