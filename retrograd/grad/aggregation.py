"""Summing the gradients that reach one tensor by several paths."""

from __future__ import annotations

from typing import Any

from retrograd.graph.scopes import name_scope
from retrograd.graph.sparse import IndexedSlices
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.ops import indexing, joining, sums
from retrograd.ops.slices import of_one_index_type


class AggregationMethod:
    """How ``tf.gradients`` sums terms: one AddN, a chain of AddNs, or AccumulateN."""

    ADD_N = 0
    DEFAULT = ADD_N
    EXPERIMENTAL_TREE = 1
    EXPERIMENTAL_ACCUMULATE_N = 2


def total(terms: list[Any], op_name: str, method: int | None) -> Any:
    """The sum of ``terms`` (tensors, or ``IndexedSlices`` that stay sparse if all are); None of none.

    Raises:
      ValueError: ``method`` is none of ``AggregationMethod``'s.
    """
    if method not in (None, 0, 1, 2):
        raise ValueError(f"Invalid aggregation_method specified {method}.")
    terms = [term for term in terms if term is not None]
    if len(terms) < 2:
        return terms[0] if terms else None
    if not all(isinstance(term, Tensor) for term in terms):
        return _total_of_slices(terms)
    if method in (None, AggregationMethod.ADD_N):
        return _add_by_device(terms)
    if method == AggregationMethod.EXPERIMENTAL_ACCUMULATE_N and len(terms) > 2 and _shape_known(terms):
        return sums.accumulate_n(terms)
    with name_scope(op_name + "_gradient_sum"):
        running = terms[0]
        for term in terms[1:]:
            running = sums.add_n([running, term])
    return running


def _shape_known(terms: list[Tensor]) -> bool:
    shape = terms[0].shape
    for term in terms[1:]:
        shape = shape.merge_with(term.shape)
    return shape.is_fully_defined()


def _add_by_device(terms: list[Tensor]) -> Tensor:
    by_device: dict[str, list[Tensor]] = {}
    for term in terms:
        by_device.setdefault(term.device, []).append(term)
    partial = []
    for place in sorted(by_device):
        with default_graph().colocate_with(by_device[place][0].op, ignore_existing=True):
            partial.append(sums.add_n(by_device[place]))
    return sums.add_n(partial)


def _total_of_slices(terms: list[Any]) -> Any:
    if any(isinstance(term, Tensor) for term in terms):
        return sums.add_n(terms)
    slices = [_flat(term) for term in of_one_index_type(terms)]
    return IndexedSlices(
        joining.concat([s.values for s in slices], 0),
        joining.concat([s.indices for s in slices], 0),
        slices[0].dense_shape,
    )


def _flat(slices: IndexedSlices) -> IndexedSlices:
    """Slices of slices as slices."""
    if isinstance(slices.values, Tensor):
        return slices
    inner = _flat(slices.values)
    return IndexedSlices(inner.values, indexing.gather(slices.indices, inner.indices), slices.dense_shape)
