"""What has a meaning here of the functions of TensorFlow's C library: the outcomes of calls."""

from __future__ import annotations

from typing import Any, NoReturn

from retrograd.graph.errors import Status, error_of_code, taught

(
    TF_OK, TF_CANCELLED, TF_UNKNOWN, TF_INVALID_ARGUMENT, TF_DEADLINE_EXCEEDED, TF_NOT_FOUND, TF_ALREADY_EXISTS,
    TF_PERMISSION_DENIED, TF_RESOURCE_EXHAUSTED, TF_FAILED_PRECONDITION, TF_ABORTED, TF_OUT_OF_RANGE, TF_UNIMPLEMENTED,
    TF_INTERNAL, TF_UNAVAILABLE, TF_DATA_LOSS, TF_UNAUTHENTICATED,
) = range(17)  # fmt: skip


def TF_NewStatus() -> Status:
    """The outcome of a call that is yet to be made."""
    return Status()


def TF_DeleteStatus(arg1: Status) -> None:
    """Nothing: Python frees what nobody holds."""


def TF_SetStatus(s: Status, code: int, msg: str) -> None:
    """Set the code and the message of an outcome.

    Raises:
      TypeError: the message is no text.
    """
    if not isinstance(msg, str):
        raise TypeError("in method 'TF_SetStatus', argument 3 of type 'char const *'")
    s.code, s.message = code, msg


def TF_GetCode(s: Status) -> int:
    """The code of an outcome, ``TF_OK`` for success."""
    return s.code


def TF_Message(s: Status) -> str:
    """What happened, empty for success."""
    return s.message


def TF_Run(*arguments: Any) -> NoReturn:
    """Refused, as TensorFlow 1.15.5 refuses the sessions of its own Python.

    Raises:
      TypeError: always.
    """
    raise taught(
        TypeError("in method 'TF_Run', argument 1 of type 'TF_DeprecatedSession *'"),
        why="it takes the sessions that TensorFlow's Python had before 1.8",
        fix="run = sess.make_callable(y)  # then run() does as little as can be done around a run",
    )


class _NotOkStatusException(Exception):
    """The outcome of a call that failed: its message and code."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__()
        self.message = message
        self.code = code

    def __str__(self) -> str:
        error = error_of_code(None, None, self.message, self.code)
        return f"{type(error).__name__}: {error}"


class _FallbackException(Exception):
    """A short way to do something cannot be gone."""


def _status_to_exception(code: int, message: str) -> Exception:
    """The error of a code."""
    return error_of_code(None, None, message, code)
