"""A function of tensors that was built once, as SavedModels keep it: a body with what it has captured.

Where ops run at once a call is one op to the tapes, whose gradient is one more body; in a graph it is a
``PartitionedCall``.  Source: TensorFlow 1.15.5, observed.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

import numpy as np

from retrograd.autograph.ordering import in_turn
from retrograd.eager import tapes
from retrograd.eager.graph import eager_graph
from retrograd.eager.lifted import BesideEager
from retrograd.eager.tensor import EagerTensor, refuse_symbolic
from retrograd.grad.functions import gradient_of_call
from retrograd.grad.gradients import carries_gradient, gradients
from retrograd.graph import dtypes, nest
from retrograd.graph.collections import GraphKeys
from retrograd.graph.composite import CompositeTensor
from retrograd.graph.convert import as_tensor
from retrograd.graph.errors import InvalidArgumentError, explain
from retrograd.graph.functions import Body, FunctionGraph, GraphFunction, named_function
from retrograd.graph.graph import Graph
from retrograd.graph.operation import Operation
from retrograd.graph.order import ancestors, in_order
from retrograd.graph.protos import attr_value
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.specs import TensorSpec
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor, TensorLike
from retrograd.graph.uids import uid
from retrograd.ops import arrays, constants, control
from retrograd.state.flattening import built_again, happens_once, with_what_happens
from retrograd.state.function_specs import spec_of
from retrograd.state.partitioned_calls import partitioned_call
from retrograd.state.scopes import get_variable_scope, get_variable_scope_store
from retrograd.state.variable_store import default_variable_store

# -- the graph of a function -------------------------------------------------------------------


class _ConcreteGraph(BesideEager, FunctionGraph):
    """The graph of such a function where ops run at once: tapes see which variables it reads."""

    def capture_by(self, tensor: Tensor, inside: Tensor) -> None:
        super().capture_by(tensor, inside)
        variable = getattr(tensor, "variable", None)
        if variable is not None:
            self.notes.setdefault("variables from outside", {})[inside] = variable

    @property
    def variables(self) -> tuple[Any, ...]:
        """The variables that it reads or changes and that are still there."""
        refs = (getattr(tensor, "holder", None) for tensor in self.captured)
        found = (ref() for ref in refs if ref is not None)
        return tuple(v for v in found if v is not None)


def _new_graph(name: str) -> FunctionGraph:
    outer: Any = default_graph()
    while isinstance(outer, FunctionGraph):
        outer = outer.outer_graph
    return _ConcreteGraph(name) if outer.is_eager else FunctionGraph(name)


@contextmanager
def _names_of(graph: FunctionGraph) -> Iterator[None]:
    """Let what is built in ``graph`` find variables and their scopes in the graph around it."""
    if isinstance(graph, BesideEager):
        yield
        return
    for key in (GraphKeys.GLOBAL_VARIABLES, GraphKeys.LOCAL_VARIABLES, GraphKeys.TRAINABLE_VARIABLES):
        graph._collections[key] = graph.outer_graph.get_collection_ref(key)
    for key in graph.outer_graph.get_all_collection_keys():
        if key not in graph._collections:
            graph._collections[key] = graph.outer_graph.get_collection(key)
    graph.notes["variable store"], graph.notes["variable scopes"] = default_variable_store(), get_variable_scope_store()
    scope = get_variable_scope()
    before = scope.use_resource
    scope.set_use_resource(True)
    try:
        yield
    finally:
        scope.set_use_resource(before)


# -- running a body at once --------------------------------------------------------------------


class _AtOnce:
    """A body that is run at once; what it does to watched tensors is one op to the tapes."""

    def __init__(self, body: Body, name: str) -> None:
        self._name, self._count = name, len(body.outputs)
        self._body = with_what_happens(body, _ConcreteGraph(name)) if happens_once(body) else body

    def __call__(self, inputs: Sequence[Any]) -> list[Any]:
        call = eager_graph().call(self._body)
        refuse_symbolic(inputs)
        values = call([np.asarray(x.value_now) if _is_number(x) else x.value_now for x in inputs])
        every = [EagerTensor(v, y.dtype.base_dtype) for v, y in zip(values, self._body.outputs, strict=True)]
        outputs, kept = every[: self._count], every[self._count :]
        if tapes.stack.active and outputs:
            tapes.record_as(self._name, outputs, list(inputs), lambda *dys: self._gradient(inputs, kept, dys))
        return outputs

    def _gradient(self, inputs: Sequence[Any], kept: Sequence[Any], dys: Sequence[Any]) -> list[Any]:
        places, derivative = self._derivative
        ys = self._body.outputs[: self._count]
        given = [as_tensor(dy) for y, dy in zip(ys, dys, strict=True) if carries_gradient(y.dtype)]
        found = dict(zip(places, derivative([*inputs, *given, *kept]), strict=True))
        return [found.get(i) for i in range(len(inputs))]

    @functools.cached_property
    def _derivative(self) -> tuple[list[int], _AtOnce]:
        """The places of the inputs that have one, and the body ``(*inputs, *dys, *kept) -> dxs``."""
        graph, inputs = self._body.graph, self._body.inputs
        ys = [y for y in self._body.outputs[: self._count] if carries_gradient(y.dtype)]
        outside = graph.notes["captured from"]
        xs = [
            (i, x)
            for i, x in enumerate(inputs)
            if carries_gradient(x.dtype) and (_is_number(x) or getattr(outside.get(x), "variable", None) is not None)
        ]
        with graph.as_default(), graph.control_dependencies(None), graph.name_scope("gradients"):
            dys = [constants.placeholder(y.dtype.base_dtype, y.shape) for y in ys]
            found = gradients(ys, [x for _, x in xs], dys)
            some = [(i, as_tensor(dx)) for (i, _), dx in zip(xs, found, strict=True) if dx is not None]
        dxs, every = [dx for _, dx in some], [*inputs, *dys, *self._body.outputs[self._count :]]
        ops = in_order(ancestors([y.op for y in dxs], every) | {x.op for x in [*inputs, *dys]})
        return [i for i, _ in some], _AtOnce(Body(graph, every, dxs, ops), f"{self._name}_grad")


def _is_number(x: Tensor) -> bool:
    return x.dtype not in (dtypes.resource, dtypes.variant)


# -- a function --------------------------------------------------------------------------------


class ConcreteFunction:
    """A function for arguments of one kind: it takes tensors by place or by name, and ops may name it."""

    def __init__(
        self,
        body: Body | Callable[[], Body],
        captured_inputs: Sequence[Tensor],
        *,
        name: str,
        base_name: str,
        structured_input_signature: Any,
        output_specs: Any,
        arg_keywords: Sequence[str] | None,
        positional: int | None = None,
        definition: Any = None,
    ) -> None:
        """``output_specs`` has specs, or whatever is no tensor, where the outputs come.

        ``definition`` is the ``FunctionDef`` of a function that was read.
        """
        self._made = body
        self._captured_inputs = list(captured_inputs)
        self._name, self._base_name = name, base_name
        self._input_signature, self._outputs = structured_input_signature, output_specs
        self._arg_keywords = None if arg_keywords is None else list(arg_keywords)
        self._num_positional_args = len(self._arg_keywords or ()) if positional is None else positional
        self._read = definition

    # -- what it is ----------------------------------------------------------------------------

    @functools.cached_property
    def body(self) -> Body:
        """What it computes."""
        return self._made if isinstance(self._made, Body) else self._made()

    @property
    def name(self) -> str:
        """The name in the library of a graph."""
        return self._name

    @property
    def graph(self) -> Any:
        """The graph of the body."""
        return self.body.graph

    @property
    def inputs(self) -> list[Tensor]:
        """The inputs of the body, those that stand for captured tensors last."""
        return self.body.inputs

    @property
    def outputs(self) -> list[Tensor]:
        """The outputs of the body."""
        return self.body.outputs

    @property
    def captured_inputs(self) -> list[Tensor]:
        """The tensors from outside that a call passes on after the arguments."""
        return self._captured_inputs

    @property
    def structured_input_signature(self) -> Any:
        """The arguments by place and those by name, with specs for tensors."""
        return self._input_signature

    @property
    def structured_outputs(self) -> Any:
        """What it gives: tensors of the body's graph, or their specs if it was read from a file."""
        return self._outputs if self._read is not None else self._packed(self.body.outputs)

    @property
    def output_specs(self) -> Any:
        """What it gives, with specs of the tensors."""
        return self._outputs

    @property
    def output_shapes(self) -> Any:
        """The static shapes of what it gives, in the same structure."""
        return nest.map_structure(lambda x: getattr(x, "shape", None), self._outputs)

    @property
    def output_dtypes(self) -> Any:
        """The dtypes of what it gives, in the same structure."""
        return nest.map_structure(lambda x: getattr(x, "dtype", None), self._outputs)

    @property
    def variables(self) -> tuple[Any, ...]:
        """The variables that it has captured and that are still there."""
        refs = [getattr(x, "variable", None) for x in self._captured_inputs]
        found = [ref() for ref in refs if ref is not None]
        return tuple(v for v in found if v is not None)

    @property
    def trainable_variables(self) -> tuple[Any, ...]:
        """Those that are trained."""
        return tuple(v for v in self.variables if v.trainable)

    # -- as a function of a graph --------------------------------------------------------------

    @functools.cached_property
    def _function(self) -> GraphFunction:
        if self._read is not None:
            return GraphFunction(self._read, lambda: self.body, gradient_of_call)
        function = named_function(self.body, self._name, "", gradient_of_call)
        _complete(function.definition, self.body, len(self._captured_inputs))
        return function

    @property
    def function_def(self) -> Any:
        """The ``FunctionDef``."""
        return self._function.definition

    definition = function_def

    @property
    def stateful_ops(self) -> list[Operation]:
        """The ops whose results may differ from run to run, or that do something besides."""
        return self.body.stateful_ops

    @property
    def declared_input_types(self) -> list[Any]:
        """The dtypes of the inputs."""
        return [x.dtype.base_dtype for x in self.body.inputs]

    def add_to_graph(self, g: Graph | None = None) -> None:
        """Let ops of ``g`` name it, and what it calls."""
        graph = g or default_graph()
        self._function.add_to_graph(graph)
        for other in self.body.graph._functions.values():
            if graph._get_function(other.name) is None:
                other.add_to_graph(graph)

    # -- calls ---------------------------------------------------------------------------------

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """What it gives for tensors, by their places or by the names of the arguments.

        Raises:
          TypeError: an argument is missing, too much, or has no name that is known.
          ValueError: an argument is no tensor.
        """
        if self._arg_keywords is None:
            return self._filtered_call(args, kwargs)
        if len(args) > self._num_positional_args:
            raise TypeError(
                f"Expected at most {self._num_positional_args} positional arguments (and the rest keywords, of "
                f"{self._arg_keywords}), got {args}."
            )
        rest, given = dict(kwargs), list(args)
        for keyword in self._arg_keywords[: len(args)]:
            if keyword in rest:
                raise TypeError(f"Got two values for keyword '{keyword}'.")
        missing = [k for k in self._arg_keywords[len(args) :] if k not in rest]
        if missing:
            raise TypeError(
                f"Expected argument names {self._arg_keywords} but got values for "
                f"{[*self._arg_keywords[: len(args)], *kwargs]}. Missing: {missing}."
            )
        given += [rest.pop(k) for k in self._arg_keywords[len(args) :]]
        if rest:
            raise TypeError(f"Keyword arguments {list(rest)} unknown. Expected {self._arg_keywords}.")
        return self._call_flat(given)

    def _filtered_call(self, args: Any, kwargs: Any) -> Any:
        """The same for arguments in the structure of the signature, of which only tensors matter.

        A variable is captured: the function was built for this one.
        """
        flat = nest.flatten((args, kwargs), expand_composites=True)
        return self._call_flat([x for x in flat if isinstance(x, Tensor)])

    def _call_flat(self, args: Sequence[Any]) -> Any:
        inputs = self.body.inputs
        given = [y for x in args for y in (nest.flatten(x, True) if isinstance(x, CompositeTensor) else [x])]
        for i, x in enumerate(given):
            if not isinstance(x, TensorLike):
                raise ValueError(
                    f"All inputs to `ConcreteFunction`s must be Tensors; on invocation of {self._base_name}, the "
                    f"{i}-th input ({x}) was not a Tensor."
                )
        self._check_dtypes(given)
        tensors = [as_tensor(x, p.dtype.base_dtype) for x, p in zip(given, inputs, strict=False)]
        if len(tensors) + len(self._captured_inputs) != len(inputs) or len(given) != len(tensors):
            raise ValueError(
                f"Arguments and signature arguments do not match: {len(given)} "
                f"{len(inputs) - len(self._captured_inputs)}"
            )
        every = [*tensors, *self._captured_inputs]
        if default_graph().is_eager:
            outputs = self._at_once(every)
        elif isinstance(default_graph(), BesideEager) and happens_once(self.body):
            with name_scope("StatefulPartitionedCall"):
                results, effects = built_again(self.body, every)
                with control_dependencies(effects):
                    if not results:
                        return control.group(*effects)
                    outputs = [arrays.identity(y) for y in results]
        else:
            called = partitioned_call(every, self)
            outputs = called if isinstance(called, list) else []
            if not outputs:
                return called
        return self._structured(outputs)

    def _check_dtypes(self, given: Sequence[Any]) -> None:
        for i, (x, inside) in enumerate(zip(given, self.body.inputs, strict=False)):
            wanted = inside.dtype.base_dtype
            if isinstance(x, EagerTensor) and x.dtype != wanted and default_graph().is_eager:
                text = (
                    f"cannot compute {self._name} as input #{i}(zero-based) was expected to be a {wanted._c_name} "
                    f"tensor but is a {x.dtype._c_name} tensor [Op:{self._name}]"
                )
                raise InvalidArgumentError(None, None, explain(text, fix=f"tf.cast(..., tf.{wanted.name})"))

    @functools.cached_property
    def _at_once(self) -> _AtOnce:
        return _AtOnce(self.body, self._name)

    def _structured(self, outputs: Sequence[Tensor]) -> Any:
        for y, inside in zip(outputs, self.body.outputs, strict=True):
            if not isinstance(y, EagerTensor):
                y.set_shape(inside.shape)
        return self._packed(outputs)

    def _packed(self, outputs: Sequence[Tensor]) -> Any:
        left = iter(outputs)
        flat = nest.flatten(self._outputs, expand_composites=True)
        return nest.pack_sequence_as(
            self._outputs, [next(left) if isinstance(x, TensorSpec) else x for x in flat], expand_composites=True
        )


def _complete(definition: Any, body: Body, captured: int) -> None:
    """Add to a ``FunctionDef`` what TensorFlow needs to run and to load it: shapes, names, effects."""
    shapes = attr_value([TensorShape(None) if not _is_number(x) else x.shape for x in body.inputs])
    if body.inputs:
        definition.attr["_input_shapes"].CopyFrom(shapes)
    for i, x in enumerate(body.inputs[: len(body.inputs) - captured]):
        name = x.op.attrs.get("_user_specified_name")
        if name is not None and hasattr(definition, "arg_attr"):
            definition.arg_attr[i].attr["_user_specified_name"].s = name if isinstance(name, bytes) else name.encode()
    names = {node.name for node in definition.node_def}
    for op in body.effects:
        if op.name in names:
            definition.control_ret[op.name] = op.name
            definition.signature.control_output.append(op.name)


# -- building ----------------------------------------------------------------------------------


def built(
    function: Callable[..., Any], name: str, args: Any, kwargs: dict[str, Any], arg_names: Sequence[str],
    orders_effects: bool = True, shares_names: bool = True,
) -> ConcreteFunction:  # fmt: skip
    """The concrete function of ``function`` for arguments like these, of which tensors and specs become inputs.

    With ``orders_effects`` the ops that do something run in the order in which they were built, all of them; with
    ``shares_names`` the variables that it gets by name are those of the graph outside.
    """
    graph = _new_graph(name)
    graph.seed = default_graph().seed
    keywords: list[str] = []
    with _names_of(graph) if shares_names else nullcontext(), graph.as_default(), name_scope(None):
        own_args = tuple(_inside(graph, x, n, keywords) for x, n in zip(args, arg_names, strict=True))
        own_kwargs = {key: _inside(graph, kwargs[key], key, keywords) for key in sorted(kwargs)}
        signature = (
            tuple(_named_specs(x, n) for x, n in zip(args, arg_names, strict=True)),
            {key: _named_specs(kwargs[key], key) for key in sorted(kwargs)},
        )
        first = graph.version
        result = function(*own_args, **own_kwargs)
        if orders_effects:
            graph.ends = in_turn(graph.get_operations()[first:], None)
            with control_dependencies(graph.ends):
                result = nest.map_structure(as_result, result)
        leaves = nest.flatten(result, expand_composites=True)
        graph.outputs = [graph.capture(x) for x in leaves if isinstance(x, Tensor)]
    graph.structured_input_signature = signature
    outputs = nest.map_structure(_told, result)
    graph.structured_outputs = result
    return ConcreteFunction(
        graph.body(), graph.extra_inputs, name=f"__inference_{name}_{uid()}", base_name=name,
        structured_input_signature=signature, output_specs=outputs, arg_keywords=keywords,
    )  # fmt: skip


def _told(value: Any) -> Any:
    """What is known of a result: the spec of a tensor, nothing of an op."""
    if isinstance(value, Operation):
        return None
    return spec_of(value)


def _inside(graph: FunctionGraph, argument: Any, name: str, keywords: list[str]) -> Any:
    """What stands for an argument inside the function."""

    def made(x: Any) -> Any:
        spec = spec_of(x)
        if isinstance(spec, TensorSpec):
            asked = (x.name if isinstance(x, TensorSpec) else None) or name
            tensor = constants.placeholder(spec.dtype, spec.shape, name=_word(asked))
            tensor.op._set_attr("_user_specified_name", attr_value(asked))
            keywords.append(_unused(asked, keywords))
            graph.inputs.append(tensor)
            return tensor
        if hasattr(spec, "_component_specs"):
            parts = nest.map_structure(made, spec._component_specs)
            return spec._from_components(parts)
        return x

    return nest.map_structure(made, argument)


def _unused(name: str, taken: Sequence[str]) -> str:
    """``name``, with a number if it is taken."""
    free, i = name, 1
    while free in taken:
        free, i = f"{name}_{i}", i + 1
    return free


def _word(name: str) -> str:
    """``name`` as that of an op."""
    plain = "".join(c if c.isalnum() or c in "_.-/" else "_" for c in name).lstrip("_-/")
    return plain or "arg"


def _named_specs(argument: Any, name: str) -> Any:
    """The argument with specs, each named by the way to it: ``x/0``, ``x/1/key``."""
    return nest.map_structure_with_tuple_paths(lambda path, x: spec_of(x, "/".join((name, *map(str, path)))), argument)


def as_result(value: Any) -> Any:
    """What a function gives, as tensors that are there when its effects have happened."""
    if value is None or isinstance(value, CompositeTensor):
        return value
    if isinstance(value, Operation):
        return control.group(value)
    if hasattr(type(value), "_with_flow"):
        return value.identity()
    return arrays.identity(value if isinstance(value, TensorLike) else as_tensor(value))
