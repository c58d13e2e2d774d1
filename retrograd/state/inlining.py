"""``tf.function``: in a graph an op that calls the function, which is traced once for each kind of arguments."""

from __future__ import annotations

import contextlib
import functools
import inspect
import types
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from retrograd.autograph.converting import conversion, converted_anyhow
from retrograd.autograph.options import ConversionOptions, features
from retrograd.autograph.ordering import in_turn
from retrograd.eager.lifted import BesideEager
from retrograd.graph import nest
from retrograd.graph.convert import as_tensor
from retrograd.graph.graph import Graph
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.specs import TensorSpec
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import TensorLike
from retrograd.ops import control
from retrograd.state.concrete import ConcreteFunction, as_result, built
from retrograd.state.function_specs import FunctionSpec, as_argument, checked_signature, kind_of, names_in, spec_of
from retrograd.state.lifting import LiftedVariable
from retrograd.state.partitioned_calls import has_derivative_apart
from retrograd.state.tracing import Traces, nesting
from retrograd.state.variables import VariableV2, variable_creator_scope

_KINDS = 256  # of arguments that are remembered


class Function:
    """A Python function whose effects happen in the order in which it builds them, before its results are there.

    ``if`` and ``while`` over tensors become ops too.  Beside eager execution, and of a function that does something
    in a branch or a loop, its ops are built anew where it is called.
    """

    def __init__(
        self,
        python_function: Callable[..., Any],
        name: str | None = None,
        input_signature: Any = None,
        conversion: ConversionOptions | None = None,
        makes_variables_once: bool = False,
    ) -> None:
        """``conversion`` says how Python's statements over tensors become ops; None: they do not.

        With ``makes_variables_once`` a call that makes variables is an error unless it is the first.
        """
        self.python_function = python_function
        self.input_signature = checked_signature(input_signature)
        self._conversion, self._makes_variables_once = conversion, makes_variables_once
        self._name = name or getattr(python_function, "__name__", "function").strip("<>")
        self._known = _Known()
        self._instances: weakref.WeakKeyDictionary[Any, _Known] = weakref.WeakKeyDictionary()
        self._knows_all_instances = True
        functools.update_wrapper(self, python_function)

    def __get__(self, instance: Any, owner: Any) -> Any:
        """The function of a class as a method of ``instance``."""
        return self if instance is None else BoundFunction(self, instance)

    def _known_of(self, instance: Any) -> _Known:
        try:
            return self._instances.setdefault(instance, _Known())
        except TypeError:  # it has no hash, or nothing can refer to it weakly
            self._knows_all_instances = False
            return _Known()

    def _known_of_call(self, args: tuple[Any, ...]) -> _Known | None:
        """What is known of the instance that is the first argument, else of the function."""
        if not self._knows_all_instances:
            return None
        try:
            return self._instances.get(args[0], self._known) if args and self._instances else self._known
        except TypeError:
            return self._known

    # -- concrete functions --------------------------------------------------------------------

    @functools.cached_property
    def function_spec(self) -> FunctionSpec:
        """How arguments are put in order."""
        return FunctionSpec.from_function_and_signature(self.python_function, self.input_signature)

    _function_spec = property(lambda self: self.function_spec)

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The function for arguments of one kind, given by tensors, by specs, or by what Python passes on.

        Raises:
          TypeError: an argument is missing or too much.
          ValueError: the arguments are not those of the signature.
        """
        if self.input_signature is not None and not args and not kwargs:
            args = tuple(self.input_signature)
        return self._concrete(*self.function_spec.canonicalize_function_inputs(*args, **kwargs))

    def _concrete(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> ConcreteFunction:
        if self.input_signature is not None:
            args = self.input_signature
        graph = default_graph()
        key = graph.is_eager or id(graph), kind_of(args), kind_of(kwargs), names_in((args, kwargs))
        if not graph.is_eager and not isinstance(graph, BesideEager):
            self._known.concrete[key], _ = self._traced_in_graph(args, kwargs)
        elif key not in self._known.concrete:
            names = self.function_spec.names_of(args)
            self._known.concrete[key] = built(self._whole, self._name.lstrip("_") or "function", args, kwargs, names)
        return self._known.concrete[key]

    def _list_all_concrete_functions_for_serialization(self) -> list[ConcreteFunction]:
        """The concrete functions for all that the function was called with, and for its signature."""
        if self.input_signature is not None:
            self.get_concrete_function()
        for args, kwargs in list(self._known.arguments.values()):
            self._concrete(args, kwargs)
        return list(self._known.concrete.values())

    def _note(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Remember the kind of arguments of a call."""
        if self.input_signature is not None or len(self._known.arguments) >= _KINDS:
            return
        try:
            given = kind_of(args), kind_of(kwargs)
            if given in self._known.calls:
                return
            args, kwargs = self.function_spec.canonicalize_function_inputs(*args, **kwargs)
            self._known.arguments.setdefault(
                (kind_of(args), kind_of(kwargs)), nest.map_structure(spec_of, (args, kwargs))
            )
            self._known.calls.add(given)
        except TypeError:  # the call itself says what is wrong
            return

    # -- calls ---------------------------------------------------------------------------------

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """What the function gives, as tensors; an op that runs it if it gives nothing.

        Raises:
          ValueError: the arguments are not those of the signature.
        """
        self._note(args, kwargs)
        if self.input_signature is not None:
            args, kwargs = self.function_spec.canonicalize_function_inputs(*args, **kwargs)
        return self._call(args, kwargs)

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        args, kwargs = nest.map_structure(as_argument, (args, kwargs))
        graph = default_graph()
        if not graph.is_eager and not isinstance(graph, BesideEager):
            return self._called_in_graph(args, kwargs)
        result = self._traces(args, kwargs) if graph.is_eager else self._built(args, kwargs)
        known = self._known_of_call(args)
        if known is not None and not known.is_settled:
            known.is_settled = True
            if known.makes_variables:  # what made them is not to be run again
                self._traces.forget()
        return result

    # -- calls in graphs -----------------------------------------------------------------------

    def _called_in_graph(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What the op gives that calls the function."""
        try:
            own_args, own_kwargs = self.function_spec.canonicalize_function_inputs(*args, **kwargs)
        except TypeError:  # Python's own call says what is wrong
            return self._built(args, kwargs)
        traced, is_called = self._traced_in_graph(own_args, own_kwargs)
        if not is_called:
            return self._built(args, kwargs)
        result = traced._filtered_call(own_args, own_kwargs)
        gives_nothing = isinstance(result, Operation) and traced.output_specs is not None
        return traced.output_specs if gives_nothing else result

    def _traced_in_graph(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[ConcreteFunction, bool]:
        """The function for arguments like these in the current graph, and whether an op may call it."""
        if self.input_signature is not None:
            args = tuple(self.input_signature)
        traces = default_graph().notes.setdefault("traced functions", {})
        key = self._known, kind_of(args), kind_of(kwargs), names_in((args, kwargs))
        if key not in traces:
            objects = [x for x in nest.flatten((args, kwargs)) if not isinstance(x, TensorLike)]
            traces[key] = *self._newly_traced(args, kwargs), objects  # whose places no others are to take
        made, is_called, _ = traces[key]
        return made, is_called

    def _newly_traced(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[ConcreteFunction, bool]:
        def traced() -> ConcreteFunction:
            with variable_creator_scope(known.lifter) if self._makes_variables_once else contextlib.nullcontext():
                names = self.function_spec.names_of(args)
                return built(self._checked, self._name.lstrip("_") or "function", args, kwargs, names)

        known = self._known
        made = traced()
        is_first, known.is_settled = not known.is_settled, True
        if is_first and known.makes_variables:
            built(lambda: None, "initialize_variables", (), {}, [])._filtered_call((), {})
            made = traced()
        leaves = nest.flatten(made.output_specs, expand_composites=True)
        is_plain = all(x is None or isinstance(x, TensorSpec) for x in leaves)
        return made, is_plain and has_derivative_apart(made.body)

    def _checked(self, *args: Any, **kwargs: Any) -> Any:
        """What the function gives, while it is traced into a graph.

        Raises:
          TypeError: that is no tensor, nor can it be one.
          ValueError: it changes the structure of its arguments.
        """
        result = _unchanged(self._whole, args, kwargs)
        for x in nest.flatten(result, expand_composites=True):
            if isinstance(x, Operation) or not (hasattr(type(x), "_with_flow") or _is_tensor(x)):
                raise TypeError(
                    "To be compatible with tf.contrib.eager.defun, Python functions must return zero or more Tensors; "
                    f"in compilation of {self.python_function}, found return value of type {type(x)}, which is not a "
                    "Tensor."
                )
        return result

    # -- calls where ops run at once -----------------------------------------------------------

    @functools.cached_property
    def _traces(self) -> Traces:
        return Traces(self._built, self._called, self._name.lstrip("_"), self.input_signature)

    def _called(self, *args: Any, **kwargs: Any) -> Any:
        """What Python's own call gives, as tensors."""
        return nest.map_structure(_as_eager_result, self._ran(self.python_function, args, kwargs))

    def _ran(self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What a call gives that leaves its arguments as they are, and makes no variables unless it is the first.

        Raises:
          ValueError: it does something else.
        """
        known = self._known_of_call(args) if self._makes_variables_once else None
        with variable_creator_scope(known.creator) if known is not None else contextlib.nullcontext():
            return _unchanged(function, args, kwargs)

    @property
    def _whole(self) -> Callable[..., Any]:
        """The function of all the arguments that ``function_spec`` knows, as it is called while a graph is built."""
        return self._builder

    @property
    def _builder(self) -> Callable[..., Any]:
        """The function as it is called while a graph is built."""
        function = self.python_function
        if self._conversion is not None:
            function = converted_anyhow(function, self._conversion)

        def built(*args: Any, **kwargs: Any) -> Any:
            with conversion(self._conversion is not None):
                return function(*args, **kwargs)

        return built

    def _built(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        graph = default_graph()
        with name_scope(f"{self._name.lstrip('_')}_call"):
            first = graph.version
            with _names_of_its_own(graph):
                result = self._ran(self._builder, args, kwargs)
            effects = in_turn(graph.get_operations()[first:], graph._scopes.context)
            if result is None:
                return control.group(*effects)
            with control_dependencies(effects):
                return nest.map_structure(as_result, result)


def _unchanged(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What a call gives that leaves its arguments as they are.

    Raises:
      ValueError: it does not.
    """
    shape, before = nesting((args, kwargs)), nest.flatten((args, kwargs))
    result = function(*args, **kwargs)
    after = nest.flatten((args, kwargs))
    if nesting((args, kwargs)) != shape or any(x is not y for x, y in zip(before, after, strict=True)):
        raise ValueError(
            "Function to be traced should not modify structure of input arguments. Check if your function has "
            "list and dictionary operations that alter input arguments, such as `list.pop`, `list.append`"
        )
    return result


def _is_tensor(x: Any) -> bool:
    """Whether it is a tensor, None, or what can be made one."""
    try:
        return x is None or as_tensor(x) is not None
    except (TypeError, ValueError):
        return False


@contextlib.contextmanager
def _names_of_its_own(graph: Graph) -> Iterator[None]:
    """Let the names of variables that are made in the block begin at the current scope."""
    scopes = graph._scopes
    around, scopes.called = scopes.called, scopes.name
    try:
        yield
    finally:
        scopes.called = around


def _as_eager_result(x: Any) -> Any:
    """A result of Python's own call; what is no object of its own is a tensor."""
    if isinstance(x, bool | int | float | complex | str | bytes | np.ndarray | np.generic | VariableV2):
        return as_tensor(x)
    return None if isinstance(x, Operation) else x


class _Known:
    """The kinds of arguments with which a function was called, and its concrete functions."""

    def __init__(self) -> None:
        self.arguments: dict[Any, tuple[Any, dict[str, Any]]] = {}
        self.calls: set[Any] = set()  # the kinds of arguments as they were given, without defaults and by any names
        self.concrete: dict[Any, ConcreteFunction] = {}
        self.is_settled = self.makes_variables = False  # whether a call has ended, and whether the first made variables

    def creator(self, next_creator: Callable[..., Any], **kwargs: Any) -> Any:
        """A new variable.

        Raises:
          ValueError: a call has ended before.
        """
        self._check_first()
        return next_creator(**kwargs)

    def lifter(self, next_creator: Callable[..., Any], **kwargs: Any) -> Any:
        """The same in the graph around the one that is being built."""
        self._check_first()
        if kwargs.get("variable_def") is not None:
            return next_creator(**kwargs)
        return LiftedVariable(**{key: value for key, value in kwargs.items() if key in _OF_LIFTED})

    def _check_first(self) -> None:
        if not self.is_settled:
            self.makes_variables = True
        elif self.makes_variables:
            raise ValueError("tf.function-decorated function tried to create variables on non-first call.")
        else:
            raise ValueError("Creating variables on a non-first call to a function decorated with tf.function.")


_OF_LIFTED = frozenset(inspect.signature(LiftedVariable.__init__).parameters)


class BoundFunction(Function):
    """The function of a class as a method of an instance; what is known of it belongs to the two."""

    def __init__(self, function: Function, instance: Any) -> None:
        self.__wrapped__ = types.MethodType(function.python_function, instance)
        self.__name__ = function._name
        self.python_function = self.__wrapped__
        self.input_signature = function.input_signature
        self._name, self._conversion = function._name, function._conversion
        self._function, self._instance = function, instance
        self._known = function._known_of(instance)
        self._makes_variables_once = function._makes_variables_once

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        graph = default_graph()
        if not graph.is_eager and not isinstance(graph, BesideEager):
            return self._called_in_graph(args, kwargs)
        return self._function._call((self._instance, *args), kwargs)

    def _built(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return self._function._built((self._instance, *args), kwargs)

    def __eq__(self, other: object) -> bool:
        """Whether it is the same function of the same instance."""
        if not isinstance(other, BoundFunction):
            return False
        return other._function is self._function and other._instance is self._instance

    def __hash__(self) -> int:
        return hash((id(self._function), id(self._instance)))

    @functools.cached_property
    def function_spec(self) -> FunctionSpec:
        """How arguments are put in order."""
        function = self._function.python_function
        return FunctionSpec.from_function_and_signature(function, self.input_signature, is_method=True)

    @property
    def _whole(self) -> Callable[..., Any]:
        builder = self._function._builder
        return functools.partial(builder, self._instance)


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
        return functools.partial(function, **_settings(input_signature, autograph, experimental_autograph_options))
    options = ConversionOptions(optional_features=features(experimental_autograph_options)) if autograph else None
    return Function(func, input_signature=input_signature, conversion=options, makes_variables_once=True)


def defun(
    func: Callable[..., Any] | None = None,
    input_signature: Any = None,
    autograph: bool = True,
    experimental_autograph_options: Any = None,
    experimental_relax_shapes: bool = False,
) -> Any:
    """``function``, every call of which may make variables."""
    settings = _settings(input_signature, autograph, experimental_autograph_options)
    if func is None:
        return functools.partial(defun, **settings)
    made = function(func, **settings)
    made._makes_variables_once = False
    return made


def _settings(input_signature: Any, autograph: bool, experimental_autograph_options: Any) -> dict[str, Any]:
    return {
        "input_signature": input_signature,
        "autograph": autograph,
        "experimental_autograph_options": experimental_autograph_options,
    }
