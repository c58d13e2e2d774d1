"""Compiled modules, kept in the cache where Python may not keep them beside their sources.

Under ``PYTHONDONTWRITEBYTECODE``, as many containers have it, and in a folder that nobody may write to, every process
would compile all modules that it imports: two thirds of the time that a small program takes.
"""

from __future__ import annotations

import marshal
import os
import sys
from importlib.machinery import FileFinder, SourceFileLoader
from importlib.util import MAGIC_NUMBER, cache_from_source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType

_PACKAGE = os.path.dirname(os.path.abspath(__file__))
_HEAD = 16  # bytes: the version of the bytecode, flags, the source's time and size


def cache_folder() -> str | None:
    """The folder of compiled computations and modules; None where none are kept."""
    named = os.environ.get("RETROGRAD_CACHE")
    if named is None:
        home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
        return os.path.join(home, "retrograd")
    return os.path.expanduser(named) if named not in ("", "off") else None


class KeptModule(SourceFileLoader):
    """Loads a module from what the cache keeps of it, and keeps there what had to be compiled."""

    def get_code(self, fullname: str) -> CodeType | None:
        source = self.get_filename(fullname)
        folder = cache_folder()
        if folder is None or _is_beside(source):
            return super().get_code(fullname)
        status = os.stat(source)
        words = (0, int(status.st_mtime), status.st_size)
        head = MAGIC_NUMBER + b"".join((word & 0xFFFFFFFF).to_bytes(4, "little") for word in words)
        kept = _place(folder, source)
        try:
            with open(kept, "rb") as file:
                data = file.read()
            if data[:_HEAD] == head:
                code: CodeType = marshal.loads(memoryview(data)[_HEAD:])
                return code
        except (OSError, EOFError, ValueError, TypeError):  # not there, or damaged
            pass
        compiled = super().get_code(fullname)
        if compiled is not None:
            _write(kept, head + marshal.dumps(compiled))
        return compiled


def keep_modules() -> None:
    """Load the package's modules through `KeptModule` from here on."""
    sys.path_hooks.insert(0, _finder)


def _finder(path: str) -> FileFinder:
    if path != _PACKAGE and not path.startswith(_PACKAGE + os.sep):
        raise ImportError(path)
    return FileFinder(path, (KeptModule, [".py"]))


def _is_beside(source: str) -> bool:
    """Is there bytecode beside ``source``, written after it?"""
    try:
        return os.stat(cache_from_source(source)).st_mtime >= os.stat(source).st_mtime
    except OSError:
        return False


def _place(folder: str, source: str) -> str:
    drive, path = os.path.splitdrive(os.path.abspath(source))
    name = f"{drive.rstrip(':')}{os.path.splitext(path)[0]}.{sys.implementation.cache_tag}-{sys.flags.optimize}.pyc"
    return os.path.join(folder, "modules", name.lstrip(os.sep))


def _write(path: str, data: bytes) -> None:
    """Write a file that others see whole or not at all; nothing where that is not allowed."""
    partial = f"{path}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(partial, "wb") as file:
            file.write(data)
        os.replace(partial, path)
    except OSError:
        pass
