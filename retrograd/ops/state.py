"""Variables as ops: a place that keeps a value between runs, and what reads and changes it.

A reference (dtype ``float32_ref``) is a ``Cell`` at run time.  An input that is no reference
gets the cell's value at the moment its op runs; ``ref`` inputs get the cell itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.graph import errors, shapes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import REQUIRED, Effect, OpDef, define, not_differentiable
from retrograd.graph.dtypes import as_dtype
from retrograd.graph.scopes import colocate_with, name_scope
from retrograd.graph.shapes import RawShape, TensorShape
from retrograd.graph.tensor import Tensor
from retrograd.ops import kinds, resources, shape_rules

VARIABLE_V2 = define(
    "VariableV2", "", "ref: ref dtype",
    attrs={"shape": REQUIRED, "dtype": REQUIRED, "container": "", "shared_name": ""}, effect=Effect.READ,
    shape=lambda *, shape: shape._raw, gradient=not_differentiable,
)  # fmt: skip


VARIABLE = define(
    "Variable",
    "",
    "ref: ref dtype",
    attrs={"shape": REQUIRED, "dtype": REQUIRED, "container": "", "shared_name": ""},
    effect=Effect.READ,
    shape=lambda *, shape: shape._raw or None,  # to this older op a scalar's shape means an unknown one
    gradient=not_differentiable,
)


def variable_op(
    shape: Any,
    dtype: Any,
    name: str = "Variable",
    set_shape: bool = True,
    container: str = "",
    shared_name: str = "",
) -> Tensor:
    """A reference to a variable of a session: the older op, whose shape is known only with ``set_shape``."""
    shape = TensorShape(shape)
    ref: Tensor = apply(
        VARIABLE, shape=shape if set_shape else TensorShape(None), dtype=as_dtype(dtype), container=container,
        shared_name=shared_name, name=name,
    )  # fmt: skip
    if set_shape:
        ref.set_shape(shape)
    return ref


def variable_op_v2(
    shape: Any, dtype: Any, name: str = "Variable", container: str = "", shared_name: str = ""
) -> Tensor:
    """A reference to a variable of a session."""
    return apply(
        VARIABLE_V2, shape=TensorShape(shape), dtype=as_dtype(dtype), container=container,
        shared_name=shared_name, name=name,
    )  # fmt: skip


def is_reference(ref: Any) -> bool:
    """Whether ``ref`` is a reference or a reference variable, and not a resource variable."""
    return bool(ref.dtype.is_ref)


# -- assignments -------------------------------------------------------------------------------


def _assigned(ref: Tensor, value: Tensor, *, validate_shape: bool) -> RawShape:
    return shapes.merge(ref.dims, value.dims) if validate_shape else value.dims


def _assign(xp: Any, ref: Any, value: Any, *, validate_shape: bool) -> Any:
    if validate_shape and not shapes.compatible(ref.shape_now, np.shape(value)):
        raise errors.InvalidArgumentError(
            None, None,
            "Assign requires shapes of both tensors to match. "
            f"lhs shape= {shapes.shape_text(ref.shape_now)} rhs shape= {shapes.shape_text(np.shape(value))}",
        )  # fmt: skip
    ref.write(value)
    return ref


ASSIGN = define(
    "Assign", "ref: ref T, value: T", "output_ref: ref T", attrs={"validate_shape": True,
    "use_locking": True},
    shape=_assigned, kernel=_assign, effect=Effect.WRITE, gradient=not_differentiable,
    remedy="tf.reshape(...) the value; tf.assign(variable, value, validate_shape=False) changes the variable's shape",
)  # fmt: skip


def _update(name: str, change: Callable[[Any, Any], Any]) -> OpDef:
    def kernel(xp: Any, ref: Any, value: Any) -> Any:
        old = ref.read()
        if np.shape(old) != np.shape(value):
            raise errors.InvalidArgumentError(None, None, "Parameters and update must be the same size")
        ref.write(change(old, value))
        return ref

    return define(
        name, "ref: ref T, value: T", "output_ref: ref T", attrs={"use_locking": False},
        types={"T": kinds.NUMERIC},
        shape=shape_rules.merged, kernel=kernel, effect=Effect.WRITE, gradient=not_differentiable,
    )  # fmt: skip


ASSIGN_ADD = _update("AssignAdd", lambda old, value: old + value)
ASSIGN_SUB = _update("AssignSub", lambda old, value: old - value)


def assign(
    ref: Any,
    value: Any,
    validate_shape: bool | None = None,
    use_locking: bool | None = None,
    name: str | None = None,
) -> Any:
    """Let the variable be ``value``; the result reads the new value.

    Without ``validate_shape`` the value may have any shape, and the variable takes it.
    """
    if not is_reference(ref):
        return ref.assign(value, name=name)
    return apply(
        ASSIGN, ref, value, use_locking=True if use_locking is None else use_locking,
        validate_shape=True if validate_shape is None else validate_shape, name=name,
    )  # fmt: skip


def init_variable(v: Any, init: Any, name: str = "init") -> Any:
    """Let the reference variable be ``init``, or what ``init(shape, dtype)`` gives; the result reads the value.

    Raises:
      AssertionError: ``init`` is a function, and the variable's shape is not fully known.
    """
    with name_scope(None, v.op.name + "/", [v, init]), name_scope(name) as scope, colocate_with(v):
        if callable(init):
            assert v.get_shape().is_fully_defined(), "Variable shape unknown."
            value = init(v.get_shape().as_list(), v.dtype.base_dtype)
        else:
            value = as_tensor(init, name="init")
        return assign(v, value, name=scope)


def assign_add(ref: Any, value: Any, use_locking: bool | None = None, name: str | None = None) -> Any:
    """Add ``value`` to the variable; the result reads the new value."""
    if not is_reference(ref):
        return ref.assign_add(value)
    return apply(ASSIGN_ADD, ref, value, use_locking=bool(use_locking), name=name)


def assign_sub(ref: Any, value: Any, use_locking: bool | None = None, name: str | None = None) -> Any:
    """Take ``value`` from the variable; the result reads the new value."""
    if not is_reference(ref):
        return ref.assign_sub(value)
    return apply(ASSIGN_SUB, ref, value, use_locking=bool(use_locking), name=name)


def _count(xp: Any, cell: Any, *, limit: int) -> Any:
    """The value before 1 is added to it, up to ``limit``."""
    old = cell.read()
    if old >= limit:
        raise errors.OutOfRangeError(None, None, f"Reached limit of {limit}")
    cell.write(old + np.asarray(1, old.dtype))
    return old


COUNT_UP_TO = define(
    "CountUpTo", "ref: ref T", "output: T", attrs={"limit": REQUIRED}, types={"T": kinds.INDEX},
    shape=lambda ref: shape_rules.with_rank(ref, 0), kernel=_count, effect=Effect.WRITE,
    gradient=not_differentiable,
)  # fmt: skip


def count_up_to(ref: Any, limit: int, name: str | None = None) -> Tensor:
    """The value before adding 1 to the variable.

    A run raises ``OutOfRangeError`` once it has reached ``limit``.
    """
    if not is_reference(ref):
        return resources.count_up_to(ref.handle, limit, ref.dtype, name)
    return apply(COUNT_UP_TO, ref, limit=limit, name=name)


# -- before the first assignment ---------------------------------------------------------------

IS_VARIABLE_INITIALIZED = define(
    "IsVariableInitialized", "ref: ref dtype", "is_initialized: bool", shape=shape_rules.scalar,
    effect=Effect.READ,
    kernel=lambda xp, ref: np.bool_(ref.is_initialized), gradient=not_differentiable,
)  # fmt: skip


def is_variable_initialized(ref: Any, name: str | None = None) -> Tensor:
    """Whether the variable has been given a value."""
    if not is_reference(ref):
        return ref.is_initialized(name=name)
    return apply(IS_VARIABLE_INITIALIZED, ref, name=name)


# -- variables of one run ----------------------------------------------------------------------


class TemporaryCell:
    """The place of a variable that one run makes and takes away again."""

    is_initialized = True

    def __init__(self, value: Any, name: str) -> None:
        self.value, self.name = value, name

    @property
    def shape_now(self) -> RawShape:
        return np.shape(self.value)

    def read(self) -> Any:
        """The value."""
        return self.value

    def write(self, value: Any) -> None:
        """Let the value be ``value``."""
        self.value = value


TEMPORARY_VARIABLE = define(
    "TemporaryVariable",
    "",
    "ref: ref dtype",
    attrs={"shape": REQUIRED, "dtype": REQUIRED, "var_name": ""},
    shape=lambda *, shape: shape._raw,
    kernel=lambda xp, *, shape, dtype, var_name: TemporaryCell(np.zeros(shape._raw, dtype.np), var_name),
    gradient=not_differentiable,
)


def _destroyed(xp: Any, ref: TemporaryCell, *, var_name: str) -> Any:
    """The last value of a variable of that name; one without a name may be called anything."""
    if ref.name not in ("", var_name):
        kind = "N10tensorflow19TemporaryVariableOp6TmpVarE"
        raise errors.NotFoundError(None, None, f"Resource __per_step_0/{var_name}/{kind} does not exist.")
    return ref.read()


DESTROY_TEMPORARY_VARIABLE = define(
    "DestroyTemporaryVariable",
    "ref: ref T",
    "value: T",
    attrs={"var_name": REQUIRED},
    shape=shape_rules.same,
    kernel=_destroyed,
    effect=Effect.WRITE,
)
