"""Waiting in a way that Ctrl-C ends.

Python looks for an interrupt before it waits for a lock, and the system ends the wait if one comes meanwhile.
One that comes between the two is noticed when the wait is over: so the main thread wakes up now and then.
"""

from __future__ import annotations

import threading

_GLANCE = 0.2  # seconds


def glance(seconds: float | None = None) -> float | None:
    """How long this thread may wait at once, of ``seconds`` in all."""
    if threading.current_thread() is not threading.main_thread():
        return seconds
    return _GLANCE if seconds is None else min(seconds, _GLANCE)


def wait(condition: threading.Condition, seconds: float | None = None) -> None:
    """Wait until ``condition`` is notified, or ``seconds`` are over, or for no reason: the caller looks again."""
    condition.wait(glance(seconds))
