"""Parts of a ``GraphDef`` replaced by one node; the ops that a ``GraphDef`` needs."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from retrograd.graph.protos import node_of


def _needed(names: Iterable[str], inputs: Mapping[str, Sequence[str]]) -> set[str]:
    """The nodes behind ``names``, with themselves."""
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += inputs[name]
    return found


def fuse_op(
    graph_def: Any, input_nodes: Sequence[str], output_nodes: Sequence[str], output_dtypes: Sequence[int],
    output_quantized: bool, op_name: str, op_type: str,
) -> Any:  # fmt: skip
    """``graph_def`` with one node in the place of all between ``input_nodes`` and ``output_nodes``.

    The outputs stay, as readers of the new node's outputs.

    Raises:
      TypeError: an argument is of another type, or what is replaced reads more than ``input_nodes``.
      AssertionError: a node is not in the graph.
    """
    if type(graph_def).__name__ != "GraphDef":
        raise TypeError("graph_def must be a graph_pb2.GraphDef proto.")
    if isinstance(input_nodes, str):
        raise TypeError("input_nodes must be a list.")
    if isinstance(output_nodes, str):
        raise TypeError("output_nodes must be a list.")
    nodes = {node_of(node.name): node for node in graph_def.node}
    inputs = {name: [node_of(text) for text in node.input] for name, node in nodes.items()}
    for name in (*input_nodes, *output_nodes):
        assert name in nodes, f"{name} is not in graph"
    before, within = _needed(input_nodes, inputs), _needed(output_nodes, inputs)
    for name in nodes:
        if name in within - before and name not in output_nodes:
            _check_inputs(name, inputs, before, set(input_nodes))
    fused = type(graph_def)(library=graph_def.library, versions=graph_def.versions)
    fused.node.extend(node for name, node in nodes.items() if name in before)
    new = fused.node.add(name=op_name, op=op_type, input=input_nodes)
    new.attr["_output_types"].list.type[:] = output_dtypes
    new.attr["_output_quantized"].b = output_quantized
    for i, name in enumerate(output_nodes):
        assert len(nodes[name].input) == 1
        output = copy.deepcopy(nodes[name])
        output.input[:] = [f"{op_name}:{i}" if i else op_name]
        fused.node.append(output)
    fused.node.extend(node for name, node in nodes.items() if name not in before | within)
    return fused


def _check_inputs(name: str, inputs: Mapping[str, Sequence[str]], before: set[str], allowed: set[str]) -> None:
    """What a node needs beyond the inputs must not stand before them."""
    visited: set[str] = set()
    waiting = [name]
    while waiting:
        here = waiting.pop(0)
        visited.add(here)
        if here in before and here not in allowed:
            raise TypeError(f"Node {name} uses input {here} not in input_nodes.")
        if here not in allowed:
            waiting += [i for i in inputs[here] if i not in visited]


def ops_used_by_graph_def(graph_def: Any) -> list[str]:
    """The types of the ops in a graph and in the functions that it calls, without these functions."""
    functions = {f.signature.name: f for f in graph_def.library.function}
    used: dict[str, None] = {}
    waiting = [node.op for node in graph_def.node]
    while waiting:
        op = waiting.pop()
        if op not in used:
            used[op] = None
            waiting += [node.op for node in functions[op].node_def] if op in functions else []
    return [op for op in used if op not in functions]
