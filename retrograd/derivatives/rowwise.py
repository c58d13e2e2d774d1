"""``tf.vectorized_map``: a function of one row, computed for all rows at once by ``Vectorized``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.derivatives.mapping import the_piece_built, vectorized
from retrograd.graph import nest
from retrograd.graph.convert import as_tensor
from retrograd.graph.tensor import Tensor
from retrograd.ops import constants


def vectorized_map(fn: Callable[[Any], Any], elems: Any) -> Any:
    """``fn`` of each row of ``elems``, a tensor or a nesting of tensors, stacked; ``fn`` is built once, for one row.

    Variables may be read in ``fn`` and are differentiated through; writing them there is an error.

    >>> from retrograd import tf
    >>> with tf.Session() as sess:
    ...     print(sess.run(tf.vectorized_map(lambda x: x * x, tf.constant([1.0, 2.0]))))
    [1. 4.]
    """
    given = nest.map_structure(as_tensor, elems)
    with the_piece_built("vectorized_map"):
        rows = [constants.placeholder(x.dtype.base_dtype, _row_of(x)) for x in nest.flatten(given)]
        result = fn(nest.pack_sequence_as(given, rows))
        outputs = [as_tensor(y) for y in nest.flatten(result)]
    stacked = vectorized(outputs, list(zip(rows, nest.flatten(given), strict=True)))
    return nest.pack_sequence_as(result, stacked)


def _row_of(x: Tensor) -> Any:
    if x.dims == ():
        raise ValueError(f"vectorized_map goes over rows, and {x.name} is a scalar.")
    return None if x.dims is None else x.dims[1:]
