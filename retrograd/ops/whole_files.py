"""Files as ops: read one, write one, find those that match a pattern."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from retrograd.files import file_system
from retrograd.graph.apply import apply
from retrograd.graph.definition import Effect, define, not_differentiable
from retrograd.graph.operation import Operation
from retrograd.graph.shapes import RawShape
from retrograd.graph.tensor import Tensor
from retrograd.graph.values import in_array
from retrograd.ops import shape_rules


def texts(x: Any) -> list[bytes]:
    """The strings of a tensor in their order."""
    return np.asarray(x, object).ravel().tolist()  # type: ignore[no-any-return]


def strings(xs: list[bytes]) -> np.ndarray:
    """A vector of strings."""
    array = np.empty(len(xs), object)
    array[:] = xs
    return array


def _scalar(filename: Tensor) -> RawShape:
    shape_rules.with_rank(filename, 0)
    return ()


READ_FILE = define(
    "ReadFile", "filename: string", "contents: string", shape=_scalar,
    kernel=lambda xp, filename: in_array(file_system.read(texts(filename)[0])), gradient=not_differentiable,
)  # fmt: skip


def read_file(filename: Any, name: str | None = None) -> Tensor:
    """What a file holds."""
    return apply(READ_FILE, filename, name=name)


def _written(filename: Tensor, contents: Tensor) -> list[RawShape]:
    shape_rules.with_rank(filename, 0)
    shape_rules.with_rank(contents, 0)
    return []


def _write(xp: Any, memory: Any, filename: Any, contents: Any) -> list[Any]:
    path = texts(filename)[0]
    directory = os.path.dirname(path)
    if directory:
        file_system.make_directories(directory)
    file_system.write(path, texts(contents)[0])
    return []


WRITE_FILE = define(
    "WriteFile", "filename: string, contents: string", "", shape=_written, kernel=_write, effect=Effect.HOST,
    gradient=not_differentiable,
)  # fmt: skip


def write_file(filename: Any, contents: Any, name: str | None = None) -> Operation:
    """An op that lets a file hold ``contents``; directories are made where they are missing."""
    return apply(WRITE_FILE, filename, contents, name=name)  # type: ignore[no-any-return]


def _matched(pattern: Tensor) -> RawShape:
    if pattern.dims:
        shape_rules.with_rank(pattern, 1)
    return (None,)


def matching(patterns: Any) -> list[bytes]:
    """The files that match one of the patterns, in the order of their names.

    Raises:
      NotFoundError: the directory of a pattern is missing.
    """
    return sorted(name.encode(errors="surrogateescape") for name in file_system.matching(texts(patterns)))


MATCHING_FILES = define(
    "MatchingFiles", "pattern: string", "filenames: string", shape=_matched,
    kernel=lambda xp, pattern: strings(matching(pattern)), gradient=not_differentiable,
)  # fmt: skip


def matching_files(pattern: Any, name: str | None = None) -> Tensor:
    """The names of the files that match a pattern, or one of several, in their order."""
    return apply(MATCHING_FILES, pattern, name=name)
