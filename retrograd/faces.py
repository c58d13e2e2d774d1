"""What a face answers for a name that it does not hold: a part of itself, a lazy name, or a helpful error.

A face is a module of ``retrograd.tf``: TensorFlow's names, imported from the parts. Its last line is
``__getattr__ = missing(__name__)``.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Callable, Mapping
from importlib.machinery import PathFinder
from types import FunctionType, ModuleType
from typing import Any

from retrograd.reasons import left_out, meant, shown_module, symbols

ROOT = "retrograd.tf"


class InnerModule(ModuleType):
    """A face of ``tensorflow.python``: a function put in the place of one of its own stands there for the parts, too.

    So what a program patches in TensorFlow's inner modules is what the rest of the library calls. The same
    holds for modules that the parts import: ``saver.time`` is the clock that the saver reads. A class is replaced
    where it is defined: what others ask of it is whether something is of that class.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        patched: dict[str, list[tuple[ModuleType, str, Any]]] = vars(self).setdefault("__patched__", {})
        old = vars(self).get(name)
        if name not in patched and old is not value:
            if isinstance(old, FunctionType) and callable(value):
                patched[name] = _places_of(old)
            elif isinstance(old, type) and callable(value):
                patched[name] = [place for place in _places_of(old) if place[0].__name__ == old.__module__]
            elif isinstance(old, ModuleType):
                patched[name] = [(part, name, old) for part in _parts_of(self) if vars(part).get(name) is old]
        for part, own, _ in self._places(name):
            setattr(part, own, value)
        super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        for part, own, old in self._places(name):
            setattr(part, own, old)
        vars(self).get("__patched__", {}).pop(name, None)
        super().__delattr__(name)

    def _places(self, name: str) -> list[tuple[ModuleType, str, Any]]:
        """Where a patched name stands, with what stood there first: also in parts that were imported since."""
        places: list[tuple[ModuleType, str, Any]] = vars(self).get("__patched__", {}).get(name, [])
        if places:
            first, now = places[0][2], vars(self)[name]
            imported = [(part, own, first) for part, own, _ in (_places_of(now) if now is not first else ())]
            places += [place for place in imported if place not in places]
        return places


def _places_of(old: Any) -> list[tuple[ModuleType, str, Any]]:
    """The parts that hold a function or class of the library, each with its name there."""
    return [
        (module, own, old)
        for name, module in list(sys.modules.items())
        if name.startswith("retrograd.") and not f"{name}.".startswith(f"{ROOT}.")
        for own, value in list(vars(module).items())
        if value is old
    ]


def _parts_of(face: ModuleType) -> list[ModuleType]:
    """The parts that the functions and classes of a face are defined in."""
    names = {value.__module__ for value in [*vars(face).values()] if isinstance(value, FunctionType | type)}
    return [
        sys.modules[name]
        for name in sorted(filter(None, names))
        if name.startswith("retrograd.") and name in sys.modules
    ]


def _imported_by_parts(face: ModuleType, name: str) -> ModuleType | None:
    """The module from elsewhere that the parts behind ``face`` import under ``name``."""
    found = (vars(part).get(name) for part in _parts_of(face))
    return next((m for m in found if isinstance(m, ModuleType) and not m.__name__.startswith("retrograd")), None)


def missing(face: str, lazy: Mapping[str, str] | None = None, raw: bool = False) -> Callable[[str], Any]:
    """The ``__getattr__`` of the module ``face``.

    ``lazy`` maps names onto the modules that hold them, imported at first use. A module below
    ``face`` is imported when it is first asked for. With ``raw``, every op is there as a bare function.

    Raises:
      AttributeError: TensorFlow has the name and retrograd has not built it yet, or nobody has it.
    """
    lazy = lazy or {}
    if face.startswith(f"{ROOT}.python."):
        sys.modules[face].__class__ = InnerModule
    if face == f"{ROOT}.raw_ops":
        vars(sys.modules[face])["__dir__"] = lambda: _names_and_ops(face)

    def find(name: str) -> Any:
        if name == "__all__":  # which `from ... import *` asks for
            return _public_names(face, lazy)
        if name in lazy:
            value = getattr(importlib.import_module(lazy[name]), name)
        elif _has_module(face, name):
            value = importlib.import_module(f"{face}.{name}")
        else:
            value = raw_op(name) if raw else None
            if value is None:
                value = shown(face, name)
            if value is None and face.endswith("_grad"):
                value = gradient_function(face, name)
            if value is None and isinstance(sys.modules[face], InnerModule):
                value = _imported_by_parts(sys.modules[face], name)
            if value is None:
                raise _no_such(face, name, lazy)
        setattr(sys.modules[face], name, value)
        return value

    return find


def raw_op(name: str) -> Any:
    """The bare function of an op; None if there is none of that name."""
    from retrograd.graph import raw

    return None if name.startswith("__") else raw.raw_op(name)


def _names_and_ops(face: str) -> list[str]:
    """What ``dir(tf.raw_ops)`` lists: every op that is there, but for those that TensorFlow has not."""
    from retrograd.graph.definition import OF_OUR_OWN, REGISTRY, import_every_op

    import_every_op()
    return sorted({*vars(sys.modules[face]), *REGISTRY} - OF_OUR_OWN)


def shown(face: str, name: str) -> Any:
    """The module that TensorFlow's module imports under ``name``; None if it imports none that can be imported here."""
    path = shown_module(face.removeprefix(ROOT + "."), name)
    try:
        return None if path is None else importlib.import_module(f"{ROOT}.{path}")
    except ImportError:
        return None


def gradient_function(face: str, name: str) -> Any:
    """The function that TensorFlow's module registers for ops of some type; None if it has none of that name."""
    from retrograd.grad.known_rules import function_of_module

    return function_of_module(face.removeprefix(ROOT + "."), name)


def _public_names(face: str, lazy: Mapping[str, str]) -> list[str]:
    """The names that TensorFlow's module exports and this one has, and the modules below it."""
    module = vars(sys.modules[face])
    below = {found.name for found in pkgutil.iter_modules(module.get("__path__", []))}
    here = {name for name in (*module, *lazy) if name != "missing"}
    known = symbols().get(face.removeprefix(ROOT).removeprefix("."))
    return sorted(name for name in below | (here if known is None else here & {*known}) if not name.startswith("_"))


def _has_module(face: str, name: str) -> bool:
    path = vars(sys.modules[face]).get("__path__")
    return path is not None and not name.startswith("__") and PathFinder.find_spec(f"{face}.{name}", path) is not None


def _no_such(face: str, name: str, lazy: Mapping[str, str]) -> AttributeError:
    if name.startswith("__"):  # what Python and its tools ask of every module
        return AttributeError(f"module {face!r} has no attribute {name!r}", name=name)
    module = "tensorflow" + face.removeprefix(ROOT)
    text = f"module {module!r} has no attribute {name!r}."
    path = f"{module}.{name}".removeprefix("tensorflow.")
    known = symbols().get(path.rpartition(".")[0], ())
    reason, instead = left_out(path)
    if reason:
        text += f"\n  Why:   {reason}" + (f"\n  Fix:   {instead}" if instead else "")
        return AttributeError(text, name=name)
    if name in known:
        text += f"\n  Why:   retrograd does not build {module.replace('tensorflow', 'tf', 1)}.{name} yet"
    here = [n for n in (*vars(sys.modules[face]), *lazy) if not n.startswith("_") and n != name]
    near = meant(name, here, is_known=name in known)
    if near:
        text += f" Did you mean {near!r}?" if name not in known else f"\n  Fix:   {near!r} is there"
    return AttributeError(text, name=name)
