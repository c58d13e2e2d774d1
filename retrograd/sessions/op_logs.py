"""``tf.profiler.write_op_log``: what the ops of a graph cost, what they are, and which lines built them, in a file.

Source: TensorFlow 1.15.5, ``python/profiler/tfprof_logger.py``: names, the file.
"""

from __future__ import annotations

import os
from typing import Any

from retrograd.files.messages import message
from retrograd.graph.graph import Graph
from retrograd.graph.operation import Operation
from retrograd.graph.stack import default_graph
from retrograd.sessions.profile_views import TRAINABLE_VARIABLES, Measures


def write_op_log(
    graph: Graph | None, log_dir: str, op_log: Any = None, run_meta: Any = None, add_trace: bool = True
) -> None:
    """Write ``tfprof_log`` into a folder.

    Args:
      op_log: an ``OpLogProto`` whose numbers and types of ops are written in the place of those worked out.
      run_meta: nothing; shapes are known from the graph.
      add_trace: whether to write the lines that built the ops.
    """
    measures = Measures(graph or default_graph(), [], op_log)
    written = message("OpLogProto")()
    numbers: dict[str, int] = {}
    for op, amounts in measures.ops.items():
        types = ([TRAINABLE_VARIABLES] if op.name in measures.trainable else []) + measures.types.get(op.name, [])
        if not (amounts.float_ops or types or add_trace):
            continue
        entry = written.log_entries.add(name=op.name, float_ops=amounts.float_ops, types=types)
        if add_trace:
            add_trace_of(entry.code_def, op, numbers)
    for text, number in numbers.items():
        written.id_to_string[number] = text
    with open(os.path.join(log_dir, "tfprof_log"), "wb") as file:
        file.write(written.SerializeToString())


def add_trace_of(code_def: Any, op: Operation, numbers: dict[str, int]) -> None:
    """Note the lines that built an op; texts are told by numbers."""
    for path, line, function, text, start in op.traceback_with_start_lines:
        file_id, function_id, line_id = (numbers.setdefault(x, len(numbers) + 1) for x in (path, function, text))
        code_def.traces.add(
            file_id=file_id, lineno=line, function_id=function_id, line_id=line_id, func_start_line=start
        )
