"""Records that elementwise ops share: of one number, and of two that broadcast."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from retrograd.graph.apply import apply
from retrograd.graph.definition import OpDef, define
from retrograd.graph.dtypes import DType
from retrograd.graph.scopes import name_scope
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.stack import default_graph
from retrograd.ops import shape_rules


def unary(name: str, kernel: Callable[..., Any], gradient: Callable[..., Any] | None, types: Iterable[DType]) -> OpDef:
    """The record of an elementwise op of one input that keeps its dtype."""
    return define(name, "x: T", "y: T", types={"T": types}, shape=shape_rules.same, kernel=kernel, gradient=gradient)


def binary(
    name: str,
    kernel: Callable[..., Any],
    gradient: Callable[..., Any] | None,
    types: Iterable[DType],
    inputs: str = "x: T, y: T",
) -> OpDef:
    """The record of an elementwise op of two broadcast inputs of one dtype."""
    return define(
        name, inputs, "z: T", types={"T": types}, shape=shape_rules.broadcast, kernel=kernel,
        gradient=gradient,
        failure=shape_rules.incompatible, remedy=shape_rules.ALIGN,
    )  # fmt: skip


def backward(name: str, kernel: Callable[..., Any], gradient: Callable[..., Any], types: Iterable[DType]) -> OpDef:
    """The record of ``name(y, dy)``, the derivative of an elementwise op by its own output y."""
    return define(
        name, "y: T, dy: T", "z: T", types={"T": types}, shape=shape_rules.same, kernel=kernel,
        gradient=gradient,
        failure=shape_rules.incompatible, remedy=shape_rules.ALIGN,
    )  # fmt: skip


def on_values(definition: OpDef, x: Any, name: str | None) -> Any:
    """The op on a tensor; on a ``SparseTensor``, whose zeros it keeps, on its values."""
    if isinstance(x, SparseTensor):
        default_graph().unique_name(name or definition.name)  # TensorFlow tries the op on ``x`` itself first
        with name_scope(name, definition.name, [x]) as name:
            return SparseTensor(x.indices, apply(definition, x.values, name=name), x.dense_shape)
    return apply(definition, x, name=name)
