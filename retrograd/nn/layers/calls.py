"""Which layers are being called."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class _Calls(threading.local):
    """The layers that are being called in this thread, each with its inputs and its ``training``."""

    def __init__(self) -> None:
        self.stack: list[tuple[Any, Any, Any]] = []
        self.noted: list[tuple[Any, tuple[Any, ...], dict[str, Any]]] | None = None

    @contextmanager
    def entered(self, layer: Any, inputs: Any, training: Any) -> Iterator[None]:
        self.stack.append((layer, inputs, training))
        try:
            yield
        finally:
            self.stack.pop()


calls = _Calls()


@contextmanager
def noted_calls() -> Iterator[list[tuple[Any, tuple[Any, ...], dict[str, Any]]]]:
    """The layers that are called in the block, in order, each with its arguments."""
    before, calls.noted = calls.noted, []
    try:
        yield calls.noted
    finally:
        calls.noted = before
