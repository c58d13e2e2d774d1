"""Functions of a graph, built from Python functions: ``Defun``.

A call adds one op whose type is the function's name; the body is a graph of its own, in the graph's library.
"""

from __future__ import annotations

import inspect
from collections import defaultdict
from collections.abc import Callable, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Any

from retrograd.grad.functions import gradient_of_call
from retrograd.graph.apply import build
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import OpDef
from retrograd.graph.dtypes import as_dtype, type_word
from retrograd.graph.functions import Body, FunctionGraph, GraphFunction, named_function
from retrograd.graph.graph import Graph, is_valid_op_name
from retrograd.graph.operation import Operation
from retrograd.graph.protos import attr_value
from retrograd.graph.shapes import TensorShape
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.ops import constants
from retrograd.state.function_bodies import body_of
from retrograd.state.resource import is_resource_variable
from retrograd.state.scopes import get_variable_scope, variable_scope
from retrograd.state.variable_store import default_variable_store


class Defun:
    """A decorator that makes a function of tensors a function of the graph.

    Args:
      *input_types: the dtypes of its arguments; without them there is one function for each combination
        of dtypes that it is called with.
      func_name: its name; by default the Python function's, with a hash of what it computes.
      grad_func: another such function, of the inputs and the outputs' gradients: the derivative.
      python_grad_func: or ``f(op, *dys)``, which builds the derivative of one call.
      out_names: the names of the outputs.
      shape_func: ``f(op)``: the shapes of the outputs of a call, which are unknown otherwise.
      capture_by_value: build again in the body what its tensors from outside follow from, instead of
        making them inputs; ``whitelisted_stateful_ops`` are the stateful ops for which that is right.
      capture_resource_var_by_value: let ``get_variable`` in the body give a variable's value.
      noinline, compiled, experimental_...: attributes of the definition.

    >>> from retrograd.graph import dtypes
    >>> @Defun(dtypes.float32, func_name="Cube")
    ... def cube(x):
    ...     return x * x * x
    >>> cube(2.0).op.type
    'Cube'
    """

    def __init__(self, *input_types: Any, **kwargs: Any) -> None:
        self._input_types = input_types
        self._settings = kwargs

    def __call__(self, func: Callable[..., Any]) -> _DefinedFunction | _OverloadedFunction:
        """The function of the graph; its body is built when it is first needed.

        Raises:
          ValueError: ``func`` has keywords or defaults, or not as many arguments as there are types.
        """
        if not callable(func):
            raise ValueError(f"function {func} must be callable")
        names, takes_more = _arguments_of(func)
        if self._input_types:
            count = len(self._input_types)
            if count < len(names) or (count > len(names) and not takes_more):
                raise ValueError("The function has fewer arguments than the number of specified input types.")
            return _DefinedFunction(func, names, self._input_types, **self._settings)
        if not names and not takes_more:
            return _DefinedFunction(func, [], [], **self._settings)
        return _OverloadedFunction(func, names, **self._settings)


def _arguments_of(func: Callable[..., Any]) -> tuple[list[str], bool]:
    """The names of the arguments, and whether there may be more."""
    spec = inspect.getfullargspec(func)
    if spec.varkw or spec.defaults or spec.kwonlyargs:
        raise ValueError(
            "function with argument defaults or keywords arguments are not supported. "
            f"{func} has defaults {spec.defaults} and keywords {spec.varkw}."
        )
    return spec.args[1:] if inspect.ismethod(func) else spec.args, spec.varargs is not None


def _name_of(func: Any) -> str:
    if inspect.ismethod(func):
        return f"{type(func.__self__).__name__}.{func.__func__.__name__}"
    return func.__name__ if inspect.isfunction(func) else str(type(func))


class _DefinedFunction:
    """A Python function as a function of the graph, for arguments of given dtypes."""

    def __init__(
        self,
        func: Callable[..., Any] | None,
        argnames: Sequence[str],
        input_types: Sequence[Any],
        func_name: str | None = None,
        grad_func: Any = None,
        python_grad_func: Callable[..., Any] | None = None,
        out_names: Sequence[str] | None = None,
        shape_func: Callable[[Operation], Any] | None = None,
        capture_by_value: bool = False,
        whitelisted_stateful_ops: Any = None,
        capture_resource_var_by_value: bool = True,
        **kwargs: Any,
    ) -> None:
        self._func = func
        self._func_name = func_name
        self._grad_func = grad_func
        self._python_grad_func = python_grad_func
        self._out_names = out_names or ()
        self._shape_func = shape_func
        self._by_value = capture_by_value
        self._whitelisted = whitelisted_stateful_ops or ()
        self._variables_by_value = capture_resource_var_by_value
        self._extra_kwargs = kwargs
        self._arg_types = input_types
        self._arg_names = [argnames[i] if i < len(argnames) else f"arg{i}" for i in range(len(input_types))]
        devices = default_graph()._scopes.devices
        self._caller_device = devices[-1] if devices else None
        self._extra_inputs: list[Tensor] = []
        self._made: GraphFunction | None = None

    @property
    def _function(self) -> GraphFunction:
        """The body and its definition, built at first use."""
        if self._made is None:
            self._made = self._build()
        return self._made

    def _build(self) -> GraphFunction:
        assert self._func is not None
        base_name = self._func_name or _name_of(self._func)
        if self._grad_func and not self._func_name:
            base_name += f"_{self._grad_func.name}"
        attrs = _attrs_of_keywords(base_name, self._extra_kwargs)
        graph = func_graph_from_py_func(
            self._func, self._arg_names, self._arg_types, self._func_name, self._by_value, self._caller_device,
            whitelisted_stateful_ops=self._whitelisted,
            capture_resource_var_by_value=self._variables_by_value,
        )  # fmt: skip
        self._extra_inputs = graph.extra_inputs
        return named_function(
            graph.body(), self._func_name, base_name, gradient_of_call, output_names=self._out_names,
            description=self._func.__doc__ or "", attrs=attrs, gradient_function=self._grad_func,
            python_gradient=self._python_grad_func,
        )  # fmt: skip

    @property
    def name(self) -> str:
        """The name in the graph's library."""
        return self._function.name

    @property
    def definition(self) -> Any:
        """The ``FunctionDef`` proto."""
        return self._function.definition

    @property
    def _signature(self) -> Any:
        return self._function.definition.signature

    @property
    def body(self) -> Body:
        """What a call computes."""
        return self._function.body

    @property
    def op_definition(self) -> OpDef:
        """The op type of a call."""
        return self._function.op_definition

    @property
    def gradient_function(self) -> Any:
        """The function that computes the derivative, if one was given."""
        return self._grad_func

    def set_grad_func(self, grad_func: _DefinedFunction) -> None:
        """Let ``grad_func`` compute the derivative, where none was given before."""
        assert not self._grad_func
        assert isinstance(grad_func, _DefinedFunction)
        self._grad_func = grad_func
        if self._made is not None:
            self._made.gradient_function = grad_func

    @property
    def grad_func_name(self) -> str | None:
        """The name of the function that computes the derivative."""
        return self._grad_func.name if self._grad_func else None

    @property
    def python_grad_func(self) -> Callable[..., Any] | None:
        """The function in Python that builds the derivative of a call."""
        return self._python_grad_func

    @property
    def declared_input_types(self) -> Sequence[Any]:
        """The dtypes of the arguments."""
        return self._arg_types

    @property
    def captured_inputs(self) -> list[Tensor]:
        """The tensors from outside that a call passes on after the arguments."""
        _ = self._function
        return self._extra_inputs

    @property
    def stateful_ops(self) -> list[tuple[str, str]]:
        """(name, type) of the ops of the body that are more than their outputs."""
        return [(op.name, op.type) for op in self.body.stateful_ops]

    def add_to_graph(self, g: Graph) -> None:
        """Let ops of ``g`` call it, and what it calls."""
        function = self._function
        g._add_function(self)
        function.add_others_to(g)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call it: the output, a tuple of them, or the op if there is none.

        The keywords ``name`` and ``noinline`` are the op's.

        Raises:
          ValueError: there are too few or too many arguments, or unknown keywords.
        """
        graph = default_graph()
        self.add_to_graph(graph)
        inputs = [as_tensor(x) for x in args] + self._extra_inputs
        op = self._called(graph, inputs, kwargs.pop("name", None), kwargs)
        if self._shape_func is not None:
            shapes = self._shape_func(op)
            if len(shapes) != len(op.outputs):
                raise ValueError(f"shape_func produced {len(shapes)} shapes for {len(op.outputs)} outputs")
            for tensor, shape in zip(op.outputs, shapes, strict=True):
                tensor.set_shape(shape)
        if not op.outputs:
            return op
        return op.outputs[0] if len(op.outputs) == 1 else tuple(op.outputs)

    def _called(self, graph: Graph, inputs: list[Tensor], name: str | None, keywords: dict[str, Any]) -> Operation:
        definition = self.op_definition
        if len(inputs) != len(definition.inputs):
            raise ValueError(f"Expected number of arguments: {len(definition.inputs)}, received: {len(inputs)}")
        attrs = {key: _plain(value) for key, value in _attrs_of_keywords(self.name, keywords).items()}
        name = name or self.name
        full = name[:-1] if name.endswith("/") else graph.unique_name(name)
        if not is_valid_op_name(full):
            error = ValueError(f"'{full}' is not a valid node name")
            error.add_note('  Fix:   Defun(..., func_name="...") names a function that has no name of its own')
            raise error
        for argument, tensor in zip(definition.inputs, inputs, strict=True):
            if argument.dtype is not tensor.dtype.base_dtype:
                raise self._wrong_type(argument, tensor, full)
        return build(graph, definition, full, tuple(graph.capture(t) for t in inputs), attrs)

    def _wrong_type(self, argument: Any, tensor: Tensor, name: str) -> ValueError:
        arguments = [
            ", ".join(f"{a.name}:{type_word(a.dtype)}" for a in arguments if a.dtype is not None)
            for arguments in (self.op_definition.inputs, self.op_definition.outputs)
        ]
        error = ValueError(
            f"Input '{argument.name}' passed {type_word(tensor.dtype.base_dtype)} expected "
            f"{type_word(argument.dtype)} while building NodeDef '{name}' using Op<name={self.name}; "
            f"signature={arguments[0]} -> {arguments[1]}>"
        )
        error.add_note(f"  Fix:   tf.cast(..., tf.{argument.dtype.name})")
        return error


class _OverloadedFunction:
    """A Python function as several functions of the graph, one for each combination of dtypes."""

    def __init__(
        self,
        func: Callable[..., Any],
        argnames: Sequence[str],
        func_name: str | None = None,
        grad_func: Any = None,
        python_grad_func: Callable[..., Any] | None = None,
        out_names: Sequence[str] | None = None,
        **kwargs: Any,
    ) -> None:
        assert grad_func is None or isinstance(grad_func, _OverloadedFunction)
        self._func = func
        self._argnames = argnames
        self._func_name = func_name
        self._grad_func = grad_func
        self._settings = {"python_grad_func": python_grad_func, "out_names": out_names, **kwargs}
        self._overload: dict[str, _DefinedFunction] = {}

    def instantiate(self, input_types: Sequence[Any]) -> _DefinedFunction:
        """The function for arguments of these dtypes.

        Raises:
          ValueError: functions cannot have arguments of such a dtype.
        """
        key = _letters_of(input_types)
        defined = self._overload.get(key)
        if defined is None:
            name = None if self._func_name is None else f"{self._func_name}_{key}"
            defined = _DefinedFunction(self._func, self._argnames, input_types, name, **self._settings)
            if self._grad_func is not None:
                outputs = [as_dtype(a.type) for a in defined.definition.signature.output_arg]
                defined.set_grad_func(self._grad_func.instantiate([*input_types, *outputs]))
            self._overload[key] = defined
        return defined

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function for these arguments."""
        tensors = [as_tensor(x) for x in args]
        return self.instantiate([t.dtype for t in tensors])(*tensors, **kwargs)


_LETTERS = {
    "float16": "f16", "float32": "f32", "float64": "f64", "int32": "i32", "uint8": "i8", "uint16": "u16",
    "uint32": "u32", "uint64": "u64", "int16": "i16", "int8": "i8", "string": "s", "complex64": "c64",
    "complex128": "c128", "int64": "i64", "bool": "b", "qint8": "qi8", "quint8": "qu8", "qint16": "qi16",
    "quint16": "qu16", "qint32": "qi32", "bfloat16": "b16",
}  # fmt: skip


def _letters_of(types: Sequence[Any]) -> str:
    names = [as_dtype(t).name for t in types]
    if any(n not in _LETTERS for n in names):
        raise ValueError(f"Unsupported dtypes: {types}")
    return "".join(_LETTERS[n] for n in names)


# -- building a body ---------------------------------------------------------------------------


def func_graph_from_py_func(
    func: Callable[..., Any],
    arg_names: Sequence[str],
    arg_types: Sequence[Any],
    name: str | None = None,
    capture_by_value: bool = False,
    device: Any = None,
    colocation_stack: Any = None,
    container: str | None = None,
    collections_ref: Any = None,
    arg_shapes: Sequence[Any] | None = None,
    whitelisted_stateful_ops: Any = None,
    capture_resource_var_by_value: bool = True,
) -> FunctionGraph:
    """The graph that ``func`` builds, from placeholders of ``arg_types``.

    Variables that it gets by name are those of the graph outside, in the scope of the first call.

    Raises:
      ValueError: it returns None among other values.
    """
    name = name or _name_of(func)
    graph = FunctionGraph(name, capture_by_value, whitelisted_stateful_ops or ())
    graph.notes["variable store"] = default_variable_store()
    graph.share_variables()
    getter = _variables_of(graph, get_variable_scope(), capture_resource_var_by_value)
    shapes = arg_shapes or [None] * len(arg_types)
    with graph.as_default(), graph.device(device):
        for arg_name, arg_type, shape in zip(arg_names, arg_types, shapes, strict=False):
            graph.inputs.append(constants.placeholder(arg_type, TensorShape(shape), name=arg_name))
        with variable_scope("", custom_getter=getter):
            results = func(*graph.inputs)
        graph.outputs = [graph.capture(as_tensor(t)) for t in _listed(results, name)]
    return graph


def _listed(results: Any, name: str) -> list[Any]:
    if results is None:
        return []
    listed = list(results) if isinstance(results, list | tuple) else [results]
    if any(r is None for r in listed):
        raise ValueError(f"Function {name} can not return None.")
    return listed


def _variables_of(graph: FunctionGraph, scope: Any, by_value: bool) -> Callable[..., Any]:
    """The custom getter of a body: variables live outside of it, in ``scope``."""

    def outside(getter: Any, name: str, **kwargs: Any) -> Any:
        passed_on = ("shape", "dtype", "initializer", "reuse", "trainable", "collections", "use_resource")
        with graph.outer_graph.as_default():
            variable = scope.get_variable(
                default_variable_store(), name, **{k: kwargs[k] for k in passed_on if k in kwargs}
            )
            graph.extra_vars.append(variable)
            return variable.value() if is_resource_variable(variable) and by_value else variable

    return outside


def _attrs_of_keywords(func_name: str, keywords: dict[str, Any]) -> dict[str, Any]:
    """The attributes, as ``AttrValue`` protos, that keywords of ``Defun`` or of a call stand for."""
    rest = dict(keywords)
    attrs: dict[str, Any] = {"_disable_call_shape_inference": attr_value(True)}
    noinline = rest.pop("noinline", None)
    if noinline is not None:
        attrs["_noinline"] = attr_value(bool(noinline))
    compiled, separate = rest.pop("compiled", None), rest.pop("separate_compiled_gradients", None)
    if compiled is not None:
        scope = default_graph()._scopes.attrs.get("_XlaScope", f"function_{func_name}".encode())
        attrs["_XlaCompile"] = attr_value(bool(compiled))
        attrs["_XlaSeparateCompiledGradients"] = attr_value(bool(separate))
        attrs["_XlaScope"] = scope if hasattr(scope, "WhichOneof") else attr_value(scope)
    for key in [k for k in rest if k.startswith("experimental_") or k in ("_implements", "_reference")]:
        value = rest.pop(key)
        kinds = (bool, int, float, str) if key.startswith("experimental_") else (str,)
        if not isinstance(value, kinds):
            raise ValueError(f"Unsupported attribute type for {key} with type {type(value)}")
        attrs[key] = attr_value(value)
    if rest:
        raise ValueError(f"Unknown keyword arguments: {rest.keys()}")
    return attrs


def _plain(proto: Any) -> Any:
    return getattr(proto, proto.WhichOneof("value"))


# -- from protos -------------------------------------------------------------------------------


def _from_definition(fdef: Any, grad_func: _DefinedFunction | None = None) -> _DefinedFunction:
    """The function that a ``FunctionDef`` describes; ``grad_func`` computes its derivative."""
    signature = fdef.signature
    types = tuple(as_dtype(a.type) for a in signature.input_arg)
    names = [a.name for a in signature.input_arg]
    outputs = [a.name for a in signature.output_arg]
    function = _DefinedFunction(None, names, types, signature.name, grad_func, None, outputs)
    library = default_graph()
    function._made = GraphFunction(fdef, lambda: body_of(fdef, library), gradient_of_call, grad_func)
    return function


_DEEPEST = 64  # calls of functions in functions; their plans are made by Python functions that call each other


def _check_calls(definitions: dict[str, Any]) -> None:
    """Raises ``ValueError`` if a function calls itself, or calls go too deep."""
    calls: dict[str, set[str]] = {}
    for name, definition in definitions.items():
        named = {node.op for node in definition.node_def}
        for attr in (value for node in definition.node_def for value in node.attr.values()):
            named.update(func.name for func in (attr.func, *attr.list.func))
        calls[name] = named & definitions.keys()
    depths: dict[str, int] = {}
    try:
        for name in TopologicalSorter(calls).static_order():
            depths[name] = 1 + max((depths[other] for other in calls[name]), default=0)
    except CycleError as error:
        raise ValueError(f"Function {error.args[1][0]} calls itself") from None
    deepest = max(depths, key=depths.__getitem__, default=None)
    if deepest is not None and depths[deepest] > _DEEPEST:
        raise ValueError(f"Function {deepest} calls functions in functions, {depths[deepest]} deep; {_DEEPEST} may be")


def from_library(lib: Any) -> list[_DefinedFunction]:
    """The functions of a ``FunctionDefLibrary``, each with its gradient function.

    Raises:
      ValueError: a function is missing or calls itself, or gradient functions go round in a circle.
    """
    if not lib.function and not lib.gradient:
        return []
    definitions = {f.signature.name: f for f in lib.function}
    _check_calls(definitions)
    gradient_names: dict[str, str] = {}
    with_gradient: dict[str, list[str]] = defaultdict(list)
    for pair in lib.gradient:
        for name in (pair.function_name, pair.gradient_func):
            if name not in definitions:
                raise ValueError(f"FunctionDefLibrary missing '{name}' FunctionDef\n{lib}")
        gradient_names[pair.function_name] = pair.gradient_func
        with_gradient[pair.gradient_func].append(pair.function_name)
    ready = [name for name in definitions if name not in gradient_names]
    if not ready:
        raise ValueError(f"FunctionDefLibrary contains cyclic gradient functions!\n{lib}")
    made: dict[str, _DefinedFunction] = {}
    while ready:
        name = ready.pop()
        made[name] = _from_definition(definitions[name], made.get(gradient_names.get(name, "")))
        ready += with_gradient[name]
    return list(made.values())
