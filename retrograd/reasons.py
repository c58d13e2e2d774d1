"""TensorFlow's public names, and why some of them are left out: the tables beside the faces."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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


def meant(name: str, here: Iterable[str], is_known: bool) -> str | None:
    """What a name that a module has not was probably meant to be: the same one of another module, or one like it."""
    from difflib import get_close_matches

    here = list(here)
    longer = [n for n in here if n.startswith(name)] if len(name) > 3 else []
    paths = {path: path.partition(".")[0] for path, names in symbols().items() if name in names}
    paths = {path: part for path, part in paths.items() if part not in _OTHER_FORMS and not (longer and part in _FAR)}
    if paths and not is_known:
        path = min(paths, key=lambda path: (paths[path] in _FAR, path.count("."), path))
        return ".".join(filter(None, ("tf", path, name)))
    near = get_close_matches(name, here, 1, 0.8 if is_known else 0.75)
    return (*near, *longer, None)[0]


_OTHER_FORMS, _FAR = ("compat", "python", "raw_ops"), ("contrib", "keras")


def argument_meant(word: str, names: Iterable[str]) -> str | None:
    """The argument that ``word`` was probably meant to be: one like it, or one of which it has the initials.

    >>> argument_meant("lr", ["beta1", "learning_rate"]), argument_meant("epsilom", ["epsilon"])
    ('learning_rate', 'epsilon')
    """
    from difflib import get_close_matches

    listed = list(names)
    of_initials = [n for n in listed if "_" in n and "".join(part[:1] for part in n.split("_")) == word.lower()]
    return (*get_close_matches(word, listed, 1, 0.6), *of_initials, None)[0]
