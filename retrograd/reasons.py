"""TensorFlow's public names, and why some of them are left out: the tables beside the faces."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

TABLES = Path(__file__).parent / "tf"


@cache
def symbols() -> Mapping[str, tuple[str, ...]]:
    """The public names of each module of TensorFlow 1.15.5, by its path below ``tensorflow``."""
    lines = (TABLES / "symbols.txt").read_text().splitlines()
    return {path: tuple(names.split()) for path, _, names in (line.partition(":") for line in lines)}


@cache
def _shown() -> Mapping[str, str]:
    lines = (TABLES / "shown.txt").read_text().splitlines()
    return {path: names for path, _, names in (line.partition(": ") for line in lines)}


@cache
def _modules_shown_by(path: str) -> Mapping[str, str]:
    words = (word.partition("=") for word in _shown().get(path, "").split())
    return {name: target or _modules_shown_by("*")[name] for name, _, target in words}


def shown_module(path: str, name: str) -> str | None:
    """The path of the module that a module of TensorFlow has under ``name`` because it imports it; None if none is."""
    if path not in _shown():  # a public name of an inner module
        parent, _, last = path.rpartition(".")
        path = (shown_module(parent, last) if parent else None) or path
    return _modules_shown_by(path).get(name)


@cache
def _rows() -> tuple[tuple[str, str, str | None], ...]:
    """(pattern, reason, what to use instead)."""
    found = []
    for line in (TABLES / "left_out.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            pattern, reason, instead = (part.strip() for part in line.split("|"))
            found.append((pattern, reason, instead or None))
    return tuple(found)


def left_out(path: str) -> tuple[str | None, str | None]:
    """Why a path below ``tensorflow`` is left out, and what to use instead; None for what the table does not know."""
    from fnmatch import fnmatchcase

    return next(((reason, instead) for pattern, reason, instead in _rows() if fnmatchcase(path, pattern)), (None, None))
