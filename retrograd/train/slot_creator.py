"""Slots: variables that an optimizer or an average keeps beside another variable."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any

from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, constants
from retrograd.state import initializers, scopes, strategies
from retrograd.state.resource import is_resource_variable
from retrograd.state.variables import Variable


def create_slot(primary: Any, val: Any, name: str, colocate_with_primary: bool = True) -> Any:
    """A slot of ``primary`` called ``<primary>/<name>`` whose initial value is the tensor ``val``."""
    fixed = val.shape.is_fully_defined()
    return _create(primary, name, colocate_with_primary, initializer=val, validate_shape=fixed)


def create_slot_with_initializer(
    primary: Any, initializer: Any, shape: Any, dtype: Any, name: str, colocate_with_primary: bool = True
) -> Any:
    """A slot of ``primary`` of the given shape and dtype, filled by ``initializer``, or with a tensor."""
    return _create(
        primary, name, colocate_with_primary, initializer=initializer, shape=shape if callable(initializer) else None,
        dtype=dtype, validate_shape=shape.is_fully_defined(),
    )  # fmt: skip


def create_zeros_slot(primary: Any, name: str, dtype: Any = None, colocate_with_primary: bool = True) -> Any:
    """A slot of ``primary`` that starts as zeros of its shape."""
    dtype = primary.dtype.base_dtype if dtype is None else dtype
    shape = primary.get_shape()
    if shape.is_fully_defined():
        zeros = initializers.zeros_initializer(dtype)
        return create_slot_with_initializer(primary, zeros, shape, dtype, name, colocate_with_primary)
    value = primary if isinstance(primary, Tensor) else primary.initialized_value()
    return create_slot(primary, constants.zeros(arrays.shape(value), dtype), name, colocate_with_primary)


def _create(primary: Any, name: str, colocate: bool, **how: Any) -> Any:
    """The slot as a variable of its own scope: no partitioner cuts it, and no step trains it."""
    prefix = primary.op.name if isinstance(primary, Tensor) else primary._shared_name
    with scopes.variable_scope(None, f"{prefix}/{name}"), _beside(primary, colocate):
        scope = scopes.get_variable_scope()
        partitioner = scope.partitioner
        scope.set_partitioner(None)
        use_resource = None if isinstance(primary, Tensor) else is_resource_variable(primary)
        slot = scopes.get_variable("", trainable=False, use_resource=use_resource, **how)
        scope.set_partitioner(partitioner)
        _mark_as_slice(slot, primary)
        return slot


def _mark_as_slice(slot: Any, primary: Any) -> None:
    """Let the slot of a part of a variable be saved as the same part of the whole variable's slot."""
    info = None if isinstance(primary, Tensor) else primary._get_save_slice_info()
    if info is None or slot.shape.ndims == 0:
        return
    n = slot.shape.ndims
    own_name = slot.op.name[len(primary.op.name) + 1 :]
    slot._set_save_slice_info(
        Variable.SaveSliceInfo(
            f"{info.full_name}/{own_name}", info.full_shape[:n], info.var_offset[:n], info.var_shape[:n]
        )
    )


def _beside(primary: Any, colocate: bool) -> AbstractContextManager[None]:
    return strategies.beside(primary) if colocate else nullcontext()
