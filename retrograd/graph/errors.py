"""The errors of ``tf.errors``, and the layout of a message that teaches.

::

    Exception
     └── OpError                        code
          ├── CancelledError               1   the step was cancelled
          ├── UnknownError                 2   an error of another address space
          ├── InvalidArgumentError         3   a value or a shape that the op cannot take
          ├── DeadlineExceededError        4   it took too long
          ├── NotFoundError                5   a file, a variable, a key is missing
          ├── AlreadyExistsError           6   what should be created is there
          ├── PermissionDeniedError        7   the caller may not do this
          ├── ResourceExhaustedError       8   out of memory, disk or quota
          ├── FailedPreconditionError      9   the state is not ready: an uninitialized variable
          ├── AbortedError                10   it lost against a concurrent action
          ├── OutOfRangeError             11   past the end of the input
          ├── UnimplementedError          12   the op cannot do this (yet)
          ├── InternalError               13   an invariant is broken
          ├── UnavailableError            14   the service cannot be reached now
          ├── DataLossError               15   corrupt or truncated data
          └── UnauthenticatedError        16   no valid credentials
    ValueError
     └── InaccessibleTensorError            a tensor of another graph or region
    TypeError
     └── OperatorNotAllowedInGraphError     Python asks a tensor for a value while building
"""

from __future__ import annotations

import traceback
import warnings
from collections.abc import Iterable, Iterator
from typing import Any

OK = 0
CANCELLED = 1
UNKNOWN = 2
INVALID_ARGUMENT = 3
DEADLINE_EXCEEDED = 4
NOT_FOUND = 5
ALREADY_EXISTS = 6
PERMISSION_DENIED = 7
RESOURCE_EXHAUSTED = 8
FAILED_PRECONDITION = 9
ABORTED = 10
OUT_OF_RANGE = 11
UNIMPLEMENTED = 12
INTERNAL = 13
UNAVAILABLE = 14
DATA_LOSS = 15
UNAUTHENTICATED = 16


class InaccessibleTensorError(ValueError):
    """A tensor is used where it cannot be reached: in another graph, or outside of its region."""


class OperatorNotAllowedInGraphError(TypeError):
    """Python needs a tensor's value while the graph is still being built."""


class OpError(Exception):
    """An operation failed while the graph ran.

    Args:
      node_def: the ``NodeDef`` of the operation, or None.
      op: the operation, or None.
      message: what happened.
      error_code: one of the codes of this module.
    """

    def __init__(self, node_def: Any, op: Any, message: str, error_code: int) -> None:
        super().__init__()
        self._node_def = node_def
        self._op = op
        self._message = message
        self._error_code = error_code

    @property
    def node_def(self) -> Any:
        """The ``NodeDef`` of the operation that failed, or None."""
        return self._node_def

    @property
    def op(self) -> Any:
        """The operation that failed, or None."""
        return self._op

    @property
    def message(self) -> str:
        """What happened, without the stack trace."""
        return self._message

    @property
    def error_code(self) -> int:
        """The code of the error; those of the subclasses are drawn above."""
        return self._error_code

    def __str__(self) -> str:
        """The message; if the operation is known, also the stack of the line that built it."""
        return self._message + "".join(_stack_traces(self._op))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._node_def, self._op, self._message, self._error_code)


def _stack_traces(op: Any) -> Iterator[str]:
    """Where ``op`` was built, then the op that it was derived from, and so on."""
    heading = "\n\nOriginal stack trace for {!r}:\n"
    while op is not None:
        yield heading.format(op.name)
        yield from traceback.format_list(op.traceback)
        heading = "\n...which was originally created as op {!r}, defined at:\n"
        op = op._original_op


class _CodedError(OpError):
    """An ``OpError`` whose class tells its code."""

    _code: int

    def __init__(self, node_def: Any, op: Any, message: str) -> None:
        super().__init__(node_def, op, message, self._code)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._node_def, self._op, self._message)


class CancelledError(_CodedError):
    """The operation or the step was cancelled, as when its session is closed."""

    _code = CANCELLED


class UnknownError(OpError):
    """An error without a class of its own, such as one raised by a Python function in the graph."""

    def __init__(self, node_def: Any, op: Any, message: str, error_code: int = UNKNOWN) -> None:
        super().__init__(node_def, op, message, error_code)


class InvalidArgumentError(_CodedError):
    """The operation cannot take a value or a shape that it received."""

    _code = INVALID_ARGUMENT


class DeadlineExceededError(_CodedError):
    """The operation did not end within its time limit."""

    _code = DEADLINE_EXCEEDED


class NotFoundError(_CodedError):
    """Something asked for does not exist: a file, a directory, a key of a checkpoint."""

    _code = NOT_FOUND


class AlreadyExistsError(_CodedError):
    """What should be created exists."""

    _code = ALREADY_EXISTS


class PermissionDeniedError(_CodedError):
    """The caller lacks the permission, as to read a file."""

    _code = PERMISSION_DENIED


class ResourceExhaustedError(_CodedError):
    """Memory, disk space or a quota is used up."""

    _code = RESOURCE_EXHAUSTED


class FailedPreconditionError(_CodedError):
    """The state is not ready for the operation, as when a variable has no value yet."""

    _code = FAILED_PRECONDITION


class AbortedError(_CodedError):
    """A concurrent action won: the operation may be tried again."""

    _code = ABORTED


class OutOfRangeError(_CodedError):
    """The operation went past the end: an iterator is exhausted, a queue closed and empty."""

    _code = OUT_OF_RANGE


class UnimplementedError(_CodedError):
    """The operation does not do this for these arguments."""

    _code = UNIMPLEMENTED


class InternalError(_CodedError):
    """Something that always holds did not."""

    _code = INTERNAL


class UnavailableError(_CodedError):
    """A service cannot be reached at the moment."""

    _code = UNAVAILABLE


class DataLossError(_CodedError):
    """Data is corrupt or cut short."""

    _code = DATA_LOSS


class UnauthenticatedError(_CodedError):
    """The caller's credentials are missing or wrong."""

    _code = UNAUTHENTICATED


_CODES: dict[type[OpError], int] = {UnknownError: UNKNOWN} | {each: each._code for each in _CodedError.__subclasses__()}
_CLASSES = {code: each for each, code in _CODES.items()}


def invalid(text: str) -> InvalidArgumentError:
    """The error of a kernel that cannot take its inputs; the run adds which op it was."""
    return InvalidArgumentError(None, None, text)


def exception_type_from_error_code(error_code: int) -> type[OpError]:
    """The class of a code.

    Raises:
      KeyError: no class has it; ``OK`` has none.
    """
    return _CLASSES[error_code]


def error_code_from_exception_type(cls: type[OpError]) -> Any:
    """The code of a class.  For any other class a warning, and an ``UnknownError`` in the code's place."""
    if cls in _CODES:
        return _CODES[cls]
    warnings.warn("Unknown class exception")
    return UnknownError(None, None, "Unknown class exception", None)  # type: ignore[arg-type]


def error_of_code(node_def: Any, op: Any, message: str, error_code: int) -> OpError:
    """The error of the class that has this code; of a code without a class, an ``UnknownError``."""
    if error_code in _CLASSES:
        return _CLASSES[error_code](node_def, op, message)  # type: ignore[call-arg]
    warnings.warn(f"Unknown error code: {error_code}")
    return UnknownError(node_def, op, message, error_code)


class Status:
    """The outcome of a call: a code and what happened.  The call sets both."""

    def __init__(self) -> None:
        self.code = OK
        self.message = ""


class raise_exception_on_not_ok_status:
    """``with raise_exception_on_not_ok_status() as status:`` raises the error that ``status`` then holds."""

    def __enter__(self) -> Status:
        self._status = Status()
        return self._status

    def __exit__(self, *raised: object) -> None:
        if self._status.code != OK:
            raise error_of_code(None, None, self._status.message, self._status.code)


def explain(first_line: str, *, why: str | None = None, where: str | None = None, fix: str | None = None) -> str:
    """A message that says what, then why, where and how to mend it, as far as these are given.

    >>> print(explain("No gradient", why="x is an integer", fix="tf.cast(x, tf.float32)"))
    No gradient
      Why:   x is an integer
      Fix:   tf.cast(x, tf.float32)
    """
    lines = [first_line]
    for label, text in (("Why:", why), ("Where:", where), ("Fix:", fix)):
        if text:
            head, *rest = text.splitlines()
            lines.append(f"  {label:<6} {head}")
            lines.extend(f"{'':9}{line}".rstrip() for line in rest)
    return "\n".join(lines)


def taught(error: Exception, *, why: str | None = None, where: str | None = None, fix: str | None = None) -> Exception:
    """``error``, whose text stays TensorFlow's, with why, where and how to mend it as a note."""
    error.add_note(explain("", why=why, where=where, fix=fix).removeprefix("\n"))
    return error


def keep_notes(error: Exception, cause: BaseException) -> Exception:
    """``error`` with what was noted of the error that it takes the place of."""
    for note in getattr(cause, "__notes__", ()):
        error.add_note(note)
    return error


def nearest(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate that ``name`` was probably meant to be, or None; case counts least.

    >>> nearest("Adamoptimizer", ["AdagradOptimizer", "AdamOptimizer"])
    'AdamOptimizer'
    """
    import difflib  # only an error needs it

    by_lower_case: dict[str, str] = {}
    for candidate in candidates:
        by_lower_case.setdefault(candidate.lower(), candidate)
    close = difflib.get_close_matches(name.lower(), by_lower_case, n=1)
    return by_lower_case[close[0]] if close else None
