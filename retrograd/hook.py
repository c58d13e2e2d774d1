"""Answers ``import tensorflow`` with retrograd: ``tensorflow.x.y`` is the module ``retrograd.tf.x.y``.

Not a copy: ``sys.modules["tensorflow"] is retrograd.tf``. A TensorFlow that is installed is not looked at.
"""

from __future__ import annotations

import importlib
import sys
from importlib.machinery import ModuleSpec, PathFinder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import CodeType, ModuleType
    from typing import Any

    AfterImport = Callable[[ModuleType], None]

FACES = "retrograd.tf"
# 1.15's own name for its insides, in imports that editors wrote, and its estimators' package
ROOTS = ("tensorflow", "tensorflow_core", "tensorflow_estimator")


def install() -> None:
    """Make ``import tensorflow`` mean retrograd, and bring back names that Python and NumPy removed.

    Once is enough; more often changes nothing.

    Raises:
      ImportError: another TensorFlow has been imported before.
    """
    from retrograd import revival

    if installed():
        return
    for root in ROOTS:
        if root in sys.modules and not _is_face(sys.modules[root]):
            raise ImportError(
                f"another {root!r} is imported already, from {getattr(sys.modules[root], '__file__', None)}\n"
                "  Why:   a program can hold only one of them\n"
                "  Fix:   put these lines before the first `import tensorflow`:\n"
                "         import retrograd\n"
                "         retrograd.install()"
            )
    sys.meta_path.insert(0, _finder)
    revival.install(after_import)


def uninstall() -> None:
    """Take back what ``install`` did; modules that are imported already keep what they hold."""
    from retrograd import revival

    if not installed():
        return
    sys.meta_path.remove(_finder)
    _finder.waiting.clear()
    for name in [n for n in sys.modules if n.partition(".")[0] in ROOTS and _is_face(sys.modules[n])]:
        del sys.modules[name]
    revival.uninstall()


def installed() -> bool:
    """Does ``import tensorflow`` mean retrograd?"""
    return _finder in sys.meta_path


def after_import(name: str, do: AfterImport) -> None:
    """Call ``do(module)`` on the module ``name``: now if it is imported, else once it is."""
    if name in sys.modules:
        do(sys.modules[name])
    else:
        _finder.waiting.setdefault(name, []).append(do)


def face_of(name: str) -> str:
    """The module behind ``tensorflow.x.y``; ``tensorflow.compat.v1`` has the names of ``tensorflow``.

    >>> face_of("tensorflow.compat.v1.nn")
    'retrograd.tf.nn'
    """
    inner = "." + name.partition(".")[2]
    while (inner + ".").startswith(".compat.v1."):
        inner = inner.removeprefix(".compat.v1")
    return FACES + inner.rstrip(".")


def _is_face(module: ModuleType) -> bool:
    return (module.__name__ + ".").startswith(FACES + ".")


class _Finder:
    """First on ``sys.meta_path``: finds the faces, and the modules that ``after_import`` waits for."""

    def __init__(self) -> None:
        self.waiting: dict[str, list[AfterImport]] = {}

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name.partition(".")[0] in ROOTS:
            return _alias(name)
        if name.startswith(FACES + "."):
            spec = PathFinder.find_spec(name, path, target)
            if spec is None:  # so it is too for `from tensorflow.x import y` where x has no y
                return _unbuilt(name)
            return spec
        if name in self.waiting:
            return self._watched(name, path, target)
        return None

    def find_distributions(self, context: Any = None) -> Iterator[Any]:
        """TensorFlow, for ``importlib.metadata``."""
        name = getattr(context, "name", None)
        if name is None or name.lower() == "tensorflow":
            from retrograd.revival.distributions import TensorFlow

            yield TensorFlow()

    def _watched(self, name: str, path: Sequence[str] | None, target: ModuleType | None) -> ModuleSpec | None:
        for finder in sys.meta_path:
            find = getattr(finder, "find_spec", None)
            spec = find(name, path, target) if finder is not self and find else None
            if spec is not None:
                if spec.loader is not None:
                    spec.loader = _Watched(spec.loader, self.waiting)
                return spec  # type: ignore[no-any-return]
        return None


_finder = _Finder()


class _FaceLoader:
    """Gives the face itself as the module of another name, and leaves it as it was."""

    def __init__(self, face: ModuleSpec) -> None:
        self.face = face

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = importlib.import_module(self.face.name)
        self.face = module.__spec__ or self.face
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self.face  # importlib has just put the other name's there

    def is_package(self, name: str) -> bool:
        return self.face.submodule_search_locations is not None

    def get_code(self, name: str) -> CodeType | None:
        return self.face.loader.get_code(self.face.name)  # type: ignore[no-any-return, union-attr]

    def get_source(self, name: str) -> str | None:
        return self.face.loader.get_source(self.face.name)  # type: ignore[no-any-return, union-attr]

    def get_filename(self, name: str) -> str | None:
        return self.face.origin


def _alias(name: str) -> ModuleSpec:
    face = _face_spec(face_of(name))
    if face is None:
        _unbuilt(name)
        face = importlib.import_module(face_of(name)).__spec__
        assert face is not None
    spec = ModuleSpec(name, _FaceLoader(face), origin=face.origin)  # type: ignore[arg-type]
    spec.submodule_search_locations = face.submodule_search_locations
    if spec.submodule_search_locations is None and is_internal(f"{name}.python"):  # a package in TensorFlow
        spec.submodule_search_locations = []
    return spec


def _unbuilt(name: str) -> ModuleSpec:
    """The spec of an internal module that no face stands for.

    Raises:
      ModuleNotFoundError: TensorFlow has no internal module of this name.
    """
    public = "tensorflow" + name.removeprefix(FACES) if name.startswith(FACES) else name
    if is_internal(public):
        return ModuleSpec(name, _UnbuiltLoader(public), is_package=True)  # type: ignore[arg-type]
    error = _not_found(public)
    if is_internal(public.rpartition(".")[0]):
        error.name = name  # by which importlib knows that `from module import name` asked
    raise error


def is_internal(name: str) -> bool:
    """Is ``name`` one of TensorFlow 1.15.5's own modules, below its ``python``, ``contrib`` or ``compiler``?"""
    from pathlib import Path

    if not name.startswith("tensorflow."):
        return False
    inside = name.startswith(("tensorflow.python.", "tensorflow.contrib."))
    path = name.removeprefix("tensorflow.").removeprefix("python.") if inside else name
    folder, _, last = path.rpartition(".")
    if not _internal:
        lines = (Path(__file__).parent / "tf" / "modules.txt").read_text().splitlines()
        for place, _, names in (line.partition(":") for line in lines):
            _internal[place] = frozenset(names.split())
    return last in _internal.get(folder, ())


NEITHER = "TensorFlow 1.15.5 does not have it either"

_internal: dict[str, frozenset[str]] = {}  # folder: the modules in it; read when first asked


def public_modules(name: str) -> Iterator[str]:
    """Where the names of a module in ``contrib.x.python`` may be public: ``contrib.x`` and what is called alike there.

    >>> list(public_modules("contrib.crf.python.ops.crf"))
    ['contrib.crf.ops.crf', 'contrib.crf.ops', 'contrib.crf.crf', 'contrib.crf']
    """
    package, inside, path = name.partition(".python.")
    if not inside or not name.startswith("contrib."):
        return
    parts = path.split(".")
    for begin in range(len(parts)):
        for end in (len(parts), len(parts) - 1):
            if begin < end:
                yield ".".join([package, *parts[begin:end]])
    yield package


class _UnbuiltLoader:
    """Stands in for an internal module that is not built: programs import many of which they use few."""

    def __init__(self, public: str) -> None:
        self.public = public

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return type(sys)(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        def missing(attribute: str) -> Any:
            if ".gen_" in self.public and not attribute.startswith("_"):  # a module of bare ops
                from retrograd.faces import raw_op

                if raw_op(attribute) is not None:
                    return raw_op(attribute)
            if not attribute.startswith("__"):
                for public in public_modules(self.public.removeprefix("tensorflow.")):
                    face = f"{FACES}.{public}"
                    if _face_spec(face) is not None and hasattr(importlib.import_module(face), attribute):
                        return getattr(sys.modules[face], attribute)
                from retrograd.faces import shown

                module = shown(face_of(self.public), attribute)
                if module is not None:
                    return module
            raise AttributeError(
                f"module {self.public!r} has no attribute {attribute!r}\n"
                f"  Why:   retrograd does not build {self.public} yet",
                name=attribute,
            )

        module.__getattr__ = missing  # type: ignore[method-assign]


def _face_spec(face: str) -> ModuleSpec | None:
    """The spec of the module ``face``, imported or not; its parent is imported. None if there is none."""
    if face in sys.modules:
        return sys.modules[face].__spec__
    try:
        parent = importlib.import_module(face.rpartition(".")[0])
    except ModuleNotFoundError:
        return None
    found = PathFinder.find_spec(face, getattr(parent, "__path__", ()))
    name = face.rpartition(".")[2]
    if found is None and name in vars(parent).get("_LAZY", ()):  # which may be a module of another place
        found = getattr(getattr(parent, name), "__spec__", None)
    return found


class _Watched:
    """Loads a module with its own loader, then calls what waited for it."""

    def __init__(self, loader: Any, waiting: dict[str, list[AfterImport]]) -> None:
        self.loader = loader
        self.waiting = waiting

    def __getattr__(self, name: str) -> Any:
        return getattr(self.loader, name)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self.loader.create_module(spec)  # type: ignore[no-any-return]

    def exec_module(self, module: ModuleType) -> None:
        spec = module.__spec__
        assert spec is not None
        spec.loader = module.__loader__ = self.loader
        self.loader.exec_module(module)
        for do in self.waiting.pop(spec.name, ()):
            do(module)


def _not_found(name: str) -> ModuleNotFoundError:
    """No face of this name: why, and what to use instead or which name is nearest."""
    from retrograd.reasons import left_out, symbols

    path = face_of(name).removeprefix(FACES + ".")
    why, fix = left_out(path)
    if not fix:
        near = None if why else _nearest(name)
        fix = f"did you mean {near!r}?" if near else "leave this import out"
    is_there = path in symbols() or path.startswith("core.")  # whose modules no table lists
    why = why or ("retrograd has not built this part of TensorFlow 1.15" if is_there else NEITHER)
    return ModuleNotFoundError(f"No module named {name!r}\n  Why:   {why}\n  Fix:   {fix}", name=name)


def _nearest(name: str) -> str | None:
    """The face whose name is most like ``name``; one that ends alike goes before."""
    from difflib import get_close_matches

    wanted = face_of(name).removeprefix(FACES + ".")
    names = [face.removeprefix(FACES + ".") for face in _faces()]
    names = [n for n in names if not wanted.startswith(n + ".")]  # what the name stands in is there, as one knows
    same_end = [n for n in names if n.rpartition(".")[2] == wanted.rpartition(".")[2]]
    near = get_close_matches(wanted, same_end, 1, 0.0) or get_close_matches(wanted, names, 1, 0.6)
    return f"tensorflow.{near[0]}" if near else None


def _faces() -> Iterator[str]:
    """The name of every face module, found in the package's folders without importing them."""
    import pkgutil

    folders = [(FACES, list(importlib.import_module(FACES).__path__))]
    while folders:
        prefix, path = folders.pop()
        for found in pkgutil.iter_modules(path, prefix + "."):
            yield found.name
            if found.ispkg:
                folders.append((found.name, [f"{folder}/{found.name.rpartition('.')[2]}" for folder in path]))
