"""What a run tells about itself in a ``RunMetadata`` proto."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from retrograd.graph.operation import Operation
from retrograd.run.connected import Connected
from retrograd.run.devices import CPU
from retrograd.run.program import Program

Record = tuple[Operation, int, int, Any]  # an op, when it began and ended in nanoseconds since 1970, its result


def observed_run(program: Program | Connected, feeds: Sequence[Any], options: Any, metadata: Any) -> list[Any]:
    """Run ``program`` and write to ``metadata`` what ``options`` ask for; ``timeout_in_ms`` ends loops.

    ``trace_level`` asks for the time and the outputs of each op that ran (constants, and what follows
    from them, do not run); ``output_partition_graphs`` for the ops that the run needs.
    """
    if options is not None and not hasattr(options, "trace_level"):
        raise TypeError(f"options must be a tf.RunOptions, but got {type(options)}")
    if metadata is not None and not hasattr(metadata, "step_stats"):
        raise TypeError(f"run_metadata must be a tf.RunMetadata, but got {type(metadata)}")
    limit = 0 if options is None else options.timeout_in_ms
    deadline = time.monotonic() + limit / 1000 if limit else None
    if metadata is not None:
        metadata.Clear()
    if metadata is None or options is None:
        return program.run(feeds, deadline=deadline)
    if options.output_partition_graphs:
        metadata.partition_graphs.add().node.extend(op.node_def for op in program.plan.ops)
    if not options.trace_level:
        return program.run(feeds, deadline=deadline)
    records: list[Record] = []

    def recorded(op: Operation, function: Callable[..., Any]) -> Callable[..., Any]:
        return partial(_recorded, records, op, function)

    results = program.run(feeds, lambda interpreter: interpreter.watched(recorded), deadline)
    stats = metadata.step_stats.dev_stats.add(device=CPU)
    for record in records:
        _write(stats.node_stats.add(), *record)
    return results


def _recorded(records: list[Record], op: Operation, function: Callable[..., Any], *values: Any) -> Any:
    start = time.time_ns()
    result = function(*values)
    records.append((op, start, time.time_ns(), result))
    return result


def _write(stats: Any, op: Operation, start: int, end: int, result: Any) -> None:
    stats.node_name = op.name
    stats.timeline_label = f"{op.name} = {op.type}({', '.join(t.op.name for t in op.inputs)})"
    stats.all_start_micros = start // 1000
    stats.op_end_rel_micros = stats.all_end_rel_micros = (end - start) // 1000
    stats.all_start_nanos = start
    stats.op_end_rel_nanos = stats.all_end_rel_nanos = end - start
    values = [result] if len(op.outputs) == 1 else result
    memory = 0
    for slot, (tensor, value) in enumerate(zip(op.outputs, values or (), strict=False)):
        if isinstance(value, np.ndarray | np.generic):
            description = stats.output.add(slot=slot).tensor_description
            description.dtype = tensor.dtype.base_dtype.as_datatype_enum
            description.shape.SetInParent()  # of a scalar too
            for n in value.shape:
                description.shape.dim.add(size=n)
            description.allocation_description.allocator_name = "cpu"
            description.allocation_description.requested_bytes = value.nbytes
            description.allocation_description.allocated_bytes = value.nbytes
            memory += value.nbytes
    if memory:
        stats.memory.add(allocator_name="cpu", total_bytes=memory, peak_bytes=memory)
