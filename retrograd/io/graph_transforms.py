"""``tensorflow.tools.graph_transforms``: graphs rewritten to be served, one transform after the other.

A transform is written as in the tool of TensorFlow: ``remove_nodes(op=Identity, op=CheckNumerics)``.  Nodes that are
computed before a run keep their names, where TensorFlow gives them new ones.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from retrograd.graph import log
from retrograd.graph.definition import known
from retrograd.graph.dtypes import as_dtype
from retrograd.graph.errors import InvalidArgumentError, UnimplementedError, taught
from retrograd.graph.graph import Graph
from retrograd.graph.protos import make_ndarray, node_of, tensor_proto
from retrograd.io.graph_defs import extract_sub_graph
from retrograd.io.importing import import_graph_def
from retrograd.io.inference_graphs import fold_batch_norms as fold_old
from retrograd.run.session import Session

_CALL = re.compile(r'\s*([\w-]+)\s*(?:\(((?:[^()"]|"[^"]*")*)\))?\s*')
_ARGUMENT = re.compile(r'\s*(\w+)\s*=\s*(?:"([^"]*)"|([^,\s"]*))\s*,?')
_KNOWN = frozenset(  # of TensorFlow, and not here
    """
    add_default_attributes backport_concatv2 backport_tensor_array_v3 flatten_atrous_conv freeze_requantization_ranges
    fuse_pad_and_conv fuse_remote_graph fuse_resize_and_conv fuse_resize_pad_and_conv insert_logging
    place_remote_graph_arguments quantize_nodes rewrite_quantized_stripped_model_for_hexagon sparsify_gather
    """.split()  # noqa: SIM905
)
_LARGEST = 10 << 20  # bytes of a constant that takes the place of what computes it

Arguments = dict[str, list[str]]


class Rewriting:
    """A graph while it is rewritten: its nodes by name, in their order, and the names that stay."""

    def __init__(self, graph_def: Any, inputs: Sequence[str], outputs: Sequence[str]) -> None:
        self.graph_def = type(graph_def)()
        self.graph_def.CopyFrom(graph_def)
        self.inputs = [node_of(name) for name in inputs]
        self.outputs = [node_of(name) for name in outputs]

    @property
    def nodes(self) -> dict[str, Any]:
        return {node.name: node for node in self.graph_def.node}

    @property
    def kept(self) -> set[str]:
        return {*self.inputs, *self.outputs}

    def keep(self, nodes: Sequence[Any]) -> None:
        """Leave these nodes alone in the graph."""
        whole = type(self.graph_def)(library=self.graph_def.library, versions=self.graph_def.versions)
        whole.node.extend(nodes)
        self.graph_def = whole

    def rename(self, names: dict[str, str]) -> None:
        """Let what reads the nodes of some names read those of others."""
        for node in self.graph_def.node:
            node.input[:] = [_renamed(name, names) for name in node.input]


def _renamed(name: str, names: dict[str, str]) -> str:
    new = names.get(node_of(name))
    if new is None:
        return name
    return f"^{node_of(new)}" if name.startswith("^") else new


def transform_graph(input_graph_def: Any, inputs: Sequence[str], outputs: Sequence[str], transforms: Any) -> Any:
    """A GraphDef rewritten by ``transforms``.

    Args:
      inputs, outputs: names of the nodes that are fed and fetched.
      transforms: each as ``name(argument=value, ...)``; with ``ignore_errors=true`` one that fails changes nothing.

    Raises:
      InvalidArgumentError: there is no transform of a name, or it lacks an argument.
      UnimplementedError: it is one for other runtimes.
    """
    rewriting = Rewriting(input_graph_def, inputs, outputs)
    for name, arguments in _parsed(" ".join(transforms)):
        transform = _TRANSFORMS.get(name)
        if transform is None and name in _KNOWN:
            words = f"Transform '{name}' is not here"
            why = "it makes ops for other runtimes, or graphs that TensorFlow 1.15 need not be given"
            raise taught(UnimplementedError(None, None, words), why=why, fix=", ".join(sorted(_TRANSFORMS)))
        if transform is None:
            raise InvalidArgumentError(None, None, f"Transform '{name}' not recognized.")
        if arguments.get("ignore_errors") != ["true"]:
            transform(rewriting, arguments)
            continue
        before = type(rewriting.graph_def)()
        before.CopyFrom(rewriting.graph_def)
        try:
            transform(rewriting, arguments)
        except Exception as error:
            log.warning(f"{name}: Ignoring error {error}")
            rewriting.graph_def = before
    return rewriting.graph_def


def _parsed(text: str) -> list[tuple[str, Arguments]]:
    """The transforms that a text names, with their arguments."""
    calls, place = [], 0
    while place < len(text.rstrip()):
        call = _CALL.match(text, place)
        if call is None or call.end() == place:
            words = f"Looking for a transform name, but found: {text[place:]}"
            raise InvalidArgumentError(None, None, words)
        arguments: Arguments = {}
        for name, quoted, plain in _ARGUMENT.findall(call[2] or ""):
            arguments.setdefault(name, []).append(quoted or plain)
        calls.append((call[1], arguments))
        place = call.end()
    return calls


def _one(arguments: Arguments, name: str, default: Any = None) -> Any:
    return arguments.get(name, [default])[-1]


def _need(is_met: bool, words: str) -> None:
    if not is_met:
        raise InvalidArgumentError(None, None, words)


# -- nodes that go -------------------------------------------------------------------------------


def _strip_unused_nodes(graph: Rewriting, arguments: Arguments) -> None:
    """Keep what the outputs need; inputs become placeholders."""
    kinds = {name: (_one(arguments, "type", "float32"), _one(arguments, "shape", "")) for name in graph.inputs}
    of_names = zip(arguments.get("name", ()), arguments.get("type_for_name", ()), strict=False)
    shapes = dict(zip(arguments.get("name", ()), arguments.get("shape_for_name", ()), strict=False))
    kinds.update({name: (kind, shapes.get(name, "")) for name, kind in of_names if name in kinds})
    for node in graph.graph_def.node:
        if node.name in kinds and node.op != "Placeholder":
            kind, shape = kinds[node.name]
            node.op = "Placeholder"
            del node.input[:]
            node.attr.clear()
            node.attr["dtype"].type = as_dtype(kind).as_datatype_enum
            node.attr["shape"].shape.SetInParent()
            for size in filter(None, shape.split(",")):
                node.attr["shape"].shape.dim.add(size=int(size))
    graph.graph_def = extract_sub_graph(graph.graph_def, graph.outputs)


def _remove_nodes(graph: Rewriting, arguments: Arguments) -> None:
    """Let what reads nodes of some kinds read their input."""
    kinds = arguments.get("op", [])
    _need(bool(kinds), "remove_nodes expects at least one 'op'argument, e.g. remove_nodes(op=Identity)")
    most = int(_one(arguments, "max_inputs", 1))
    gone: dict[str, str] = {}
    for node in graph.graph_def.node:
        read = [name for name in node.input if not name.startswith("^")]
        if node.op in kinds and node.name not in graph.kept and 1 <= len(read) <= most:
            gone[node.name] = read[0]
    for name in gone:
        while node_of(gone[name]) in gone:
            gone[name] = gone[node_of(gone[name])]
    graph.keep([node for node in graph.graph_def.node if node.name not in gone])
    graph.rename(gone)


def _merge_duplicate_nodes(graph: Rewriting, arguments: Arguments) -> None:
    """Keep one of the nodes that compute the same of the same."""
    while True:
        first: dict[Any, str] = {}
        same: dict[str, str] = {}
        for node in graph.graph_def.node:
            attrs = sorted((key, value.SerializeToString(deterministic=True)) for key, value in node.attr.items())
            key = (node.op, tuple(node.input), node.device, tuple(attrs))
            if node.name not in graph.kept and _is_pure(node) and first.setdefault(key, node.name) != node.name:
                same[node.name] = first[key]
        if not same:
            return
        graph.keep([node for node in graph.graph_def.node if node.name not in same])
        graph.rename(same)


def _is_pure(node: Any) -> bool:
    definition = known(node.op)
    return definition is not None and definition.is_pure and node.op != "Placeholder"


# -- parts of nodes ------------------------------------------------------------------------------


def _remove_attribute(graph: Rewriting, arguments: Arguments) -> None:
    words = (
        "remove_attribute expects exactly one 'attribute_name' argument, e.g. "
        "remove_attribute(op_name=Mul, attribute_name=foo)"
    )
    _need(len(arguments.get("attribute_name", ())) == 1, words)
    kind = _one(arguments, "op_name", "*")
    for node in graph.graph_def.node:
        if kind in ("*", node.op):
            node.attr.pop(arguments["attribute_name"][0], None)


def _rename_attribute(graph: Rewriting, arguments: Arguments) -> None:
    names = [arguments.get(f"{age}_attribute_name", []) for age in ("old", "new")]
    words = (
        "rename_attribute expects exactly one 'old_attribute_name' and one 'new_attribute_name' argument, e.g. "
        "rename_attribute(old_attribute_name=foo, new_attribute_name=bar)"
    )
    _need(all(len(n) == 1 for n in names), words)
    (old,), (new,) = names
    kind = _one(arguments, "op_name", "*")
    for node in graph.graph_def.node:
        if kind in ("*", node.op) and old in node.attr:
            node.attr[new].CopyFrom(node.attr[old])
            del node.attr[old]


def _rename_op(graph: Rewriting, arguments: Arguments) -> None:
    names = [arguments.get(f"{age}_op_name", []) for age in ("old", "new")]
    words = (
        "rename_op expects exactly one 'old_op_name' and 'new_op_name' argument, e.g. "
        "rename_op(old_op_name=Mul, new_op_name=Multiply)"
    )
    _need(all(len(n) == 1 for n in names), words)
    for node in graph.graph_def.node:
        if node.op == names[0][0]:
            node.op = names[1][0]


def _set_device(graph: Rewriting, arguments: Arguments) -> None:
    for node in graph.graph_def.node:
        if not (node.device and _one(arguments, "if_default") == "true"):
            node.device = _one(arguments, "device", "")


def _remove_device(graph: Rewriting, arguments: Arguments) -> None:
    _set_device(graph, {})


def _remove_control_dependencies(graph: Rewriting, arguments: Arguments) -> None:
    for node in graph.graph_def.node:
        node.input[:] = [name for name in node.input if not name.startswith("^")]


def _obfuscate_names(graph: Rewriting, arguments: Arguments) -> None:
    """Short names for all nodes but inputs and outputs."""
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    rest = [node for node in graph.graph_def.node if node.name not in graph.kept]
    names: dict[str, str] = {}
    number = 0
    for node in rest:
        while (new := _in_digits(number, digits)) in graph.kept:
            number += 1
        names[node.name], number = new, number + 1
    for node in graph.graph_def.node:
        node.input[:] = [
            re.sub(r"^(\^?)([^:]+)", lambda found: found[1] + names.get(found[2], found[2]), name)
            for name in node.input
        ]
        node.name = names.get(node.name, node.name)


def _in_digits(number: int, digits: str) -> str:
    text = digits[number % len(digits)]
    while number := number // len(digits):
        text = digits[number % len(digits)] + text
    return text


def _sort_by_execution_order(graph: Rewriting, arguments: Arguments) -> None:
    """Each node behind those that it reads."""
    nodes, done = graph.nodes, dict[str, Any]()
    waiting = [*reversed(nodes)]
    while waiting:
        name = waiting[-1]
        before = [n for n in map(node_of, nodes[name].input) if n in nodes and n not in done]
        if name in done or not before:
            done.setdefault(waiting.pop(), nodes[name])
        else:
            waiting += before
    graph.keep([*done.values()])


# -- values --------------------------------------------------------------------------------------


def _set_value(node: Any, value: np.ndarray) -> None:
    """Let a node be a constant."""
    dtype = as_dtype(value.dtype)
    node.op = "Const"
    del node.input[:]
    node.attr.clear()
    node.attr["dtype"].type = dtype.as_datatype_enum
    node.attr["value"].tensor.CopyFrom(tensor_proto(value, dtype))


def _fold_constants(graph: Rewriting, arguments: Arguments) -> None:
    """Constants in the place of what follows from constants alone."""
    if _one(arguments, "clear_output_shapes", "true") == "true":
        _remove_attribute(graph, {"attribute_name": ["_output_shapes"]})
    _sort_by_execution_order(graph, {})
    folded: dict[str, Any] = {}
    for node in graph.graph_def.node:
        follows = node.op == "Const" or (bool(node.input) and all(n in folded for n in node.input) and _is_pure(node))
        if follows and node.name not in graph.kept:
            folded[node.name] = node
    read = {name for node in graph.graph_def.node if node.name not in folded for name in node.input}
    wanted = [name for name, node in folded.items() if node.op != "Const" and name in read]
    part = type(graph.graph_def)(library=graph.graph_def.library, versions=graph.graph_def.versions)
    part.node.extend(folded.values())
    with Graph().as_default() as own, Session(graph=own) as sess:
        import_graph_def(part, name="")
        for name, value in zip(wanted, sess.run([f"{name}:0" for name in wanted]), strict=True):
            if np.asarray(value).nbytes <= _LARGEST:
                _set_value(folded[name], np.asarray(value))
    graph.graph_def = extract_sub_graph(graph.graph_def, graph.outputs)


def _fold_batch_norms(graph: Rewriting, arguments: Arguments) -> None:
    """Products of a layer's result and a constant, taken into the weights of the layer."""
    nodes = graph.nodes
    readers = Counter(node_of(name) for node in graph.graph_def.node for name in node.input)
    gone = set()
    for node in graph.graph_def.node:
        if node.op != "Mul":
            continue
        layer, factor = (nodes.get(node_of(name)) for name in node.input[:2])
        if layer is None or factor is None or factor.op != "Const" or layer.name in graph.kept:
            continue
        if layer.op not in ("Conv2D", "MatMul", "DepthwiseConv2dNative") or readers[layer.name] != 1:
            continue
        weights = nodes[node_of(layer.input[1])]
        if weights.op != "Const" or readers[weights.name] != 1 or readers[factor.name] != 1:
            continue
        old, scale = (make_ndarray(const.attr["value"].tensor) for const in (weights, factor))
        columns = old.shape[2] * old.shape[3] if layer.op == "DepthwiseConv2dNative" else old.shape[-1]
        if scale.shape != (columns,):
            raise InvalidArgumentError(None, None, f"Mul constant input to batch norm has bad shape: {[*scale.shape]}")
        _set_value(weights, old * (scale if old.shape[-1] == columns else scale.reshape(old.shape[2:])))
        name = node.name
        node.CopyFrom(layer)
        node.name = name
        gone |= {layer.name, factor.name}
    graph.keep([node for node in graph.graph_def.node if node.name not in gone])


def _fold_old_batch_norms(graph: Rewriting, arguments: Arguments) -> None:
    graph.graph_def = fold_old(graph.graph_def)


def _weights(graph: Rewriting, least: int) -> list[tuple[Any, np.ndarray]]:
    """The constants of as many float32 numbers, and these."""
    consts = [node for node in graph.graph_def.node if node.op == "Const" and node.attr["dtype"].type == 1]
    values = [(node, make_ndarray(node.attr["value"].tensor)) for node in consts]
    return [(node, value) for node, value in values if value.size >= least]


def _round_weights(graph: Rewriting, arguments: Arguments) -> None:
    """As few different weights as ``num_steps`` says, which compress well."""
    steps = int(_one(arguments, "num_steps", 256))
    for node, value in _weights(graph, 16):
        least, most = value.min(), value.max()
        if least < most:
            places = np.floor((value - least) / (most - least) * np.float32(steps))
            _set_value(node, (least + (places + np.float32(0.5)) * ((most - least) / np.float32(steps))).astype("f"))


def _quantize_weights(graph: Rewriting, arguments: Arguments) -> None:
    """Weights in eight bits, and an op that makes them float32 in each run."""
    chosen = {node.name: value for node, value in _weights(graph, int(_one(arguments, "minimum_size", 1024)))}
    whole = []
    for node in graph.graph_def.node:
        if node.name not in chosen:
            whole.append(node)
            continue
        value = chosen[node.name]
        least, most = min(np.float32(0), value.min()), max(np.finfo(np.float32).tiny, value.max())
        if not value.any():  # TensorFlow's range has no width, and its zeros come back as NaN
            most = np.float32(1)
        names = [f"{node.name}_quantized_{part}" for part in ("const", "min", "max")]
        numbers = np.clip(np.round((value - least) * (np.float32(255) / (most - least))), 0, 255).astype(np.uint8)
        for name, part in zip(names, (numbers, np.float32(least), np.float32(most)), strict=True):
            const = type(node)(name=name)
            _set_value(const, np.asarray(part))
            const.attr["value"].tensor.ClearField("float_val")
            const.attr["value"].tensor.tensor_content = part.tobytes()
            whole.append(const)
        const = whole[-3]
        const.attr["dtype"].type = const.attr["value"].tensor.dtype = as_dtype("quint8").as_datatype_enum
        again = type(node)(name=node.name, op="Dequantize", input=names, device=node.device)
        again.attr["T"].type = as_dtype("quint8").as_datatype_enum
        again.attr["mode"].s = b"MIN_FIRST"
        whole.append(again)
    graph.keep(whole)


_TRANSFORMS: dict[str, Callable[[Rewriting, Arguments], None]] = {
    "fold_batch_norms": _fold_batch_norms,
    "fold_constants": _fold_constants,
    "fold_old_batch_norms": _fold_old_batch_norms,
    "merge_duplicate_nodes": _merge_duplicate_nodes,
    "obfuscate_names": _obfuscate_names,
    "quantize_weights": _quantize_weights,
    "remove_attribute": _remove_attribute,
    "remove_control_dependencies": _remove_control_dependencies,
    "remove_device": _remove_device,
    "remove_nodes": _remove_nodes,
    "rename_attribute": _rename_attribute,
    "rename_op": _rename_op,
    "round_weights": _round_weights,
    "set_device": _set_device,
    "sort_by_execution_order": _sort_by_execution_order,
    "strip_unused_nodes": _strip_unused_nodes,
}
