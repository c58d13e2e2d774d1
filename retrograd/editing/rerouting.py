"""Other inputs for ops that are built: tensors exchanged, control inputs added and taken away."""

from __future__ import annotations

from typing import Any

from retrograd.editing.selecting import make_list_of_op, make_list_of_t
from retrograd.graph.operation import Operation
from retrograd.graph.tensor import Tensor


def _check_compatible(ts0: list[Tensor], ts1: list[Tensor]) -> None:
    if len(ts0) != len(ts1):
        raise ValueError(f"ts0 and ts1 have different sizes: {len(ts0)} != {len(ts1)}")
    for t0, t1 in zip(ts0, ts1, strict=True):
        if not t0.dtype.is_compatible_with(t1.dtype):
            raise ValueError(f"Dtypes {t0.dtype} and {t1.dtype} are not compatible.")
        if not t0.shape.is_compatible_with(t1.shape):
            raise ValueError(f"Shapes {t0.shape} and {t1.shape} are not compatible.")


def _reroute(ts0: Any, ts1: Any, can_modify: Any, cannot_modify: Any, swap: bool) -> int:
    """Let the readers of ``ts1`` read ``ts0``, and with ``swap`` the other way round, too."""
    ts0, ts1 = make_list_of_t(ts0), make_list_of_t(ts1)
    _check_compatible(ts0, ts1)
    fixed = set() if cannot_modify is None else set(make_list_of_op(cannot_modify))
    free = None if can_modify is None else set(make_list_of_op(can_modify))
    before = [(dict.fromkeys(t0.consumers()), dict.fromkeys(t1.consumers())) for t0, t1 in zip(ts0, ts1, strict=True)]
    updated = 0
    for t0, t1, (readers0, readers1) in zip(ts0, ts1, before, strict=True):
        if t0 is t1:
            continue
        ways = [(readers1, t1, t0)] + ([(readers0, t0, t1)] if swap else [])
        places = [
            (op, i, new)
            for readers, old, new in ways
            for op in readers
            if op not in fixed and (free is None or op in free)
            for i, t in enumerate(op.inputs)
            if t is old
        ]
        for op, i, new in places:
            op._update_input(i, new)
        updated += len(places)
    return updated


def swap_ts(ts0: Any, ts1: Any, can_modify: Any = None, cannot_modify: Any = None) -> int:
    """Exchange the readers of tensors; how many inputs changed."""
    return _reroute(ts0, ts1, can_modify, cannot_modify, swap=True)


def reroute_ts(ts0: Any, ts1: Any, can_modify: Any = None, cannot_modify: Any = None) -> int:
    """Let what reads ``ts1`` read ``ts0``; how many inputs changed.

    Raises:
      ValueError: the tensors differ in number, dtype or shape.
    """
    return _reroute(ts0, ts1, can_modify, cannot_modify, swap=False)


def _check_op(op: Any) -> None:
    if not isinstance(op, Operation):
        raise TypeError("Expected a tf.Operation, got: {}", type(op))


def add_control_inputs(op: Operation, cops: Any) -> None:
    """Let ``op`` wait for other ops.

    Raises:
      ValueError: it waits for one of them already.
    """
    _check_op(op)
    cops = make_list_of_op(cops, allow_graph=False)
    for cop in cops:
        if cop in op.control_inputs:
            raise ValueError(f"{cop.name} is already a control_input of {op.name}")
    op._add_control_inputs(cops)


def remove_control_inputs(op: Operation, cops: Any) -> None:
    """Let ``op`` no longer wait for other ops.

    Raises:
      ValueError: it does not wait for one of them.
    """
    _check_op(op)
    cops = make_list_of_op(cops, allow_graph=False)
    for cop in cops:
        if cop not in op.control_inputs:
            raise ValueError(f"{op.name} is not a control_input of {cop.name}")
    kept = [cop for cop in op.control_inputs if cop not in cops]
    op._remove_all_control_inputs()
    op._add_control_inputs(kept)
