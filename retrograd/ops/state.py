"""Variables as ops: a place that keeps a value between runs, and what reads and changes it.

A reference (dtype ``float32_ref``) is a ``Cell`` at run time.  An input that is no reference
gets the cell's value at the moment its op runs; ``ref`` inputs get the cell itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import errors, shapes
from retrograd.graph.apply import apply
from retrograd.graph.definition import REQUIRED, Effect, define, not_differentiable
from retrograd.graph.dtypes import as_dtype
from retrograd.graph.shapes import RawShape, TensorShape
from retrograd.graph.tensor import Tensor
from retrograd.ops import shape_rules

VARIABLE_V2 = define(
    "VariableV2", "", "ref: ref dtype",
    attrs={"shape": REQUIRED, "dtype": REQUIRED, "container": "", "shared_name": ""}, effect=Effect.READ,
    shape=lambda *, shape: shape._raw, gradient=not_differentiable,
)  # fmt: skip


def variable_op(shape: Any, dtype: Any, name: str = "Variable", container: str = "", shared_name: str = "") -> Tensor:
    """A reference to a variable of a session."""
    return apply(
        VARIABLE_V2, shape=TensorShape(shape), dtype=as_dtype(dtype), container=container, shared_name=shared_name,
        name=name,
    )  # fmt: skip


def _assigned(ref: Tensor, value: Tensor, *, validate_shape: bool) -> RawShape:
    return shapes.merge(ref.dims, value.dims) if validate_shape else value.dims


def _assign(xp: Any, ref: Any, value: Any, *, validate_shape: bool) -> Any:
    if validate_shape and not shapes.compatible(ref.shape, np.shape(value)):
        raise errors.InvalidArgumentError(
            None, None,
            f"Assign requires shapes of both tensors to match. lhs shape= {_text(ref.shape)} rhs shape= {_text(np.shape(value))}",
        )  # fmt: skip
    ref.write(value)
    return ref


def _text(shape: Any) -> str:
    return shapes.shape_text(shape)


ASSIGN = define(
    "Assign", "ref: ref T, value: T", "output_ref: ref T", attrs={"validate_shape": True, "use_locking": True},
    shape=_assigned, kernel=_assign, effect=Effect.WRITE, gradient=not_differentiable,
)  # fmt: skip


def _update(name: str, change: Any) -> Any:
    def kernel(xp: Any, ref: Any, value: Any) -> Any:
        ref.write(change(ref.read(), value))
        return ref

    return define(
        name, "ref: ref T, value: T", "output_ref: ref T", attrs={"use_locking": False}, shape=shape_rules.merged,
        kernel=kernel, effect=Effect.WRITE, gradient=not_differentiable,
    )  # fmt: skip


ASSIGN_ADD = _update("AssignAdd", lambda old, value: old + value)
ASSIGN_SUB = _update("AssignSub", lambda old, value: old - value)


def assign(ref: Any, value: Any, validate_shape: bool | None = None, use_locking: bool | None = None, name: str | None = None) -> Any:
    """Let the variable be ``value``; the result reads the new value."""
    if not getattr(ref, "dtype", None) or not ref.dtype.is_ref:
        return ref.assign(value, name=name)
    return apply(
        ASSIGN, ref, value, use_locking=True if use_locking is None else use_locking,
        validate_shape=True if validate_shape is None else validate_shape, name=name,
    )  # fmt: skip


def assign_add(ref: Any, value: Any, use_locking: bool | None = None, name: str | None = None) -> Any:
    """Add ``value`` to the variable; the result reads the new value."""
    if not ref.dtype.is_ref:
        return ref.assign_add(value)
    return apply(ASSIGN_ADD, ref, value, use_locking=bool(use_locking), name=name)


def assign_sub(ref: Any, value: Any, use_locking: bool | None = None, name: str | None = None) -> Any:
    """Take ``value`` from the variable; the result reads the new value."""
    if not ref.dtype.is_ref:
        return ref.assign_sub(value)
    return apply(ASSIGN_SUB, ref, value, use_locking=bool(use_locking), name=name)


IS_VARIABLE_INITIALIZED = define(
    "IsVariableInitialized", "ref: ref dtype", "is_initialized: bool", shape=shape_rules.scalar, effect=Effect.READ,
    kernel=lambda xp, ref: np.bool_(ref.is_initialized), gradient=not_differentiable,
)  # fmt: skip


def is_variable_initialized(ref: Any, name: str | None = None) -> Tensor:
    """Whether the variable has been given a value."""
    if not ref.dtype.is_ref:
        return ref.is_initialized(name=name)
    return apply(IS_VARIABLE_INITIALIZED, ref, name=name)
