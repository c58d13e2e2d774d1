"""Python functions of elements as functions of the graph."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from typing import Any

from retrograd.autograph.converting import converted
from retrograd.data import nest
from retrograd.data.structures import element_of, flat_shapes, flat_types, spec_of, tensors_of
from retrograd.grad.functions import gradient_of_call
from retrograd.graph.collections import GraphKeys
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import Effect
from retrograd.graph.errors import taught
from retrograd.graph.functions import FunctionGraph, as_attribute, named_function
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import control_dependencies
from retrograd.graph.specs import TensorSpec
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.graph.uids import uid
from retrograd.ops import arrays, constants
from retrograd.state.scopes import variable_scope
from retrograd.state.variable_store import default_variable_store


def name_of(func: Any) -> str:
    """What a function of the graph takes from the name of a Python function."""
    if inspect.ismethod(func):
        return f"{type(func.__self__).__name__}.{func.__func__.__name__}"
    if inspect.isfunction(func):
        return func.__name__
    return str(type(func))


class ElementFunction:
    """``func`` as a function of the graph, for elements of the structure ``spec``.

    Args:
      transformation: what it is for, such as ``Dataset.map()``; a part of its name.
      adds: whether ops of the current graph may call it.

    Raises:
      TypeError: it gives what is no element.
    """

    def __init__(self, func: Callable[..., Any], transformation: str, spec: Any, adds: bool = True) -> None:
        self.spec = spec
        self.output_spec: Any = None
        outer = default_graph()
        readable = transformation.replace(".", "_")[:-2] if len(transformation) > 2 else ""
        base = f"{readable}_{name_of(func)}"
        graph = FunctionGraph(base)
        graph.seed = outer.seed
        graph.notes["variable store"] = default_variable_store()
        seen = _collections_for(graph, outer)
        with graph.as_default():
            for i, (dtype, shape) in enumerate(zip(flat_types(spec), flat_shapes(spec), strict=True)):
                tensor = constants.placeholder(dtype, shape, name=f"args_{i}")
                tensor.op.attrs["_user_specified_name"] = f"args_{i}".encode()
                graph.inputs.append(tensor)
            count = len(graph.inputs)
            with variable_scope("", custom_getter=_outside(graph)):
                results = self._called(converted(func), transformation, list(graph.inputs[:count]))
            with control_dependencies(_effects(graph)):
                graph.outputs = [arrays.identity(graph.capture(as_tensor(t))) for t in results]
        self.captured = list(graph.extra_inputs)
        _warn_of_what_stays_inside(graph, transformation, base, seen)
        self.function = named_function(graph.body(), f"__inference_{base}_{uid()}", "", gradient_of_call)
        if adds:
            self.function.add_to_graph(outer)

    def _called(self, func: Callable[..., Any], transformation: str, tensors: list[Tensor]) -> list[Any]:
        element = element_of(self.spec, tensors)
        result = _call(func, transformation, element)
        if isinstance(result, list):
            result = tuple(result)
        try:
            self.output_spec = spec_of(result)
        except (ValueError, TypeError) as error:
            raise TypeError(f"Unsupported return value from function passed to {transformation}: {result}.") from error
        leaves = nest.flatten(result)
        specs = nest.flatten(self.output_spec)
        converted = [
            as_tensor(leaf, dtype=spec.dtype) if isinstance(spec, TensorSpec) else leaf
            for leaf, spec in zip(leaves, specs, strict=True)
        ]
        return tensors_of(self.output_spec, nest.pack_sequence_as(self.output_spec, converted))

    @property
    def attribute(self) -> Any:
        """The function as the attribute of an op."""
        return as_attribute(self.function)


def _collections_for(graph: FunctionGraph, outer: Any) -> dict[str, int]:
    """Let the body see the collections outside: those of variables as they are, of others a copy; their lengths."""
    if outer.is_eager:
        return {}
    for key in outer.collections:
        graph._collections[key] = outer.get_collection(key)
    graph.share_variables()
    return {key: len(graph._collections.get(key, ())) for key in _OF_RESOURCES}


_OF_RESOURCES = (GraphKeys.TABLE_INITIALIZERS, GraphKeys.RESOURCES)


def _warn_of_what_stays_inside(graph: FunctionGraph, transformation: str, base: str, seen: dict[str, int]) -> None:
    """Resources of a body belong to nobody, and its seed is that of the graph outside."""
    if any(len(graph.get_collection(key)) > seen.get(key, 0) for key in _OF_RESOURCES):
        warnings.warn(
            f"Creating resources inside a function passed to {transformation} is not supported. Create each resource "
            "outside the function, and capture it inside the function to use it.", stacklevel=4,
        )  # fmt: skip
    if graph.notes.get("uses its seed") and not graph.outer_graph.is_eager:
        warnings.warn(
            f"Seed {graph.seed} from outer graph might be getting used by function {base}, if the random op has not "
            "been provided any seed. Explicitly set the seed in the function if this is not the intended behavior.",
            stacklevel=4,
        )  # fmt: skip


def _call(func: Callable[..., Any], transformation: str, element: Any) -> Any:
    parts = element if type(element) is tuple else (element,)
    try:
        return func(*parts)
    except TypeError as error:
        behind = error.__traceback__ and error.__traceback__.tb_next
        if behind is None and "positional argument" in str(error):  # it was not even begun
            names = "xyzuvw"[: len(parts)] if len(parts) < 7 else "..."
            raise taught(
                error,
                why=f"elements have {len(parts)} part{'s' if len(parts) > 1 else ''}, and {transformation} hands each "
                "to the function as an argument",
                fix=f"lambda {', '.join(names)}: ..." if names != "..." else "lambda *parts: ...",
            ) from None
        raise


def _effects(graph: FunctionGraph) -> list[Operation]:
    """The ops that must have run before the results are there."""
    return [op for op in graph.get_operations() if op.definition.effect in _SEEN and op.context is None]


_SEEN = (Effect.HOST, Effect.WRITE, Effect.CHECK)


def _outside(graph: FunctionGraph) -> Callable[..., Any]:
    """The custom getter of a function's body: variables live outside of it."""

    def outside(getter: Callable[..., Any], name: str, **kwargs: Any) -> Any:
        with graph.outer_graph.as_default():
            variable = getter(name, **kwargs)
        graph.extra_vars.append(variable)
        return variable

    return outside
