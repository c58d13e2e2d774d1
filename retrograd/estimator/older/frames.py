"""Arrays of data frames: ``extract_pandas_data`` and its kin of ``tf.contrib.learn``; pandas only where a frame comes.

Source: TensorFlow 1.15.5, ``contrib/learn/python/learn/learn_io/pandas_io.py``.
"""

from __future__ import annotations

from typing import Any

_KINDS = "iufb"  # of NumPy: whole numbers, floating ones, booleans


def _is_frame(data: Any) -> bool:
    return hasattr(data, "iloc") and hasattr(data, "columns")


def _bad_columns(frame: Any) -> list[Any]:
    return [c for c in frame if frame[c].dtype.kind not in _KINDS]


def extract_pandas_data(data: Any) -> Any:
    """The numbers of a data frame as floats; anything else as it is.

    Raises:
      ValueError: a column has no numbers.
    """
    if not _is_frame(data):
        return data
    bad = ", ".join(f"'{c}' type='{data[c].dtype.name}'" for c in _bad_columns(data))
    if bad:
        raise ValueError(f"Data types for extracting pandas data must be int, float, or bool. Found: {bad}")
    return data.values.astype("float")


def extract_pandas_matrix(data: Any) -> Any:
    """The values of a data frame; anything else as it is."""
    return data.to_numpy() if _is_frame(data) else data


def extract_pandas_labels(labels: Any) -> Any:
    """The values of a data frame of one column; anything else as it is.

    Raises:
      ValueError: there are several columns, or they have no numbers.
    """
    if not _is_frame(labels):
        return labels
    if len(labels.columns) > 1:
        raise ValueError("Only one column for labels is allowed.")
    bad = ", ".join(f"'{c}' type={labels[c].dtype.name}" for c in _bad_columns(labels))
    if bad:
        raise ValueError(f"Data types for extracting labels must be int, float, or bool. Found: {bad}")
    return labels.values
