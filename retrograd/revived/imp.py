"""What programs use of ``imp``, which Python 3.12 removed."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Sequence
from importlib.machinery import BYTECODE_SUFFIXES, EXTENSION_SUFFIXES, SOURCE_SUFFIXES, PathFinder
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType
from typing import IO, Any

PY_SOURCE, PY_COMPILED, C_EXTENSION, PKG_DIRECTORY = 1, 2, 3, 5
new_module = ModuleType
reload = importlib.reload


def load_source(name: str, pathname: str, file: object = None) -> ModuleType:
    """The module that the file ``pathname`` makes, imported as ``name``."""
    spec = spec_from_file_location(name, pathname)
    if spec is None or spec.loader is None:
        raise ImportError(f"no module in {pathname!r}", name=name, path=pathname)
    sys.modules[name] = module = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return sys.modules[name]


load_compiled = load_dynamic = load_source


def find_module(name: str, path: Sequence[str] | None = None) -> tuple[IO[Any] | None, str, tuple[str, str, int]]:
    """(open file, path, (suffix, mode, kind)) of a module; a package has no file."""
    spec = PathFinder.find_spec(name, path)
    if spec is None or spec.origin is None:
        raise ImportError(f"No module named {name!r}", name=name)
    if spec.submodule_search_locations is not None:
        return None, os.path.dirname(spec.origin), ("", "", PKG_DIRECTORY)
    suffix, mode, kind = next(row for row in get_suffixes() if spec.origin.endswith(row[0]))
    return open(spec.origin, mode), spec.origin, (suffix, mode, kind)


def load_module(name: str, file: object, pathname: str, description: tuple[str, str, int]) -> ModuleType:
    """The module that `find_module` found."""
    package = description[2] == PKG_DIRECTORY
    return load_source(name, os.path.join(pathname, "__init__.py") if package else pathname)


def get_suffixes() -> list[tuple[str, str, int]]:
    """(suffix, mode to open it with, kind) of each form of module."""
    forms = (
        (EXTENSION_SUFFIXES, "rb", C_EXTENSION),
        (SOURCE_SUFFIXES, "r", PY_SOURCE),
        (BYTECODE_SUFFIXES, "rb", PY_COMPILED),
    )
    return [(suffix, mode, kind) for suffixes, mode, kind in forms for suffix in suffixes]
