"""Functions as TensorFlow's protocol buffers, and the hash that their names carry."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from retrograd.graph.definition import OpDef
from retrograd.graph.errors import InvalidArgumentError
from retrograd.graph.operation import Operation
from retrograd.graph.protos import make_ndarray, node_def
from retrograd.graph.tensor import Tensor

if TYPE_CHECKING:
    from retrograd.graph.functions import Body

# -- a body as a FunctionDef -------------------------------------------------------------------


def function_def(
    body: Body,
    name: str | None,
    base_name: str,
    output_names: Sequence[str],
    description: str,
    is_stateful: Callable[[OpDef], bool],
) -> Any:
    """The ``FunctionDef`` of ``body``; without a ``name``, ``base_name`` and a hash of the whole make one.

    Raises:
      InvalidArgumentError: there are not as many output names as outputs.
    """
    from tensorboard.compat.proto.function_pb2 import FunctionDef

    if output_names and len(output_names) != len(body.outputs):
        raise InvalidArgumentError(
            None,
            None,
            "output names must be either empty or equal in size to outputs. "
            f"output names size = {len(output_names)} outputs size = {len(body.outputs)}",
        )
    proto, names = FunctionDef(), _Names()
    signature = proto.signature
    for i, tensor in enumerate(body.outputs):
        argument = signature.output_arg.add(type=tensor.dtype.base_dtype.as_datatype_enum)
        argument.name = names.unique(output_names[i] if output_names else _argument_name(tensor.op.name))
    refers: dict[Tensor, str] = {}
    for i, tensor in enumerate(body.inputs):
        argument = signature.input_arg.add(type=tensor.dtype.base_dtype.as_datatype_enum)
        argument.name = refers[tensor] = names.unique(_argument_name(tensor.op.name))
        if hasattr(proto, "arg_attr"):
            proto.arg_attr[i].SetInParent()
    sources = {t.op for t in body.inputs}
    inner = [op for op in body.ops if op not in sources]
    node_names = {op: names.unique(op.name) for op in inner}
    for op in inner:
        refers.update(zip(op.outputs, references(op, node_names[op]), strict=True))
    for op in inner:
        node = proto.node_def.add()
        node.CopyFrom(node_def(op))
        node.name = node_names[op]
        del node.input[:]
        node.input.extend(refers[t] for t in op.inputs)
        node.input.extend(sorted(f"^{node_names[c]}" for c in op.control_inputs if c in node_names))
    for argument, tensor in zip(signature.output_arg, body.outputs, strict=True):
        proto.ret[argument.name] = refers[tensor]
    signature.is_stateful = any(is_stateful(op.definition) for op in inner)
    signature.description = description
    signature.name = f"{base_name}_{_letters(_hash_of_function(proto))}" if name is None else name
    return proto


def references(op: Operation, name: str) -> list[str]:
    """How a ``FunctionDef`` names each output: ``node:argument:place within the argument``."""
    return [f"{name}:{a.name}:{i}" for a in op.definition.outputs for i in range(a.count(op.attrs))]


class _Names:
    """Names that were given out; one that is taken gets ``_0``, ``_1``, ... added."""

    def __init__(self) -> None:
        self.used: dict[str, int] = {}

    def unique(self, name: str) -> str:
        candidate = name
        while candidate in self.used:
            candidate = f"{name}_{self.used[name]}"
            self.used[name] += 1
        self.used[candidate] = 0
        return candidate


def _argument_name(name: str) -> str:
    """An op's name as an argument's: lower case, starting with a letter, words joined by ``_``."""
    plain = "".join(c.lower() if c.isascii() and c.isalnum() else "_" for c in name)
    return plain.lstrip("0123456789_") or "unknown"


# -- hashes ------------------------------------------------------------------------------------

_SEED = 0xDECAFCAFFE
_ALL = (1 << 64) - 1
_M = 0xC6A4A7935BD1E995  # MurmurHash64A's multiplier


def _hash(data: bytes, seed: int = _SEED) -> int:
    """MurmurHash64A."""
    h = seed ^ (len(data) * _M & _ALL)
    whole = len(data) // 8 * 8
    for i in range(0, whole, 8):
        k = int.from_bytes(data[i : i + 8], "little") * _M & _ALL
        h = (h ^ ((k ^ k >> 47) * _M & _ALL)) * _M & _ALL
    if whole < len(data):
        h = (h ^ int.from_bytes(data[whole:], "little")) * _M & _ALL
    h = (h ^ h >> 47) * _M & _ALL
    return h ^ h >> 47


def _joined(a: int, b: int) -> int:
    return a ^ ((b + 0x9E3779B97F4A7800 + (a << 10) + (a >> 4)) & _ALL)


def _hash_of_proto(proto: Any, seed: int = _SEED) -> int:
    return _hash(proto.SerializeToString(deterministic=True), seed)


def _hash_of_function(proto: Any) -> int:
    """TensorFlow's hash of a ``FunctionDef`` that has neither name nor attributes yet."""
    h = _joined(_hash_of_nodes(proto.node_def), _hash_of_proto(proto.signature))
    for key in sorted(proto.ret):
        h = _hash(proto.ret[key].encode(), _hash(key.encode(), h))
    return h


def _hash_of_nodes(nodes: Iterable[Any]) -> int:
    h = _SEED
    for node in sorted(nodes, key=lambda n: n.name):
        h = _joined(_hash_of_node(node), _hash(node.name.encode(), h))
    return h


def _hash_of_node(node: Any) -> int:
    waits = sorted(i for i in node.input if i.startswith("^"))
    h = _SEED
    for text in (node.name, node.op, node.device, *(i for i in node.input if not i.startswith("^")), *waits):
        h = _hash(text.encode(), h)
    for key in sorted(k for k in node.attr if not k.startswith("_")):
        h = _joined(_hash_of_attr(node.attr[key]), _hash(key.encode(), h))
    return h


def _hash_of_attr(value: Any) -> int:
    field = value.WhichOneof("value")
    if field == "tensor":
        return _hash_of_tensor(value.tensor)
    if field == "func":
        h = _hash(value.func.name.encode())
        for key in sorted(value.func.attr):
            h = _joined(_hash_of_attr(value.func.attr[key]), _hash(key.encode(), h))
        return h
    return _hash_of_proto(value)


def _hash_of_tensor(tensor: Any) -> int:
    """Of the form that has its elements as bytes; strings have each its length before all of them."""
    array = make_ndarray(tensor)
    plain = type(tensor)(dtype=tensor.dtype, tensor_shape=tensor.tensor_shape)
    if array.dtype == object:
        flat = [bytes(v) for v in array.ravel()]
        plain.tensor_content = b"".join([_varint(len(v)) for v in flat] + flat)
    else:
        plain.tensor_content = array.tobytes()
    return _hash_of_proto(plain)


def _varint(n: int) -> bytes:
    low, rest = n & 127, n >> 7
    return bytes([low | 128]) + _varint(rest) if rest else bytes([low])


def _letters(h: int) -> str:
    """A hash as part of a name: base 64, with letters for what a name cannot hold."""
    text = base64.urlsafe_b64encode(h.to_bytes(8, "little")).decode().rstrip("=")
    return text.replace("-", "a").replace("_", "A")
