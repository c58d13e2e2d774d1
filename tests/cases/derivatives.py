"""Rows of what maps a piece of graph over rows."""

from __future__ import annotations

from typing import Any

from case_table import Row, normal

from retrograd import tf
from retrograd.derivatives.mapping import the_piece_built, vectorized


def _mapped(x: Any, w: Any) -> list[Any]:
    with the_piece_built("piece"):
        row = tf.placeholder(x.dtype, None if x.dims is None else x.dims[1:])
        y = tf.tanh(row * w)
        total = tf.reduce_sum(y * y)
    return vectorized([y, total], [(row, x)], [False, True])


ROWS = [Row("Vectorized", _mapped, (normal(4, 3), normal(3)))]
