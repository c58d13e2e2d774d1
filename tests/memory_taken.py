"""The memory that something takes, and variables that count as large though they are not."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any


def most_memory(do: Callable[[], Any]) -> int:
    """The most bytes that arrays and objects of Python took while ``do`` ran."""
    tracemalloc.start()
    try:
        do()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def let_megabytes_be_large(monkeypatch: Any) -> None:
    """Variables of a megabyte are not restored while their old values are there."""
    from retrograd.io import overwriting
    from retrograd.keras import hdf5

    for module in (overwriting, hdf5):
        monkeypatch.setattr(module, "AT_ONCE", 1 << 20)
