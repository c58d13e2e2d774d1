"""Whether kernels are traced for sizes that are not known: then they do not choose how to compute by the shapes."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class _Asked(threading.local):
    def __init__(self) -> None:
        self.is_any = False


_asked = _Asked()


def is_any_size() -> bool:
    """Whether what is traced now is to be computed for shapes that differ from run to run."""
    return _asked.is_any


@contextmanager
def for_any_size(is_any: bool) -> Iterator[None]:
    """Trace in the block for sizes that are not known, if ``is_any``."""
    before, _asked.is_any = _asked.is_any, is_any
    try:
        yield
    finally:
        _asked.is_any = before
