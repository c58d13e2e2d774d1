"""Files by their names: what programs ask of ``tf.gfile``, with TensorFlow's errors."""

from __future__ import annotations

import errno
import fnmatch
import os
import re
import shutil
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from retrograd.files.replacing import file_error
from retrograd.graph import errors


def path_of(name: Any) -> str:
    """A path as text; ``file://`` before it means the same."""
    try:
        text = os.fspath(name)
    except TypeError:
        raise TypeError(f"Expected binary or unicode string, got {name!r}") from None
    if isinstance(text, bytes):
        text = text.decode(errors="surrogateescape")
    return text.removeprefix("file://")


@contextmanager
def translated(name: Any) -> Iterator[None]:
    """Let errors of the system in the block be TensorFlow's: ``name; No such file or directory``."""
    try:
        yield
    except OSError as error:
        raise file_error(error, path_of(name)) from None
    except UnicodeDecodeError:  # of what is in the file
        raise
    except ValueError as error:  # a zero byte in the name
        raise errors.InvalidArgumentError(None, None, f"{path_of(name)!r}; {error}") from None


def exists(name: Any) -> bool:
    """Whether there is such a file or directory."""
    return os.path.exists(path_of(name))


def is_directory(name: Any) -> bool:
    """Whether there is such a directory."""
    return os.path.isdir(path_of(name))


def remove(name: Any) -> None:
    """Delete a file."""
    path = path_of(name)
    with translated(path):
        if os.path.isdir(path):
            raise IsADirectoryError(errno.EISDIR, "")
        os.remove(path)


def read(name: Any) -> bytes:
    """The bytes of a file."""
    path = path_of(name)
    with translated(path):
        if os.path.isdir(path):
            raise IsADirectoryError(errno.EISDIR, "")
        with open(path, "rb") as file:
            return file.read()


def write(name: Any, data: bytes) -> None:
    """Let a file hold ``data``."""
    path = path_of(name)
    with translated(path), open(path, "wb") as file:
        file.write(data)


def make_directory(name: Any) -> None:
    """Make a directory; one that is there is fine."""
    path = path_of(name)
    with translated(path):
        try:
            os.mkdir(path)
        except FileExistsError:
            if not os.path.isdir(path):
                raise


def make_directories(name: Any) -> None:
    """Make a directory and those that it is in, where they are missing."""
    path = path_of(name)
    with translated(path):
        os.makedirs(path, exist_ok=True)


def copy(source: Any, target: Any, overwrite: bool = False) -> None:
    """Copy a file.

    Raises:
      AlreadyExistsError: the target is there, and ``overwrite`` is False.
    """
    _check_target(target, overwrite)
    data = read(source)
    write(target, data)


def _check_target(target: Any, overwrite: bool) -> None:
    if not overwrite and exists(target):
        raise errors.AlreadyExistsError(None, None, "file already exists")


def rename(source: Any, target: Any, overwrite: bool = False) -> None:
    """Give a file another name.

    Raises:
      AlreadyExistsError: the target is there, and ``overwrite`` is False.
    """
    _check_target(target, overwrite)
    with translated(source):
        os.replace(path_of(source), path_of(target))


def remove_tree(name: Any) -> None:
    """Delete a directory and all that is in it."""
    path = path_of(name)
    if not os.path.exists(path):
        raise errors.NotFoundError(None, None, f"{path} not found")
    with translated(path):
        if not os.path.isdir(path):
            raise NotADirectoryError(errno.ENOTDIR, "")
        shutil.rmtree(path)


def children(name: Any) -> list[str]:
    """The names in a directory."""
    path = path_of(name)
    if not os.path.isdir(path):
        raise errors.NotFoundError(None, None, f"Could not find directory {path}")
    with translated(path):
        return sorted(os.listdir(path))


def walk(top: Any, in_order: bool = True) -> Iterator[tuple[str, list[str], list[str]]]:
    """(directory, names of directories in it, names of files in it) for ``top`` and all below it."""
    path = path_of(top)
    if not os.path.isdir(path):
        return
    names = children(path)
    inside = [n for n in names if os.path.isdir(os.path.join(path, n))]
    here = path, inside, [n for n in names if n not in inside]
    if in_order:
        yield here
    for name in inside:
        yield from walk(os.path.join(path, name), in_order)
    if not in_order:
        yield here


def matching(patterns: Any) -> list[str]:
    """The paths that match a pattern, or one of several: ``*``, ``?`` and ``[...]`` stand within one name.

    A path without a directory begins with ``./``.

    Raises:
      NotFoundError: there is no such directory as a pattern begins with.
      FailedPreconditionError: it is a file.
    """
    if isinstance(patterns, str | bytes | os.PathLike):
        return _matching(path_of(patterns))
    return [path for pattern in patterns for path in _matching(path_of(pattern))]


_SIGNS = re.compile(r"[*?\[\\]")


def _matching(pattern: str) -> list[str]:
    fixed = _SIGNS.split(pattern, maxsplit=1)[0]
    directory = os.path.dirname(pattern[: len(fixed)])
    if not fixed.startswith("/") and not directory:
        directory, pattern = ".", f"./{pattern}"
    with translated(directory), os.scandir(directory):  # which it must be possible to list
        pass
    directory = directory.rstrip("/")
    parts = pattern[len(directory) + 1 :].split("/")
    if "" in parts:  # names are not empty
        return []
    found = [directory or "/"]
    for part in parts:
        match = re.compile(_expression(part)).match
        found = [os.path.join(d, n) for d in found if os.path.isdir(d) for n in sorted(_names(d)) if match(n)]
    return found


def _names(directory: str) -> list[str]:
    try:
        return os.listdir(directory)
    except OSError:
        return []


def _expression(part: str) -> str:
    return fnmatch.translate(re.sub(r"\\(.)", r"[\1]", part).replace("[^", "[!"))


class FileStatistics(NamedTuple):
    """What is known of a file."""

    length: int
    mtime_nsec: int
    is_directory: bool


def statistics(name: Any) -> FileStatistics:
    """Length, time of the last change in nanoseconds, and whether it is a directory."""
    path = path_of(name)
    with translated(path):
        found = os.stat(path)
    return FileStatistics(found.st_size, found.st_mtime_ns, os.path.isdir(path))


def checksum(name: Any, block: int) -> int:
    """CRC-32 of the bytes of a file."""
    path, crc = path_of(name), 0
    with translated(path), open(path, "rb") as file:
        while data := file.read(block):
            crc = zlib.crc32(data, crc)
    return crc
