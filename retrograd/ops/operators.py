"""Python's operators on tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor, convert_to_tensor
from retrograd.graph.scopes import name_scope
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.tensor import Tensor
from retrograd.ops import arithmetic, comparison, matrices


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
    return arithmetic.add(x, y, name) if x.dtype == "string" else arithmetic.add_v2(x, y, name)


for _function, _name in (
    (_add, "add"), (arithmetic.subtract, "sub"), (arithmetic.multiply, "mul"), (arithmetic.truediv, "truediv"),
    (arithmetic.floordiv, "floordiv"), (arithmetic.floormod, "mod"), (arithmetic.pow_, "pow"),
    (matrices.matmul, "matmul"),
):  # fmt: skip
    overload(_function, _name)

for _function, _name in (
    (comparison.less, "lt"), (comparison.less_equal, "le"), (comparison.greater, "gt"),
    (comparison.greater_equal, "ge"), (arithmetic.negative, "neg"),
):  # fmt: skip
    setattr(Tensor, f"__{_name}__", _function)
