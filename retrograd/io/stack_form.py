"""Gradients of loops as TensorFlow writes them: with stacks in the place of histories.

A graph holds ``LoopHistory`` and ``LoopRecall``, which TensorFlow does not know.  In a file they become

    h = StackV2()                                     for  h = LoopHistory(x)
        StackPushV2(Enter(h), x)                      in the loop
    StackPopV2(Enter(h))                              for  LoopRecall(h), in the gradient's loop

A history of histories is one stack, whose handle enters every loop: what the loops have pushed in their order
is popped in the reverse order.  What a branch recalls is taken in that branch.  Each changed node carries what
it was (``_as_history``), so reading the file brings the histories back.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import pairwise
from typing import Any

import numpy as np

from retrograd.flow.contexts import LoopVariable, WhileContext
from retrograd.graph import dtypes, protos
from retrograd.graph.collection_protos import get_collection_proto_type
from retrograd.graph.collections import GraphKeys
from retrograd.graph.graph import Graph
from retrograd.graph.operation import Operation
from retrograd.graph.tensor import Tensor
from retrograd.graph.text import as_text
from retrograd.ops import dataflow

_MARK = "_as_history"
_MINUS_ONE = np.array(-1, np.int32)
_PASS_ON = dataflow.SWITCHES | dataflow.MERGES | dataflow.NEXT_ITERATIONS | {"Identity", "Enter", "Exit"}


def with_stacks(graph_def: Any, graph: Graph) -> Any:
    """``graph_def``, which is of ``graph``, with stacks; as it is where stacks cannot stand for its histories."""
    ops = [graph._by_name[node.name] for node in graph_def.node if node.name in graph._by_name]
    histories = [op for op in ops if op.type == "LoopHistory"]
    if not histories or any(_loop(op).count is None for op in histories):
        return graph_def
    chains = [_chain(op) for op in histories if op.inputs[0].op.type != "LoopHistory"]
    handles = _handles(histories)
    if handles is None or None in chains:
        return graph_def
    return _Rewriting(graph_def, handles).done([chain for chain in chains if chain is not None])


def _chain(op: Operation) -> list[Operation] | None:
    """A history and those of which each is one of that before it; None if one is read in another way too."""
    chain = [op]
    while any(reader.type == "LoopHistory" for reader in chain[-1].outputs[0].readers):
        if len(chain[-1].outputs[0].readers) > 1:
            return None
        chain.append(chain[-1].outputs[0].readers[0])
    firsts = [first for first, _ in _recalls(chain[-1])]
    return chain if len(set(firsts)) == len(firsts) else None


def _recalls(op: Operation) -> list[tuple[Operation, Operation]]:
    """The ops that recall the values of a history, each behind the first op on the way to it."""
    found: list[tuple[Operation, Operation]] = []
    waiting = [(reader, reader) for reader in op.outputs[0].readers]
    while waiting:
        first, reader = waiting.pop(0)
        if reader.type == "LoopRecall" and reader.attrs["T"] is not dtypes.variant:
            found.append((first, reader))
        else:
            passed = [t for t in reader.outputs if t.dtype.base_dtype is dtypes.variant]
            waiting += [(first, other) for t in passed for other in t.readers]
    return found


def with_histories(graph_def: Any) -> Any:
    """``graph_def`` as it was before ``with_stacks``; as it is if somebody else has changed it since."""
    if not any(_MARK in node.attr for node in graph_def.node):
        return graph_def
    from google.protobuf.message import DecodeError

    result = type(graph_def)(versions=graph_def.versions, library=graph_def.library)
    names = set()
    for node in graph_def.node:
        if _MARK not in node.attr:
            result.node.append(node)
        elif node.attr[_MARK].s:
            before = type(node)()
            with suppress(DecodeError):
                before.ParseFromString(node.attr[_MARK].s)
            if before.name != node.name:
                return graph_def
            result.node.append(before)
        else:
            continue
        names.add(node.name)
    sources = {protos.node_of(source) for node in result.node for source in node.input}
    return result if sources <= names else graph_def


def meta_with_histories(meta: Any) -> Any:
    """``with_histories`` of the graph of a ``MetaGraphDef``, whose contexts then name nothing of the stacks."""
    graph_def = with_histories(meta.graph_def)
    if graph_def is meta.graph_def:
        return meta
    gone = {f"{node.name}:0" for node in meta.graph_def.node} - {f"{node.name}:0" for node in graph_def.node}
    gone.update(f"{node.name}:0" for node in graph_def.node if node.op == "LoopHistory")  # their frames tell
    result = type(meta)()
    result.CopyFrom(meta)
    result.graph_def.CopyFrom(graph_def)
    _change_contexts(result, lambda values, frame: [v for v in values if v not in gone])
    return result


def name_entered(meta: Any) -> None:
    """Let the contexts of a ``MetaGraphDef`` name what brings stacks in, which they move to another scope with."""
    frame_of = {
        f"{node.name}:0": as_text(node.attr["frame_name"].s)
        for node in meta.graph_def.node
        if node.op == "Enter" and _MARK in node.attr
    }
    if frame_of:
        _change_contexts(
            meta,
            lambda values, frame: sorted(
                {v for v in values if frame_of.get(v, frame) == frame}.union(
                    v for v, f in frame_of.items() if f == frame
                )
            ),
        )


def _change_contexts(meta: Any, change: Callable[[list[str], str], list[str]]) -> None:
    for key in (GraphKeys.WHILE_CONTEXT, GraphKeys.COND_CONTEXT):
        make = get_collection_proto_type(key)
        values = meta.collection_def[key].bytes_list.value if key in meta.collection_def else []
        for i, content in enumerate(values):
            proto = type(make()).FromString(content)
            _change_context(proto, change)
            values[i] = proto.SerializeToString()


def _change_context(proto: Any, change: Callable[[list[str], str], list[str]]) -> None:
    proto.values_def.values[:] = change(list(proto.values_def.values), proto.context_name)
    for inner in proto.nested_contexts:
        _change_context(getattr(inner, inner.WhichOneof("ctxt")), change)


def _loop(op: Operation) -> WhileContext:
    loop = None if op.context is None else op.context.loop
    assert isinstance(loop, WhileContext)
    return loop


def _handles(kept: list[Operation]) -> set[Tensor] | None:
    """The tensors that become handles of stacks; None if an op computes with a history."""
    found: set[Tensor] = set()
    waiting = [op.outputs[0] for op in kept]
    while waiting:
        tensor = waiting.pop()
        if tensor in found:
            continue
        found.add(tensor)
        for reader in tensor.readers:
            if reader.type in _PASS_ON:
                waiting += [t for t in reader.outputs if t.dtype.base_dtype is dtypes.variant]
            elif reader.type == "LoopRecall" and reader.attrs["T"] is dtypes.variant:
                waiting.append(reader.outputs[0])
            elif reader.type not in ("LoopRecall", "LoopHistory"):
                return None
    return found


class _Rewriting:
    """The nodes of one graph on their way to stacks."""

    def __init__(self, graph_def: Any, handles: set[Tensor]) -> None:
        self.graph_def = type(graph_def)()
        self.graph_def.CopyFrom(graph_def)
        self.nodes = {node.name: node for node in self.graph_def.node}
        self.handles = handles
        self.before = {name: node.SerializeToString() for name, node in self.nodes.items()}
        self.changed: set[str] = set()
        self.moved: dict[str, str] = {}  # inputs that are read elsewhere
        self.pushed: dict[WhileContext, dict[str, None]] = defaultdict(dict)  # what an iteration must have done
        self.popped: dict[WhileContext, dict[str, None]] = defaultdict(dict)

    def done(self, chains: list[list[Operation]]) -> Any:
        """The whole."""
        for tensor in self.handles:
            if tensor.op.type in _PASS_ON:
                self._retype(tensor.op)
            elif tensor.op.type == "LoopRecall":
                self._enter(tensor.op)
        for chain in chains:
            for i, (first, recall) in enumerate(_recalls(chain[-1])):
                stack = f"{chain[-1].name}/of_{i}" if i else chain[-1].name
                self._stack(chain, i)
                node = self._change(first.name)
                node.input[0] = stack
                self._pop(recall)
            if not _recalls(chain[-1]):
                self._stack(chain, 0)
        for node in self.graph_def.node:
            for i, source in enumerate(node.input):
                if source in self.moved and node.name != self.moved[source]:
                    self._change(node.name).input[i] = self.moved[source]
        for loop, names in self.pushed.items():
            self._order(_counted(loop), names)
        for loop, names in self.popped.items():
            self._order(loop.variables[0], names)
        for name in self.changed:
            self.nodes[name].attr[_MARK].s = self.before[name]
        return self.graph_def

    def _change(self, name: str) -> Any:
        if name in self.before:
            self.changed.add(name)
        return self.nodes[name]

    def _retype(self, op: Operation) -> None:
        node = self._change(op.name)
        node.attr["T"].type = dtypes.resource.as_datatype_enum
        node.attr.pop("_output_shapes", None)

    def _add(self, op_type: str, name: str, inputs: list[str], **attrs: Any) -> str:
        node = self.graph_def.node.add(op=op_type, name=name, input=inputs)
        self.nodes[name] = node
        for key, value in attrs.items():
            node.attr[key].CopyFrom(protos.attr_value(value))
        node.attr[_MARK].s = b""
        return name

    def _become(self, node: Any, op_type: str, inputs: list[str], **attrs: Any) -> None:
        for key in [key for key in node.attr if key not in ("_class", _MARK)]:
            del node.attr[key]
        node.op = op_type
        node.input[:] = inputs
        for key, value in attrs.items():
            node.attr[key].CopyFrom(protos.attr_value(value))

    def _enter(self, op: Operation) -> None:
        node = self._change(op.name)
        self._become(node, "Enter", list(node.input), **_entered(_loop(op)))

    # -- pushing -----------------------------------------------------------------------------

    def _stack(self, chain: list[Operation], number: int) -> None:
        """Let the last of a chain be a stack, the others be what brings its handle in, and push.

        Each loop that pops has a stack of its own: the first has the names of the histories.
        """
        first, last = chain[0], chain[-1]
        kept = type(self.nodes[first.name]).FromString(self.before[first.name])
        value, dtype = kept.input[0], first.inputs[0].dtype.base_dtype
        outer = _loop(last).outer
        waits = [] if outer is None else [f"^{outer.pivot.name}"]
        name = self._node(last, number)
        most = self._add("Const", f"{name}/max_size", waits, dtype=dtypes.int32, value=_MINUS_ONE)
        self._become(self.nodes[name], "StackV2", [most], elem_type=dtype, stack_name="")
        for inner, around in pairwise(chain):
            entered = self._node(inner, number)
            self._become(
                self.nodes[entered], "Enter", [self._node(around, number)], **_entered(_loop(around))
            )  # fmt: skip
            count = _counted(_loop(inner))
            begun = self._change(count.enter.op.inputs[0].op.name)
            wait = f"^{_counted(_loop(around)).value.op.name}"
            if wait not in begun.input:
                begun.input.append(wait)
            self.pushed[_loop(around)][_loop(inner).exit_of(count).op.name] = None
        loop, stack = _loop(first), self._node(first, number)
        handle = self._add("Enter", f"{stack}/Enter", [stack], **_entered(loop))
        inputs = [handle, value, f"^{_counted(loop).value.op.name}"]
        push = self._add("StackPushV2", f"{stack}/StackPushV2", inputs, T=dtype, swap_memory=False)
        self.pushed[loop][push] = None

    def _node(self, op: Operation, number: int) -> str:
        """The name of the node that stands for a history, made where it is one more."""
        name = f"{op.name}/of_{number}" if number else op.name
        if number and name not in self.nodes:
            self._add("", name, [])
        elif not number:
            self._change(name)
        return name

    # -- popping -----------------------------------------------------------------------------

    def _pop(self, op: Operation) -> None:
        loop = _loop(op)
        source = self.nodes[op.name].input[0]
        self._enter(op)
        self.nodes[op.name].input[0] = source
        taken = op.outputs[0]
        while len(taken.readers) == 1 and "_of_branch" in taken.readers[0].attrs:
            branch = taken.readers[0]
            self._retype(branch)
            taken = branch.outputs[branch.attrs["_of_branch"]]
        handle, pop = taken._as_node_def_input(), f"{op.name}/StackPopV2"
        dtype = op.outputs[0].dtype.base_dtype
        self._add("StackPopV2", pop, [handle, f"^{loop.pivot.name}"], elem_type=dtype)
        self.moved[handle] = pop
        self.popped[loop][pop] = None
        outer = None if loop.outer is None else loop.outer.loop
        while op.inputs[0].op.type != "LoopHistory" and isinstance(outer, WhileContext) and outer.forward is not None:
            self.popped[outer][loop.exit_of(loop.variables[0]).op.name] = None
            loop, outer = outer, None if outer.outer is None else outer.outer.loop  # type: ignore[assignment]

    def _order(self, counter: LoopVariable, names: Iterable[str]) -> None:
        """Let what an iteration pushes and pops be done before the counter goes on."""
        last = counter.following.op.inputs[0].op.name
        sync = self._add("ControlTrigger", f"{last}/sync", [f"^{name}" for name in names])
        self._change(last).input.append(f"^{sync}")


def _counted(loop: WhileContext) -> LoopVariable:
    """The variable that counts the iterations of a loop."""
    return next(v for v in loop.variables if v.exit is loop.count)


def _entered(loop: WhileContext) -> dict[str, Any]:
    return {
        "T": dtypes.resource,
        "frame_name": loop.name,
        "is_constant": True,
        "parallel_iterations": loop.parallel_iterations,
    }
