"""Functions of one row, computed for all rows at once by ``Vectorized``: ``tf.vectorized_map``, ``pfor``."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

from retrograd.derivatives.drawing import drawn, random_ops_behind
from retrograd.derivatives.mapping import the_piece_built, vectorized
from retrograd.flow.loops import while_loop
from retrograd.flow.tensor_array import TensorArray
from retrograd.graph import nest
from retrograd.graph.convert import as_tensor
from retrograd.graph.dtypes import int32
from retrograd.graph.modes import executing_eagerly
from retrograd.graph.operation import Operation
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.stack import default_graph
from retrograd.graph.static import constant_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, constants, joining, reductions


def vectorized_map(fn: Callable[[Any], Any], elems: Any) -> Any:
    """``fn`` of each row of ``elems``, a tensor or a nesting of tensors, stacked; ``fn`` is built once, for one row.

    Variables may be read in ``fn`` and are differentiated through; writing them there is an error. Random numbers
    are drawn anew for each row.  Where ops run at once, ``fn`` runs for one row after the other.

    >>> from retrograd import tf
    >>> with tf.Session() as sess:
    ...     print(sess.run(tf.vectorized_map(lambda x: x * x, tf.constant([1.0, 2.0]))))
    [1. 4.]
    """
    given = nest.map_structure(as_tensor, elems)
    flat = nest.flatten(given)
    dims = [_row_of(x) for x in flat]
    if executing_eagerly():
        return _one_by_one(lambda i: fn(nest.map_structure(lambda x: x[i], given)), flat[0].shape[0].value)
    of_rows = _OfRows(lambda: arrays.shape(flat[0])[0])
    with the_piece_built("vectorized_map"):
        rows = [constants.placeholder(x.dtype.base_dtype, d) for x, d in zip(flat, dims, strict=True)]
        of_rows.pairs += zip(rows, flat, strict=True)
        result = fn(nest.pack_sequence_as(given, rows))
        outputs = [as_tensor(y) for y in nest.flatten(result)]
    return nest.pack_sequence_as(result, of_rows.stacked(outputs))


def pfor(loop_fn: Callable[..., Any], iters: Any, parallel_iterations: int | None = None) -> Any:
    """``loop_fn(i)`` for every i below ``iters``, stacked; it is built once, and computed for all i at once.

    Args:
      loop_fn: gives tensors, None or ops without outputs for a scalar int32; it may have a parameter ``pfor_config``,
        whose ``reduce_concat``, ``reduce_mean`` and ``reduce_sum`` bring together a tensor of all i.
      iters: how many.
      parallel_iterations: is checked, and changes nothing.

    Raises:
      ValueError: ``parallel_iterations`` is below 2, or something is reduced besides; a result is sparse.
      NotImplementedError: something is reduced where ops run at once.
    """
    if parallel_iterations is not None and parallel_iterations < 1:
        raise ValueError("parallel_iterations must be None or a positive integer")
    if parallel_iterations == 1:
        raise ValueError("Found parallel_iterations == 1. Use for_loop instead.")
    takes_config = "pfor_config" in _parameters(loop_fn)
    if executing_eagerly():
        if takes_config:
            error = NotImplementedError("pfor_config brings rows together in graphs alone.")
            error.add_note("  Fix:   with tf.Graph().as_default(), tf.Session() as sess: sess.run(pfor(...))")
            raise error
        return _one_by_one(loop_fn, int(constant_value(as_tensor(iters))))
    n = as_tensor(iters)
    of_rows = _OfRows(lambda: n)
    with the_piece_built("loop_body"):
        i = constants.placeholder(int32, ())
        of_rows.pairs.append((i, constants.range_(n)))
        config = PForConfig(of_rows, parallel_iterations)
        result = loop_fn(i, pfor_config=config) if takes_config else loop_fn(i)
        flat = [_result(y) for y in nest.flatten(result)]
    stacked = iter(of_rows.stacked([y for y in flat if y is not None]))
    return nest.pack_sequence_as(result, [None if y is None else next(stacked) for y in flat])


def for_loop(
    loop_fn: Callable[[Any], Any], loop_fn_dtypes: Any, iters: Any, parallel_iterations: int | None = None
) -> Any:
    """``loop_fn(i)`` for every i below ``iters``, stacked, one after the other in a ``while_loop``.

    Raises:
      ValueError: there are not as many results as ``loop_fn_dtypes``.
    """
    dtypes = nest.flatten(loop_fn_dtypes)
    missing: list[bool] = []

    def body(i: Any, *arrays_so_far: Any) -> list[Any]:
        results = nest.flatten(loop_fn(i))
        if len(results) != len(dtypes):
            raise ValueError(
                f"Number of expected outputs, {len(dtypes)}, does not match the number of actual outputs, "
                f"{len(results)}, from loop_fn"
            )
        missing[:] = [y is None for y in results]
        written = zip(arrays_so_far, results, strict=True)
        return [i + 1, *(a if y is None else a.write(i, arrays.expand_dims(y, 0)) for a, y in written)]

    begun = [0, *(TensorArray(dtype.base_dtype, iters) for dtype in dtypes)]
    more: dict[str, Any] = {} if parallel_iterations is None else {"parallel_iterations": parallel_iterations}
    _, *filled = while_loop(lambda i, *_: i < iters, body, begun, **more)
    if not missing:  # no iteration
        return None
    return nest.pack_sequence_as(
        loop_fn_dtypes, [None if no else a.concat() for no, a in zip(missing, filled, strict=True)]
    )


class PForConfig:
    """What brings together a tensor of all iterations of a ``pfor``."""

    def __init__(self, of_rows: _OfRows, parallel_iterations: int | None) -> None:
        self._of_rows = of_rows
        self._parallel_iterations = parallel_iterations

    def reduce_concat(self, x: Tensor) -> Tensor:
        """``x`` of all iterations, stacked: the same in each of them."""
        if self._parallel_iterations is not None:
            raise ValueError(
                "Setting parallel_iterations currently unsupported if reductions across iterations are performed."
            )
        return self._of_rows.stacked([x])[0]

    def reduce_mean(self, x: Tensor) -> Tensor:
        """The mean of ``x`` over all iterations."""
        return reductions.reduce_mean(self.reduce_concat(x), axis=0)

    def reduce_sum(self, x: Tensor) -> Tensor:
        """The sum of ``x`` over all iterations."""
        return reductions.reduce_sum(self.reduce_concat(x), axis=0)


class _OfRows:
    """A piece in the making: which placeholders and random numbers of one row stand for which of all."""

    def __init__(self, count: Callable[[], Tensor]) -> None:
        self.pairs: list[tuple[Tensor, Tensor]] = []
        self.begin = len(default_graph().get_operations())
        self.count = functools.cache(count)

    def stacked(self, tensors: Sequence[Tensor]) -> list[Tensor]:
        """``tensors`` of one row, for all rows."""
        rows = {row for row, _ in self.pairs}
        for op in random_ops_behind(list(tensors), rows, self.begin):
            self.pairs.append((op.outputs[0], drawn(op, self.count(), rows, lambda t: self.stacked([t])[0])))
            rows.add(op.outputs[0])
        return vectorized(tensors, self.pairs) if tensors else []


def _result(y: Any) -> Tensor | None:
    if isinstance(y, Operation):
        if y.outputs:
            raise ValueError(f"Op {y.name} of a loop_fn's results must have no outputs.")
        with default_graph().control_dependencies([y]):
            return constants.constant(True)
    if isinstance(y, SparseTensor):
        raise ValueError(f"No converter defined for the SparseTensor {y.values.name}")
    return None if y is None else as_tensor(y)


def _one_by_one(fn: Callable[[Any], Any], n: int) -> Any:
    """``fn(i)`` for i below n, stacked, where ops run at once."""
    results = [fn(constants.constant(i)) for i in range(n)]
    columns = zip(*(nest.flatten(r) for r in results), strict=True)
    stacked = [None if c[0] is None or isinstance(c[0], Operation) else joining.stack(list(c)) for c in columns]
    return nest.pack_sequence_as(results[0], stacked) if results else None


def _parameters(fn: Any) -> Any:
    """The names of the arguments that a function or an object that is one still takes."""
    if not callable(fn):
        raise ValueError("loop_fn object did not have a __call__ method")
    taken = fn.keywords if isinstance(fn, functools.partial) else ()
    return [name for name in inspect.signature(fn).parameters if name not in taken]


def _row_of(x: Tensor) -> Any:
    if x.dims == ():
        raise ValueError(f"vectorized_map goes over rows, and {x.name} is a scalar.")
    return None if x.dims is None else x.dims[1:]
