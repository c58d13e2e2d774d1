"""Branches and loops as protocol buffers: ``control_flow.proto``, which no package ships without TensorFlow.

The messages live in a descriptor pool of their own, so that they cannot clash with another's.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from retrograd.graph.scopes import prepend_name_scope, strip_name_scope
from retrograd.graph.tensor import Tensor

if TYPE_CHECKING:
    from retrograd.graph.contexts import ControlFlowContext
    from retrograd.graph.operation import Operation

# message: (field, its number, its type); ``*`` repeats it
_MESSAGES: dict[str, list[tuple[str, int, str]]] = {
    "ValuesDef": [("values", 1, "*string"), ("external_values", 2, "*ValuesDef.ExternalValuesEntry")],
    "ControlFlowContextDef": [("cond_ctxt", 1, "CondContextDef"), ("while_ctxt", 2, "WhileContextDef")],
    "CondContextDef": [
        ("context_name", 1, "string"),
        ("pred_name", 2, "string"),
        ("pivot_name", 3, "string"),
        ("branch", 4, "int32"),
        ("values_def", 5, "ValuesDef"),
        ("nested_contexts", 6, "*ControlFlowContextDef"),
    ],
    "WhileContextDef": [
        ("context_name", 1, "string"),
        ("parallel_iterations", 2, "int32"),
        ("back_prop", 3, "bool"),
        ("swap_memory", 4, "bool"),
        ("pivot_name", 5, "string"),
        ("pivot_for_pred_name", 6, "string"),
        ("pivot_for_body_name", 7, "string"),
        ("loop_exit_names", 8, "*string"),
        ("loop_enter_names", 10, "*string"),
        ("values_def", 9, "ValuesDef"),
        ("maximum_iterations_name", 11, "string"),
        ("nested_contexts", 12, "*ControlFlowContextDef"),
    ],
}


def __getattr__(name: str) -> Any:
    """The class of a message is found under its name."""
    if name not in _MESSAGES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _classes()[f"tensorflow.{name}"]


@cache
def _classes() -> Any:
    from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

    kinds = descriptor_pb2.FieldDescriptorProto
    file = descriptor_pb2.FileDescriptorProto(name="control_flow.proto", package="tensorflow", syntax="proto3")
    for name, fields in _MESSAGES.items():
        proto = file.message_type.add(name=name)
        if name == "ControlFlowContextDef":
            proto.oneof_decl.add(name="ctxt")
        for field, number, kind in fields:
            label = kinds.LABEL_REPEATED if kind[0] == "*" else kinds.LABEL_OPTIONAL
            entry = proto.field.add(name=field, number=number, label=label)
            base = kind.strip("*")
            if base.split(".")[0] in _MESSAGES:
                entry.type, entry.type_name = kinds.TYPE_MESSAGE, f".tensorflow.{base}"
            else:
                entry.type = getattr(kinds, f"TYPE_{base.upper()}")
            if name == "ControlFlowContextDef":
                entry.oneof_index = 0
    pairs = file.message_type[0].nested_type.add(name="ExternalValuesEntry")
    pairs.options.map_entry = True
    for i, field in enumerate(("key", "value"), 1):
        pairs.field.add(name=field, number=i, type=kinds.TYPE_STRING, label=kinds.LABEL_OPTIONAL)
    pool = descriptor_pool.DescriptorPool()
    pool.AddSerializedFile(file.SerializeToString())
    return message_factory.GetMessageClassesForFiles([file.name], pool)


# -- what is inside ----------------------------------------------------------------------------


def seen_names(context: ControlFlowContext) -> dict[str, Tensor]:
    """The names of the tensors from outside that the context sees, with what stands for them inside.

    What the context around has brought in stands for itself in a branch, and is not named in a loop, which moves
    to the frame of the loop whatever it names.
    """
    around = () if context.outer is None else set(context.outer.seen_as.values())
    seen = {
        t: t if t in around else s for t, s in context.seen_as.items() if t not in around or context.IsCondContext()
    }
    return {tensor.name: inside for tensor, inside in seen.items()}


def names_inside(context: ControlFlowContext) -> set[str]:
    """The names of the tensors that are computed inside, in loops inside not included, and of those that are seen."""
    names = set(seen_names(context)) | {t.name for t in context.seen_as.values()}
    seen_in: dict[ControlFlowContext, set[Tensor]] = {}
    for op in context.graph.get_operations():
        inner = op.context
        if inner is not None and (inner is context or _is_directly_in(op, context)):
            if inner not in seen_in:
                seen_in[inner] = set(inner.seen_as.values())
            seen = seen_in[inner].intersection(op.outputs)  # the other output is of the other branch
            names.update(t.name for t in seen or op.outputs)
    return names


def _is_directly_in(op: Operation, context: ControlFlowContext) -> bool:
    """Whether only branches stand between the outputs of ``op`` and ``context``."""
    from retrograd.graph.contexts import output_context

    inner = output_context(op)
    while inner is not None and inner is not context and inner.IsCondContext():
        inner = inner.outer
    return inner is context


def contexts_in(context: ControlFlowContext) -> list[ControlFlowContext]:
    """The branches and loops directly inside."""
    found: dict[ControlFlowContext, None] = {}
    for op in context.graph.get_operations():
        inner = op.context
        while inner is not None and inner.outer is not context:
            inner = inner.outer
        if inner is not None:
            found[inner] = None
    return list(found)


def fill_common(proto: Any, context: ControlFlowContext, export_scope: str | None) -> Any:
    """What branches and loops have in common in their messages."""
    proto.context_name = strip_name_scope(context.name, export_scope)
    proto.values_def.MergeFrom(context._to_values_def(export_scope))
    for inner in contexts_in(context):
        if is_exported(inner, export_scope):
            inner.to_control_flow_context_def(proto.nested_contexts.add(), export_scope)
    return proto


def is_exported(context: ControlFlowContext, export_scope: str | None) -> bool:
    """Whether the context is in the scope that is written."""
    return export_scope is None or context.name.startswith(export_scope)


def values_def(context: ControlFlowContext, export_scope: str | None) -> Any:
    """The names of what is inside, without ``export_scope`` before them."""
    proto = _classes()["tensorflow.ValuesDef"]()
    proto.values.extend(strip_name_scope(name, export_scope) for name in sorted(context._values))
    for name, seen in context._external_values.items():
        proto.external_values[strip_name_scope(name, export_scope)] = strip_name_scope(seen.name, export_scope)
    return proto


def names_of(proto: Any, context: ControlFlowContext, import_scope: str | None) -> tuple[set[str], dict[str, Tensor]]:
    """The names that a ``ValuesDef`` holds, and the tensors of those from outside."""
    graph = context.graph
    external = {
        prepend_name_scope(name, import_scope): graph.as_graph_element(prepend_name_scope(seen, import_scope))
        for name, seen in proto.external_values.items()
    }
    return {prepend_name_scope(name, import_scope) for name in proto.values}, external


def take_over(context: ControlFlowContext, proto: Any, import_scope: str | None) -> None:
    """Let the ops that a branch or loop's message names be inside of ``context``, and nested ones of theirs."""
    names, external = names_of(proto.values_def, context, import_scope)
    graph = context.graph
    brought_in = {seen.op.inputs[0]: seen for seen in external.values() if seen.op.inputs}
    for name, seen in external.items():
        tensor = graph.as_graph_element(name)
        context.seen_as.setdefault(tensor, brought_in.get(tensor, seen) if seen is tensor else seen)
    for name in names - external.keys():
        graph.as_graph_element(name).op.context = context
    with context.entered():
        for inner in proto.nested_contexts:
            from_control_flow_context_def(inner, import_scope)


def from_control_flow_context_def(context_def: Any, import_scope: str | None = None) -> Any:
    """The branch or loop of the default graph that a ``ControlFlowContextDef`` describes.

    Raises:
      NotImplementedError: it describes neither.
    """
    from retrograd.graph.contexts import ControlFlowContext

    field = context_def.WhichOneof("ctxt")
    kinds = {cls.message_field: cls for cls in ControlFlowContext.__subclasses__() if cls.message_field}
    if field not in kinds:
        raise NotImplementedError(f"Unknown ControlFlowContextDef field: {field}")
    return kinds[field].from_proto(getattr(context_def, field), import_scope)
