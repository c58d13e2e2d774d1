"""Frames of Python as TensorFlow's ``tf_stack`` gives them, as seen through mappers and filters."""

from __future__ import annotations

import inspect
import linecache
import sys
import threading
from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

TB_FILENAME, TB_LINENO, TB_FUNCNAME, TB_CODEDICT = range(4)  # places in a frame as a tuple


class StackFrame(NamedTuple):
    """A call: where it stands, the module's names, and where the function begins."""

    filename: str
    lineno: int
    name: str
    globals: Any
    func_start_lineno: int


class _Transforms(threading.local):
    def __init__(self) -> None:
        self.open: list[StackTraceTransform] = []


_transforms = _Transforms()


class StackTraceTransform:
    """Within ``with`` of it, the frames of this thread are seen through it and through those around it."""

    def reset(self) -> None:
        """Forget what was worked out for the frames."""

    def __enter__(self) -> Any:
        self.reset()
        _transforms.open.append(self)
        return self

    def __exit__(self, *raised: object) -> None:
        _transforms.open.remove(self)

    def seen(self, frames: list[StackFrame]) -> list[StackFrame]:
        """The frames as seen through it."""
        raise NotImplementedError


class StackTraceMapper(StackTraceTransform):
    """Lines of one file shown as lines of another."""

    def get_effective_source_map(self) -> Mapping[tuple[str, int], tuple[str, int, str]]:
        """Each file and line that is shown otherwise, and the file, line and function that it is shown as."""
        raise NotImplementedError("subclasses need to override this")

    def seen(self, frames: list[StackFrame]) -> list[StackFrame]:
        """The frames, each where its line is from."""
        shown = self.get_effective_source_map()
        found = []
        for frame in frames:
            filename, lineno, name = shown.get((frame.filename, frame.lineno), frame[:3])
            found.append(frame._replace(filename=filename, lineno=lineno, name=name))
        return found


class StackTraceFilter(StackTraceTransform):
    """Files whose frames are not shown."""

    def get_filtered_filenames(self) -> Collection[str]:
        """These files."""
        raise NotImplementedError("subclasses need to override this")

    def seen(self, frames: list[StackFrame]) -> list[StackFrame]:
        """The frames of other files, and the innermost one."""
        hidden = self.get_filtered_filenames()
        return [frame for i, frame in enumerate(frames) if i == len(frames) - 1 or frame.filename not in hidden]


class CurrentModuleFilter(StackTraceFilter):
    """Hides the frames of the module that makes it, where that has a file."""

    def __init__(self) -> None:
        self._filename = inspect.getsourcefile(sys._getframe(1))

    def get_filtered_filenames(self) -> Collection[str]:
        """The module's file."""
        return {self._filename} if self._filename else set()


def extract_stack(limit: int | None = -1) -> list[StackFrame]:
    """The calls that led here, the innermost last; of these ``limit``, unless it is negative or None."""
    frame = inspect.currentframe()
    frames: list[StackFrame] = []
    frame = frame and frame.f_back
    while frame is not None and (limit is None or limit < 0 or len(frames) < limit):
        code = frame.f_code
        frames.append(StackFrame(code.co_filename, frame.f_lineno, code.co_name, frame.f_globals, code.co_firstlineno))
        frame = frame.f_back
    frames.reverse()
    for transform in reversed(_transforms.open):
        frames = transform.seen(frames)
    return frames


def convert_stack(stack: Iterable[StackFrame], include_func_start_lineno: bool = False) -> tuple[tuple[Any, ...], ...]:
    """Frames as tuples of file, line, function and the line's text; and where the function begins, if asked for."""
    return tuple(
        (frame.filename, frame.lineno, frame.name, _text(frame))
        + ((frame.func_start_lineno,) if include_func_start_lineno else ())
        for frame in stack
    )


def _text(frame: StackFrame) -> str | None:
    linecache.checkcache(frame.filename)
    return linecache.getline(frame.filename, frame.lineno, frame.globals).strip() or None
