"""Files of comma-separated values, read row by row: what is behind ``tf.data.experimental.CsvDataset``.

Lines end with LF, CR LF or CR, also within quotes.  Plain lines are read column by column, many at a time; all others
one by one, each in its turn, so that a wrong one costs that line and not what stands before or behind it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from retrograd.files import records
from retrograd.graph.dtypes import DType
from retrograd.graph.errors import InvalidArgumentError, OpError, invalid
from retrograd.ops.dataset_states import as_value
from retrograd.ops.decoding import csv_fields, csv_value, plain_csv_columns

_LINES = 64  # read together
_UNCLOSED = "Quoted field has to end"


@dataclass(frozen=True)
class Columns:
    """What the columns of a table are, and how they are written."""

    kinds: Sequence[DType]
    defaults: Sequence[np.ndarray]
    chosen: Sequence[int]
    delimiter: bytes
    has_quotes: bool
    na_value: bytes

    def values_of(self, line: bytes) -> list[Any]:
        """The values in a line.

        Raises:
          InvalidArgumentError: there are too many or too few, or one of them is wrong.
        """
        fields = self._fields(line)
        if len(fields) != len(self.kinds):
            count = "more" if len(fields) > len(self.kinds) else len(fields)
            raise invalid(f"Expect {len(self.kinds)} fields but have {count} in record")
        values = []
        for j, (field, kind, default) in enumerate(zip(fields, self.kinds, self.defaults, strict=True)):
            if not default.size and (not field or field == self.na_value):
                raise invalid(f"Field {j} is required but missing in record!")
            values.append(np.array(csv_value(field, kind, default, self.na_value, f"{j} 0"), kind.np))
        return values

    def _fields(self, line: bytes) -> list[bytes]:
        if not line:
            return [b""]
        try:
            return csv_fields(line, self.delimiter, self.has_quotes, list(self.chosen))
        except InvalidArgumentError as error:
            if error.message.startswith(_UNCLOSED):
                raise invalid("Reached end of file without closing quoted field in record") from None
            raise invalid(error.message.replace("quotes/CRLFs", "quotes")) from None

    def goes_on(self, line: bytes) -> bool:
        """Whether a quoted field of ``line`` ends in a later one."""
        if not self.has_quotes or not line.count(b'"') % 2:
            return False
        try:
            csv_fields(line, self.delimiter, True, [])
        except InvalidArgumentError as error:
            return error.message.startswith(_UNCLOSED)
        return False


class CsvFile:
    """One file; ``read`` gives its rows.

    Raises:
      InvalidArgumentError: it should have a header and is empty.
    """

    def __init__(self, file: records.Bytes, columns: Columns, has_header: bool) -> None:
        self.file, self.columns = file, columns
        self.pieces: deque[tuple[bytes, bytes]] = deque()  # lines, with what ends them
        self.ahead: deque[Any] = deque()  # rows, or lines that are not read yet
        self.behind: OpError | None = None  # what went wrong behind them
        if has_header and self._line() is None:
            raise invalid("Can't read header of file")

    def read(self) -> list[Any] | InvalidArgumentError | None:
        """The next row, or what is wrong with it; None at the end."""
        if not self.ahead and self.behind is None:
            self._read_ahead()
        if not self.ahead:
            behind, self.behind = self.behind, None
            if behind is not None:
                raise behind
            return None
        line = self.ahead.popleft()
        if not isinstance(line, bytes):
            return [as_value(value) for value in line]
        try:
            return self.columns.values_of(line)
        except InvalidArgumentError as error:
            return error

    def _read_ahead(self) -> None:
        lines: list[bytes] = []
        try:
            while len(lines) < _LINES and (line := self._record()) is not None:
                lines.append(line)
        except OpError as error:
            self.behind = error
        of = self.columns
        plain = plain_csv_columns(lines, of.kinds, of.delimiter, of.na_value, of.chosen) if lines else None
        self.ahead.extend(lines if plain is None else zip(*plain, strict=True))

    def _record(self) -> bytes | None:
        """The next line, with those in which its quoted fields go on."""
        found = self._line()
        if found is None:
            return None
        line, ending = found
        while self.columns.goes_on(line):
            more = self._line()
            if more is None:
                break
            line, ending = line + ending + more[0], more[1]
        return line

    def _line(self) -> tuple[bytes, bytes] | None:
        if not self.pieces:
            whole = self.file.line()
            if whole is None:
                return None
            *before, last = whole.split(b"\r")
            self.pieces.extend((piece, b"\r") for piece in before)
            if last or not before:
                self.pieces.append((last, b"\n"))
            else:  # CR LF, or a CR at the end of the file
                self.pieces[-1] = self.pieces[-1][0], b"\r\n"
        return self.pieces.popleft()
