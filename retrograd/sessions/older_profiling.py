"""``tf.contrib.tfprof``: the profiler under its names before 1.3."""

from __future__ import annotations

from typing import Any

from retrograd.sessions import profiling

_EVERYTHING: dict[str, Any] = {
    "max_depth": 10000, "min_bytes": 0, "min_micros": 0, "min_params": 0, "min_float_ops": 0, "order_by": "name",
    "account_type_regexes": [".*"], "start_name_regexes": [".*"], "trim_name_regexes": [],
    "show_name_regexes": [".*"], "hide_name_regexes": [], "account_displayed_op_only": True, "select": [],
    "output": "stdout", "dump_to_file": "",
}  # fmt: skip
TRAINABLE_VARS_PARAMS_STAT_OPTIONS = {
    **_EVERYTHING, "account_type_regexes": ["_trainable_variables"], "select": ["params"],
}  # fmt: skip
FLOAT_OPS_OPTIONS = {**_EVERYTHING, "min_float_ops": 1, "order_by": "float_ops", "select": ["float_ops"]}
PRINT_ALL_TIMING_MEMORY = {**_EVERYTHING, "min_bytes": 1, "min_micros": 1, "select": ["micros", "bytes"]}


def print_model_analysis(
    graph: Any, run_meta: Any = None, op_log: Any = None, tfprof_cmd: str = "scope", tfprof_options: Any = 0
) -> Any:
    """What ``tf.profiler.profile`` prints and returns."""
    return profiling.profile(graph, run_meta, op_log, tfprof_cmd, tfprof_options)


def advise(graph: Any, run_meta: Any = None, tfprof_options: Any = 0) -> Any:
    """What ``tf.profiler.advise`` says."""
    return profiling.advise(graph, run_meta, tfprof_options)
