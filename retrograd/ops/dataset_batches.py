"""Datasets at run time whose elements are put together or taken apart: batches, rows of batches, windows."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from retrograd.graph import dtypes, errors
from retrograd.graph.errors import invalid
from retrograd.graph.shapes import shape_text
from retrograd.ops.dataset_recipes import recipe
from retrograd.ops.dataset_states import Dataset, Element, Next, Scope, as_value, rows_of_elements

_NUMBERS = {np.float32, np.float64, np.int32, np.int64, np.bool_}


def put_together(column: Sequence[Any], i: int, is_mapped: bool = False) -> Any:
    """The values of one component as a batch.

    Raises:
      InvalidArgumentError: their shapes differ; of elements that a function has made it says so in other words.
    """
    first = column[0]
    if isinstance(first, Dataset):
        array = np.empty(len(column), object)
        array[:] = list(column)
        return array
    shape = np.shape(first)
    result = np.empty((len(column), *shape), first.dtype if hasattr(first, "dtype") else np.dtype(object))
    if not shape and result.dtype.kind != "O" and ({*map(type, column)} <= _NUMBERS or not any(map(np.ndim, column))):
        result[:] = column
        return result
    for j, value in enumerate(column):
        if (value.shape if isinstance(value, np.ndarray) else np.shape(value)) != shape:
            texts = shape_text(shape), shape_text(np.shape(value))
            raise invalid(
                "Cannot add tensor to the batch: number of elements does not match. Shapes are: "
                f"[tensor]: {texts[1]}, [batch]: {texts[0]}"
                if is_mapped
                else f"Cannot batch tensors with different shapes in component {i}. First element had shape "
                f"{texts[0]} and element {j} had shape {texts[1]}."
            )
        result[j] = value[()]
    return result


def in_batches(
    source: Dataset, size: int, drop: bool, together: Callable[[Sequence[Element]], Element], goes_on: bool = False
) -> Dataset:
    """``together`` of ``size`` elements; with ``goes_on`` one that fails costs its batch alone."""
    if size <= 0:
        raise invalid("Batch size must be greater than zero.")

    def make(scope: Scope) -> Next:
        inner = source.make(scope)

        def following() -> Element:
            elements: list[Element] = []
            failure: errors.OpError | None = None
            try:
                for _ in range(size):
                    try:
                        elements.append(inner())
                    except errors.OpError as error:
                        if not goes_on:
                            raise
                        failure = failure or error
            except StopIteration:
                if failure is None and (not elements or drop):
                    raise
            if failure is not None:
                raise failure
            return together(elements)

        return following

    n = source.cardinality
    return Dataset(make, n if n < 0 else n // size + (bool(n % size) and not drop), [source])


def _by_column(combine: Callable[[Sequence[Any], int], Any]) -> Callable[[Sequence[Element]], Element]:
    return lambda elements: [combine(column, i) for i, column in enumerate(zip(*elements, strict=True))]


@recipe("BatchV2")
def batched(source: Dataset, size: int, drop: bool) -> Dataset:
    """``size`` elements put together, component by component."""
    return in_batches(source, size, drop, _by_column(put_together))


@recipe("PaddedBatchV2")
def batched_and_padded(
    source: Dataset, size: int, drop: bool, shapes: Sequence[Sequence[int]], fills: Sequence[Any]
) -> Dataset:
    """``size`` elements, each filled up to one shape, put together."""
    return in_batches(source, size, drop, _by_column(padded(shapes, fills)))


@recipe("DenseToSparseBatch")
def sparsely_batched(source: Dataset, size: int, row: Sequence[int]) -> Dataset:
    """``size`` elements put together as one sparse tensor, each a row of the shape ``row``; -1 is the largest."""
    from retrograd.ops.sparse_serialization import serialized_parts

    if size <= 0:
        raise invalid("Batch size must be greater than zero.")

    def combine(column: Sequence[Any], i: int) -> Any:
        dims = list(row)
        for value in column:
            if np.ndim(value) != len(row):
                raise invalid(
                    f"Input element had shape ({shape_text(np.shape(value))}) that is incompatible with the row shape "
                    f"({shape_text(tuple(None if n < 0 else n for n in row))})."
                )
            for k, n in enumerate(np.shape(value)):
                if row[k] < 0:
                    dims[k] = max(dims[k], n)
                elif n > row[k]:
                    raise errors.DataLossError(
                        None, None, f"Input element had shape ({shape_text(np.shape(value))}) that is larger than the "
                        f"row shape ({shape_text(tuple(row))}).",
                    )  # fmt: skip
        places = [np.argwhere(np.ones(np.shape(value), bool)) for value in column]
        rows = np.repeat(np.arange(len(column)), [len(p) for p in places])
        indices = np.concatenate([rows[:, None], np.concatenate(places)], 1).astype(np.int64)
        shape = np.array([len(column), *(max(n, 0) for n in dims)], np.int64)
        values = np.concatenate([np.ravel(value) for value in column])
        return serialized_parts([indices, values, shape], dtypes.variant)

    return in_batches(source, size, False, _by_column(combine))


def padded(shapes: Sequence[Sequence[int]], fills: Sequence[Any]) -> Callable[[Sequence[Any], int], Any]:
    """How a padded batch puts values together: each filled up to one shape, -1 the largest of the batch."""
    for n in (n for shape in shapes for n in shape if n < -1):
        raise invalid(f"Dimension {n} must be >= -1")

    def combine(column: Sequence[Any], i: int) -> Any:
        sizes = [np.shape(value) for value in column]
        wanted = list(shapes[i])
        for shape in sizes:
            if len(shape) != len(wanted):
                raise invalid(
                    "All elements in a batch must have the same rank as the padded shape for component"
                    f"{i}: expected rank {len(wanted)} but got element with rank {len(shape)}"
                )
            for k, (n, w) in enumerate(zip(shape, shapes[i], strict=True)):
                if w < 0:
                    wanted[k] = max(wanted[k], n)
                elif n > w:
                    words = "Attempted to pad to a smaller size than the input element."
                    raise errors.DataLossError(None, None, words)
        dims = [max(n, 0) for n in wanted]
        first = column[0]
        dtype = first.dtype if hasattr(first, "dtype") else np.dtype(object)
        result = np.empty((len(column), *dims), dtype)
        result[...] = np.asarray(fills[i]).reshape(())[()]
        for j, value in enumerate(column):
            place: Any = (j, *map(slice, np.shape(value)))
            result[place] = value[()]
        return result

    return combine


@recipe("Unbatch")
def unbatched(source: Dataset) -> Dataset:
    """One element for each row of the components of an element."""

    def make(scope: Scope) -> Next:
        inner = source.make(scope)
        left: deque[Element] = deque()

        def following() -> Element:
            while not left:
                element = inner()
                count = len(element[0]) if np.ndim(element[0]) else 0
                for i, value in enumerate(element):
                    if np.ndim(value) == 0:
                        raise invalid("Unbatch cannot handle scalar components")
                    if len(value) != count:
                        raise invalid(
                            "Input element must have the same batch size in each component. Component 0 had size "
                            f"{count} but component {i} had size, {len(value)}."
                        )
                left.extend([as_value(v[k]) for v in element] for k in range(count))
            return left.popleft()

        return following

    return Dataset(make, sources=[source])


@recipe("Window")
def windows(source: Dataset, size: int, shift: int, stride: int, drop: bool) -> Dataset:
    """Datasets of ``size`` elements, ``stride`` apart, each beginning ``shift`` after the last."""
    for word, value in (("Window size", size), ("Window shift", shift), ("Window stride", stride)):
        if value <= 0:
            raise invalid(f"{word} must be greater than zero.")
    span = (size - 1) * stride + 1

    def make(scope: Scope) -> Next:
        inner = source.make(scope)
        state: Any = {"buffer": deque(), "skip": 0, "ended": False}

        def fill() -> None:
            buffer = state["buffer"]
            try:
                while state["skip"]:
                    _element_or_error(inner)
                    state["skip"] -= 1
                while len(buffer) < span and not state["ended"]:
                    buffer.append(_element_or_error(inner))
            except StopIteration:
                state["ended"] = True

        def following() -> Element:
            if not state["ended"]:
                fill()
            buffer = state["buffer"]
            if not buffer or (drop and len(buffer) < span):
                raise StopIteration
            chosen = list(buffer)[::stride][:size]
            for _ in range(min(shift, len(buffer))):
                buffer.popleft()
            state["skip"] = max(shift - span, 0)
            for element in chosen:
                if isinstance(element, errors.OpError):
                    raise element
            columns = zip(*chosen, strict=True)
            return [_of_column(list(column)) for column in columns]

        return following

    n = source.cardinality
    whole = max((n - span) // shift + 1, 0) if drop else -(-n // shift)
    return Dataset(make, n if n < 0 else whole)


def _element_or_error(inner: Next) -> Any:
    """The next element; an error takes its place, and matters to the windows that hold it."""
    try:
        return inner()
    except errors.OpError as error:
        return error


def _of_column(values: list[Any]) -> Dataset:
    return Dataset(lambda scope: rows_of_elements([[v] for v in values]), len(values))
