"""Python's operators on tensors, and on whatever stands for one."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor, convert_to_tensor
from retrograd.graph.scopes import name_scope
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.tensor import Tensor
from retrograd.ops import arithmetic, comparison, matrices, powers, rounding, sparse_arithmetic


def overload(function: Callable[..., Any], name: str) -> None:
    """Let ``tensor <op> other`` and ``other <op> tensor`` build ``function`` under the scope ``name``."""

    def forward(x: Any, y: Any) -> Any:
        with name_scope(None, name, [x, y]) as scope:
            if not isinstance(y, Tensor | SparseTensor):
                try:
                    y = convert_to_tensor(y, dtype_hint=x.dtype.base_dtype, name="y")
                except TypeError:
                    if hasattr(type(y), f"__r{name}__"):
                        return NotImplemented
                    raise
            return function(x, y, name=scope)

    def reverse(y: Any, x: Any) -> Any:
        with name_scope(None, name, [x, y]) as scope:
            return function(as_tensor(x, dtype=y.dtype.base_dtype, name="x"), y, name=scope)

    setattr(Tensor, f"__{name}__", forward)
    setattr(Tensor, f"__r{name}__", reverse)


def _add(x: Any, y: Any, name: str | None = None) -> Any:
    return arithmetic.add(x, y, name) if x.dtype is dtypes.string else arithmetic.add_v2(x, y, name)


def _multiply(x: Any, y: Any, name: str | None = None) -> Any:
    if isinstance(y, SparseTensor):
        return sparse_arithmetic.dense_times_sparse(x, y, name)
    return arithmetic.multiply(x, y, name)


_TWO_SIDED: dict[str, Callable[..., Any]] = {
    "add": _add, "sub": arithmetic.subtract, "mul": _multiply, "div": arithmetic.div,
    "truediv": arithmetic.truediv, "floordiv": arithmetic.floordiv, "mod": arithmetic.floormod,
    "pow": powers.pow_,
    "matmul": matrices.matmul, "and": comparison.logical_and, "or": comparison.logical_or,
    "xor": comparison.logical_xor,
}  # fmt: skip
_ONE_SIDED: dict[str, Callable[..., Any]] = {
    "lt": comparison.less, "le": comparison.less_equal, "gt": comparison.greater,
    "ge": comparison.greater_equal,
    "neg": arithmetic.negative, "abs": rounding.abs_, "invert": comparison.logical_not,
}  # fmt: skip

for _name, _function in _TWO_SIDED.items():
    overload(_function, _name)
for _name, _function in _ONE_SIDED.items():
    setattr(Tensor, f"__{_name}__", _function)

OVERLOADABLE = frozenset(
    [f"__{side}{name}__" for name in _TWO_SIDED for side in ("", "r")] + [f"__{name}__" for name in _ONE_SIDED]
)
# which libraries read to copy every operator to classes of their own
Tensor.OVERLOADABLE_OPERATORS = {*OVERLOADABLE, "__getitem__", "__eq__", "__ne__"}  # type: ignore[attr-defined]


def copy_to(cls: type, tensor_of: Callable[[Any], Tensor]) -> None:
    """Give ``cls`` every operator that tensors have, applied to ``tensor_of(self)``."""
    for name in OVERLOADABLE:
        setattr(cls, name, _delegate(getattr(Tensor, name), tensor_of))


def _delegate(operator: Callable[..., Any], tensor_of: Callable[[Any], Tensor]) -> Callable[..., Any]:
    @functools.wraps(operator)
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        return operator(tensor_of(self), *args, **kwargs)

    return method
