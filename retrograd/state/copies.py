"""Variables and ops copied into another graph, one by one: ``tf.contrib.copy_graph``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from retrograd.graph.apply import build
from retrograd.graph.collections import GraphKeys
from retrograd.graph.graph import Graph
from retrograd.graph.operation import Operation
from retrograd.graph.tensor import Tensor
from retrograd.run.session import Session
from retrograd.state.variables import VariableV1

_KEPT = (GraphKeys.GLOBAL_VARIABLES, GraphKeys.TRAINABLE_VARIABLES)


def _inside(scope: str, name: str) -> str:
    return f"{scope}/{name}" if scope else name


def _listing(element: Any) -> list[str]:
    """The collections that list an element."""
    graph = element.graph
    return [name for name in graph.collections if any(each is element for each in graph.get_collection(name))]


def copy_variable_to_graph(org_instance: Any, to_graph: Graph, scope: str = "") -> Any:
    """A variable of another graph, with the initial value of the first, computed now.

    Its collections are those of the first, below ``scope`` except for global and trainable variables.

    Raises:
      TypeError: it is no variable.
    """
    if not isinstance(org_instance, VariableV1):
        raise TypeError(f"{org_instance} is not a Variable")
    listing = _listing(org_instance)
    with org_instance.graph.as_default():
        value = Session().run(org_instance.initialized_value())
    with to_graph.as_default():
        return VariableV1(
            value, GraphKeys.TRAINABLE_VARIABLES in listing, name=_inside(scope, org_instance.op.name),
            collections=[name if name in _KEPT else _inside(scope, name) for name in listing], validate_shape=False,
        )  # fmt: skip


def copy_op_to_graph(org_instance: Any, to_graph: Graph, variables: Iterable[Any], scope: str = "") -> Any:
    """The copy of an op or tensor and of all that it needs; what is there under the same name is not copied again.

    Args:
      variables: the copies of variables, which were made by ``copy_variable_to_graph``.

    Raises:
      TypeError: it is neither an op nor a tensor.
    """
    if not isinstance(org_instance, Tensor | Operation):
        name = getattr(org_instance, "name", "")
        if not isinstance(org_instance, VariableV1) or _inside(scope, name) not in {v.name for v in variables}:
            raise TypeError(f"Could not copy instance: {org_instance}")
    name = _inside(scope, org_instance.name)
    for variable in variables:
        if variable.name == name:
            return to_graph.get_tensor_by_name(name)
    try:
        return to_graph.as_graph_element(name, allow_tensor=True, allow_operation=True)
    except (KeyError, ValueError):
        pass
    if isinstance(org_instance, Tensor):
        listing = _listing(org_instance)
        tensor = copy_op_to_graph(org_instance.op, to_graph, variables, scope).outputs[org_instance.value_index]
        for collection in listing:
            to_graph.add_to_collection(_inside(scope, collection), tensor)
        return tensor
    waits = [copy_op_to_graph(op, to_graph, variables, scope) for op in org_instance.control_inputs]
    inputs = [copy_op_to_graph(t, to_graph, variables, scope) for t in org_instance.inputs]
    with to_graph.control_dependencies(None):
        copied = build(
            to_graph, org_instance.definition, to_graph.unique_name(name), tuple(inputs), dict(org_instance.attrs)
        )
    copied._add_control_inputs(waits)
    return copied


def get_copied_op(org_instance: Any, graph: Graph, scope: str = "") -> Any:
    """The namesake, below ``scope`` in another graph, of an op or tensor.

    Raises:
      KeyError: there is none.
    """
    return graph.as_graph_element(_inside(scope, org_instance.name), allow_tensor=True, allow_operation=True)
