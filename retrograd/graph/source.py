"""Where in the user's program something was built."""

from __future__ import annotations

import linecache
import os
import sys
from types import CodeType

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_RUNNER = PACKAGE + "runner.py"  # what called it is not the user's
_FRAMES_KEPT = 24

Frames = tuple[tuple[CodeType, int], ...]  # (code, line), innermost first


class _OwnFiles(dict[str, bool]):
    """Whether a file belongs to the package, remembered per file name: this is asked for every op."""

    def __missing__(self, filename: str) -> bool:
        self[filename] = own = filename.startswith(PACKAGE)
        return own


_own = _OwnFiles()


def user_frames() -> Frames:
    """The stack from the user's innermost frame outwards, without the package's own frames."""
    frame = sys._getframe(1)
    frames: list[tuple[CodeType, int]] = []
    while frame is not None and len(frames) < _FRAMES_KEPT:
        code = frame.f_code
        if not _own[code.co_filename]:
            frames.append((code, frame.f_lineno))
        elif code.co_filename == _RUNNER:
            break
        frame = frame.f_back  # type: ignore[assignment]
    return tuple(frames)


def is_called_by_user() -> bool:
    """Whether the function that asks was called by the program, and not by the package."""
    return not _own[sys._getframe(2).f_code.co_filename]


def location(frames: Frames) -> str | None:
    """``file.py:41, in build_model``; None if nothing of the user's is on the stack."""
    for code, line in frames:
        if not code.co_filename.startswith("<frozen "):
            place = f"{code.co_filename}:{line}"
            return place if code.co_name == "<module>" else f"{place}, in {code.co_name}"
    return None


def traceback_rows(frames: Frames) -> list[tuple[str, int, str, str]]:
    """(file, line, function, text) of each frame, outermost first, as ``Operation.traceback`` gives."""
    return [
        (code.co_filename, line, code.co_name, linecache.getline(code.co_filename, line).strip())
        for code, line in reversed(frames)
    ]
