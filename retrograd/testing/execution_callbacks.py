"""What watches ops that are executed eagerly; a graph's ops are not, and so nothing is called."""

from __future__ import annotations

import contextlib
import enum
from collections.abc import Iterator


class ExecutionCallback(enum.Enum):
    """What to do about a number that is infinite or not a number."""

    IGNORE = "ignore"
    PRINT = "print"
    RAISE = "raise"
    WARN = "warn"


@contextlib.contextmanager
def errstate(inf_or_nan: ExecutionCallback | str | None = None) -> Iterator[None]:
    """A block whose eager ops are watched: where a graph is built there are none."""
    if inf_or_nan is not None:
        ExecutionCallback(inf_or_nan)
    yield
