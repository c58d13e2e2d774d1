"""How JAX is set up for compiled plans."""

from __future__ import annotations

import ctypes
import os
import sys
import warnings
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from retrograd.kept_modules import cache_folder, keep_bytes, kept_bytes

_MOST_KEPT = 1 << 30  # bytes of compiled computations
# bytes, the most that can be said: a larger block goes back to the system when it is freed, as does what is free beyond
_RETURNED = (1 << 31) - 1
_TRIM_THRESHOLD, _MMAP_THRESHOLD, _MOST_ARENAS = -1, -3, -8  # of glibc's mallopt
_ARENAS = 2


@cache
def start() -> None:
    """Import JAX: 64-bit numbers are on in the process from now on, and computations are kept on disk.

    ``RETROGRAD_CACHE`` names the folder that keeps them (``~/.cache/retrograd`` without it); empty, or ``off``,
    none are kept.  Of more than a gigabyte of them those go that were not used for longest.
    """
    from retrograd.ops.jax_start import jax

    config: Any = jax.config
    config.update("jax_enable_x64", True)
    named = cache_folder()
    if named is None:
        return
    folder = Path(named)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        warnings.warn(f"compiled computations are not kept: {error}", RuntimeWarning, stacklevel=2)
        return
    drop_unused(folder)
    warnings.filterwarnings("ignore", "Error (reading|writing) persistent compilation cache entry")
    _keep_whole()
    config.update("jax_compilation_cache_dir", str(folder))
    config.update("jax_persistent_cache_min_compile_time_secs", 0)
    config.update("jax_persistent_cache_min_entry_size_bytes", -1)


class KeptComputations:
    """JAX's cache in a folder: of entries that are whole.

    JAX's own writes an entry where it lies and never again, so one that a killed process or a full disk cut off would
    stay so, and machine code that is damaged would run where JAX compresses by Zstandard, which keeps no checksum.
    """

    def __init__(self, path: str) -> None:
        self._path = Path(path)

    def get(self, key: str) -> bytes | None:
        data = kept_bytes(self._place(key))
        return None if data is None else bytes(data)

    def put(self, key: str, value: bytes) -> None:
        keep_bytes(str(self._path), self._place(key), b"", value)

    def _place(self, key: str) -> str:
        return str(self._path / f"{key}-cache")


def _keep_whole() -> None:
    """Let JAX take `KeptComputations`; a JAX that does not make its cache by this function has its own."""
    with suppress(ImportError):
        from jax._src import compilation_cache

        makers: Any = compilation_cache
        if hasattr(makers, "get_file_cache"):
            makers.get_file_cache = lambda path: (KeptComputations(path), path)


def keep_freed_memory() -> None:
    """Let glibc's malloc keep what is freed for who asks next, unless the environment has settings of its own.

    XLA asks for the memory that a computation works in as one block in every call.  Malloc would give one of more
    than 32 MB back each time, and the system clears it anew, page by page: a third of a convolutional net's step.

    Threads get arenas when they begin, so this comes before that.  If all had the main thread's, a step of hundreds of
    kernels would look for its small blocks among what a compiler left there, and take up to a third longer.  If each
    had its own, compiling would take up to 300 MB more, and other threads hold no block of more than 64 MB.
    """
    if _settles_malloc():
        for option in (_MMAP_THRESHOLD, _TRIM_THRESHOLD):
            _call("mallopt", option, _RETURNED)
        _call("mallopt", _MOST_ARENAS, _ARENAS)


def give_back_memory() -> None:
    """Return to the system what is free: compiling takes more memory than most computations work in."""
    if _settles_malloc():
        _call("malloc_trim", 0)


def _settles_malloc() -> bool:
    is_set = any(name.startswith(("MALLOC_", "GLIBC_TUNABLES")) for name in os.environ)
    return sys.platform == "linux" and not is_set


def _call(function: str, *arguments: int) -> None:
    with suppress(AttributeError, OSError):  # another C library
        getattr(ctypes.CDLL(None), function)(*arguments)


def drop_unused(folder: Path, most: int = _MOST_KEPT) -> None:
    """Delete files of ``folder`` until they take ``most`` bytes, those first that were not used for longest."""
    with suppress(OSError):  # another process is at it, or may write where this one may not
        files = [(e.stat(), e.path) for e in os.scandir(folder) if e.is_file()]
        size = sum(status.st_size for status, _ in files)
        for status, path in sorted(files, key=lambda pair: max(pair[0].st_atime, pair[0].st_mtime)):
            if size <= most:
                break
            os.unlink(path)
            size -= status.st_size
