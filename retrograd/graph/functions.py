"""Functions that a graph knows and its ops call: a body, which is a graph of its own, under a name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from retrograd.graph.collections import GraphKeys
from retrograd.graph.definition import Argument, Effect, OpDef
from retrograd.graph.dtypes import DType, as_dtype
from retrograd.graph.function_defs import function_def
from retrograd.graph.graph import Graph
from retrograd.graph.operation import Operation
from retrograd.graph.order import ancestors, in_order
from retrograd.graph.scopes import control_dependencies
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor

# -- what a function computes ------------------------------------------------------------------


@dataclass(eq=False)
class Body:
    """``outputs`` as a function of ``inputs``, which are placeholders of one graph."""

    graph: Graph
    inputs: list[Tensor]
    outputs: list[Tensor]
    ops: list[Operation]  # all that belongs to it, in order
    derivative: Body | None = None  # from the inputs and the outputs' gradients to the inputs' gradients
    ends: Sequence[Operation] = ()  # what waits for all that is done in branches and loops, if anything is

    @property
    def effects(self) -> list[Operation]:
        """The ops that a call runs even if no output depends on them."""
        found = [op for op in self.ops if op.definition.effect in _RUN_ANYWAY and op.context is None]
        return [*found, *(op for op in self.ends if op.definition.effect not in _RUN_ANYWAY)]

    @property
    def effect(self) -> Effect | None:
        """The gravest that an op of it has."""
        found = {op.definition.effect for op in self.ops}
        return next((effect for effect in _BY_GRAVITY if effect in found), None)

    @property
    def stateful_ops(self) -> list[Operation]:
        """The ops whose results may differ from run to run, or that do something besides."""
        return [op for op in self.ops if is_stateful(op.definition)]


_RUN_ANYWAY = frozenset((Effect.WRITE, Effect.HOST, Effect.CHECK))
_BY_GRAVITY = (Effect.WRITE, Effect.HOST, Effect.RANDOM, Effect.CHECK, Effect.READ)


def is_stateful(definition: OpDef) -> bool:
    """Whether TensorFlow marks the op type so."""
    return definition.effect is not None and (definition.effect is not Effect.CHECK or definition.name == "Assert")


def _called(xp: Any, call: Callable[[Sequence[Any]], list[Any]], *inputs: Any) -> list[Any]:
    """The kernel of an op that calls a function: ``call`` runs its body."""
    return call(inputs)


def _called_for_one(xp: Any, call: Callable[[Sequence[Any]], list[Any]], *inputs: Any) -> Any:
    """The same where there is one output."""
    return call(inputs)[0]


def ops_behind(tensors: Iterable[Tensor]) -> list[Operation]:
    """The ops that compute ``tensors``, in order."""
    return in_order(ancestors([t.op for t in tensors]))


class GraphFunction:
    """A body under a name: ops whose type is that name call it."""

    def __init__(
        self,
        definition: Any,
        body: Body | Callable[[], Body],
        gradient: Callable[..., Any],
        gradient_function: Any = None,
        python_gradient: Callable[..., Any] | None = None,
    ) -> None:
        """``definition`` is the ``FunctionDef``, ``gradient`` the rule that differentiates a call."""
        self.definition = definition
        self.name: str = definition.signature.name
        self.gradient = gradient
        self.gradient_function = gradient_function
        self.python_gradient = python_gradient
        self._body = body

    @cached_property
    def body(self) -> Body:
        """What a call computes."""
        return self._body if isinstance(self._body, Body) else self._body()

    @property
    def stateful_ops(self) -> list[Operation]:
        """The ops of the body whose results may differ from run to run, or that do something besides."""
        return self.body.stateful_ops

    @property
    def grad_func_name(self) -> str | None:
        """The name of the function that computes the derivative."""
        return self.gradient_function.name if self.gradient_function else None

    @property
    def python_grad_func(self) -> Callable[..., Any] | None:
        """The function in Python that builds the derivative."""
        return self.python_gradient

    @cached_property
    def op_definition(self) -> OpDef:
        """The op type that calls it."""
        signature = self.definition.signature
        one = len(signature.output_arg) == 1
        return OpDef(
            name=self.name,
            inputs=_arguments(signature.input_arg),
            outputs=_arguments(signature.output_arg),
            attrs={},
            types={},
            choices={},
            lengths={},
            shape=None,
            kernel=_called_for_one if one else _called,
            gradient=self.python_gradient or self.gradient,
            static=frozenset(),
            effect=self.body.effect,
            failure=None,
            remedy="",
            body=lambda op, library: self.body,
        )

    def add_to_graph(self, graph: Graph) -> None:
        """Let ops of ``graph`` call it, and what it calls."""
        graph._add_function(self)
        self.add_others_to(graph)

    def add_others_to(self, graph: Graph) -> None:
        """Let ops of ``graph`` call what it calls, its derivative too."""
        if isinstance(self._body, Body):
            for other in self._body.graph._functions.values():
                if other is not self:
                    other.add_to_graph(graph)
        if self.gradient_function is not None:
            self.gradient_function.add_to_graph(graph)


def _arguments(protos: Any) -> tuple[Argument, ...]:
    return tuple(Argument(p.name, as_dtype(p.type)) for p in protos)


def named_function(
    body: Body,
    name: str | None,
    base_name: str,
    gradient: Callable[..., Any],
    *,
    output_names: Sequence[str] = (),
    description: str = "",
    attrs: dict[str, Any] | None = None,
    gradient_function: Any = None,
    python_gradient: Callable[..., Any] | None = None,
) -> GraphFunction:
    """``body`` under ``name``, or without one under ``base_name`` and a hash of the whole."""
    definition = function_def(body, name, base_name, output_names, description, is_stateful)
    for key, value in (attrs or {}).items():
        definition.attr[key].CopyFrom(value)
    return GraphFunction(definition, body, gradient, gradient_function, python_gradient)


# -- building a body ---------------------------------------------------------------------------


class FunctionGraph(Graph):
    """The graph of a body: a tensor from outside that is used in it becomes one more input.

    With ``by_value``, the ops that such a tensor follows from are built again inside.
    """

    captures = True

    def __init__(self, name: str, by_value: bool = False, whitelisted_stateful_ops: Any = ()) -> None:
        super().__init__()
        self.building_function = True
        self.name = name
        self.by_value = by_value
        self.whitelisted_stateful_ops = whitelisted_stateful_ops
        self.outer_graph = default_graph()
        self.inputs: list[Tensor] = []
        self.outputs: list[Tensor] = []
        self.captured: dict[Tensor, Tensor] = {}  # tensors from outside, with what stands for them inside
        self.extra_inputs: list[Tensor] = []
        self.extra_args: list[Tensor] = []
        self.extra_vars: list[Any] = []
        self.ends: Sequence[Operation] = ()
        self.notes["captured from"] = {}

    @property
    def _outer_graph(self) -> Graph:
        return self.outer_graph

    @property
    def outer_graphs(self) -> list[Graph]:
        """The graphs around this one, innermost first."""
        around = [self.outer_graph]
        while isinstance(around[-1], FunctionGraph):
            around.append(around[-1].outer_graph)
        return around

    def share_variables(self) -> None:
        """Let the collections of variables be those of the graph outside."""
        for key in GraphKeys._VARIABLE_COLLECTIONS:
            self._collections[key] = self.outer_graph.get_collection_ref(key)

    # what a function takes and gives, of one that ``tf.function`` has built or a SavedModel holds
    structured_input_signature: Any = None
    structured_outputs: Any = None
    saving_errors: frozenset[str] = frozenset()

    @property
    def external_captures(self) -> list[Tensor]:
        """The tensors from outside that it uses."""
        return list(self.extra_inputs)

    @property
    def internal_captures(self) -> list[Tensor]:
        """What stands for them inside."""
        return list(self.extra_args)

    @property
    def control_outputs(self) -> list[Operation]:
        """The ops that a call runs even if no output depends on them."""
        return self.body().effects

    def mark_as_unsaveable(self, error_message: str) -> None:
        """Say why the function cannot be saved."""
        self.saving_errors |= {error_message}

    def capture(self, tensor: Tensor, name: str | None = None) -> Tensor:
        """What stands for ``tensor`` inside."""
        if tensor.op.graph is self:
            return tensor
        if tensor not in self.captured:
            if self.by_value:
                self._copy(tensor.op)
            else:
                self._capture_as_input(tensor, name)
        inside = self.captured[tensor]
        if _is_guaranteed_constant(tensor.op):
            from retrograd.graph.raw import raw_op

            guarantee = raw_op("GuaranteeConst")
            assert guarantee is not None
            with control_dependencies(None):
                inside = self.captured[tensor] = guarantee(inside)
        return inside

    def _capture_as_input(self, tensor: Tensor, name: str | None) -> None:
        with self.control_dependencies(None):
            self.capture_by(tensor, argument_of_body(self, tensor.dtype, tensor.shape, name))

    def capture_by(self, tensor: Tensor, inside: Tensor) -> None:
        """Let ``inside``, a placeholder of this graph, stand for ``tensor``: the function gets one more input."""
        self.notes["captured from"][inside] = tensor
        self.inputs.append(inside)
        self.extra_inputs.append(tensor)
        self.extra_args.append(inside)
        self.captured[tensor] = inside

    def _copy(self, op: Operation) -> None:
        if is_stateful(op.definition) and op not in self.whitelisted_stateful_ops:
            raise ValueError(f"Cannot capture a stateful node (name:{op.name}, type:{op.type}) by value.")
        if op.type in ("Placeholder", "PlaceholderV2"):
            raise ValueError(f"Cannot capture a placeholder (name:{op.name}, type:{op.type}) by value.")
        for x in op.inputs:
            if x not in self.captured:
                self._copy(x.op)
        inputs = [self.captured[x] for x in op.inputs]
        twin = self.create_op(op.type, inputs, name=op.name, attrs=dict(op.attrs))
        self.captured.update(zip(op.outputs, twin.outputs, strict=True))

    def body(self) -> Body:
        """What the function computes, now that it is built."""
        return Body(self, list(self.inputs), list(self.outputs), self.get_operations(), ends=self.ends)


def as_attribute(function: Any) -> Any:
    """``function`` as the attribute of an op of the default graph, which gets to know it.

    ``function`` is a function of a graph, its name, or the attribute.
    """
    from tensorboard.compat.proto.attr_value_pb2 import NameAttrList

    if hasattr(function, "add_to_graph"):
        function.add_to_graph(default_graph())
        function = function.name
    return NameAttrList(name=function) if isinstance(function, str) else function


def captured_from(graph: FunctionGraph, xs: Sequence[Tensor]) -> dict[Tensor, Tensor]:
    """The tensors from outside that ``graph`` has captured and that are computed from ``xs``, with their stand-ins.

    Each of ``xs`` is of a graph around this one; those of ``graph`` itself do not count.
    """
    reached = {x for x in xs if x.graph is not graph}
    for around in reversed(graph.outer_graphs):
        if isinstance(around, FunctionGraph):
            reached.update(inside for outside, inside in around.captured.items() if outside in reached)
        stack = [t for t in reached if t.graph is around]
        while stack:
            fresh = [y for reader in stack.pop().readers for y in reader.outputs if y not in reached]
            reached.update(fresh)
            stack += fresh
    return {outside: inside for outside, inside in graph.captured.items() if outside in reached}


CALLS = frozenset(("PartitionedCall", "StatefulPartitionedCall"))  # ops that do nothing but call a function


def called_body(op: Operation) -> Body:
    """The body of the function that a call names."""
    body: Body = op.graph._get_function(op.attrs["f"].name).body
    return body


def stands_for(handle: Tensor, calls: tuple[Operation, ...] = ()) -> tuple[Tensor, tuple[Operation, ...]] | None:
    """What a handle is that a function gives, takes or has captured; None if it comes from an op of its own graph.

    ``calls`` are those whose functions ``handle`` is found in, innermost last; the result has them for what it gives.
    """
    if handle.op.type in CALLS:
        return called_body(handle.op).outputs[handle.value_index], (*calls, handle.op)
    if handle.op.type != "Placeholder":
        return None
    if calls:
        return calls[-1].inputs[called_body(calls[-1]).inputs.index(handle)], calls[:-1]
    outside = handle.graph.notes.get("captured from", {}).get(handle)
    return None if outside is None else (outside, ())


def argument_of_body(graph: Graph, dtype: DType, shape: Any, name: str | None) -> Tensor:
    """One more input of a body."""
    return graph.create_op("Placeholder", [], name=name, attrs={"dtype": dtype, "shape": shape}).outputs[0]


def _is_guaranteed_constant(op: Operation) -> bool:
    """Whether it follows from ``guarantee_const`` alone."""
    seen: set[Operation] = set()
    stack = [op]
    while stack:
        op = stack.pop()
        if op not in seen and op.type != "GuaranteeConst":
            if not op.inputs:
                return False
            seen.add(op)
            stack += [x.op for x in op.inputs]
    return True


def get_extra_vars() -> list[Any]:
    """The variables that the function which is being built has got by name so far."""
    graph = default_graph()
    return graph.extra_vars if isinstance(graph, FunctionGraph) else []


def get_extra_inputs() -> list[Tensor]:
    """The tensors from outside that the function which is being built has used so far."""
    graph = default_graph()
    return graph.extra_inputs if isinstance(graph, FunctionGraph) else []


def get_extra_args() -> list[Tensor]:
    """What stands for these inside of the function."""
    graph = default_graph()
    return graph.extra_args if isinstance(graph, FunctionGraph) else []


def graph_to_function_def(
    graph: Graph, operations: Sequence[Operation], inputs: Sequence[Tensor], outputs: Sequence[Tensor],
    out_names: Sequence[str] | None = None,
) -> Any:  # fmt: skip
    """Part of a graph as a ``FunctionDef`` without a name."""
    body = Body(graph, list(inputs), list(outputs), list(operations))
    return function_def(body, "", "", out_names or (), "", is_stateful)
