"""Adding a node to a graph as a ``NodeDef`` describes it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from retrograd.graph.apply import complete, inferred_shapes, output_types
from retrograd.graph.contexts import check_reach
from retrograd.graph.definition import REQUIRED, OpDef
from retrograd.graph.dtypes import DType, as_dtype, type_word
from retrograd.graph.errors import NotFoundError
from retrograd.graph.graph import _VALID_OP_NAME, Graph
from retrograd.graph.operation import Operation
from retrograd.graph.protos import KINDS_OF_FIELDS, attr_kinds, plain_value
from retrograd.graph.tensor import Tensor


def add_node(op: Operation, node_def: Any, graph: Graph, inputs: Any, control_inputs: Any, input_types: Any) -> None:
    """Let ``op`` be the node of ``graph`` that ``node_def`` describes, with these inputs.

    Raises:
      TypeError: an argument is of the wrong kind, or the inputs have not the dtypes that the op takes.
      ValueError: the name is not valid or taken, or the shapes of the inputs do not fit.
      NotFoundError: no such op type is known.
    """
    if type(node_def).__name__ != "NodeDef":
        raise TypeError(f"node_def needs to be a NodeDef: {node_def}")
    if not _VALID_OP_NAME.match(node_def.name):
        raise ValueError(f"'{node_def.name}' is not a valid node name")
    if not isinstance(graph, Graph):
        raise TypeError(f"g needs to be a Graph: {graph}")
    tensors = _tensors(inputs, graph)
    if input_types is not None:
        _check_types(node_def.name, tensors, [as_dtype(t) for t in input_types])
    definition = graph.op_definition(node_def.op)
    if definition is None:
        raise NotFoundError(None, None, f"Op type not registered '{node_def.op}'")
    if node_def.name in graph._by_name:
        raise ValueError(f"Duplicate node name in graph: '{node_def.name}'")
    graph._check_not_finalized()
    attrs = {key: value_of_attr(value) for key, value in node_def.attr.items()}
    complete(definition, tensors, attrs)
    _check_signature(definition, tensors)
    dims = inferred_shapes(definition, node_def.name, tensors, attrs) if definition.shape is not None else None
    waits = [c if isinstance(c, Operation) else c.op for c in control_inputs or ()]
    with graph._lock:
        op._place(graph, definition, node_def.name, tensors, attrs, output_types(definition, attrs), waits)
    graph.unique_name(node_def.name)
    if node_def.device:
        op._set_device(node_def.device)
    for tensor, shape in zip(op.outputs, dims or (), strict=False):
        tensor.dims = shape


def _tensors(inputs: Any, graph: Graph) -> tuple[Tensor, ...]:
    if inputs is not None and not isinstance(inputs, list):
        raise TypeError(f"inputs needs to be a list of Tensors: {inputs}")
    for tensor in inputs or ():
        if not isinstance(tensor, Tensor):
            raise TypeError(f"input needs to be a Tensor: {tensor}")
        if tensor.graph is not graph:
            raise ValueError(f"{tensor} must be from the same graph as {graph}.")
    return tuple(inputs or ())


def _check_types(name: str, tensors: Sequence[Tensor], wanted: list[DType]) -> None:
    found = [t.dtype for t in tensors]
    if len(found) != len(wanted) or not all(w.is_compatible_with(f) for w, f in zip(wanted, found, strict=True)):
        raise TypeError(f"In op '{name}', input types ({found}) are not compatible with expected types ({wanted})")


def _check_signature(definition: OpDef, tensors: Sequence[Tensor]) -> None:
    """Each input of an op without lists has the dtype that is fixed for it."""
    if definition.has_lists:
        return
    if len(tensors) != len(definition.inputs):
        wanted = ", ".join(a.dtype.name if a.dtype else a.type_attr or "" for a in definition.inputs)
        raise ValueError(f"NodeDef expected inputs '{wanted}' do not match {len(tensors)} inputs specified")
    for argument, tensor in zip(definition.inputs, tensors, strict=True):
        if argument.dtype is not None and not argument.dtype.is_compatible_with(tensor.dtype):
            raise ValueError(
                f"Input '{argument.name}' passed {tensor.dtype.base_dtype.name} expected {argument.dtype.name} "
                f"while building NodeDef of op '{definition.name}'"
            )


# -- attributes --------------------------------------------------------------------------------

_MOST_OUTPUTS = 1 << 20
_PRIVATE = {"_class": "list(string)", "_output_shapes": "list(shape)"}


def value_of_attr(proto: Any) -> Any:
    """What an op keeps of an ``AttrValue``; text is text, as where an op is built from Python values."""
    value = plain_value(proto)
    return [_text(v) for v in value] if isinstance(value, list) else _text(value)


def _text(value: Any) -> Any:
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError:
            return value
    return value


def checked_attrs(definition: OpDef, node_def: Any, name: str) -> dict[str, Any]:
    """The attributes that a ``NodeDef`` gives an op called ``name``, and the defaults of those that it does not.

    Raises:
      ValueError: one is missing, unknown, or has a value that the op type does not allow.
    """
    attrs = dict(_defaults(definition))
    kinds = attr_kinds(definition)
    for key, proto in node_def.attr.items():
        is_private = key.startswith("_")
        if not is_private and key not in kinds:
            raise ValueError(
                f"NodeDef mentions attr '{key}' not in {_signature(definition)}; NodeDef: {{{{node {name}}}}}. (Check "
                "whether your GraphDef-interpreting binary is up to date with your GraphDef-generating binary.)."
            )
        if proto.WhichOneof("value") is None:
            continue
        fault = _fault_of_kind(proto, _PRIVATE.get(key, "") if is_private else kinds[key])
        if fault is None:
            try:
                attrs[key] = plain_value(proto) if is_private else value_of_attr(proto)
                fault = _fault_of_name(key, attrs[key])
                fault = fault if fault or is_private else _fault_of_value(definition, key, attrs[key])
            except TypeError as error:  # of a tensor
                fault = str(error)
        if fault is not None:
            where = f"\n\t for attr '{key}'" if "for attr" not in fault else ""
            raise ValueError(f"{fault}{where}\n\t; NodeDef: {{{{node {name}}}}}; {_signature(definition)}")
    for key in kinds:
        if key not in attrs:
            raise ValueError(
                f"NodeDef missing attr '{key}' from {_signature(definition)}; NodeDef: {{{{node {name}}}}}"
            )
    return attrs


@cache
def _defaults(definition: OpDef) -> dict[str, Any]:
    return {key: value for key, value in definition.attrs.items() if value is not REQUIRED and value is not None}


def _fault_of_kind(proto: Any, kind: str) -> str | None:
    """What is wrong with the field of an ``AttrValue`` for an attribute of a kind such as ``list(type)``."""
    field = proto.WhichOneof("value")
    if field == "placeholder":
        return "AttrValue had value with unexpected type 'placeholder'"
    if field == "list":
        found = next((f"list({KINDS_OF_FIELDS[f.name]})" for f, _ in proto.list.ListFields()), "list()")
    else:
        found = KINDS_OF_FIELDS[field]
    is_empty_list = found == "list()" and kind.startswith("list(")
    if kind and not is_empty_list and kind != found and not (kind == "list()" and field == "list"):
        return f"AttrValue had value with type '{found}' when '{kind}' expected"
    for number in (proto.type,) if field == "type" else proto.list.type:
        try:
            as_dtype(number)
        except TypeError:
            return f"AttrValue has invalid DataType enum: {number}"
    return None


def _fault_of_name(key: str, value: Any) -> str | None:
    """Names of resources and places are text; other strings may be any bytes."""
    named = value if key == "_class" else [value] if key in ("container", "shared_name") else ()
    wrong = next((v for v in named if isinstance(_text(v), bytes)), None)
    return None if wrong is None else f"Value for attr '{key}' of {wrong!r} is not UTF-8"


def _fault_of_value(definition: OpDef, key: str, value: Any) -> str | None:
    if key in definition.types:
        for dtype in value if isinstance(value, list) else [value]:
            if id(dtype) not in definition.allowed[key]:
                words = ", ".join(type_word(d) for d in definition.types[key])
                return f"Value for attr '{key}' of {type_word(dtype)} is not in the list of allowed values: {words}"
    if key in definition.choices and value not in definition.choices[key]:
        words = ", ".join(f'"{word}"' for word in definition.choices[key])
        return f"Value for attr '{key}' of \"{value}\" is not in the list of allowed values: {words}"
    if key in definition.lengths and len(value) < definition.lengths[key]:
        return f"Length for attr '{key}' of {len(value)} must be at least minimum {definition.lengths[key]}"
    if any(a.number_attr == key for a in definition.inputs + definition.outputs):
        if value < 0:
            return f"Value for attr '{key}' of {value} must be at least minimum 0"
        if value > _MOST_OUTPUTS:
            return f"Value for attr '{key}' of {value} is more than {_MOST_OUTPUTS}"
    return None


def _signature(definition: OpDef) -> str:
    """An op type as messages have it, without its attributes."""
    sides = [
        ", ".join(f"{a.name}:{_kind_word(a)}" for a in arguments)
        for arguments in (definition.inputs, definition.outputs)
    ]
    return f"Op<name={definition.name}; signature={sides[0]} -> {sides[1]}>"


def _kind_word(argument: Any) -> str:
    base = argument.type_attr if argument.dtype is None else type_word(argument.dtype)
    text = f"{argument.number_attr}*{base}" if argument.number_attr else base
    return f"Ref({text})" if argument.is_ref else str(text)


# -- inputs ------------------------------------------------------------------------------------


def check_inputs(definition: OpDef, name: str, attrs: dict[str, Any], inputs: Sequence[Tensor]) -> None:
    """Hold the inputs of an op called ``name`` to what its attributes say.

    Raises:
      ValueError: there are too few or too many, or one has another dtype.
    """
    wanted: list[DType] = []
    for argument in definition.inputs:
        of_attr: Any = attrs[argument.type_attr or ""] if argument.dtype is None else argument.dtype
        types = of_attr if isinstance(of_attr, list) else [of_attr] * argument.count(attrs)
        wanted += [t._as_ref if argument.is_ref else t for t in types]
    if len(wanted) != len(inputs):
        words = ", ".join(type_word(t) for t in wanted[:_MOST_NAMED])
        raise ValueError(
            f"NodeDef expected inputs '{words}' do not match {len(inputs)} inputs specified; "
            f"{_signature(definition)}; NodeDef: {{{{node {name}}}}}"
        )
    for i, (dtype, tensor) in enumerate(zip(wanted, inputs, strict=True)):
        found = tensor.dtype
        if found is not dtype and (dtype.is_ref or found.base_dtype is not dtype):
            raise ValueError(
                f"Input {i} of node {name} was passed {type_word(found)} from {tensor.name} incompatible with "
                f"expected {type_word(dtype)}."
            )


_MOST_NAMED = 50


# -- scopes ------------------------------------------------------------------------------------


def join_scopes(graph: Graph, ops: Iterable[Operation]) -> None:
    """Let ops that were placed in ``graph`` be what the blocks around make of new ops, but for their devices.

    An op whose context is set is part of a loop, which the context around takes in through what enters it.
    """
    scopes = graph._scopes
    for op in ops:
        if scopes.attrs:
            graph._apply_attr_scope(scopes.attrs, op.attrs)
        if op.type in scopes.gradient_types:
            op.attrs["_gradient_op_type"] = scopes.gradient_types[op.type].encode()
        if op.type in scopes.kernel_labels:
            op.attrs["_kernel"] = scopes.kernel_labels[op.type].encode()
        op.original = scopes.original
        if scopes.colocated:
            graph._colocate(op)
    for op in ops:
        if scopes.waiting:
            op._add_control_inputs(graph._waits_for(op.inputs))
        if op.context is None:
            if graph._has_loops_or_branches:
                check_reach(op.type, op.name, op.inputs, scopes.context)
            if scopes.context is not None:
                graph._put_inside(op, scopes.context)
        elif scopes.context is not None and op.context.outer is scopes.context and "frame_name" in op.attrs:
            with graph.name_scope(op.name + "/"):
                op._rewire(tuple(scopes.context.inside(t) for t in op.inputs), op.control_inputs)
    for block in scopes.waiting:
        block.built_inside.update(ops)
