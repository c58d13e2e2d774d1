"""What waits for variables that are not there yet: values of a checkpoint that was restored before they were made."""

from __future__ import annotations

from collections.abc import Callable

_waiting: list[Callable[[], bool]] = []


def wait_for(attempt: Callable[[], bool]) -> None:
    """Call ``attempt()`` whenever variables were made, until it says that nothing is left to do."""
    _waiting.append(attempt)


def variables_made() -> None:
    """Let those that wait look for new variables."""
    if _waiting:
        attempts = list(_waiting)
        _waiting.clear()  # an attempt may make variables itself
        _waiting[:0] = [attempt for attempt in attempts if not attempt()]
