"""Bodies of functions from ``FunctionDef``s, with the loops that are in them."""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import ContextVar
from typing import Any

from retrograd.flow.found import close_loop, find_loops
from retrograd.graph.apply import build
from retrograd.graph.dtypes import as_dtype
from retrograd.graph.errors import NotFoundError
from retrograd.graph.function_defs import references
from retrograd.graph.functions import Body, FunctionGraph, argument_of_body
from retrograd.graph.graph import Graph
from retrograd.graph.library import Library
from retrograd.graph.nodes import check_inputs, checked_attrs
from retrograd.graph.operation import Operation
from retrograd.graph.shapes import TensorShape
from retrograd.graph.tensor import Tensor
from retrograd.ops import dataflow


def body_of(definition: Any, library: Library, captured: Sequence[Tensor] = ()) -> Body:
    """The body that a ``FunctionDef`` describes; the functions that it calls are in ``library``.

    The last inputs stand for the tensors that it has ``captured``.

    Raises:
      ValueError: it is not well formed, or calls itself.
    """
    name = definition.signature.name
    if name in _under_way.get():
        raise ValueError(f"Function {name} calls itself")
    token = _under_way.set(_under_way.get() | {name})
    try:
        return _body_of(definition, library, captured)
    finally:
        _under_way.reset(token)


_under_way: ContextVar[frozenset[str]] = ContextVar("functions whose bodies are being built", default=frozenset())


def _body_of(definition: Any, library: Library, captured: Sequence[Tensor]) -> Body:
    graph = FunctionGraph(definition.signature.name)
    graph._functions.update(library._functions)
    tensors: dict[str, Tensor] = {}
    arguments = definition.signature.input_arg
    said = definition.attr["_input_shapes"].list.shape if "_input_shapes" in definition.attr else ()
    shapes = [TensorShape(shape) for shape in said]
    if len(shapes) != len(arguments):
        shapes = [TensorShape(None)] * len(arguments)
    for argument, shape in zip(arguments, shapes, strict=True):
        tensors[argument.name] = argument_of_body(graph, as_dtype(argument.type), shape, argument.name)
        graph.inputs.append(tensors[argument.name])
    for inside, outside in zip(graph.inputs[len(graph.inputs) - len(captured) :], captured, strict=True):
        graph.notes["captured from"][inside] = outside
        graph.captured[outside] = inside
        graph.extra_inputs.append(outside)
        graph.extra_args.append(inside)
    with graph.as_default():
        _add_nodes(graph, list(definition.node_def), tensors)
    find_loops(graph.get_operations())
    for argument in definition.signature.output_arg:
        if definition.ret[argument.name] not in tensors:
            raise ValueError(f"Function {graph.name} has an output that nothing computes: {argument.name}")
        graph.outputs.append(tensors[definition.ret[argument.name]])
    graph.notes["read from a file"] = set(graph.get_operations())  # of which none may lead to Python
    return graph.body()


def _add_nodes(graph: FunctionGraph, waiting: list[Any], tensors: dict[str, Tensor]) -> None:
    """Build the nodes, each behind what it reads; their outputs join ``tensors``.

    Raises:
      ValueError: a node reads what none computes.
    """
    there = {f"^{name}" for name in tensors}
    next_ones = {n.name for n in waiting if n.op in dataflow.NEXT_ITERATIONS}
    back_edges: list[tuple[Operation, int, str]] = []

    def is_later(node: Any, name: str) -> bool:
        """Whether a loop brings this input of ``node``, in the next iteration."""
        return node.op in dataflow.MERGES and name not in tensors and name.partition(":")[0] in next_ones

    while waiting:
        ready = [n for n in waiting if all(i in there or i in tensors or is_later(n, i) for i in n.input)]
        ready = [n for n in ready if not n.input or not all(is_later(n, i) for i in n.input)]
        if not ready:
            raise ValueError(f"Function {graph.name} has inputs that nothing computes: {waiting[0].input}")
        for node in ready:
            later = [(i, name) for i, name in enumerate(node.input) if is_later(node, name)]
            first = next((tensors[i] for i in node.input if i in tensors), None)
            read = {**tensors, **{name: first for _, name in later if first is not None}}
            op = _added(graph, node, read)
            if later:
                op.outputs[0].dims = None  # the next value may have another shape
            back_edges += [(op, i, name) for i, name in later]
            tensors.update(zip(references(op, node.name), op.outputs, strict=True))
            there.add(f"^{node.name}")
        waiting = [n for n in waiting if f"^{n.name}" not in there]
    for op, i, name in back_edges:
        value = tensors.get(name)
        if value is None or value.dtype.base_dtype is not op.inputs[i].dtype.base_dtype:
            raise ValueError(f"Function {graph.name}: node '{op.name}' reads what nothing computes: {name}")
        close_loop(op, i, value)


def _added(graph: Graph, node: Any, tensors: dict[str, Tensor]) -> Operation:
    """Build one node of a ``FunctionDef``."""
    definition = graph.op_definition(node.op)
    if definition is None:
        raise NotFoundError(None, None, f"Op type not registered '{node.op}'")
    inputs = tuple(tensors[i] for i in node.input if not i.startswith("^"))
    waits = [graph._by_name[i[1:]] for i in node.input if i.startswith("^")]
    attrs = checked_attrs(definition, node, node.name)
    check_inputs(definition, node.name, attrs, inputs)
    with graph.control_dependencies(waits), graph.device(node.device or None):
        op = build(graph, definition, node.name, inputs, attrs)
    graph.unique_name(node.name)
    return op
