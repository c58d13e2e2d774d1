"""The ``tensorflow`` logger: where it writes, its levels, and the functions of ``tf.logging``."""

from __future__ import annotations

import logging
import sys
from collections import Counter
from types import FrameType
from typing import Any

DEBUG, INFO, WARN, ERROR, FATAL = logging.DEBUG, logging.INFO, logging.WARNING, logging.ERROR, logging.FATAL

_calls: Counter[tuple[str, int]] = Counter()  # of the counting functions


def get_logger() -> logging.Logger:
    """The logger ``tensorflow``, which writes to stderr unless the program has set up logging itself."""
    logger = logging.getLogger("tensorflow")
    if not logger.handlers and not logging.getLogger().handlers:
        interactive = hasattr(sys, "ps1") or bool(sys.flags.interactive)
        handler = logging.StreamHandler(sys.stdout if interactive else sys.stderr)
        handler.setFormatter(logging.Formatter(logging.BASIC_FORMAT))
        logger.addHandler(handler)
        if interactive and logger.level == logging.NOTSET:
            logger.setLevel(INFO)
    return logger


get_logger()  # at the import, as TensorFlow: what sets up logging afterwards makes each line appear twice


def log(level: int, msg: Any, *args: Any, **kwargs: Any) -> None:
    """Log ``msg % args`` at ``level``."""
    get_logger().log(level, msg, *args, stacklevel=2, **kwargs)


def vlog(level: int, msg: Any, *args: Any, **kwargs: Any) -> None:
    """The same as ``log``."""
    get_logger().log(level, msg, *args, stacklevel=2, **kwargs)


def debug(msg: Any, *args: Any, **kwargs: Any) -> None:
    get_logger().debug(msg, *args, stacklevel=2, **kwargs)


def info(msg: Any, *args: Any, **kwargs: Any) -> None:
    get_logger().info(msg, *args, stacklevel=2, **kwargs)


def warning(msg: Any, *args: Any, **kwargs: Any) -> None:
    get_logger().warning(msg, *args, stacklevel=2, **kwargs)


warn = warning


def error(msg: Any, *args: Any, **kwargs: Any) -> None:
    get_logger().error(msg, *args, stacklevel=2, **kwargs)


def fatal(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Log at the highest level; the program goes on."""
    get_logger().fatal(msg, *args, stacklevel=2, **kwargs)


def log_if(level: int, msg: Any, condition: Any, *args: Any) -> None:
    """Log ``msg % args`` if ``condition`` holds."""
    if condition:
        get_logger().log(level, msg, *args, stacklevel=2)


def log_every_n(level: int, msg: Any, n: int, *args: Any) -> None:
    """Log the first and then every ``n``-th call."""
    log_if(level, msg, not _calls_before() % n, *args)


def log_first_n(level: int, msg: Any, n: int, *args: Any) -> None:
    """Log the first ``n`` calls."""
    log_if(level, msg, _calls_before() < n, *args)


def _calls_before() -> int:
    """How often the counting functions were called from here: TensorFlow counts by the line that called this file."""
    frame: FrameType | None = sys._getframe(2)
    assert frame is not None
    file = frame.f_code.co_filename
    while frame is not None and frame.f_code.co_filename == file:
        frame = frame.f_back
    place = ("", 0) if frame is None else (frame.f_code.co_filename, frame.f_lineno)
    _calls[place] += 1
    return _calls[place] - 1


def get_verbosity() -> int:
    """The lowest level that is logged."""
    return get_logger().getEffectiveLevel()


def set_verbosity(v: Any) -> None:
    """Log ``v`` and higher levels."""
    get_logger().setLevel(v)


def TaskLevelStatusMessage(msg: Any) -> None:
    """Log ``msg`` as an error."""
    error(msg)


def flush() -> None:
    """Not to be had, as in TensorFlow.

    Raises:
      NotImplementedError: always.
    """
    raise NotImplementedError
