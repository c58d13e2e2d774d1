"""Assertions about shapes, decided while building where the shapes are known."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import name_scope
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.static import constant_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, asserts, comparison, control
from retrograd.ops.checks import assert_type


def _as_tensor(x: Any) -> Any:
    return x if isinstance(x, SparseTensor) else as_tensor(x, name="x")


def _name_of(x: Any) -> str:
    return x.dense_shape.name if isinstance(x, SparseTensor) else x.name


def _rank_of(x: Any) -> int | None:
    return x.get_shape().ndims


def _scalar_rank(rank: Tensor) -> int | None:
    """The value of a rank, if it is known.

    Raises:
      ValueError: it is no scalar.
    """
    value = constant_value(rank)
    if value is None:
        return None
    if value.ndim:
        raise ValueError("Rank must be a scalar.")
    return int(value)


def _with_scalar_rank(rank: Tensor, condition: Tensor) -> Tensor:
    """``condition``, after a check that the rank that it was compared with is a scalar."""
    is_scalar = assert_rank(rank, 0, data=["Rank must be a scalar. Received rank: ", rank])
    return control.with_dependencies([is_scalar], condition)


def _assert_rank(
    default_name: str, words: str, x: Any, rank: Any, data: Any, summarize: int | None, message: str | None,
    name: str | None,
) -> Operation:  # fmt: skip
    """An op that fails unless the rank of ``x`` equals ``rank``, or is at least that."""
    at_least = bool(words)
    with name_scope(name, default_name, [x, rank]):
        x = _as_tensor(x)
        rank = as_tensor(rank, name="rank")
        label = _name_of(x)
        if data is None:
            text = f"Tensor {label} must have rank{words}"
            data = [message or "", text, rank, "Received shape: ", arrays.shape(x)]
        assert_type(rank, dtypes.int32)
        wanted, found = _scalar_rank(rank), _rank_of(x)
        if wanted is not None and found is not None:
            if found < wanted or (found != wanted and not at_least):
                raise ValueError(
                    f"{message or ''}.  Tensor {label} must have rank{words} {wanted}.  "
                    f"Received rank {found}, shape {x.get_shape()}"
                )
            return control.no_op("static_checks_determined_all_ok")
        test = comparison.greater_equal if at_least else comparison.equal
        condition = test(arrays.rank(x), rank)
        if wanted is None:
            condition = _with_scalar_rank(rank, condition)
        return asserts.Assert(condition, data, summarize=summarize)


def assert_rank(
    x: Any, rank: Any, data: Any = None, summarize: int | None = None, message: str | None = None,
    name: str | None = None,
) -> Operation:  # fmt: skip
    """An op that fails unless ``x`` has ``rank`` dimensions.

    Raises:
      ValueError: the rank is known while building, and it is another.
    """
    return _assert_rank("assert_rank", "", x, rank, data, summarize, message, name)


def assert_rank_at_least(
    x: Any, rank: Any, data: Any = None, summarize: int | None = None, message: str | None = None,
    name: str | None = None,
) -> Operation:  # fmt: skip
    """An op that fails unless ``x`` has ``rank`` dimensions or more."""
    return _assert_rank("assert_rank_at_least", " at least", x, rank, data, summarize, message, name)


def assert_rank_in(
    x: Any, ranks: Sequence[Any], data: Any = None, summarize: int | None = None, message: str | None = None,
    name: str | None = None,
) -> Operation:  # fmt: skip
    """An op that fails unless the number of dimensions of ``x`` is one of ``ranks``."""
    with name_scope(name, "assert_rank_in", [x, *ranks]):
        x = _as_tensor(x)
        ranks = [as_tensor(rank, name="rank") for rank in ranks]
        label = _name_of(x)
        if data is None:
            text = f"Tensor {label} must have rank in"
            data = [message or "", text, *ranks, "Received shape: ", arrays.shape(x)]
        for rank in ranks:
            assert_type(rank, dtypes.int32)
        wanted, found = [_scalar_rank(rank) for rank in ranks], _rank_of(x)
        if found is not None and None not in wanted:
            if found not in wanted:
                values = tuple(constant_value(rank) for rank in ranks)
                raise ValueError(
                    f"{message or ''}.  Tensor {label} must have rank in {values}.  "
                    f"Received rank {found}, shape {x.get_shape()}"
                )
            return control.no_op("static_checks_determined_all_ok")
        actual = arrays.rank(x)
        condition = reduce(comparison.logical_or, [comparison.equal(rank, actual) for rank in ranks])
        for rank, value in zip(ranks, wanted, strict=True):
            if value is None:
                condition = _with_scalar_rank(rank, condition)
        return asserts.Assert(condition, data, summarize=summarize)


def assert_scalar(tensor: Any, name: str | None = None, message: str | None = None) -> Tensor:
    """``tensor``, if it is known while building to be a scalar.

    Raises:
      ValueError: it is not, or its shape is unknown.
    """
    with name_scope(name, "assert_scalar", [tensor]) as scope:
        tensor = as_tensor(tensor, name=scope)
        if tensor.dims != ():
            raise ValueError(
                f"{message or ''}Expected scalar shape for {tensor.name}, saw shape: {tensor.shape}."
            )
        return tensor
