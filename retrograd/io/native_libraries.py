"""Compiled code for TensorFlow's C++: what a program hears that loads such a library, or asks how to compile one.

There is no C++ library of TensorFlow to link with, so none loads: the error is the one that the linker of the system
gives, under which programs that have another way take it.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any, NoReturn

from retrograd.graph.deprecation import deprecated
from retrograd.graph.errors import NotFoundError, taught

CXX11_ABI_FLAG = 0
MONOLITHIC_BUILD = 0

_PACKAGE = Path(__file__).parents[1]
_RUNTIME = "libtensorflow_framework.so.1"
_ABSENT = "cannot open shared object file: No such file or directory"
_HEADER = 64  # bytes before anything else in a shared object


def load_op_library(library_filename: Any) -> NoReturn:
    """The module of the ops that a library compiled against TensorFlow defines: it never loads here.

    Raises:
      TypeError: the name is no string.
      NotFoundError: in the words of the system's linker: the file is absent, no library, or needs TensorFlow's own.
    """
    if not isinstance(library_filename, str):
        raise TypeError("in method 'TF_LoadLibrary', argument 1 of type 'char const *'")
    raise _unloadable(library_filename)


def load_library(library_location: Any) -> None:
    """Load the kernels of a file, or of each ``.so`` of a folder: only a folder without any loads here.

    Raises:
      TypeError: the location is no string.
      OSError: there is no such file or folder.
      NotFoundError: as for ``load_op_library``.
    """
    if not isinstance(library_location, str | bytes | os.PathLike):
        raise TypeError(f"Expected binary or unicode string, got {library_location!r}")
    location = os.fsdecode(library_location)
    if not os.path.exists(location):
        message = "The file or folder to load kernel libraries from does not exist."
        raise FileNotFoundError(errno.ENOENT, message, location)
    if not os.path.isdir(location):
        raise _unloadable(location)
    for name in sorted(os.listdir(location)):
        if name.endswith(".so"):
            raise _unloadable(os.path.join(location, name))


@deprecated(None, "Use `tf.load_library` instead.")
def load_file_system_library(library_filename: Any) -> NoReturn:
    """The file system that a library compiled against TensorFlow defines: it never loads here, as an op's does not."""
    load_op_library(library_filename)


def _unloadable(path: str) -> Exception:
    """Why the library does not load."""
    if os.path.sep not in path:
        folders = os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep)
        found = [os.path.join(folder, path) for folder in folders if os.path.isfile(os.path.join(folder, path))]
        path = found[0] if found else path
        if not found:
            return NotFoundError(None, None, f"{path}: {_ABSENT}")
    if os.path.isdir(path):
        return NotFoundError(None, None, f"{path}: cannot read file data: Is a directory")
    if not os.path.exists(path):
        return NotFoundError(None, None, f"{path}: {_ABSENT}")
    with open(path, "rb") as file:
        start = file.read(_HEADER)
    if len(start) < _HEADER:
        return NotFoundError(None, None, f"{path}: file too short")
    if not start.startswith(b"\x7fELF"):
        return NotFoundError(None, None, f"{path}: invalid ELF header")
    return taught(
        NotFoundError(None, None, f"{_RUNTIME}: {_ABSENT}"),
        why=f"{path} is compiled against TensorFlow's C++, which retrograd does not have",
        fix="compute the same in Python: tf.py_func(function, inputs, types), its gradient by tf.RegisterGradient",
    )


def get_include() -> str:
    """The folder where headers of TensorFlow's C++ would be: none are."""
    return str(_PACKAGE / "include")


def get_lib() -> str:
    """The folder where the library of TensorFlow's C++ would be: it is not."""
    return str(_PACKAGE)


def get_compile_flags() -> list[str]:
    """The flags for a compiler of custom ops."""
    return [f"-I{get_include()}", f"-D_GLIBCXX_USE_CXX11_ABI={CXX11_ABI_FLAG}"]


def get_link_flags() -> list[str]:
    """The flags for a linker of custom ops."""
    return [f"-L{get_lib()}", f"-l:{_RUNTIME}"]
