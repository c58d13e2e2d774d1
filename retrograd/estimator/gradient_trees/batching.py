"""Ops on several resources as one: they are scheduled, and those of the same kind run together."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from retrograd.graph.operation import Operation
from retrograd.graph.scopes import device
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, constants, joining


class ScheduledOp(ABC):
    """An op that is to run together with others of its key."""

    @abstractmethod
    def batching_key(self) -> Any:
        """What the ops have in common that run together."""

    @abstractmethod
    def batch_runner_fn(self) -> Callable[[list[Any], Any], Any]:
        """The function of the ops and a stamp that runs them."""


class ScheduledStampedResourceOp(ScheduledOp):
    """An op of a resource with a stamp: ``op(handles, stamp, **lists)``."""

    def __init__(self, resource_handle: Tensor, op: Any, **kwargs: Any) -> None:
        self.resource_handle, self.op, self.args = resource_handle, op, kwargs

    def batching_key(self) -> Any:
        return self.resource_handle.device, self.op

    def batch_runner_fn(self) -> Callable[[list[Any], Any], Any]:
        return _run_stamped


def _moved(tensors: list[Any], target: Any) -> list[Any]:
    """The tensors on a device: put together on theirs, and taken apart there."""
    zero = constants.constant(0)
    with device(None):
        is_flat = all(tensor.dims == () for tensor in tensors)
        with device(tensors[0].device):
            sizes = None if is_flat else joining.stack(arrays.shape_n(tensors))[:, 0]
            values = joining.stack(tensors) if is_flat else joining.concat(tensors, axis=zero)
        with device(target):
            if sizes is None:
                return joining.unstack(values)
            return list(joining.split(values, joining.unstack(sizes, num=len(tensors)), axis=zero))


def _run_stamped(batch: list[Any], stamp: Any) -> Any:
    if not batch:
        return None
    names = batch[0].args.keys()
    for each in batch:
        if each.args.keys() != names:
            raise ValueError("Mismatching arguments: %s, %s.", each.args, names)
    handles = [each.resource_handle for each in batch]
    place = handles[0].device
    lists = {name: _moved([each.args[name] for each in batch], place) for name in sorted(names)}
    with device(place):
        return batch[0].op(handles, stamp, **lists)


def run_handler_scheduled_ops(
    per_handler_ops: dict[Any, list[Any]], stamp: Any, worker_device: Any
) -> dict[Any, list[Any]]:
    """The results of the ops that each handler has scheduled.

    Raises:
      ValueError: an op gives neither a tuple of lists nor an op.
    """
    batches: dict[Any, list[Any]] = {}
    for scheduled in per_handler_ops.values():
        for op in scheduled:
            batches.setdefault((op.batching_key(), op.batch_runner_fn()), []).append(op)
    results: dict[Any, Any] = {}
    for (_, run), batch in batches.items():
        found = run(batch, stamp)
        if isinstance(found, tuple):
            columns = [_moved(column, worker_device) for column in found]
            results.update({op: tuple(column[i] for column in columns) for i, op in enumerate(batch)})
        elif isinstance(found, Operation):
            results.update(dict.fromkeys(batch, found))
        else:
            raise ValueError("Unknown type of result %s.", found)
    return {handler: [results[op] for op in scheduled] for handler, scheduled in per_handler_ops.items()}
