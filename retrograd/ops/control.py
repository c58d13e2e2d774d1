"""Ops that only order others: no-ops, groups, gates."""

from __future__ import annotations

from typing import Any

from retrograd.graph import nest
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor, as_tensor_or_slices
from retrograd.graph.definition import define
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import colocate_with, control_dependencies, device, name_scope
from retrograd.graph.sparse import IndexedSlices
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays

NO_OP = define("NoOp", "", "", kernel=lambda xp: [])


def no_op(name: str | None = None) -> Operation:
    """An op that does nothing; control dependencies give it its use.  Where ops run at once, nothing."""
    if default_graph().is_eager:
        return None  # type: ignore[return-value]
    return apply(NO_OP, name=name)


def group(*inputs: Any, name: str | None = None) -> Operation:
    """One op that runs after all ``inputs``, device by device.  Where ops run at once, nothing."""
    if default_graph().is_eager:
        return None  # type: ignore[return-value]
    by_device: dict[str, list[Any]] = {}
    items = nest.flatten(list(inputs), expand_composites=True)
    with name_scope(name, "group_deps", [x for x in items if x is not None]) as name:
        for item in items:
            if not hasattr(item, "device"):
                raise TypeError(f"Expected tf.group() expected Tensor objects not {item!r} with type '{type(item)}'")
            by_device.setdefault(item.device, []).append(item)
        if len(by_device) == 1:
            ((place, items),) = by_device.items()
            return _no_op_after(items, place, name)
        waits = [_no_op_after(items, place, None) for place, items in sorted(by_device.items())]
        return _no_op_after(waits, "", name)


def _no_op_after(items: list[Any], place: str, name: str | None) -> Operation:
    with control_dependencies(items):
        if not place:
            return no_op(name=name)
        with device(place):
            return no_op(name=name)


def tuple_(tensors: Any, name: str | None = None, control_inputs: Any = None) -> list[Any]:
    """The ``tensors``, each available only when all have been computed.

    Raises:
      ValueError: there is no tensor or operation among them.
    """
    if default_graph().is_eager:
        return list(tensors)
    with name_scope(name, "tuple", [t for t in tensors if t is not None]) as name:
        tensors = [
            t if isinstance(t, Operation | IndexedSlices) or t is None else as_tensor_or_slices(t) for t in tensors
        ]
        gates = [t if isinstance(t, Operation) else t.op for t in tensors if t is not None]
        for item in control_inputs or ():
            if isinstance(item, Tensor):
                item = item.op
            elif not isinstance(item, Operation):
                raise TypeError(f"Control input must be Operation or Tensor: {item}")
            gates.append(item)
        if not gates:
            raise ValueError(f"Must have at least one Tensor: {tensors}")
        gate = group(*gates)
        return [None if t is None else _gated(gate, t) for t in tensors]


def _gated(gate: Operation, item: Any) -> Any:
    if isinstance(item, Operation):
        with control_dependencies([gate]):
            return no_op()
    return with_dependencies([gate], item)


def with_dependencies(dependencies: Any, output_tensor: Any, name: str | None = None) -> Any:
    """``output_tensor``, available only after ``dependencies`` have run."""
    if default_graph().is_eager:
        return output_tensor
    with name_scope(name, "control_dependency", [*dependencies, output_tensor]) as name:
        output = as_tensor_or_slices(output_tensor, as_ref=True)
        with colocate_with(output), control_dependencies(dependencies):
            if isinstance(output, IndexedSlices):
                values = as_tensor(output.values, as_ref=True)
                return IndexedSlices(arrays.as_it_is(values, name=name), output.indices, output.dense_shape)
            return arrays.as_it_is(output, name=name)
