"""Functions converted: found, rewritten, compiled in their place, and bound to the variables of the original."""

from __future__ import annotations

import ast
import functools
import inspect
import sysconfig
import types
import unittest
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from types import CellType, CodeType, FunctionType, MethodType, SimpleNamespace
from typing import Any

from retrograd.autograph import operators
from retrograd.autograph.builtins import OVERLOADS
from retrograd.autograph.finding import Unconvertible, definition_of
from retrograd.autograph.options import STANDARD, ConversionOptions, Feature, features
from retrograd.autograph.ordering import with_effects_in_turn
from retrograd.autograph.rewriting import OPERATORS, Mangled, Rewriter
from retrograd.graph.modes import statements_become_ops
from retrograd.graph.scopes import name_scope

_LIBRARIES = frozenset({"tensorflow", "retrograd", "numpy", "jax", "tensorflow_probability", "mock"})
_AS_IT_IS = (str(Path(sysconfig.get_paths()["stdlib"])), str(Path(__file__).parents[1]))
_MARK = "__ag_compiled"

_made: dict[int, CodeType] = {}  # the code of converted functions
_factories: dict[tuple[CodeType, ConversionOptions], CodeType | Unconvertible] = {}


class AutoGraphError(Exception):
    """What goes wrong in AutoGraph."""


class ConversionError(AutoGraphError):
    """A function cannot be converted."""


class StagingError(AutoGraphError):
    """A converted function fails."""


# -- what is converted ----------------------------------------------------------------------------


def converted(function: Any, options: ConversionOptions = STANDARD) -> Any:
    """``function`` converted, if it is to be and can be; otherwise itself."""
    if statements_become_ops.get() is False:
        return function
    return _called(function, options)


def converted_anyhow(function: Any, options: ConversionOptions) -> Any:
    """The same of a function that asks for it by itself, whatever is said of those that are handed to others."""
    return _called(function, options)


def _called(function: Any, options: ConversionOptions) -> Any:
    """What a converted function calls in the place of ``function``."""
    if isinstance(function, type) or hasattr(function, _MARK):
        return OVERLOADS.get(function, function) if isinstance(function, type) else function
    if isinstance(function, types.BuiltinFunctionType):
        return OVERLOADS.get(function, function)
    if isinstance(function, functools.partial):
        inner = _called(function.func, options)
        if inner is function.func:
            return function
        return functools.partial(inner, *function.args, **function.keywords)
    if isinstance(function, FunctionType | MethodType):
        return _bound(function, options)
    call = getattr(type(function), "__call__", None)  # noqa: B004
    if isinstance(call, FunctionType):
        method = _bound(MethodType(call, function), options)
        return function if getattr(method, "__func__", None) is call else method
    return function


def _bound(function: FunctionType | MethodType, options: ConversionOptions) -> Any:
    plain = function.__func__ if isinstance(function, MethodType) else function
    if not isinstance(plain, FunctionType) or hasattr(plain, _MARK):
        return function
    if not options.recursive and not options.user_requested:
        return function
    if not options.user_requested and not _is_of_the_program(function, plain):
        return function
    try:
        made = _converted(plain, options)
    except Unconvertible:
        return function
    return MethodType(made, function.__self__) if isinstance(function, MethodType) else made


def _is_of_the_program(function: Any, plain: FunctionType) -> bool:
    """Whether it belongs to no library that never needs converting."""
    if (getattr(function, "__module__", None) or "").partition(".")[0] in _LIBRARIES:
        return False
    if plain.__code__.co_filename.startswith(_AS_IT_IS) and "site-packages" not in plain.__code__.co_filename:
        return False
    return not (isinstance(function, MethodType) and isinstance(function.__self__, unittest.TestCase))


# -- one function ---------------------------------------------------------------------------------


def _converted(function: FunctionType, options: ConversionOptions) -> Callable[..., Any]:
    """The function with rewritten code, in the same globals and closure.

    Raises:
      Unconvertible: there is no source, it is a generator, or it looks at its frame.
    """
    code = function.__code__
    if id(code) in _made:
        return function
    inner = _factories.get((code, options))
    if inner is None:
        try:
            inner = _compiled(function, options)
        except (Unconvertible, SyntaxError) as error:
            inner = Unconvertible(str(error))
        _factories[code, options] = inner
    if isinstance(inner, Unconvertible):
        raise inner
    cells = dict(zip(code.co_freevars, function.__closure__ or (), strict=True))
    cells[OPERATORS] = CellType(_operators(options))
    closure = tuple(cells[name] for name in inner.co_freevars)
    made = FunctionType(inner, function.__globals__, function.__name__, function.__defaults__, closure)
    made.__kwdefaults__ = function.__kwdefaults__
    made.__annotations__ = function.__annotations__
    made.__qualname__, made.__module__, made.__doc__ = function.__qualname__, function.__module__, function.__doc__
    made.__dict__.update(function.__dict__)
    return with_effects_in_turn(made) if options.uses(Feature.AUTO_CONTROL_DEPS) else made


def _tree(function: FunctionType, options: ConversionOptions) -> ast.Module:
    """A module with one function, whose parameters stand for the closure and whose body is the converted one."""
    if function.__code__.co_flags & (inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR):
        raise Unconvertible("it is a generator or a coroutine")
    node, owner = definition_of(function)
    if owner is not None:
        Mangled(owner).visit(node)
    if isinstance(node, ast.FunctionDef):
        node.decorator_list, node.returns = [], None
        node.args.defaults, node.args.kw_defaults = [], [None] * len(node.args.kwonlyargs)
        for each in ast.walk(node.args):
            if isinstance(each, ast.arg):
                each.annotation = None
    else:
        node.args.defaults, node.args.kw_defaults = [], [None] * len(node.args.kwonlyargs)
    made = Rewriter(options).rewritten(node)
    arguments = [ast.arg(name) for name in (OPERATORS, *function.__code__.co_freevars)]
    body: list[ast.stmt] = [made] if isinstance(made, ast.FunctionDef) else []
    body.append(ast.Return(ast.Name(made.name, ast.Load()) if isinstance(made, ast.FunctionDef) else made))
    factory = ast.parse("def made(): pass").body[0]
    assert isinstance(factory, ast.FunctionDef)
    factory.args.args, factory.body = arguments, body
    ast.copy_location(factory, node)
    ast.copy_location(body[-1], node)
    return ast.fix_missing_locations(ast.Module([factory], []))


def _compiled(function: FunctionType, options: ConversionOptions) -> CodeType:
    flags = function.__code__.co_flags & ast_flags()
    tree = _tree(function, options)
    body = tree.body[0].body  # type: ignore[attr-defined]
    if isinstance(body[0], ast.FunctionDef) and body[0].name not in function.__code__.co_freevars:
        body.insert(0, ast.Global([body[0].name], lineno=1, col_offset=0))  # it calls itself by the module's name
    module = compile(tree, function.__code__.co_filename, "exec", flags, dont_inherit=True)
    factory = next(each for each in module.co_consts if isinstance(each, CodeType))
    inner = next(each for each in factory.co_consts if isinstance(each, CodeType))
    prefix = inner.co_qualname.rpartition(inner.co_name)[0]
    return _named(inner, prefix, function.__qualname__.rpartition(function.__name__)[0], function.__name__)


def ast_flags() -> int:
    """The flags of code that ``from __future__ import`` sets."""
    import __future__

    return functools.reduce(
        int.__or__, (getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
    )


def _named(code: CodeType, made: str, prefix: str, outer: str) -> CodeType:
    """The code, remembered, with the program's names: parts of a function carry the function's."""
    part = code.co_name.startswith(_PARTS)
    name = outer if part else code.co_name
    consts = tuple(_named(c, made, prefix, name) if isinstance(c, CodeType) else c for c in code.co_consts)
    code = code.replace(co_consts=consts, co_name=name, co_qualname=prefix + code.co_qualname.removeprefix(made))
    _made[id(code)] = code
    return code


_PARTS = ("if_true", "if_false", "loop_test", "loop_body", "extra_test", "get_state", "set_state")


@functools.cache
def _operators(options: ConversionOptions) -> SimpleNamespace:
    """What converted code knows as ``ag__``."""
    inside = ConversionOptions(options.recursive, False, options.optional_features)
    found = {name: value for name, value in vars(operators).items() if not name.startswith("_")}
    return SimpleNamespace(**found, called=lambda f: _called(f, inside), scope=_scope)


def _scope(name: str) -> AbstractContextManager[Any]:
    """The name scope of a function's ops."""
    return name_scope("fn" + name if name.startswith("_") else name)


# -- for programs ---------------------------------------------------------------------------------


def to_graph(entity: Any, recursive: bool = True, experimental_optional_features: Any = None) -> Any:
    """``entity``, a function, method or class, with Python's statements over tensors made ops.

    Args:
      recursive: also convert what it calls.
      experimental_optional_features: one or several of ``tf.autograph.experimental.Feature``.

    Returns:
      A function of the same arguments (of a method: with the object first); a class whose methods are converted.

    Raises:
      ConversionError: there is no source, or it cannot be rewritten.
      NotImplementedError: it is something else.
    """
    options = ConversionOptions(recursive, True, features(experimental_optional_features))
    if isinstance(entity, type):
        methods = {name: f for name, f in vars(entity).items() if isinstance(f, FunctionType)}
        if not methods:
            raise ConversionError(f"converting {entity}: ValueError: cannot convert {entity}: no member methods")
        made = {name: to_graph(f, recursive, experimental_optional_features) for name, f in methods.items()}
        return type(entity.__name__, (entity,), made)
    plain = getattr(entity, "__func__", entity)
    if not isinstance(plain, FunctionType):
        raise NotImplementedError(f'cannot convert entity "{entity}": object conversion is not yet supported.')
    try:
        return _in_conversion(_converted(plain, options))
    except Unconvertible as error:
        raise ConversionError(f"converting {entity}: {error}") from error


def to_graph_v1(
    entity: Any,
    recursive: bool = True,
    arg_values: Any = None,
    arg_types: Any = None,
    experimental_optional_features: Any = None,
) -> Any:
    """``to_graph``; ``arg_values`` and ``arg_types`` are not read, as in TensorFlow."""
    return to_graph(entity, recursive, experimental_optional_features)


def to_code(entity: Any, recursive: bool = True, experimental_optional_features: Any = None) -> str:
    """The source of what ``to_graph`` gives."""
    options = ConversionOptions(recursive, True, features(experimental_optional_features))
    members = (
        [f for f in vars(entity).values() if isinstance(f, FunctionType)] if isinstance(entity, type) else [entity]
    )
    texts = []
    for each in members:
        plain = getattr(each, "__func__", each)
        if not isinstance(plain, FunctionType):
            continue
        factory = _tree(plain, options).body[0]
        assert isinstance(factory, ast.FunctionDef)
        first = factory.body[0]
        shown = first.value if isinstance(first, ast.Return) and first.value else first
        texts.append(ast.unparse(ast.fix_missing_locations(shown)))
    return "\n\n".join(texts) + "\n"


def to_code_v1(
    entity: Any,
    recursive: bool = True,
    arg_values: Any = None,
    arg_types: Any = None,
    indentation: str = "  ",
    experimental_optional_features: Any = None,
) -> str:
    """``to_code``; ``arg_values``, ``arg_types`` and ``indentation`` are not read, as in TensorFlow."""
    return to_code(entity, recursive, experimental_optional_features)


def do_not_convert(func: Any = None) -> Any:
    """``func``, which is never converted, nor what is given to others in it; also a decorator."""
    if func is None:
        return do_not_convert

    @functools.wraps(func)
    def as_it_is(*args: Any, **kwargs: Any) -> Any:
        with conversion(False):
            return func(*args, **kwargs)

    setattr(as_it_is, _MARK, True)
    return as_it_is


@contextmanager
def conversion(enabled: bool) -> Iterator[None]:
    """Whether functions that are handed to others are converted."""
    token = statements_become_ops.set(enabled)
    try:
        yield
    finally:
        statements_become_ops.reset(token)


def _in_conversion(made: Any) -> Any:
    """A converted function; what is wrong in its call is said of one."""

    @functools.wraps(made)
    def called(*args: Any, **kwargs: Any) -> Any:
        with conversion(True):
            return made(*args, **kwargs)

    setattr(called, _MARK, True)
    return called


def convert(recursive: bool = False, optional_features: Any = None, user_requested: bool = True) -> Callable[..., Any]:
    """A decorator that converts a function when it is called."""
    options = ConversionOptions(recursive, user_requested, features(optional_features))

    def decorator(function: Any) -> Any:
        @functools.wraps(function)
        def called(*args: Any, **kwargs: Any) -> Any:
            with conversion(True):
                return _called(function, options)(*args, **kwargs)

        setattr(called, _MARK, True)
        return called

    return decorator


def set_loop_options(
    parallel_iterations: Any = None, back_prop: Any = None, swap_memory: Any = None, maximum_iterations: Any = None
) -> None:
    """Says how the loop around it is to be built; TensorFlow 1.15 takes note of nothing, and so does this."""


def set_verbosity(level: int, alsologtostdout: bool = False) -> None:
    """How much is said of conversions: nothing is, at any level."""


def trace(*args: Any) -> None:
    """Prints ``args`` while the graph is built."""
    print(*args)
