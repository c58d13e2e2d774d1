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
from retrograd.ops import arrays, asserts, casts, comparison, control, joining
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
            raise ValueError(f"{message or ''}Expected scalar shape for {tensor.name}, saw shape: {tensor.shape}.")
        return tensor


# -- shapes that share sizes -------------------------------------------------------------------


def assert_shapes(
    shapes: Any, data: Any = None, summarize: int | None = None, message: str | None = None,
    name: str | None = None,
) -> Operation:  # fmt: skip
    """An op that fails unless tensors have the given shapes, in which symbols stand for equal sizes.

    ``assert_shapes([(x, ("N", 3)), (y, ("N",))])``: a number is a size, anything else a symbol; None and
    ``"."`` fit any size, and ``...`` or ``"*"`` in front any further dimensions.  A scalar counts as a
    vector of one element.

    Raises:
      ValueError: a shape is known while building, and it does not fit.
    """
    pairs = shapes.items() if isinstance(shapes, dict) else shapes
    options = {"data": data, "summarize": summarize, "message": message}
    with name_scope(name, "assert_shapes", []):
        wanted = [_Wanted(x, shape, message or "") for x, shape in pairs if shape is not None]
        for each in wanted:
            each.read_sizes()
        rank_checks = [each.check_rank(**options, name=name) for each in wanted]
        size_checks: list[Operation] = []
        first: dict[Any, tuple[str, Any]] = {}  # symbol -> where its size is from, and the size
        for each in wanted:
            for place, symbol, size in each.sizes:
                here = (f"Specified by tensor {each.label} dimension {place}", size)
                there = ("Specified explicitly", symbol) if isinstance(symbol, int) else first.get(symbol)
                if there is None:
                    first[symbol] = here
                else:
                    size_checks += each.check_size(place, size, *there, **options)
        return control.group(*size_checks, *rank_checks)


class _Wanted:
    """A tensor and the sizes that it should have, by symbol."""

    def __init__(self, x: Any, shape: Any, message: str) -> None:
        self.x = x if isinstance(x, SparseTensor) else as_tensor(x)
        self.label = _name_of(self.x)
        if not hasattr(shape, "__iter__") and not hasattr(shape, "__getitem__"):
            raise ValueError(
                f"{message}.  Tensor {self.label}.  Specified shape must be an iterable.  An iterable has "
                f"the attribute `__iter__` or `__getitem__`.  Received specified shape: {shape}"
            )
        symbols = [_symbol(s) for s in shape]
        self.has_prefix = bool(symbols) and symbols[0] in _PREFIXES
        self.symbols = symbols[1:] if self.has_prefix else symbols
        for i, symbol in enumerate(self.symbols, self.has_prefix):
            if symbol in _PREFIXES:
                raise ValueError(
                    f"{message}.  Tensor {self.label} specified shape index {i}.  Symbol `...` or `*` for a "
                    "variable number of unspecified dimensions is only allowed as the first entry"
                )
        if not symbols:
            self.symbols = [1]
        self.sizes: list[tuple[int, Any, Any]] = []

    def read_sizes(self) -> None:
        """Find ``sizes``: for each symbol its dimension and the size found there, a number if it is known."""
        shape, declared = arrays.shape(self.x), self.x.get_shape()
        dims = None if declared.ndims is None else declared.as_list() or [1]
        if dims is None and not self.has_prefix:  # a scalar's becomes [1]; TensorFlow has a cond for that
            is_scalar = comparison.equal(arrays.rank(self.x), 0)
            with name_scope("cond"):
                shape = joining.concat([shape, arrays.reshape(casts.cast(is_scalar, dtypes.int32), [1])], 0)
        for i, symbol in enumerate(self.symbols):
            place = i - len(self.symbols) if self.has_prefix else i
            if symbol in (None, ".") or (dims is not None and not -len(dims) <= place < len(dims)):
                continue  # any size will do, or the rank is wrong
            known = None if dims is None else dims[place]
            self.sizes.append((place, symbol, shape[place] if known is None else known))

    def check_rank(self, **options: Any) -> Operation:
        if self.has_prefix:
            return assert_rank_at_least(self.x, len(self.symbols), **options)
        if len(self.symbols) == 1:
            return assert_rank_in(self.x, [0, 1], **options)
        return assert_rank(self.x, len(self.symbols), **options)

    def check_size(
        self, place: int, size: Any, source: str, wanted: Any, data: Any, summarize: int | None,
        message: str | None,
    ) -> list[Operation]:  # fmt: skip
        """An assertion that a size is as wanted, unless that is known."""
        if isinstance(size, int) and isinstance(wanted, int):
            if size != wanted:
                raise ValueError(
                    f"{message or ''}.  {source}.  Tensor {self.label} dimension {place} must have size "
                    f"{wanted}.  Received size {size}, shape {self.x.get_shape()}"
                )
            return []
        condition = comparison.equal(as_tensor(size), as_tensor(wanted))
        if data is None:
            data = [
                message or "", source, f"Tensor {self.label} dimension", place, "must have size", wanted,
                "Received shape: ", arrays.shape(self.x),
            ]  # fmt: skip
        return [asserts.Assert(condition, data, summarize=summarize)]


_PREFIXES = (Ellipsis, "*")


def _symbol(entry: Any) -> Any:
    """A size as an ``int``; anything else as it is."""
    try:
        return int(entry)
    except (TypeError, ValueError):
        return entry
