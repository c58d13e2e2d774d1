"""Rows of a database as a dataset; SQLite is the one that there is."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from retrograd.graph import dtypes, errors
from retrograd.graph.dtypes import DType
from retrograd.graph.errors import invalid
from retrograd.ops.dataset_states import Dataset, Element, Next, Scope, as_value
from retrograd.ops.datasets import dataset_op
from retrograd.ops.whole_files import texts


def _sql(
    xp: Any, memory: Any, driver_name: Any, data_source_name: Any, query: Any, *, output_types: list[DType]
) -> Any:
    driver, path, text = (texts(x)[0].decode() for x in (driver_name, data_source_name, query))
    if driver != "sqlite":
        known = "The set of supported databases is: {'sqlite'}."
        raise invalid(f"The database type, {driver}, is not supported by SqlDataset. {known}")

    def make(scope: Scope) -> Next:
        rows = _Rows(path, text, output_types)
        return rows.next

    return Dataset(make)


class _Rows:
    """A query that has been begun."""

    def __init__(self, path: str, query: str, types: list[DType]) -> None:
        self.path, self.query, self.types = path, query, types
        self.connection: Any = None
        self.cursor: Any = None

    def next(self) -> Element:
        import sqlite3

        try:
            if self.cursor is None:
                self._open()
            row = self.cursor.fetchone()
        except sqlite3.Error as error:
            raise errors.UnknownError(None, None, f"{error}: {self.query}") from None
        if row is None:
            raise StopIteration
        if len(row) != len(self.types):
            raise invalid(
                f"The number of columns in query ({len(row)}) must match the number of elements in output_types "
                f"({len(self.types)})."
            )
        return [_value(x, dtype) for x, dtype in zip(row, self.types, strict=True)]

    def _open(self) -> None:
        """Open the file for reading alone: a query of a program must not change it."""
        import sqlite3

        if not os.path.exists(self.path):
            raise errors.NotFoundError(None, None, f"{self.path}: unable to open database file")
        uri = f"file:{os.path.abspath(self.path).replace('%', '%25').replace('?', '%3f').replace('#', '%23')}?mode=ro"
        self.connection = sqlite3.connect(uri, uri=True, check_same_thread=False)
        self.cursor = self.connection.execute(self.query)

    def __del__(self) -> None:
        if self.connection is not None:
            self.connection.close()


def _value(x: Any, dtype: DType) -> Any:
    """A column as SQLite converts it: text to the number that it begins with, numbers to text, nothing to zero."""
    if dtype is dtypes.string:
        text = b"" if x is None else x if isinstance(x, bytes) else str(x).encode()
        return as_value(text)
    if isinstance(x, str | bytes):
        try:
            x = float(x)
        except ValueError:
            x = 0
    if dtype is dtypes.bool:
        return np.bool_(bool(x))
    if dtype.is_integer:
        return np.array(int(x or 0)).astype(dtype.np)[()]
    return np.array(x or 0, dtype.np)[()]


_WORDS = "driver_name: string, data_source_name: string, query: string"
SQL = dataset_op("SqlDataset", _WORDS, _sql)
dataset_op("ExperimentalSqlDataset", _WORDS, _sql)
