"""How much Python does, whatever the clock says."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any


def lines_run(function: Callable[[], Any]) -> int:
    """How many lines of Python a call runs, comprehensions included."""
    count = 0

    def trace(frame: Any, event: str, argument: Any) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        function()
    finally:
        sys.settrace(before)
    return count
