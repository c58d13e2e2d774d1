"""A dataset's elements kept in files: a checkpoint of one tensor for each value, as TensorFlow writes and reads it."""

from __future__ import annotations

from itertools import count
from typing import Any

import numpy as np

from retrograd.files import bundles
from retrograd.files.file_system import translated
from retrograd.files.locking import Hold
from retrograd.graph import dtypes, errors
from retrograd.ops.dataset_recipes import recipe
from retrograd.ops.dataset_states import Dataset, Element, Next, Scope


@recipe("FileCacheImpl")
def cached_in_file(source: Dataset, path: str) -> Dataset:
    """The elements of the first pass, kept in files for this and later programs; one iterator at a time writes.

    Elements are written as they come, and read as they are asked for.

    Raises at run time:
      AlreadyExistsError: another iterator, or program, is about to write them.
      DataLossError: the files are damaged.
    """

    def make(scope: Scope) -> Next:
        return _Reading(path).next if bundles.exists(path) else _Writing(path, source.make(scope)).next

    return Dataset(make, source.cardinality)


def _key(element: int, component: int, width: int) -> bytes:
    return b"%7d_%*d" % (element, width, component)


class _Writing:
    """Gives the elements of an iterator, and writes them beside."""

    def __init__(self, path: str, inner: Next) -> None:
        self.path, self.inner = path, inner
        self.hold: Hold | None = None
        self.writer: bundles.Writer | None = None
        self.count = 0

    def next(self) -> Element:
        if self.hold is None:
            self.hold = Hold(f"{self.path}_0.lockfile")
            self.writer = bundles.Writer(self.path)
        try:
            element = self.inner()
        except StopIteration:
            if self.writer is not None:
                with translated(self.writer.data.path):
                    self.writer.finish()
                self.writer = None
                self.hold.let_go()
            raise
        if self.writer is not None:
            stored = [_stored(value) for value in element]
            with translated(self.writer.data.path):
                for i, (value, dtype) in enumerate(stored):
                    self.writer.add(_key(self.count, i, len(str(len(element)))), value, dtype)
            self.count += 1
        return element

    def __del__(self) -> None:
        if self.writer is not None:
            self.writer.data.discard()


def _stored(value: Any) -> tuple[Any, Any]:
    """A value as the tensor that stands for it, and its dtype."""
    from retrograd.ops.sparse_serialization import written

    array = np.asarray(value)
    if array.dtype != object or all(isinstance(x, bytes) for x in array.ravel()):
        return array, dtypes.string if array.dtype == object else None
    texts = np.empty(array.shape, object)  # parts of sparse tensors
    texts.ravel()[:] = [x if isinstance(x, bytes) else written(x) for x in array.ravel()]
    return texts, dtypes.variant


class _Reading:
    """Gives the elements that files hold."""

    def __init__(self, path: str) -> None:
        self.reader = bundles.Reader(path, keeps_open=True)
        self.place = 0
        names = self.reader.entries
        widths = (w for w in (1, 2, 3, 4) if _key(0, 0, w) in names)
        self.width = next(widths, 1)
        self.columns = next(i for i in count() if _key(0, i, self.width) not in names)
        if names and not self.columns:
            raise errors.DataLossError(None, None, f"the files of {path} are no cache of a dataset")

    def next(self) -> Element:
        if not self.reader.has(_key(self.place, 0, self.width)):
            raise StopIteration
        self.place += 1
        return [self.reader.tensor(_key(self.place - 1, i, self.width)) for i in range(self.columns)]
