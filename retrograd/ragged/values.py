"""What a run fetches for a ragged tensor, and what it is fed: ``RaggedTensorValue``."""

from __future__ import annotations

from typing import Any

import numpy as np


class RaggedTensorValue:
    """Row i is ``values[row_splits[i] : row_splits[i + 1]]``; ``values`` is an array or ragged itself.

    Raises:
      TypeError: ``row_splits`` is no vector of int32 or int64, or ``values`` is neither of these.
      ValueError: the splits of ``values`` have another dtype.
    """

    def __init__(self, values: Any, row_splits: Any) -> None:
        is_array = isinstance(row_splits, np.ndarray | np.generic)
        if not (is_array and row_splits.dtype in (np.int64, np.int32) and row_splits.ndim == 1):
            raise TypeError("row_splits must be a 1D int32 or int64 numpy array")
        if not isinstance(values, np.ndarray | np.generic | RaggedTensorValue):
            raise TypeError("values must be a numpy array or a RaggedTensorValue")
        if isinstance(values, RaggedTensorValue) and row_splits.dtype != values.row_splits.dtype:
            raise ValueError("row_splits and values.row_splits must have the same dtype")
        self._values, self._row_splits = values, row_splits

    @property
    def row_splits(self) -> Any:
        return self._row_splits

    @property
    def values(self) -> Any:
        """The rows, one after the other."""
        return self._values

    @property
    def dtype(self) -> Any:
        return self._values.dtype

    @property
    def flat_values(self) -> Any:
        """The innermost values."""
        return self._values.flat_values if isinstance(self._values, RaggedTensorValue) else self._values

    @property
    def nested_row_splits(self) -> tuple[Any, ...]:
        """The splits, the outermost first."""
        inner = self._values.nested_row_splits if isinstance(self._values, RaggedTensorValue) else ()
        return (self._row_splits, *inner)

    @property
    def ragged_rank(self) -> int:
        return len(self.nested_row_splits)

    @property
    def shape(self) -> tuple[Any, ...]:
        return (len(self._row_splits) - 1, None, *self._values.shape[1:])

    def __str__(self) -> str:
        return f"<tf.RaggedTensorValue {self.to_list()}>"

    def __repr__(self) -> str:
        return f"tf.RaggedTensorValue(values={self._values!r}, row_splits={self._row_splits!r})"

    def to_list(self) -> list[Any]:
        """The rows as lists."""
        values = self._values.to_list() if isinstance(self._values, RaggedTensorValue) else self._values.tolist()
        return [values[self._row_splits[i] : self._row_splits[i + 1]] for i in range(len(self._row_splits) - 1)]
