"""What a graph has and takes, by the names of its ops, their types, what they read, and the lines that build them."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from retrograd.graph import statistics
from retrograd.graph.collections import GraphKeys
from retrograd.graph.graph import Graph
from retrograd.graph.operation import Operation
from retrograd.graph.shapes import TensorShape
from retrograd.sessions import flops  # noqa: F401  registers what ops cost

TRAINABLE_VARIABLES = "_trainable_variables"
ROOT = "_TFProfRoot"
_VARIABLES = ("Variable", "VariableV2", "VarHandleOp", "AutoReloadVariable", "Placeholder")  # of known shape

# -- what is measured ----------------------------------------------------------------------------


class Amounts:
    """What one op, or several, have and take."""

    FIELDS = ("params", "float_ops", "micros", "bytes", "peak_bytes", "residual_bytes", "output_bytes", "occurrence")

    def __init__(self) -> None:
        self.params = self.float_ops = self.micros = self.bytes = 0
        self.peak_bytes = self.residual_bytes = self.output_bytes = self.occurrence = self.defined = 0

    def __iadd__(self, other: Amounts) -> Amounts:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)
        return self


def _measured(op: Operation) -> Amounts:
    found = Amounts()
    found.defined = 1
    if op.type in _VARIABLES:
        shape = TensorShape(op.attrs["shape"])
        found.params = shape.num_elements() or 0
    try:
        amount = statistics.registered_amount(op.graph, op.node_def, "flops").value
    except ValueError:  # a shape is not known
        amount = None
    found.float_ops = int(amount or 0)
    return found


def _traced(graph: Graph, run_meta: Any) -> dict[str, Amounts]:
    """Time and memory of the ops of a run, by their names."""
    found: dict[str, Amounts] = {}
    for device in run_meta.step_stats.dev_stats if run_meta is not None else ():
        for stats in device.node_stats:
            amounts = found.setdefault(stats.node_name, Amounts())
            amounts.occurrence = 1
            amounts.micros += max(stats.all_end_rel_micros, 0)
            amounts.bytes += sum(m.total_bytes for m in stats.memory)
            amounts.peak_bytes += sum(m.peak_bytes for m in stats.memory)
            amounts.output_bytes += sum(
                o.tensor_description.allocation_description.requested_bytes for o in stats.output
            )
    return found


class Node:
    """A scope or an op: what it has itself, what is below it, and what of that is shown."""

    def __init__(self, name: str, op: Operation | None = None) -> None:
        self.name, self.op = name, op
        self.own, self.total = Amounts(), Amounts()
        self.children: dict[str, Node] = {}
        self.shown: list[Node] = []
        self.ops: list[Node] = []  # of an op type
        self.counts = True  # whether it is one of those that are asked for


def _matches(patterns: Iterable[str], text: str) -> bool:
    return any(re.fullmatch(p, text) for p in patterns)


class Measures:
    """The ops of a graph with what they have and take."""

    def __init__(self, graph: Graph, run_metas: list[Any], op_log: Any = None) -> None:
        self.graph = graph
        self.trainable = {
            (v.handle if hasattr(v, "handle") else v).op.name
            for v in graph.get_collection(GraphKeys.TRAINABLE_VARIABLES)
        }
        traces = [_traced(graph, meta) for meta in run_metas]
        told = {entry.name: entry for entry in op_log.log_entries} if op_log is not None else {}
        self.types = {name: list(entry.types) for name, entry in told.items()}
        self.ops = {}
        for op in graph.get_operations():
            amounts = _measured(op)
            if op.name in told and told[op.name].float_ops > 0:
                amounts.float_ops = told[op.name].float_ops
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
        types += ([op.device] if op.device else []) + self.types.get(op.name, [])
        return any(_matches(options["account_type_regexes"], t) for t in types)


# -- views -------------------------------------------------------------------------------------


def _shows(node: Node, own: Amounts, options: dict[str, Any], depth: int) -> bool:
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


def _order(nodes: list[Node], options: dict[str, Any]) -> list[Node]:
    by = options["order_by"]
    if by == "name":
        return sorted(nodes, key=lambda n: n.name)
    field = {"accelerator_micros": None, "cpu_micros": "micros"}.get(by, by)
    return sorted(nodes, key=lambda n: (-(getattr(n.total, field) if field else 0), n.name))


def by_scope(measures: Measures, options: dict[str, Any]) -> Node:
    """The tree of scopes; what is not shown itself lets what is below it show in its place."""
    root = Node(ROOT)
    for op, amounts in measures.ops.items():
        if not measures.counts(op, options):
            continue
        node, path = root, ""
        for part in op.name.split("/"):
            path = f"{path}/{part}" if path else part
            node = node.children.setdefault(part, Node(path))
        node.op, node.own = op, amounts
    return _chosen(root, options)


def _chosen(root: Node, options: dict[str, Any]) -> Node:
    """The tree with the totals of its nodes, and what is shown of it."""
    _sum_up(root)
    root.shown = _starts(root, options, 1)
    root.total = _summed(root.own, root.shown) if options["account_displayed_op_only"] else root.total
    root.total.defined = max(root.total.defined, 0) + 1
    return root


def by_flow(measures: Measures, options: dict[str, Any]) -> Node:
    """The tree of what ops wait for: below what nobody reads, by name, all that no other op has below it yet."""
    root, met = Node(ROOT), set[Operation]()
    read = {x for op in measures.ops for x in _sources(op)}
    for start in sorted((op for op in measures.ops if op not in read), key=lambda op: op.name):
        waiting = [(start, root)]
        while waiting:
            op, above = waiting.pop()
            if op in met:
                continue
            met.add(op)
            node = above.children[op.name] = Node(op.name, op)
            node.counts = measures.counts(op, options)
            if node.counts:
                node.own = measures.ops[op]
            waiting += [(x, node) for x in reversed(_sources(op))]
    with _deep_recursion(len(met)):
        return _chosen(root, options)


def _sources(op: Operation) -> list[Operation]:
    return [*(x.op for x in op.inputs), *op.control_inputs]


@contextmanager
def _deep_recursion(depth: int) -> Iterator[None]:
    """Let functions call themselves so often, and a little more."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, 4 * depth + 1000))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def by_line(measures: Measures, options: dict[str, Any]) -> Node:
    """The tree of the program's lines that build ops, as they call each other; gradients have lines of their own."""
    root = Node(ROOT)
    names = {op.name: op for op in measures.ops}
    for op, amounts in measures.ops.items():
        if not measures.counts(op, options):
            continue
        forward = names.get(found[1]) if (found := _OF_GRADIENT.match(op.name)) else None
        node = root
        for file, line, function, _ in (forward or op).traceback:
            name = f"{os.path.basename(file)}:{line}:{function}{' (gradient)' if forward else ''}"
            node = node.children.setdefault(name, Node(name))
        own = node.children.setdefault("", Node(""))  # what the library does for the line; it is not shown
        own.counts = False
        own.own += amounts
    return _chosen(root, {**options, "account_displayed_op_only": False, "of_lines": True})


_OF_GRADIENT = re.compile(r"gradients(?:_\d+)?/(.*)_grad/")


def _sum_up(node: Node) -> None:
    node.total += node.own
    for child in node.children.values():
        _sum_up(child)
        node.total += child.total


def _starts(root: Node, options: dict[str, Any], depth: int) -> list[Node]:
    """What is shown below ``root``, from the nodes on at which to start."""
    if options["start_name_regexes"] == [".*"]:
        return _shown_below(root, options, depth)
    found: list[Node] = []

    def search(node: Node, level: int) -> None:
        for child in node.children.values():
            if _matches(options["start_name_regexes"], child.name):
                found.extend(_shown_as(child, options, level + 1))
            else:
                search(child, level + 1)

    search(root, depth)
    return _order(found, options)


def _shown_below(node: Node, options: dict[str, Any], depth: int) -> list[Node]:
    found: list[Node] = []
    for child in node.children.values() if depth < options["max_depth"] else ():
        found += _shown_as(child, options, depth + 1)
    return _order(found, options)


def _shown_as(node: Node, options: dict[str, Any], depth: int) -> list[Node]:
    """The node with what is shown below it, or that alone."""
    if _matches(options["trim_name_regexes"], node.name):
        return []
    amounts = node.total if "of_lines" in options else node.own
    shows = node.counts and _shows(node, amounts, options, depth)
    below = _shown_below(node, options, depth)
    if not shows:
        return below
    node.shown = below
    if options["account_displayed_op_only"]:
        node.total = _summed(node.own, below)
        node.total.defined = 1 + sum(n.total.defined for n in below)
    return [node]


def _summed(own: Amounts, nodes: list[Node]) -> Amounts:
    total = Amounts()
    total += own
    for node in nodes:
        total += node.total
    return total


def by_type(measures: Measures, options: dict[str, Any]) -> Node:
    """A list of op types; the totals of each are of itself and of all after it."""
    root = Node(ROOT)
    for op, amounts in measures.ops.items():
        if not measures.counts(op, options) or not _matches(options["start_name_regexes"], op.name):
            continue
        node = root.children.setdefault(op.type, Node(op.type))
        node.own += amounts
        one = Node(op.name, op)
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
    root.total = _summed(Amounts(), counted[:1])
    return root


def _accumulate(nodes: list[Node]) -> None:
    """The total of each is of itself and of all after it."""
    total = Amounts()
    for node in reversed(nodes):
        total += node.own
        node.total = _summed(total, [])
