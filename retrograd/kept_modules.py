"""Compiled modules, kept in the cache where Python may not keep them beside their sources.

Under ``PYTHONDONTWRITEBYTECODE``, as many containers have it, and in a folder that nobody may write to, every process
would compile all modules that it imports: two thirds of the time that a small program takes.
"""

from __future__ import annotations

import marshal
import os
import sys
from _thread import get_ident
from importlib.machinery import FileFinder, SourceFileLoader
from importlib.util import MAGIC_NUMBER, cache_from_source, source_hash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType

_PACKAGE = os.path.dirname(os.path.abspath(__file__))
_HASH = 8  # bytes in front of what is kept: Python and XLA would run what is damaged


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
        written = kept_bytes(kept, head)
        if written is not None:
            code: CodeType = marshal.loads(written)
            return code
        compiled = super().get_code(fullname)
        if compiled is not None:
            keep_bytes(folder, kept, head, marshal.dumps(compiled))
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


def kept_bytes(path: str, head: bytes = b"") -> memoryview | None:
    """What the cache keeps under ``path``; None if nothing, or not with this head, or if it is damaged."""
    try:
        with open(path, "rb") as file:
            data = memoryview(file.read())
    except OSError:
        return None
    start = len(head) + _HASH
    return data[start:] if data[:start] == head + source_hash(data[start:]) else None


def keep_bytes(folder: str, path: str, head: bytes, data: bytes) -> None:
    """Keep ``data`` in the cache, which others see whole or not at all; nothing where that is not allowed.

    What a killed process leaves lies in the folder itself, from which it goes like what is not used.
    """
    partial = os.path.join(folder, f"partial-{os.getpid()}-{get_ident()}")
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        try:
            with open(partial, "wb") as file:
                file.writelines((head, source_hash(data), data))
            os.replace(partial, path)
        except BaseException:
            os.unlink(partial)
            raise
    except OSError:
        pass
