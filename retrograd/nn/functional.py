"""Functions of tensors applied along the first dimension, one element after the other: ``map_fn``, ``scan``, folds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from retrograd.flow.loops import while_loop
from retrograd.flow.tensor_array import TensorArray
from retrograd.graph import nest
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import Dimension, TensorShape
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor, TensorLike
from retrograd.ops import arrays, constants
from retrograd.state.scopes import get_variable_scope


def map_fn(
    fn: Callable[..., Any],
    elems: Any,
    dtype: Any = None,
    parallel_iterations: int | None = None,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    name: str | None = None,
) -> Any:
    """``fn`` of each element along the first dimension, along a new first dimension: ``y[i] = fn(x[i])``.

    Args:
      fn: a function of one element, in the structure of ``elems``.
      elems: a tensor, or a structure of tensors with the same number of rows.
      dtype: the dtypes of what ``fn`` returns, in its structure; by default those of ``elems``.
      parallel_iterations, swap_memory: written into the graph.
      back_prop: False if no gradient is wanted.
      infer_shape: whether all results must have one shape.

    Raises:
      TypeError: ``fn`` cannot be called, returns another structure, or ``elems`` is sparse.
      ValueError: ``elems`` has no first dimension.
    """
    _check_callable(fn)
    if isinstance(elems, SparseTensor):
        raise TypeError(
            "To perform a map on the values of a sparse tensor use either "
            " SparseTensor(input.indices, fn(input.values), input.dense_shape) or "
            " SparseTensor(input.indices, map_fn(fn, input.values), input.dense_shape)"
        )
    inputs = _Form(elems)
    outputs = inputs if dtype is None else _Form(dtype)
    flat = inputs.flat(elems)
    with name_scope(name, "map", _tensors(flat)), _reading_variables_once():
        flat = [as_tensor(x, name="elem") for x in flat]
        dtype = dtype or inputs.packed([x.dtype for x in flat])
        if flat[0].rank == 0:
            raise ValueError(
                "elems must be a 1+ dimensional Tensor, not a scalar"
                if len(flat) == 1
                else "elements in elems must be 1+ dimensional Tensors, not scalars"
            )
        n = _rows(flat[0]) or arrays.shape(flat[0])[0]
        sources = [TensorArray(x.dtype, n, dynamic_size=False) for x in flat]
        sources = [array.unstack(x) for array, x in zip(sources, flat, strict=True)]
        i = constants.constant(0)
        results = [TensorArray(t, n, dynamic_size=False, infer_shape=infer_shape) for t in outputs.flat(dtype)]

        def one(i: Tensor, results: list[TensorArray]) -> Any:
            value = fn(inputs.packed([array.read(i) for array in sources]))
            nest.assert_same_structure(dtype or elems, value)
            results = [array.write(i, y) for array, y in zip(results, outputs.flat(value), strict=True)]
            return i + 1, results

        _, results = while_loop(
            lambda i, _: i < n, one, (i, results), parallel_iterations=parallel_iterations or 10,
            back_prop=back_prop, swap_memory=swap_memory, maximum_iterations=n,
        )  # fmt: skip
        return outputs.packed(_stacked(results, flat))


def scan(
    fn: Callable[..., Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    reverse: bool = False,
    name: str | None = None,
) -> Any:
    """All that ``fold`` passes through, along a new first dimension: ``y[i] = fn(y[i-1], x[i])``.

    Args:
      fn: a function of what was accumulated, in the structure of ``initializer``, and of one element.
      elems: a tensor, or a structure of tensors with the same number of rows.
      initializer: ``y[-1]``; by default ``y[0]`` is the first element.
      parallel_iterations, swap_memory: written into the graph.
      back_prop: False if no gradient is wanted.
      infer_shape: whether all results must have one shape.
      reverse: go from the last element to the first: ``y[i] = fn(y[i+1], x[i])``.

    Raises:
      TypeError: ``fn`` cannot be called, or returns another structure.
    """
    _check_callable(fn)
    inputs = _Form(elems)
    outputs = inputs if initializer is None else _Form(initializer)
    flat = inputs.flat(elems)
    with name_scope(name, "scan", _tensors(flat)), _reading_variables_once():
        flat = [as_tensor(x, name="elem") for x in flat]
        n: Any = _rows(flat[0])
        n = arrays.shape(flat[0])[0] if n is None else n
        sources = [TensorArray(x.dtype, n, dynamic_size=False, element_shape=x.shape[1:]) for x in flat]
        sources = [array.unstack(x) for array, x in zip(sources, flat, strict=True)]
        if initializer is None:
            first = [array.read(n - 1 if reverse else 0) for array in sources]
        else:
            first = [as_tensor(x) for x in outputs.flat(initializer)]
        results = [
            TensorArray(
                a.dtype, n, element_shape=a.shape if infer_shape else None, dynamic_size=False, infer_shape=infer_shape
            )
            for a in first
        ]
        done = 0
        if initializer is None:
            results = [array.write(n - 1 if reverse else 0, a) for array, a in zip(results, first, strict=True)]
            done = 1

        def one(i: Tensor, before: list[Tensor], results: list[TensorArray]) -> Any:
            element = inputs.packed([array.read(i) for array in sources])
            value = fn(outputs.packed(before), element)
            nest.assert_same_structure(elems if initializer is None else initializer, value)
            after = outputs.flat(value)
            results = [array.write(i, y) for array, y in zip(results, after, strict=True)]
            return (i - 1 if reverse else i + 1), after, results

        _, _, results = while_loop(
            (lambda i, *_: i >= 0) if reverse else (lambda i, *_: i < n), one,
            (n - 1 - done if reverse else done, first, results), parallel_iterations=parallel_iterations,
            back_prop=back_prop, swap_memory=swap_memory, maximum_iterations=n,
        )  # fmt: skip
        return outputs.packed(_stacked(results, flat))


def foldl(
    fn: Callable[..., Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
) -> Any:
    """``fn(...fn(fn(a, x[0]), x[1])..., x[n-1])``, with ``initializer`` for a, or else the first element.

    Raises:
      TypeError: ``fn`` cannot be called.
    """
    _check_callable(fn)
    with name_scope(name, "foldl", _tensors([elems])), _reading_variables_once():
        n, sources = _sources(elems)
        if initializer is None:
            value = nest.map_structure(lambda array: array.read(0), sources)
            i = constants.constant(1)
        else:
            value, i = initializer, constants.constant(0)

        def one(i: Tensor, value: Any) -> Any:
            element = nest.map_structure(lambda array: array.read(i), sources)
            value = fn(value, element)
            return [i + 1, value]

        _, value = while_loop(
            lambda i, _: i < n, one, [i, value], parallel_iterations=parallel_iterations, back_prop=back_prop,
            swap_memory=swap_memory, maximum_iterations=n,
        )  # fmt: skip
        return value


def foldr(
    fn: Callable[..., Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
) -> Any:
    """``fn(...fn(fn(a, x[n-1]), x[n-2])..., x[0])``, with ``initializer`` for a, or else the last element.

    Raises:
      TypeError: ``fn`` cannot be called.
    """
    _check_callable(fn)
    with name_scope(name, "foldr", _tensors([elems])), _reading_variables_once():
        n, sources = _sources(elems)
        if initializer is None:
            i = n - 1
            value = nest.map_structure(lambda array: array.read(i), sources)
        else:
            i, value = n, initializer

        def one(i: Tensor, value: Any) -> Any:
            i -= 1
            element = nest.map_structure(lambda array: array.read(i), sources)
            return [i, fn(value, element)]

        _, value = while_loop(
            lambda i, _: i > 0, one, [i, value], parallel_iterations=parallel_iterations, back_prop=back_prop,
            swap_memory=swap_memory, maximum_iterations=n,
        )  # fmt: skip
        return value


# -- what they share ---------------------------------------------------------------------------


class _Form:
    """The structure of a value; a value that is no structure stands in a list of its own."""

    def __init__(self, structure: Any) -> None:
        self.structure = structure
        self.is_nested = nest.is_nested(structure)

    def flat(self, value: Any) -> list[Any]:
        return nest.flatten(value) if self.is_nested else [value]

    def packed(self, values: list[Any]) -> Any:
        return nest.pack_sequence_as(self.structure, values) if self.is_nested else values[0]


def _check_callable(fn: Any) -> None:
    if not callable(fn):
        raise TypeError("fn must be callable.")


def _tensors(values: list[Any]) -> list[Any]:
    return [v for v in values if isinstance(v, TensorLike)]


@contextmanager
def _reading_variables_once() -> Iterator[None]:
    """Let variables made in the block be read outside of its loop, once."""
    scope = get_variable_scope()
    if scope.caching_device is not None or default_graph().is_eager:
        yield
        return
    scope.set_caching_device(lambda op: op.device)
    try:
        yield
    finally:
        scope.set_caching_device(None)


def _rows(x: Tensor) -> int | None:
    return None if x.dims is None else x.dims[0]


def _sources(elems: Any) -> tuple[Any, Any]:
    """The number of elements, and an array of them for each tensor."""
    flat = [as_tensor(x, name="elem") for x in nest.flatten(elems)]
    n = _rows(flat[0]) or arrays.shape(flat[0])[0]
    return n, nest.map_structure(lambda x: TensorArray(x.dtype, n, dynamic_size=False).unstack(x), elems)


def _stacked(results: list[TensorArray], elems: list[Tensor]) -> list[Tensor]:
    """The results as tensors, with as many rows as ``elems``.

    Raises:
      ValueError: ``elems`` do not all have the same number of rows.
    """
    tensors = [array.stack() for array in results]
    rows = Dimension(_rows(elems[0]))
    for x in elems[1:]:
        rows.merge_with(Dimension(_rows(x)))
    for tensor in tensors:
        tensor.set_shape(TensorShape(rows).concatenate(tensor.shape[1:]))
    return tensors


__all__ = ["foldl", "foldr", "map_fn", "scan"]
