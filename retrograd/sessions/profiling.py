"""``tf.profiler``: parameters, floating-point operations, time and memory of the ops of a graph, by scope or by type.

Source: TensorFlow 1.15.5, ``profiler/option_builder.py``, ``profiler/model_analyzer.py``, and the reports they print.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Iterator
from typing import Any

from retrograd.files.messages import message
from retrograd.graph import errors, statistics
from retrograd.graph.collections import GraphKeys
from retrograd.graph.graph import Graph
from retrograd.graph.operation import Operation
from retrograd.graph.shapes import TensorShape
from retrograd.graph.stack import default_graph
from retrograd.sessions import flops  # noqa: F401  registers what ops cost

TRAINABLE_VARIABLES = "_trainable_variables"
_ROOT = "_TFProfRoot"
_VARIABLES = ("Variable", "VariableV2", "VarHandleOp", "AutoReloadVariable", "Placeholder")  # of known shape

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


# -- what is measured ----------------------------------------------------------------------------


class _Amounts:
    """What one op, or several, have and take."""

    FIELDS = ("params", "float_ops", "micros", "bytes", "peak_bytes", "residual_bytes", "output_bytes", "occurrence")

    def __init__(self) -> None:
        self.params = self.float_ops = self.micros = self.bytes = 0
        self.peak_bytes = self.residual_bytes = self.output_bytes = self.occurrence = self.defined = 0

    def __iadd__(self, other: _Amounts) -> _Amounts:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)
        return self


def _measured(op: Operation) -> _Amounts:
    found = _Amounts()
    found.defined = 1
    if op.type in _VARIABLES:
        shape = TensorShape(op.attrs["shape"])
        found.params = shape.num_elements() or 0
    try:
        amount = statistics.get_stats_for_node_def(op.graph, op.node_def, "flops").value
    except ValueError:  # a shape is not known
        amount = None
    found.float_ops = int(amount or 0)
    return found


def _traced(graph: Graph, run_meta: Any) -> dict[str, _Amounts]:
    """Time and memory of the ops of a run, by their names."""
    found: dict[str, _Amounts] = {}
    for device in run_meta.step_stats.dev_stats if run_meta is not None else ():
        for stats in device.node_stats:
            amounts = found.setdefault(stats.node_name, _Amounts())
            amounts.occurrence = 1
            amounts.micros += max(stats.all_end_rel_micros, 0)
            amounts.bytes += sum(m.total_bytes for m in stats.memory)
            amounts.peak_bytes += sum(m.peak_bytes for m in stats.memory)
            amounts.output_bytes += sum(
                o.tensor_description.allocation_description.requested_bytes for o in stats.output
            )
    return found


class _Node:
    """A scope or an op: what it has itself, what is below it, and what of that is shown."""

    def __init__(self, name: str, op: Operation | None = None) -> None:
        self.name, self.op = name, op
        self.own, self.total = _Amounts(), _Amounts()
        self.children: dict[str, _Node] = {}
        self.shown: list[_Node] = []
        self.ops: list[_Node] = []  # of an op type


def _matches(patterns: Iterable[str], text: str) -> bool:
    return any(re.fullmatch(p, text) for p in patterns)


class _Measures:
    """The ops of a graph with what they have and take."""

    def __init__(self, graph: Graph, run_metas: list[Any], op_log: Any = None) -> None:
        self.graph = graph
        self.trainable = {
            (v.handle if hasattr(v, "handle") else v).op.name
            for v in graph.get_collection(GraphKeys.TRAINABLE_VARIABLES)
        }
        traces = [_traced(graph, meta) for meta in run_metas]
        self.ops = {}
        for op in graph.get_operations():
            amounts = _measured(op)
            seen = [trace[op.name] for trace in traces if op.name in trace]
            for one in seen:
                amounts += one
            if len(seen) > 1:  # the mean of the steps
                for name in ("micros", "bytes", "peak_bytes", "output_bytes"):
                    setattr(amounts, name, getattr(amounts, name) // len(seen))
            self.ops[op] = amounts

    def counts(self, op: Operation, options: dict[str, Any]) -> bool:
        """Whether the types of an op are among the wanted."""
        types = [op.type] + ([TRAINABLE_VARIABLES] if op.name in self.trainable else [])
        types += [op.device] if op.device else []
        return any(_matches(options["account_type_regexes"], t) for t in types)


# -- views -------------------------------------------------------------------------------------


def _shows(node: _Node, own: _Amounts, options: dict[str, Any], depth: int) -> bool:
    """Whether a node has as much as the options ask for, and a name that they show."""
    total = node.total
    least = (
        (total.bytes, "min_bytes"), (total.peak_bytes, "min_peak_bytes"),
        (total.residual_bytes, "min_residual_bytes"), (total.output_bytes, "min_output_bytes"),
        (total.micros, "min_micros"), (0, "min_accelerator_micros"), (total.micros, "min_cpu_micros"),
        (own.params, "min_params"), (own.float_ops, "min_float_ops"), (own.occurrence, "min_occurrence"),
    )  # fmt: skip
    if depth > options["max_depth"] or any(value < options.get(limit, 0) for value, limit in least):
        return False
    return _matches(options["show_name_regexes"], node.name) and not _matches(options["hide_name_regexes"], node.name)


def _order(nodes: list[_Node], options: dict[str, Any]) -> list[_Node]:
    by = options["order_by"]
    if by == "name":
        return sorted(nodes, key=lambda n: n.name)
    field = {"accelerator_micros": None, "cpu_micros": "micros"}.get(by, by)
    return sorted(nodes, key=lambda n: (-(getattr(n.total, field) if field else 0), n.name))


def _by_scope(measures: _Measures, options: dict[str, Any]) -> _Node:
    """The tree of scopes; what is not shown itself lets what is below it show in its place."""
    root = _Node(_ROOT)
    for op, amounts in measures.ops.items():
        if not measures.counts(op, options):
            continue
        node, path = root, ""
        for part in op.name.split("/"):
            path = f"{path}/{part}" if path else part
            node = node.children.setdefault(part, _Node(path))
        node.op, node.own = op, amounts
    _sum_up(root)
    root.shown = _starts(root, options, 1)
    root.total = _summed(root.own, root.shown) if options["account_displayed_op_only"] else root.total
    root.total.defined = max(root.total.defined, 0) + 1
    return root


def _sum_up(node: _Node) -> None:
    node.total += node.own
    for child in node.children.values():
        _sum_up(child)
        node.total += child.total


def _starts(root: _Node, options: dict[str, Any], depth: int) -> list[_Node]:
    """What is shown below ``root``, from the nodes on at which to start."""
    if options["start_name_regexes"] == [".*"]:
        return _shown_below(root, options, depth)
    found: list[_Node] = []

    def search(node: _Node, level: int) -> None:
        for child in node.children.values():
            if _matches(options["start_name_regexes"], child.name):
                found.extend(_shown_as(child, options, level + 1))
            else:
                search(child, level + 1)

    search(root, depth)
    return _order(found, options)


def _shown_below(node: _Node, options: dict[str, Any], depth: int) -> list[_Node]:
    found: list[_Node] = []
    for child in node.children.values():
        found += _shown_as(child, options, depth + 1)
    return _order(found, options)


def _shown_as(node: _Node, options: dict[str, Any], depth: int) -> list[_Node]:
    """The node with what is shown below it, or that alone."""
    if _matches(options["trim_name_regexes"], node.name):
        return []
    shows = _shows(node, node.own, options, depth)
    below = _shown_below(node, options, depth)
    if not shows:
        return below
    node.shown = below
    if options["account_displayed_op_only"]:
        node.total = _summed(node.own, below)
        node.total.defined = 1 + sum(n.total.defined for n in below)
    return [node]


def _summed(own: _Amounts, nodes: list[_Node]) -> _Amounts:
    total = _Amounts()
    total += own
    for node in nodes:
        total += node.total
    return total


def _by_type(measures: _Measures, options: dict[str, Any]) -> _Node:
    """A list of op types; the totals of each are of itself and of all after it."""
    root = _Node(_ROOT)
    for op, amounts in measures.ops.items():
        if not measures.counts(op, options) or not _matches(options["start_name_regexes"], op.name):
            continue
        node = root.children.setdefault(op.type, _Node(op.type))
        node.own += amounts
        one = _Node(op.name, op)
        one.own = amounts
        one.total += amounts
        node.ops.append(one)
    for node in root.children.values():
        node.total = _summed(node.own, [])
    by = "defined" if options["order_by"] == "occurrence" else options["order_by"]
    nodes = _order([*root.children.values()], {**options, "order_by": by})
    nodes = [n for n in nodes if not _matches(options["trim_name_regexes"], n.name)]
    _accumulate(nodes)
    for node in nodes:
        occurs = node.own.defined >= options["min_occurrence"]
        if occurs and _shows(node, node.total, {**options, "min_occurrence": 0}, len(root.shown)):
            root.shown.append(node)
    counted = root.shown if options["account_displayed_op_only"] else nodes
    _accumulate(counted)
    root.total = _summed(_Amounts(), counted[:1])
    return root


def _accumulate(nodes: list[_Node]) -> None:
    """The total of each is of itself and of all after it."""
    total = _Amounts()
    for node in reversed(nodes):
        total += node.own
        node.total = _summed(total, [])


# -- the report --------------------------------------------------------------------------------

_DOCS = {
    "scope": "scope: The nodes in the model graph are organized by their names, which is hierarchical like filesystem.",
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


def _cells_of_scope(node: _Node, select: list[str]) -> str:
    """``own/total`` of each chosen column; a scope that has nothing itself shows two dashes."""

    def pair(field: str, title: str = "") -> str:
        own, total = getattr(node.own, title or field, 0), getattr(node.total, title or field, 0)
        if field == "accelerator_micros":
            own = total = 0
        whole = _text(field, total)
        counted = field in ("params", "float_ops")
        if node.op is None and (counted or node.name == _ROOT):
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
        elif field in _Amounts.FIELDS or field == "accelerator_micros":
            cells.append(pair(field))
    return ", ".join(cells)


def _tree(node: _Node, select: list[str], indent: int = 0) -> Iterator[str]:
    yield f"{' ' * indent}{node.name} ({_cells_of_scope(node, select)})"
    for child in node.shown:
        yield from _tree(child, select, indent + 2)


def _list(root: _Node, select: list[str]) -> Iterator[str]:
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


def _report(root: _Node, cmd: str, options: dict[str, Any]) -> str:
    shown = {**{key: options.get(key, 0) for key in _LIMITS}, "order_by": options["order_by"]}
    shown.update({key: ",".join(options[key]) for key in _PATTERNS})
    shown["account_displayed_op_only"] = str(bool(options["account_displayed_op_only"])).lower()
    shown["select"] = ",".join(sorted(options["select"]))
    shown["output"] = options["output"] + ("" if ":" in options["output"] else ":")
    select = options["select"]
    heads = [_TITLES[f] for f in _COLUMNS if f in select]
    lines = _tree(root, select) if cmd == "scope" else _list(root, select)
    return "\n".join(
        [
            "", "=========================Options=============================",
            *(f"-{key:<27}{value}" for key, value in shown.items()), "",
            "==================Model Analysis Report======================", "", "Doc:", _DOCS[cmd],
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


def _fill(proto: Any, node: _Node) -> None:
    """Write a node, and what is shown below it, into a proto."""
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
    for child in node.shown:
        _fill(proto.children.add(), child)
    for one in node.ops:
        _fill(proto.graph_nodes.add(), one)


def _profiled(measures: _Measures, cmd: str, options: dict[str, Any]) -> Any:
    options = {**_options(select=[], max_depth=10), **options}
    if cmd not in ("scope", "op", "graph", "code"):
        raise errors.InvalidArgumentError(None, None, f"unknown cmd: {cmd}\n")
    if cmd in ("graph", "code"):
        error = NotImplementedError(f"tf.profiler cannot show the view {cmd!r}")
        error.add_note("  Why:   the profiler here knows ops by their scopes and types, not by edges or lines of code")
        error.add_note("  Fix:   cmd='scope', or cmd='op'; retrograd run --profile tells the time of each plan")
        raise error
    root = _by_scope(measures, options) if cmd == "scope" else _by_type(measures, options)
    output = options["output"]
    if output == "stdout":
        print("Parsing Inputs...\n" + _report(root, cmd, options), end="")
    elif output.startswith("file:outfile="):
        with open(output.removeprefix("file:outfile="), "w") as file:
            file.write(_report(root, cmd, options))
    proto = message("GraphNodeProto" if cmd == "scope" else "MultiGraphNodeProto")()
    _fill(proto, root)
    return proto


def profile(
    graph: Graph | None = None, run_meta: Any = None, op_log: Any = None, cmd: str = "scope", options: Any = 0
) -> Any:
    """Print what a graph has and takes, and return it as a proto: ``GraphNodeProto``, or ``MultiGraphNodeProto``.

    Args:
      run_meta: the ``RunMetadata`` of a run, where time and memory are asked for.
      cmd: ``scope``, by names; or ``op``, by op types.
      options: of ``ProfileOptionBuilder``; by default ``trainable_variables_parameter()``.

    Raises:
      InvalidArgumentError: another ``cmd``.
      NotImplementedError: the views ``graph`` and ``code``.
    """
    if options == 0:
        options = ProfileOptionBuilder.trainable_variables_parameter()
    measures = _Measures(graph or default_graph(), [run_meta] if run_meta is not None else [])
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

    def add_step(self, step: int, run_meta: Any) -> None:
        """Take in the ``RunMetadata`` of a step."""
        self._steps[step] = run_meta

    def _profile(self, cmd: str, options: dict[str, Any]) -> Any:
        step = options.get("step", -1)
        metas = [*self._steps.values()] if step < 0 else [m for n, m in self._steps.items() if n == step]
        return _profiled(_Measures(self._graph, metas), cmd, options)

    def profile_name_scope(self, options: dict[str, Any]) -> Any:
        """By the names of the ops."""
        return self._profile("scope", options)

    def profile_operations(self, options: dict[str, Any]) -> Any:
        """By the types of the ops."""
        return self._profile("op", options)

    def profile_graph(self, options: dict[str, Any]) -> Any:
        """Not to be had; raises ``NotImplementedError``."""
        return self._profile("graph", options)

    def profile_python(self, options: dict[str, Any]) -> Any:
        """Not to be had; raises ``NotImplementedError``."""
        return self._profile("code", options)

    def advise(self, options: Any) -> Any:
        """Not to be had; raises ``NotImplementedError``."""
        return advise(self._graph)
