"""Messages to stderr, from ``MIN_LEVEL`` up."""

from __future__ import annotations

import sys

DEBUG, INFO, WARN, ERROR, DISABLED = 10, 20, 30, 40, 50
MIN_LEVEL = WARN


def set_level(level: int) -> None:
    """Print messages of ``level`` and above."""
    global MIN_LEVEL
    MIN_LEVEL = level


setLevel = set_level


def _say(level: int, prefix: str, message: str, args: tuple[object, ...]) -> None:
    if level >= MIN_LEVEL:
        print(f"{prefix}: {message % args if args else message}", file=sys.stderr)


def debug(msg: str, *args: object) -> None:
    """``msg % args`` at level DEBUG."""
    _say(DEBUG, "DEBUG", msg, args)


def info(msg: str, *args: object) -> None:
    """``msg % args`` at level INFO."""
    _say(INFO, "INFO", msg, args)


def warn(msg: str, *args: object) -> None:
    """``msg % args`` at level WARN."""
    _say(WARN, "WARN", msg, args)


def error(msg: str, *args: object) -> None:
    """``msg % args`` at level ERROR."""
    _say(ERROR, "ERROR", msg, args)
