"""Types that stand for several tensors: what a run fetches and feeds in their place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from retrograd.graph.sparse import IndexedSlices, IndexedSlicesValue, SparseTensor, SparseTensorValue

FetchFunction = Callable[[Any], tuple[list[Any], Callable[[list[Any]], Any]]]


class Conversion(NamedTuple):
    """How a run takes objects of one type apart."""

    kind: type
    fetch: FetchFunction  # object -> (what to fetch, from their values to the object's)
    feed: Callable[[Any, Any], Any] | None  # (object, value) -> pairs of a tensor and its value
    feed_keys: Callable[[Any], Any] | None  # object -> its tensors
    is_fixed: bool  # whether an object is taken apart in the same way every time


def _sparse_parts(x: SparseTensor) -> list[Any]:
    return [x.indices, x.values, x.dense_shape]


def _slices_parts(x: IndexedSlices) -> list[Any]:
    return [x.values, x.indices] if x.dense_shape is None else [x.values, x.indices, x.dense_shape]


def _by_parts(kind: type, parts: Callable[[Any], list[Any]], value: Callable[..., Any]) -> Conversion:
    return Conversion(
        kind,
        fetch=lambda x: (parts(x), lambda values: value(*values)),
        feed=lambda x, fed: zip(parts(x), fed, strict=False),  # a constant dense shape may be left out
        feed_keys=parts,
        is_fixed=True,
    )


_conversions = [
    _by_parts(SparseTensor, _sparse_parts, SparseTensorValue),
    _by_parts(IndexedSlices, _slices_parts, IndexedSlicesValue),
]


def conversion_of(x: Any) -> Conversion | None:
    """The conversion for ``x``, of which the newest counts; None if ``x`` stands for itself."""
    return next((c for c in _conversions if isinstance(x, c.kind)), None)


def register_session_run_conversion_functions(
    tensor_type: type,
    fetch_function: FetchFunction,
    feed_function: Callable[[Any, Any], Any] | None = None,
    feed_function_for_partial_run: Callable[[Any], Any] | None = None,
) -> None:
    """Let runs fetch and feed objects of ``tensor_type``.

    Args:
      fetch_function: from an object to what is fetched for it, and a function of the list of their values.
      feed_function: from an object and the value fed for it to pairs of a tensor and its value.
      feed_function_for_partial_run: from an object to its tensors.

    Raises:
      ValueError: the type, or one derived from it, is registered.
    """
    if tensor_type is object or any(issubclass(c.kind, tensor_type) for c in _conversions):
        raise ValueError(f"{tensor_type} has already been registered so ignore it.")
    _conversions.insert(
        0, Conversion(tensor_type, fetch_function, feed_function, feed_function_for_partial_run, is_fixed=False)
    )
