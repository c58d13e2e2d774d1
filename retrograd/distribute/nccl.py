"""What GPUs compute together by NCCL, on the one machine that is there: sums and copies by ordinary ops."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from retrograd.graph.devices import canonical
from retrograd.graph.scopes import device
from retrograd.graph.tensor import Tensor
from retrograd.ops import arithmetic, arrays, sums


def all_sum(tensors: Sequence[Any]) -> list[Tensor]:
    """The sum of the tensors, on the device of each of them.

    Raises:
      ValueError: there is no tensor, or one stands on no device.
    """
    return _on_each(sums.add_n, tensors)


def all_prod(tensors: Sequence[Any]) -> list[Tensor]:
    """The product of the tensors, on the device of each of them; errors as of ``all_sum``."""
    return _on_each(_folded(arithmetic.multiply), tensors)


def all_min(tensors: Sequence[Any]) -> list[Tensor]:
    """The least of the tensors, element by element, on the device of each of them; errors as of ``all_sum``."""
    return _on_each(_folded(arithmetic.minimum), tensors)


def all_max(tensors: Sequence[Any]) -> list[Tensor]:
    """The largest of the tensors, element by element, on the device of each of them; errors as of ``all_sum``."""
    return _on_each(_folded(arithmetic.maximum), tensors)


def reduce_sum(tensors: Sequence[Any]) -> Tensor:
    """The sum of the tensors, on the present device.

    Raises:
      ValueError: there is no tensor, one stands on no device, or none on the present one.
    """
    if not tensors:
        raise ValueError("Must pass >0 tensors to reduce operations")
    for tensor in tensors:
        _check_placed(tensor)
    result = sums.add_n(tensors)
    if all(tensor.device != result.device for tensor in tensors):
        raise ValueError("One input tensor must be assigned to current device")
    return result


def broadcast(tensor: Any) -> Tensor:
    """The tensor, to be read on other devices.

    Raises:
      ValueError: the tensor stands on no device.
    """
    _check_placed(tensor)
    return _copied(tensor, tensor.device)


def _on_each(reduce: Callable[[Sequence[Any]], Tensor], tensors: Sequence[Any]) -> list[Tensor]:
    if not tensors:
        raise ValueError("Must pass >0 tensors to all reduce operations")
    for tensor in tensors:
        _check_placed(tensor)
    with device(tensors[0].device):
        reduced = reduce(tensors)
    return [_copied(reduced, tensor.device) for tensor in tensors]


def _copied(tensor: Tensor, name: str) -> Tensor:
    with device(name):
        return arrays.identity(tensor)


def _folded(combine: Callable[[Any, Any], Tensor]) -> Callable[[Sequence[Any]], Tensor]:
    return lambda tensors: functools.reduce(combine, tensors)


def _check_placed(tensor: Any) -> None:
    if not canonical(tensor.device):
        raise ValueError("Device assignment required for nccl collective ops")
