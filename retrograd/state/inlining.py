"""``tf.function``: while a graph is built, the function's ops are built where it is called."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.autograph.converting import conversion, converted
from retrograd.autograph.options import ConversionOptions, features
from retrograd.autograph.ordering import in_turn
from retrograd.graph import nest
from retrograd.graph.composite import CompositeTensor
from retrograd.graph.convert import as_tensor
from retrograd.graph.dtypes import as_dtype
from retrograd.graph.graph import Graph
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.specs import TensorSpec
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import TensorLike
from retrograd.ops import arrays, control
from retrograd.state.defun import Defun
from retrograd.state.tracing import Traces


class Function:
    """A Python function whose effects happen in the order in which it builds them, before its results are there.

    Every call builds its ops anew, in the current graph, where ``if`` and ``while`` over tensors become ops too.
    """

    def __init__(
        self,
        python_function: Callable[..., Any],
        name: str | None = None,
        input_signature: Any = None,
        conversion: ConversionOptions | None = None,
    ) -> None:
        """``conversion`` says how Python's statements over tensors become ops; None: they do not."""
        self.python_function = python_function
        self.input_signature = input_signature
        self._conversion = conversion
        self._name = name or getattr(python_function, "__name__", "function").strip("<>")
        functools.update_wrapper(self, python_function)

    def __get__(self, instance: Any, owner: Any) -> Any:
        """The function of a class as a method of ``instance``."""
        return self if instance is None else functools.partial(self, instance)

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The function, which ops may name too; it has no variants by the shapes of its arguments."""
        return ConcreteFunction(self, args or self.input_signature or (), kwargs)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """What the function gives, as tensors; an op that runs it if it gives nothing.

        Raises:
          ValueError: the arguments are not those of the signature.
        """
        if self.input_signature is not None:
            args = self._as_signed(args)
        args, kwargs = nest.map_structure(_as_argument, (args, kwargs))
        if default_graph().is_eager:
            return self._traces(args, kwargs)
        return self._built(args, kwargs)

    @functools.cached_property
    def _traces(self) -> Traces:
        return Traces(self._built, self.python_function, self._name.lstrip("_"))

    @property
    def _builder(self) -> Callable[..., Any]:
        """The function as it is called while a graph is built."""
        function = self.python_function
        if self._conversion is not None:
            function = converted(function, self._conversion)

        def built(*args: Any, **kwargs: Any) -> Any:
            with conversion(self._conversion is not None):
                return function(*args, **kwargs)

        return built

    def _built(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        graph = default_graph()
        with name_scope(f"{self._name.lstrip('_')}_call"):
            first = graph.version
            result = self._builder(*args, **kwargs)
            effects = in_turn(graph.get_operations()[first:], graph._scopes.context)
            if result is None:
                return control.group(*effects) if effects else None
            with control_dependencies(effects):
                return nest.map_structure(_as_result, result)

    def _as_signed(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        flat, specs = nest.flatten(args), nest.flatten(self.input_signature)
        if len(flat) != len(specs):
            raise ValueError("Structure of Python function inputs does not match input_signature.")
        tensors = []
        for value, spec in zip(flat, specs, strict=True):
            tensor = as_tensor(value, spec.dtype) if isinstance(spec, TensorSpec) else value
            if not spec.is_compatible_with(tensor):
                raise ValueError(
                    "Python inputs incompatible with input_signature:\n"
                    f"  inputs: ({value})\n  input_signature: ({spec})"
                )
            tensors.append(tensor)
        return tuple(nest.pack_sequence_as(args, tensors))


class ConcreteFunction(Function):
    """A function as it is for arguments like these: an op may name it, as it names a ``Defun``."""

    def __init__(self, function: Function, args: Any, kwargs: dict[str, Any]) -> None:
        super().__init__(function.python_function, function._name, function.input_signature, function._conversion)
        self._arguments = args, kwargs

    @functools.cached_property
    def _defined(self) -> Any:
        given = nest.flatten(self._arguments)
        types = [
            as_dtype(x.dtype).base_dtype for x in given if hasattr(x, "dtype")
        ]  # Python's values stay what they are

        def called(*tensors: Any) -> Any:
            left = iter(tensors)
            flat = [next(left) if hasattr(x, "dtype") else x for x in given]
            for tensor, x in zip(flat, given, strict=True):
                if hasattr(x, "dtype") and hasattr(x, "shape"):
                    tensor.set_shape(x.shape)
            args, kwargs = nest.pack_sequence_as(self._arguments, flat)
            result = self._result = self._builder(*args, **kwargs)
            return None if result is None else nest.flatten(result)

        called.__name__ = self._name
        return Defun(*types)(called)

    @property
    def name(self) -> str:
        """The name in the graph's library."""
        name: str = self._defined.name
        return name

    @property
    def output_shapes(self) -> Any:
        """The static shapes of what it gives, in the same structure."""
        self._defined.add_to_graph(Graph())  # builds it
        return nest.map_structure(lambda x: as_tensor(x).shape if x is not None else None, self._result)

    @property
    def captured_inputs(self) -> list[Any]:
        """The tensors from outside that a call passes on after the arguments."""
        captured: list[Any] = self._defined.captured_inputs
        return captured

    def add_to_graph(self, g: Any) -> None:
        """Let ops of ``g`` name it."""
        self._defined.add_to_graph(g)


def _as_argument(value: Any) -> Any:
    return as_tensor(value) if isinstance(value, np.ndarray | np.generic) else value


def _as_result(value: Any) -> Any:
    if value is None or isinstance(value, CompositeTensor):
        return value
    if isinstance(value, Operation):
        return control.group(value)
    if hasattr(type(value), "_with_flow"):
        return value.identity()
    return arrays.identity(value if isinstance(value, TensorLike) else as_tensor(value))


def function(
    func: Callable[..., Any] | None = None,
    input_signature: Any = None,
    autograph: bool = True,
    experimental_autograph_options: Any = None,
    experimental_relax_shapes: bool = False,
    experimental_compile: bool | None = None,
) -> Any:
    """``func`` with effects that happen in the order of its lines; also a decorator with arguments.

    Args:
      input_signature: the ``TensorSpec``s that arguments must fit.
      autograph: whether ``if``, ``while`` and the like over tensors become ops; otherwise they are errors.
      experimental_autograph_options: what else becomes ops, of ``tf.autograph.experimental.Feature``.
      experimental_relax_shapes, experimental_compile: taken and not needed: nothing is traced per shape.
    """
    if func is None:
        return functools.partial(
            function,
            input_signature=input_signature,
            autograph=autograph,
            experimental_autograph_options=experimental_autograph_options,
        )
    options = ConversionOptions(optional_features=features(experimental_autograph_options)) if autograph else None
    return Function(func, input_signature=input_signature, conversion=options)


def defun(
    func: Callable[..., Any] | None = None,
    input_signature: Any = None,
    autograph: bool = True,
    experimental_autograph_options: Any = None,
    experimental_relax_shapes: bool = False,
) -> Any:
    """The older name of ``function``."""
    return function(func, input_signature, autograph, experimental_autograph_options)
