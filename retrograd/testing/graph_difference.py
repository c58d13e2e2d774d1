"""What distinguishes two graphs in files, in TensorFlow 1.15.5's words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from retrograd.graph.protos import make_ndarray

SHOWN = 3  # elements of a tensor in a message


def EqualGraphDefWrapper(actual: bytes, expected: bytes) -> bytes:
    """The first difference between two serialized GraphDefs, or nothing.

    The order of nodes and of control inputs does not count, nor do attributes whose names begin with ``_``.

    >>> EqualGraphDefWrapper(b"", b"")
    b''
    """
    from google.protobuf.message import DecodeError
    from tensorboard.compat.proto.graph_pb2 import GraphDef

    graphs = []
    for name, data in (("actual", actual), ("expected", expected)):
        try:
            graphs.append(GraphDef.FromString(data))
        except DecodeError:
            return f"{name} is not a valid serialized GraphDef".encode()
    return next(_differences(*graphs), "").encode()


def _differences(actual: Any, expected: Any) -> Iterator[str]:
    left = {node.name: node for node in actual.node}
    for node in expected.node:
        ours = left.pop(node.name, None)
        if ours is None:
            yield f"Did not find expected node '{_node(node)}'"
        else:
            yield from (f"Node named '{node.name}' {difference}" for difference in _of_nodes(ours, node))
    for ours in left.values():
        yield f"Found unexpected node '{_node(ours)}'"


def _of_nodes(actual: Any, expected: Any) -> Iterator[str]:
    for field in ("op", "device"):
        ours, theirs = getattr(actual, field), getattr(expected, field)
        if ours != theirs:
            yield f"has {field} '{ours}' that is not expected '{theirs}'"
    (data, control), (their_data, their_control) = map(_inputs, (actual, expected))
    if len(data) != len(their_data):
        yield f"has inputs '{', '.join(data)}' that don't match expected '{', '.join(their_data)}'"
    for i, (ours, theirs) in enumerate(zip(data, their_data, strict=False)):
        if ours != theirs:
            yield f"has input {i} '{ours}' that doesn't match expected '{theirs}'"
    yield from (f"missing expected control input '{name}'" for name in their_control if name not in control)
    yield from (f"has unexpected control input '{name}'" for name in control if name not in their_control)
    attrs, their_attrs = map(_attrs, (actual, expected))
    for name, theirs in their_attrs.items():
        if name not in attrs:
            yield f"missing expected attr '{name}' with value: {_text(theirs)}"
        elif attrs[name] != theirs:
            yield f"has attr '{name}' with value: {_text(attrs[name])} that does not match expected: {_text(theirs)}"
    yield from (f"has unexpected attr '{n}' with value: {_text(a)}" for n, a in attrs.items() if n not in their_attrs)


def _inputs(node: Any) -> tuple[list[str], list[str]]:
    """The inputs that bring values, and those that only order."""
    data = [name.removesuffix(":0") for name in node.input if not name.startswith("^")]
    return data, [name for name in node.input if name.startswith("^")]


def _attrs(node: Any) -> dict[str, Any]:
    return {name: node.attr[name] for name in sorted(node.attr) if not name.startswith("_")}


def _node(node: Any) -> str:
    attrs = [f"{name}={_text(node.attr[name])}" for name in sorted(node.attr)]
    if node.device:
        attrs.append(f'_device="{node.device}"')
    return f"{{{{node {node.name}}}}} = {node.op}[{', '.join(attrs)}]({', '.join(node.input)})"


def _text(attr: Any) -> str:
    """The value of an attribute."""
    kind = attr.WhichOneof("value")
    if kind == "list":
        return f"[{', '.join(_one(field.name, v) for field, values in attr.list.ListFields() for v in values)}]"
    return _one(kind, getattr(attr, kind)) if kind else "<Unknown AttrValue type>"


def _one(kind: str, value: Any) -> str:
    match kind:
        case "s":
            return f'"{value.decode(errors="replace")}"'
        case "b":
            return str(value).lower()
        case "f":
            return _number(np.float32(value))
        case "type":
            return _type_name(value)
        case "shape":
            sizes = ",".join("?" if d.size < 0 else str(d.size) for d in value.dim)
            return "<unknown>" if value.unknown_rank else f"[{sizes}]"
        case "tensor":
            array = make_ndarray(value)
            shape = ",".join(map(str, array.shape))
            return f"Tensor<type: {_type_name(value.dtype)[3:].lower()} shape: [{shape}] values: {_values(array)}>"
        case "func":
            inner = ", ".join(f"{name}={_text(value.attr[name])}" for name in sorted(value.attr))
            return f"{value.name}[{inner}]"
    return str(value)


def _type_name(number: int) -> str:
    from tensorboard.compat.proto.types_pb2 import DataType

    return DataType.Name(number)  # type: ignore[no-any-return]


def _values(array: Any) -> str:
    """``[1 2][3...]...``: the first elements, each innermost row of a matrix in brackets."""
    elements = [_number(e) for e in array.ravel()[:SHOWN]]
    text = " ".join(elements) if array.ndim < 2 else _rows(iter(elements), array.shape)
    return text + "..." * (array.size > SHOWN)


def _rows(elements: Iterator[str], shape: Sequence[int]) -> str:
    if len(shape) == 1:
        row = [e for _, e in zip(range(shape[0]), elements, strict=False)]
        return " ".join(row) + "..." * (len(row) < shape[0]) if row else ""
    rows = (_rows(elements, shape[1:]) for _ in range(shape[0]))
    return "".join(f"[{row}]" for row in rows if row)


def _number(value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    if isinstance(value, np.floating):
        short = f"{value:.6g}"
        return short if type(value)(short) == value else f"{value:.{9 if value.dtype == np.float32 else 17}g}"
    return str(int(value)) if isinstance(value, np.bool_) else str(value)
