"""The derivative of a function that ops call: one more function, of its inputs and its outputs' gradients.

``SymbolicGradient`` calls the derivative of the function that it names.  The derivative of a body is built
into the body's own graph when it is first asked for, by ``gradients``; so it can be differentiated in turn.
"""

from __future__ import annotations

from typing import Any

from retrograd.grad.gradients import UnconnectedGradients, gradients
from retrograd.graph import dtypes, errors
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import REQUIRED, Effect, define
from retrograd.graph.dtypes import DType, as_dtype
from retrograd.graph.functions import Body, GraphFunction, named_function, ops_behind
from retrograd.graph.graph import Graph
from retrograd.graph.operation import Operation
from retrograd.graph.tensor import Tensor
from retrograd.ops import constants, resources


def derivative_of(body: Body) -> Body:
    """The body ``(*inputs, *dys) -> dxs``, with zeros for an input that no output depends on."""
    if body.derivative is None:
        graph = body.graph
        with graph.as_default(), graph.control_dependencies(None), graph.name_scope("SymbolicGradient"):
            dys = [constants.placeholder(y.dtype.base_dtype, y.shape) for y in body.outputs]
            numeric = [(y, dy) for y, dy in zip(body.outputs, dys, strict=True) if y.dtype not in _NO_NUMBERS]
            ys, seeds = [y for y, _ in numeric], [dy for _, dy in numeric]
            found = gradients(ys, body.inputs, seeds, unconnected_gradients=UnconnectedGradients.ZERO)
            dxs = [as_tensor(dx) for dx in found]
        inputs = [*body.inputs, *dys]
        body.derivative = Body(graph, inputs, dxs, ops_behind([*inputs, *dxs]))
    return body.derivative


_NO_NUMBERS = (dtypes.bool, dtypes.string)


def gradient_of_call(op: Operation, *dys: Any) -> list[Tensor]:
    """The rule of a call of a function that has no ``python_grad_func``: one more call, of the derivative."""
    return symbolic_gradient([*op.inputs, *dys], [type_of_gradient(x) for x in op.inputs], _named(op))


def type_of_gradient(x: Tensor) -> DType:
    """The dtype of the gradient of an input: behind a handle that of the variable, if it can be told."""
    behind: DType | None = resources.dtype_of(x) if x.dtype == dtypes.resource else None
    return behind or x.dtype.base_dtype


def _named(op: Operation) -> Any:
    """The function that ``op`` calls as an attribute: its name, and the attributes of the call."""
    from tensorboard.compat.proto.attr_value_pb2 import NameAttrList

    named = NameAttrList(name=op.type)
    for key, value in op.node_def.attr.items():
        named.attr[key].CopyFrom(value)
    return named


# -- SymbolicGradient --------------------------------------------------------------------------


def _function_of(op: Operation, library: Graph) -> GraphFunction:
    """The function that ``op`` names, of ``library`` or, if it came up while differentiating, of the op's graph."""
    name = op.attrs["f"].name
    function: GraphFunction | None = library._get_function(name) or op.graph._get_function(name)
    if function is None:
        error = errors.NotFoundError(None, None, f"Function {name} is not defined.")
        error.add_note("  Fix:   call it once in this graph, which adds it to the graph's functions")
        raise error
    return function


def _derivative_called(op: Operation, library: Graph) -> Body:
    """What ``op`` runs: the function's own gradient function, or else its derivative."""
    function = _function_of(op, library)
    if function.gradient_function is None:
        return derivative_of(function.body)
    body: Body = function.gradient_function.body
    if len(body.outputs) != len(op.outputs):
        raise errors.InvalidArgumentError(
            None,
            None,
            f"SymGrad expects to return {len(op.outputs)} tensor(s), but get {len(body.outputs)} tensor(s) instead.",
        )
    return body


def _gradient_of_derivative(op: Operation, *ddxs: Any) -> list[Any]:
    """The derivative of a derivative, which becomes a function with a name for it."""
    function = _function_of(op, op.graph)
    again = function.gradient_function
    if again is None:
        name = f"{function.name}_gradient"
        again = op.graph._get_function(name)
        if again is None:
            again = named_function(derivative_of(function.body), name, "", gradient_of_call)
            again.add_to_graph(op.graph)
    return symbolic_gradient([*op.inputs, *ddxs], [type_of_gradient(x) for x in op.inputs], again.name)


SYMBOLIC_GRADIENT = define(
    "SymbolicGradient", "input: *Tin", "output: *Tout", attrs={"Tin": REQUIRED, "Tout": REQUIRED, "f": REQUIRED},
    shape=lambda inputs, *, Tout: [_shape_of_gradient(x) for x in inputs[: len(Tout)]],
    kernel=lambda xp, call, inputs: call(inputs), gradient=_gradient_of_derivative, effect=Effect.HOST,
    body=_derivative_called,
)  # fmt: skip


def _shape_of_gradient(x: Tensor) -> Any:
    return resources.shape_of(x) if x.dtype == dtypes.resource else x.dims


def symbolic_gradient(input: Any, Tout: Any, f: Any, name: str | None = None) -> list[Tensor]:
    """The gradients of the function ``f`` by its inputs; ``input`` is these, then the gradients of its outputs.

    ``f`` is a name, or a ``NameAttrList`` that holds one.
    """
    from tensorboard.compat.proto.attr_value_pb2 import NameAttrList

    named = NameAttrList(name=f) if isinstance(f, str) else f
    outputs: list[Tensor] = apply(SYMBOLIC_GRADIENT, list(input), Tout=list(Tout), f=named, name=name)
    return outputs


def Gradient(inputs: Any, f: Any, name: str | None = None) -> list[Tensor]:
    """The gradients of the function ``f`` of the graph: ``inputs`` are its inputs, then its outputs' gradients."""
    types = [as_dtype(a.type) for a in f.definition.signature.input_arg]
    return symbolic_gradient(inputs, types, f.name, name=name)
