"""What the faces hold, read from their sources: only where a face has every op is it imported."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from retrograd.hook import is_internal
from retrograd.reasons import shown_module

PACKAGE = Path(__file__).parent
FACES = PACKAGE / "tf"


@dataclass(frozen=True)
class Module:
    """A module of TensorFlow, by its path below ``tensorflow``."""

    path: str


@dataclass(frozen=True)
class Object:
    """A function, a class or a value: where it is defined, as far as the sources say."""

    module: str | None = None
    name: str | None = None


@dataclass(frozen=True)
class Signature:
    """The names by which a call may give arguments; any, if it takes whatever it gets."""

    names: frozenset[str]
    takes_any: bool


def look_up(path: str) -> Module | Object | None:
    """What a dotted path below ``tensorflow`` leads to; None if the faces do not hold it.

    A member of a class or a value counts as held.
    """
    found: Module | Object = Module("")
    for name in filter(None, path.split(".")):
        if isinstance(found, Object):
            return Object()
        step = member(found.path, name)
        if step is None:
            return None
        found = step
    return found


def member(module: str, name: str) -> Module | Object | None:
    """A name in a module of TensorFlow."""
    if (module, name) == ("compat", "v1"):
        return Module("")
    face = _face(module)
    if face is not None and name in face.names:
        return face.names[name]
    inner = f"{module}.{name}".strip(".")
    if _face(inner) is not None or inner == "python":
        return Module(inner)
    if face is not None and (face.takes_any or (face.has_ops and _has_op(module, name))):
        return Object()
    target = shown_module(module, name)
    return Module(target) if target is not None and (_face(target) is not None or is_internal(target)) else None


def names_in(module: str) -> list[str]:
    """The names that the face of a module of TensorFlow holds."""
    face = _face(module)
    return [] if face is None else [name for name in face.names if not name.startswith("_")]


def signature(found: Object) -> Signature | None:
    """How a function or class is called; None where the sources do not tell."""
    if found.module is None or found.name is None:
        return None
    return _signature(found.module, found.name, 0)


@cache
def names_of(module: str) -> frozenset[str]:
    """The names that a face lists, without those of its modules."""
    face = _face(module)
    return frozenset(face.names) if face else frozenset()


@dataclass(frozen=True)
class _Face:
    names: dict[str, Module | Object]
    takes_any: bool  # all names of another module
    has_ops: bool


@cache
def _face(path: str) -> _Face | None:
    place = FACES.joinpath(*path.split(".")) if path else FACES
    file = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
    if not file.exists():
        return _Face({}, False, False) if place.is_dir() else None
    text = file.read_text()
    names: dict[str, Module | Object] = {}
    takes_any = False
    for node in ast.parse(text).body:
        if isinstance(node, ast.ImportFrom) and node.module and node.module != "retrograd.faces":
            for alias in node.names:
                takes_any |= alias.name == "*"
                names[alias.asname or alias.name] = _imported(node.module, alias.name)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            names[node.name] = Object(f"retrograd.tf.{path}".rstrip("."), node.name)
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name) and target.id == "_LAZY" and isinstance(node.value, ast.Dict):
                    for key in node.value.keys:
                        if isinstance(key, ast.Constant) and isinstance(key.value, str):
                            names[key.value] = Object()
                elif isinstance(target, ast.Name):
                    names[target.id] = Object()
    names.pop("*", None)
    takes_any |= "sys.modules[__name__] =" in text  # another module stands in for the face
    return _Face(names, takes_any, "raw=True" in text)


def _imported(module: str, name: str) -> Module | Object:
    whole = f"{module}.{name}"
    if whole.startswith("retrograd.tf.") and _face(whole.removeprefix("retrograd.tf.")) is not None:
        return Module(whole.removeprefix("retrograd.tf."))
    return Object(module, name)


def _has_op(module: str, name: str) -> bool:
    """Whether a face that has every op has this one: types of ops are put together, so the face itself is asked."""
    return hasattr(importlib.import_module(f"retrograd.tf.{module}"), name)


@cache
def _source(module: str) -> str:
    parts = module.split(".")
    if parts[0] != "retrograd":
        return ""
    place = PACKAGE.joinpath(*parts[1:])
    file = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
    return file.read_text() if file.exists() else ""


_BEGINNING = re.compile(r"^(?=(?:def|class|from|import|[A-Za-z_]\w*(?: = \w+)*(?: =|:)|@))", re.MULTILINE)


@cache
def _pieces(module: str) -> list[str]:
    """The source cut where statements begin, decorators being pieces of their own in front of what they decorate."""
    return _BEGINNING.split(_source(module))


def _statements(module: str, name: str) -> Iterator[ast.stmt]:
    """The statements of a module that speak of a name: parsing them alone takes a tenth of parsing it."""
    decorators = ""
    for piece in _pieces(module):
        if piece.startswith("@"):
            decorators += piece
            continue
        whole, decorators = decorators + piece, ""
        defined = re.match(r"(?:def|class) (\w+)", piece)
        if defined[1] == name if defined else re.search(rf"\b{name}\b", piece):
            try:
                yield from ast.parse(whole).body
            except SyntaxError:  # it was cut inside of a text
                yield from ast.parse(_source(module)).body
                return


@cache
def _signature(module: str, name: str, depth: int) -> Signature | None:
    if depth > 9:
        return None
    for node in _statements(module, name):
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return _of_function(node)
        if isinstance(node, ast.ClassDef) and node.name == name:
            return _of_class(node, module, depth)
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == name for t in node.targets):
            return _signature(module, node.value.id, depth + 1) if isinstance(node.value, ast.Name) else None
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                if (alias.asname or alias.name) == name:
                    return _signature(node.module, alias.name, depth + 1)
    return None


_KEEPING = ("deprecated", "deprecated_args", "add_arg_scope", "tf_export", "wraps", "contextmanager", "staticmethod")


def _of_function(node: ast.FunctionDef, skip: int = 0) -> Signature | None:
    for decorator in node.decorator_list:
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        last = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
        if last not in _KEEPING:
            return None  # it may change the arguments
    arguments = node.args
    named = [*arguments.args[skip:], *arguments.kwonlyargs]
    return Signature(frozenset(a.arg for a in named), arguments.kwarg is not None)


def _of_class(node: ast.ClassDef, module: str, depth: int) -> Signature | None:
    if node.keywords:
        return None  # a metaclass takes the arguments
    for each in node.body:
        if isinstance(each, ast.FunctionDef) and each.name in ("__init__", "__new__"):
            return _of_function(each, skip=1)
    for decorator in node.decorator_list:  # a data class takes its fields
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        if getattr(called, "id", "") == "dataclass":
            fields = [f.target.id for f in node.body if isinstance(f, ast.AnnAssign) and isinstance(f.target, ast.Name)]
            return Signature(frozenset(fields), False)
    for base in node.bases:
        if isinstance(base, ast.Name):
            found = _signature(module, base.id, depth + 1)
            if found is not None:
                return found
    return None
