"""GraphDefs cut to what is needed, with variables frozen, written to files."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import numpy as np

from retrograd.files.file_system import path_of
from retrograd.files.replacing import file_error, replace_file
from retrograd.graph import log, protos
from retrograd.graph.dtypes import as_dtype
from retrograd.graph.errors import nearest
from retrograd.graph.graph import Graph
from retrograd.graph.shapes import TensorShape
from retrograd.graph.text import as_text
from retrograd.io.stack_form import with_stacks

_VARIABLES = ("Variable", "VariableV2", "VarHandleOp")
_PASS_ON = frozenset(("Switch", "Enter", "Exit", "Identity", "Merge", "NextIteration"))


def extract_sub_graph(graph_def: Any, dest_nodes: list[str]) -> Any:
    """The nodes that ``dest_nodes`` follow from, with those that they stand beside.

    Raises:
      TypeError: an argument is of the wrong kind.
      AssertionError: there is no node of a name.
    """
    from tensorboard.compat.proto.graph_pb2 import GraphDef

    if not isinstance(graph_def, GraphDef):
        raise TypeError("graph_def must be a graph_pb2.GraphDef proto.")
    if isinstance(dest_nodes, str):
        raise TypeError("dest_nodes must be a list.")
    nodes = {node.name: node for node in graph_def.node}
    for name in dest_nodes:
        if name not in nodes:
            error = AssertionError(f"{name} is not in graph")
            near = nearest(name, list(nodes))
            if near is not None:
                error.add_note(f"  Why:   the nearest name of a node is {near!r}")
            raise error
    kept: set[str] = set()
    waiting = list(dest_nodes)
    while waiting:
        name = waiting.pop()
        if name in kept or name not in nodes:
            continue
        kept.add(name)
        waiting += map(protos.node_of, nodes[name].input)
        if "_class" in nodes[name].attr:
            places = [as_text(place) for place in nodes[name].attr["_class"].list.s]
            waiting += [place[5:] for place in places if place.startswith("loc:@")]
    result = GraphDef(library=graph_def.library, versions=graph_def.versions)
    result.node.extend(node for node in graph_def.node if node.name in kept)
    return result


def tensor_shape_from_node_def_name(graph: Graph, input_name: str) -> TensorShape:
    """The shape of the tensor that an input of a node names."""
    shape: TensorShape = graph.get_tensor_by_name(input_name if ":" in input_name else f"{input_name}:0").get_shape()
    return shape


def must_run_on_cpu(node: Any, pin_variables_on_cpu: bool = False) -> bool:
    """Whether a node, or an op, has no kernel for other devices; with ``pin_variables_on_cpu`` variables count too."""
    node = getattr(node, "node_def", node)
    assert type(node).__name__ == "NodeDef"
    if pin_variables_on_cpu and node.op in ("Variable", "VariableV2", "Assign", "AssignAdd", "AssignSub", "ScatterAdd",
                                            "ScatterSub", "ScatterUpdate"):  # fmt: skip
        return True
    int32, string = as_dtype("int32").as_datatype_enum, as_dtype("string").as_datatype_enum
    if node.op == "Const":
        return node.attr["dtype"].type in (int32, string)
    if node.op in ("DynamicStitch", "ParallelDynamicStitch"):
        return bool(node.attr["T"].type == int32)
    return bool(node.op == "Cast" and node.attr["SrcT"].type == int32)


# -- freezing ----------------------------------------------------------------------------------


def convert_variables_to_constants(
    sess: Any,
    input_graph_def: Any,
    output_node_names: list[str],
    variable_names_whitelist: Iterable[str] | None = None,
    variable_names_blacklist: Iterable[str] | None = None,
) -> Any:
    """The nodes that ``output_node_names`` follow from, with variables as constants of the values that they have.

    Args:
      sess: the session that has the variables.
      variable_names_whitelist: the variables that become constants, by default all.
      variable_names_blacklist: those that do not.

    Raises:
      AssertionError: there is no node of a name.
      ValueError: a node reads a variable that cannot be found.
    """
    from tensorboard.compat.proto.graph_pb2 import GraphDef

    inference = extract_sub_graph(input_graph_def, output_node_names)
    known = sess.graph._by_name
    if any(node.op == "LoopHistory" for node in inference.node) and all(n.name in known for n in input_graph_def.node):
        inference = extract_sub_graph(with_stacks(input_graph_def, sess.graph), output_node_names)
    nodes = {node.name: node for node in inference.node}
    chosen = [
        node
        for node in inference.node
        if node.op in _VARIABLES
        and (variable_names_whitelist is None or node.name in variable_names_whitelist)
        and (variable_names_blacklist is None or node.name not in variable_names_blacklist)
    ]
    handles = _handles(inference, nodes)
    values = sess.run([_value_name(sess.graph, node) for node in chosen]) if chosen else []
    log.info("Froze %d variables.", len(values))
    value_of = {node.name: value for node, value in zip(chosen, values, strict=True)}
    frozen = GraphDef(library=inference.library)
    for node in inference.node:
        if node.name in value_of:
            frozen.node.append(_const(node.name, node.attr["dtype"], np.asarray(value_of[node.name])))
        elif node.name in handles and _source(node, nodes) in value_of:
            frozen.node.append(node)
            frozen.node[-1].attr["T"].CopyFrom(handles[node.name])
            if "_output_shapes" in frozen.node[-1].attr:
                del frozen.node[-1].attr["_output_shapes"]
        elif node.op == "ReadVariableOp" and _source(node, nodes) in value_of:
            read = frozen.node.add(op="Identity", name=node.name, input=[node.input[0]])
            _copy_attrs(read, node, {"T": "dtype"})
        elif node.op == "ResourceGather" and _source(node, nodes) in value_of:
            _add_gather(frozen, node)
        else:
            frozen.node.append(node)
    log.info("Converted %d variables to const ops.", len(values))
    return frozen


def _handles(graph_def: Any, nodes: dict[str, Any]) -> dict[str, Any]:
    """The nodes that pass handles on to what reads them, with the dtypes of the variables.

    Raises:
      ValueError: what is read is not passed on from a variable.
    """
    types: dict[str, Any] = {}
    for reader in graph_def.node:
        if reader.op not in ("ReadVariableOp", "ResourceGather"):
            continue
        waiting = [protos.node_of(reader.input[0])]
        while waiting:
            name = waiting.pop()
            source = nodes[name]
            if source.op in _PASS_ON and name not in types:
                types[name] = reader.attr["dtype"]
                waiting += [protos.node_of(x) for x in source.input[: 2 if source.op == "Merge" else 1]]
            elif source.op not in _PASS_ON and source.op != "VarHandleOp":
                raise ValueError("Cannot find the variable that is an input to the ReadVariableOp.")
    return types


def _source(node: Any, nodes: dict[str, Any]) -> str:
    """The name of the variable that a node reads."""
    name = protos.node_of(node.input[0])
    while nodes[name].op in _PASS_ON:
        name = protos.node_of(nodes[name].input[0])
    return name


def _value_name(graph: Graph, node: Any) -> str:
    """The name of a tensor that has the value of a variable."""
    if node.op != "VarHandleOp":
        return f"{node.name}:0"
    name = f"{node.name}/Read/ReadVariableOp:0"
    if name.partition(":")[0] in graph._by_name:
        return name
    readers = graph.get_tensor_by_name(f"{node.name}:0").readers
    return next((op.outputs[0].name for op in readers if op.type == "ReadVariableOp"), name)


def _const(name: str, dtype: Any, value: np.ndarray) -> Any:
    from tensorboard.compat.proto.node_def_pb2 import NodeDef

    node = NodeDef(op="Const", name=name)
    node.attr["dtype"].CopyFrom(dtype)
    node.attr["value"].tensor.CopyFrom(protos.tensor_proto(value, as_dtype(dtype.type)))
    return node


def _copy_attrs(target: Any, node: Any, names: dict[str, str]) -> None:
    for new, old in names.items():
        target.attr[new].CopyFrom(node.attr[old])
    if "_class" in node.attr:
        target.attr["_class"].CopyFrom(node.attr["_class"])


def _add_gather(frozen: Any, node: Any) -> None:
    if node.attr["batch_dims"].i != 0:
        raise ValueError("batch_dims != 0 is not supported by freeze_graph.")
    indices = node.attr["Tindices"]
    axis = np.asarray(0, as_dtype(indices.type).np)
    frozen.node.append(_const(f"{node.name}/axis", indices, axis))
    inputs = [node.input[0], node.input[1], f"{node.name}/axis"]
    gather = frozen.node.add(op="GatherV2", name=node.name, input=inputs)
    _copy_attrs(gather, node, {"Tparams": "dtype", "Tindices": "Tindices", "Taxis": "Tindices"})


def remove_training_nodes(input_graph: Any, protected_nodes: Iterable[str] | None = None) -> Any:
    """``input_graph`` without ``CheckNumerics``, and without ``Identity`` where no control edge begins or ends.

    What they pass on is read where they read it.  Those named in ``protected_nodes`` stay.
    """
    from tensorboard.compat.proto.graph_pb2 import GraphDef

    kept = set(protected_nodes or ())
    checks = {n.name: n.input[0] for n in input_graph.node if n.op == "CheckNumerics" and n.name not in kept}
    result = GraphDef()
    for node in input_graph.node:
        if node.name not in checks:
            new = result.node.add()
            new.CopyFrom(node)
            new.input[:] = [source for source in node.input if source[:1] != "^" or source[1:] not in checks]
    waited_for = {source[1:] for node in result.node for source in node.input if source.startswith("^")}
    spliced = checks | {
        node.name: node.input[0]
        for node in result.node
        if node.op == "Identity"
        and node.name not in kept | waited_for
        and not any(source.startswith("^") for source in node.input)
    }
    nodes = [node for node in result.node if node.name not in spliced]
    for node in nodes:
        for i, source in enumerate(node.input):
            while source.removeprefix("^") in spliced:
                source = spliced[source.removeprefix("^")]
            node.input[i] = source
    return GraphDef(node=nodes)


# -- files -------------------------------------------------------------------------------------


def write_graph(graph_or_graph_def: Any, logdir: Any, name: str, as_text: bool = True) -> str:
    """Write a graph, or any message, to the file ``name`` of a folder, for reading unless ``as_text`` is False.

    Returns:
      The path of the file.
    """
    from google.protobuf import text_format

    graph = graph_or_graph_def
    proto = with_stacks(graph.as_graph_def(), graph) if isinstance(graph, Graph) else graph
    folder = os.fspath(logdir)
    path = os.path.join(folder, name)
    content = text_format.MessageToString(proto).encode() if as_text else proto.SerializeToString()
    try:
        os.makedirs(path_of(folder) or ".", exist_ok=True)
        replace_file(path_of(path), content)
    except OSError as error:
        raise file_error(error, path) from None
    return path
