"""``tf.profiler``: parameters, floating-point operations, time and memory of the ops of a graph, by scope or by type.

Source: TensorFlow 1.15.5, ``profiler/option_builder.py``, ``profiler/model_analyzer.py``, and the reports they print.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from retrograd.files.messages import message
from retrograd.graph import errors
from retrograd.graph.graph import Graph
from retrograd.graph.stack import default_graph
from retrograd.sessions.profile_views import (
    ROOT,
    TRAINABLE_VARIABLES,
    Amounts,
    Measures,
    Node,
    by_flow,
    by_line,
    by_scope,
    by_type,
)

_LIMITS = (
    "max_depth", "min_bytes", "min_peak_bytes", "min_residual_bytes", "min_output_bytes", "min_micros",
    "min_accelerator_micros", "min_cpu_micros", "min_params", "min_float_ops", "min_occurrence", "step",
)  # fmt: skip
_PATTERNS = (
    "account_type_regexes", "start_name_regexes", "trim_name_regexes", "show_name_regexes", "hide_name_regexes",
)  # fmt: skip


# -- options -----------------------------------------------------------------------------------


def _options(**changes: Any) -> dict[str, Any]:
    return {
        "max_depth": 100, "min_bytes": 0, "min_micros": 0, "min_params": 0, "min_float_ops": 0, "min_occurrence": 0,
        "order_by": "name", "account_type_regexes": [".*"], "start_name_regexes": [".*"], "trim_name_regexes": [],
        "show_name_regexes": [".*"], "hide_name_regexes": [], "account_displayed_op_only": False,
        "select": ["micros"], "step": -1, "output": "stdout", **changes,
    }  # fmt: skip


class ProfileOptionBuilder:
    """What to profile and to show; each method returns the builder, and ``build`` the options.

    >>> ProfileOptionBuilder(ProfileOptionBuilder.float_operation()).with_max_depth(3).build()["max_depth"]
    3
    """

    def __init__(self, options: dict[str, Any] | None = None) -> None:
        self._options = _options() if options is None else copy.deepcopy(options)

    @staticmethod
    def trainable_variables_parameter() -> dict[str, Any]:
        """The sizes of the trainable variables."""
        return _options(
            max_depth=10000, account_type_regexes=[TRAINABLE_VARIABLES], account_displayed_op_only=True,
            select=["params"],
        )  # fmt: skip

    @staticmethod
    def float_operation() -> dict[str, Any]:
        """Floating-point operations; they need shapes that are wholly known."""
        return _options(
            max_depth=10000, min_float_ops=1, order_by="float_ops", account_displayed_op_only=True,
            select=["float_ops"],
        )  # fmt: skip

    @staticmethod
    def time_and_memory(
        min_micros: int = 1, min_bytes: int = 1, min_accelerator_micros: int = 0, min_cpu_micros: int = 0,
        min_peak_bytes: int = 0, min_residual_bytes: int = 0, min_output_bytes: int = 0,
    ) -> dict[str, Any]:  # fmt: skip
        """Time and memory of a run; they need its ``RunMetadata``."""
        return _options(
            max_depth=10000, min_bytes=min_bytes, min_peak_bytes=min_peak_bytes,
            min_residual_bytes=min_residual_bytes, min_output_bytes=min_output_bytes, min_micros=min_micros,
            min_accelerator_micros=min_accelerator_micros, min_cpu_micros=min_cpu_micros, order_by="micros",
            account_displayed_op_only=True, select=["micros", "bytes"],
        )  # fmt: skip

    def build(self) -> dict[str, Any]:
        """A copy of the options."""
        return copy.deepcopy(self._options)

    def _with(self, **changes: Any) -> ProfileOptionBuilder:
        self._options.update(changes)
        return self

    def with_max_depth(self, max_depth: int) -> ProfileOptionBuilder:
        """Show no scope deeper than that; the root has depth 1."""
        return self._with(max_depth=max_depth)

    def with_min_memory(
        self, min_bytes: int = 0, min_peak_bytes: int = 0, min_residual_bytes: int = 0, min_output_bytes: int = 0
    ) -> ProfileOptionBuilder:
        """Show what takes at least so much memory."""
        return self._with(
            min_bytes=min_bytes, min_peak_bytes=min_peak_bytes, min_residual_bytes=min_residual_bytes,
            min_output_bytes=min_output_bytes,
        )  # fmt: skip

    def with_min_execution_time(
        self, min_micros: int = 0, min_accelerator_micros: int = 0, min_cpu_micros: int = 0
    ) -> ProfileOptionBuilder:
        """Show what takes at least so much time."""
        return self._with(
            min_micros=min_micros, min_accelerator_micros=min_accelerator_micros, min_cpu_micros=min_cpu_micros
        )

    def with_min_parameters(self, min_params: int) -> ProfileOptionBuilder:
        """Show what has at least so many parameters."""
        return self._with(min_params=min_params)

    def with_min_occurrence(self, min_occurrence: int) -> ProfileOptionBuilder:
        """Show op types that occur at least so often."""
        return self._with(min_occurrence=min_occurrence)

    def with_min_float_operations(self, min_float_ops: int) -> ProfileOptionBuilder:
        """Show what does at least so many floating-point operations."""
        return self._with(min_float_ops=min_float_ops)

    def with_accounted_types(self, account_type_regexes: list[str]) -> ProfileOptionBuilder:
        """Count the ops whose types match one of the patterns."""
        return self._with(account_type_regexes=list(account_type_regexes))

    def with_node_names(
        self, start_name_regexes: Any = None, show_name_regexes: Any = None, hide_name_regexes: Any = None,
        trim_name_regexes: Any = None,
    ) -> ProfileOptionBuilder:  # fmt: skip
        """Begin at, show, hide, or cut off at names that match one of the patterns."""
        given = {
            "start_name_regexes": start_name_regexes, "show_name_regexes": show_name_regexes,
            "hide_name_regexes": hide_name_regexes, "trim_name_regexes": trim_name_regexes,
        }  # fmt: skip
        return self._with(**{key: list(value) for key, value in given.items() if value is not None})

    def account_displayed_op_only(self, is_true: bool) -> ProfileOptionBuilder:
        """Whether sums count only what is shown."""
        return self._with(account_displayed_op_only=is_true)

    def with_empty_output(self) -> ProfileOptionBuilder:
        """Print nothing."""
        return self._with(output="none")

    def with_stdout_output(self) -> ProfileOptionBuilder:
        """Print the report."""
        return self._with(output="stdout")

    def with_file_output(self, outfile: str) -> ProfileOptionBuilder:
        """Write the report into a file."""
        return self._with(output=f"file:outfile={outfile}")

    def order_by(self, attribute: str) -> ProfileOptionBuilder:
        """The largest first, by ``name``, ``bytes``, ``micros``, ``params``, ``float_ops`` or ``occurrence``."""
        return self._with(order_by=attribute)

    def select(self, attributes: list[str]) -> ProfileOptionBuilder:
        """What to show of each: ``bytes``, ``micros``, ``params``, ``float_ops``, ``occurrence`` and so on."""
        return self._with(select=list(attributes))

    def with_step(self, step: int) -> ProfileOptionBuilder:
        """Which of the steps of a ``Profiler``; -1 for their average."""
        return self._with(step=step)


# -- the report --------------------------------------------------------------------------------

_DOCS = {
    "scope": "scope: The nodes in the model graph are organized by their names, which is hierarchical like filesystem.",
    "graph": "scope: The nodes in the model graph are organized by their names, which is hierarchical like filesystem.",
    "code": "code: When python trace is available, the nodes are python lines and their are organized by the python "
    "call stack.",
    "op": "op: The nodes are operation kernel type, such as MatMul, Conv2D. Graph nodes belonging to the same type are "
    "aggregated together.",
}
_TITLES = {
    "bytes": "requested bytes", "peak_bytes": "peak bytes", "residual_bytes": "residual bytes",
    "output_bytes": "output bytes", "params": "# parameters", "float_ops": "# float_ops",
    "micros": "total execution time | accelerator execution time | cpu execution time",
    "accelerator_micros": "accelerator execution time", "cpu_micros": "cpu execution time",
    "op_types": "op types", "device": "assigned devices", "input_shapes": "input shapes",
    "tensor_value": "tensor value", "occurrence": "op occurrence (run|defined)",
}  # fmt: skip
_COLUMNS = tuple(_TITLES)  # in the order of the report


def _number(n: float) -> str:
    for size, unit in ((1e9, "b"), (1e6, "m"), (1e3, "k")):
        if n >= size:
            return f"{n / size:.2f}{unit}"
    return f"{n:d}" if isinstance(n, int) else f"{n:.0f}"


def _memory(n: int) -> str:
    for size, unit in ((1e9, "GB"), (1e6, "MB"), (1e3, "KB")):
        if n >= size:
            return f"{n / size:.2f}{unit}"
    return f"{n}B"


def _time(n: int) -> str:
    for size, unit in ((1e6, "sec"), (1e3, "ms")):
        if n >= size:
            return f"{n / size:.2f}{unit}"
    return f"{n}us"


def _text(field: str, n: int) -> str:
    if field.endswith("bytes"):
        return _memory(n)
    if field.endswith("micros"):
        return _time(n)
    return _number(n) + {"params": " params", "float_ops": " flops"}.get(field, "")


def _cells_of_tree(node: Node, select: list[str], is_line: bool) -> str:
    """``own/total`` of each chosen column; a scope that has nothing itself shows two dashes."""

    def pair(field: str, title: str = "") -> str:
        own, total = getattr(node.own, title or field, 0), getattr(node.total, title or field, 0)
        if field == "accelerator_micros":
            own = total = 0
        whole = _text(field, total)
        counted = field in ("params", "float_ops")
        if node.op is None and (node.name == ROOT or (counted and not (is_line and field == "float_ops"))):
            return f"--/{whole}"
        return f"{_text(field, own).split(' ')[0]}/{whole}" if counted else f"{_text(field, own)}/{whole}"

    cells = []
    for field in (f for f in _COLUMNS if f in select):
        if field == "params" and node.op is not None and node.own.params:
            cells.append("x".join(str(n) for n in node.op.outputs[0].shape.as_list()) or "")
        if field == "micros":
            cells += [pair("micros"), pair("accelerator_micros"), pair("cpu_micros", "micros")]
        elif field == "cpu_micros":
            cells.append(pair("cpu_micros", "micros"))
        elif field == "occurrence":
            cells.append(f"{node.total.occurrence}|{node.total.defined}")
        elif field == "device":
            cells.append(node.op.device if node.op is not None and node.op.device else "--")
        elif field == "op_types":
            cells.append("--" if node.op is None else node.op.type)
        elif field in Amounts.FIELDS or field == "accelerator_micros":
            cells.append(pair(field))
    return ", ".join(cells)


def _tree(root: Node, select: list[str], is_line: bool) -> Iterator[str]:
    waiting = [(root, 0)]
    while waiting:
        node, indent = waiting.pop()
        yield f"{' ' * indent}{node.name} ({_cells_of_tree(node, select, is_line)})"
        waiting += [(child, indent + 2) for child in reversed(node.shown)]


def _list(root: Node, select: list[str]) -> Iterator[str]:
    """A line for each op type: its amount, and in percent what is left from it on, and its own share."""
    for node in root.shown:
        cells = []
        for field in (f for f in _COLUMNS if f in select):
            fields = ["micros", "accelerator_micros", "cpu_micros"] if field == "micros" else [field]
            for one in fields:
                if one == "occurrence":
                    cells.append(f"{node.own.occurrence}|{node.own.defined}".rjust(10))
                    continue
                name = "micros" if one == "cpu_micros" else one
                own, left, whole = (getattr(a, name, 0) for a in (node.own, node.total, root.total))
                share, mine = (100.0 * x / whole if whole else 0.0 for x in (left, own))
                text = _number(own) + " float_ops" if one == "float_ops" else _text(one, own)
                text = _number(own) + " params" if one == "params" else text
                cells.append(f"{text} ({share:.2f}%, {mine:.2f}%)".rjust(30))
        yield node.name.ljust(25) + ", ".join(cells)


def _report(root: Node, cmd: str, options: dict[str, Any]) -> str:
    shown = {**{key: options.get(key, 0) for key in _LIMITS}, "order_by": options["order_by"]}
    shown.update({key: ",".join(options[key]) for key in _PATTERNS})
    shown["account_displayed_op_only"] = str(bool(options["account_displayed_op_only"])).lower()
    shown["select"] = ",".join(sorted(options["select"]))
    shown["output"] = options["output"] + ("" if ":" in options["output"] else ":")
    select = options["select"]
    heads = [_TITLES[f] for f in _COLUMNS if f in select]
    lines = _list(root, select) if cmd == "op" else _tree(root, select, cmd == "code")
    notes = ["", "Note: code view ignores account_displayed_op_only"] if cmd == "code" else []
    return "\n".join(
        [
            "", "=========================Options=============================",
            *(f"-{key:<27}{value}" for key, value in shown.items()), "",
            "==================Model Analysis Report======================", *notes, "", "Doc:", _DOCS[cmd],
            *(_EXPLAINED[f] for f in _COLUMNS if f in select and f in _EXPLAINED), "", "Profile:",
            " | ".join(["node name", *heads]), *lines, "",
            "======================End of Report==========================", "",
        ]
    )  # fmt: skip


_EXPLAINED = {
    "params": "param: Number of parameters (in the Variable).",
    "float_ops": "flops: Number of float operations. Note: Please read the implementation for the math behind it.",
    "bytes": "requested bytes: The memory requested by the operation, accumulatively.",
    "micros": "total execution time: Sum of accelerator execution time and cpu execution time.\n"
    "cpu execution time: The time from the start to the end of the operation.\n"
    "accelerator execution time: Time spent executing on the accelerator.",
    "occurrence": "occurrence: The number of times it occurs",
}


# -- results -----------------------------------------------------------------------------------


def _fill(proto: Any, root: Node) -> None:
    """Write a node, and what is shown below it, into a proto."""
    waiting = [(proto, root)]
    while waiting:
        proto, node = waiting.pop()
        _fill_one(proto, node)
        waiting += [(proto.children.add(), child) for child in node.shown]
        waiting += [(proto.graph_nodes.add(), one) for one in node.ops]


def _fill_one(proto: Any, node: Node) -> None:
    proto.name = node.name
    for prefix, amounts in (("", node.own), ("total_", node.total)):
        said = {
            "exec_micros": amounts.micros, "cpu_exec_micros": amounts.micros, "requested_bytes": amounts.bytes,
            "peak_bytes": amounts.peak_bytes, "output_bytes": amounts.output_bytes, "parameters": amounts.params,
            "float_ops": amounts.float_ops,
        }  # fmt: skip
        for name, value in said.items():
            setattr(proto, prefix + name, value)
    if hasattr(proto, "total_definition_count"):
        proto.run_count, proto.total_run_count = node.own.occurrence, node.total.occurrence
        proto.total_definition_count = node.total.defined


_VIEWS = {"scope": by_scope, "op": by_type, "graph": by_flow, "code": by_line}


def _profiled(measures: Measures, cmd: str, options: dict[str, Any]) -> Any:
    options = {**_options(select=[], max_depth=10), **options}
    if cmd not in _VIEWS:
        raise errors.InvalidArgumentError(None, None, f"unknown cmd: {cmd}\n")
    root = _VIEWS[cmd](measures, options)
    output = options["output"]
    if output == "stdout":
        print("Parsing Inputs...\n" + _report(root, cmd, options), end="")
    elif output.startswith("file:outfile="):
        with open(output.removeprefix("file:outfile="), "w") as file:
            file.write(_report(root, cmd, options))
    proto = message("GraphNodeProto" if cmd in ("scope", "graph") else "MultiGraphNodeProto")()
    _fill(proto, root)
    return proto


def profile(
    graph: Graph | None = None, run_meta: Any = None, op_log: Any = None, cmd: str = "scope", options: Any = 0
) -> Any:
    """Print what a graph has and takes, and return it as a proto: ``GraphNodeProto``, or ``MultiGraphNodeProto``.

    Args:
      run_meta: the ``RunMetadata`` of a run, where time and memory are asked for.
      op_log: an ``OpLogProto`` that says of ops what they cost, and types of its own.
      cmd: ``scope``, by names; ``op``, by op types; ``graph``, by what ops read; or ``code``, by the program's lines.
      options: of ``ProfileOptionBuilder``; by default ``trainable_variables_parameter()``.

    Raises:
      InvalidArgumentError: another ``cmd``.
    """
    if options == 0:
        options = ProfileOptionBuilder.trainable_variables_parameter()
    measures = Measures(graph or default_graph(), [run_meta] if run_meta is not None else [], op_log)
    return _profiled(measures, cmd, options)


def advise(graph: Graph | None = None, run_meta: Any = None, options: Any = 0) -> Any:
    """Not to be had.

    Raises:
      NotImplementedError: always.
    """
    error = NotImplementedError("tf.profiler.advise is not built")
    error.add_note("  Why:   its advice is about GPUs and other accelerators of TensorFlow's own runtime")
    error.add_note("  Fix:   tf.profiler.profile(..., cmd='op', options=ProfileOptionBuilder.time_and_memory())")
    raise error


class Profiler:
    """Profiles of several steps of one graph.

    >>> profiler = Profiler(Graph())
    >>> profiler.profile_operations(ProfileOptionBuilder().with_empty_output().build()).total_float_ops
    0
    """

    def __init__(self, graph: Graph | None = None, op_log: Any = None) -> None:
        self._graph = graph or default_graph()
        self._steps: dict[int, Any] = {}
        self._op_log = op_log

    def add_step(self, step: int, run_meta: Any) -> None:
        """Take in the ``RunMetadata`` of a step."""
        self._steps[step] = run_meta

    @property
    def steps(self) -> dict[int, Any]:
        """The ``RunMetadata`` of the steps."""
        return self._steps

    @property
    def coverage(self) -> float:
        """Which part of the graph's ops ran in a step."""
        ran = {n.node_name for meta in self._steps.values() for d in meta.step_stats.dev_stats for n in d.node_stats}
        names = [op.name for op in self._graph.get_operations()]
        return sum(name in ran for name in names) / len(names) if names else 0.0

    def _profile(self, cmd: str, options: dict[str, Any]) -> Any:
        step = options.get("step", -1)
        metas = [*self._steps.values()] if step < 0 else [m for n, m in self._steps.items() if n == step]
        return _profiled(Measures(self._graph, metas, self._op_log), cmd, options)

    def profile_name_scope(self, options: dict[str, Any]) -> Any:
        """By the names of the ops."""
        return self._profile("scope", options)

    def profile_operations(self, options: dict[str, Any]) -> Any:
        """By the types of the ops."""
        return self._profile("op", options)

    def profile_graph(self, options: dict[str, Any]) -> Any:
        """By what the ops read."""
        return self._profile("graph", options)

    def profile_python(self, options: dict[str, Any]) -> Any:
        """By the lines of the program."""
        return self._profile("code", options)

    def advise(self, options: Any) -> Any:
        """Not to be had; raises ``NotImplementedError``."""
        return advise(self._graph)
