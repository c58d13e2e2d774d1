"""What is told of a gradient: what is wrong, why, where, and what to type."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from retrograd.explain.way import line_of
from retrograd.graph.operation import Operation

_NAMED = 3


@dataclass(frozen=True)
class Finding:
    """Something that a reader should know; ``op`` was built at the line to look at."""

    title: str
    why: str
    fix: str
    op: Operation | None = None
    is_wrong: bool = True  # and not only worth a look

    @property
    def place(self) -> str | None:
        """File and line, as a person reads them."""
        return None if self.op is None else self.op.place

    @property
    def line(self) -> tuple[str, int] | None:
        """File and number of the line."""
        return None if self.op is None else line_of(self.op)


def listed(names: Sequence[str]) -> str:
    """``'a', 'b', 'c' and 4 more``."""
    shown = ", ".join(f"'{n}'" for n in names[:_NAMED])
    return shown + (f" and {len(names) - _NAMED} more" if len(names) > _NAMED else "")


def short_place(op: Operation) -> str:
    """``file.py:12``."""
    line = line_of(op)
    return "" if line is None else f"{Path(line[0]).name}:{line[1]}"


def indented(text: str) -> str:
    """``text`` as it stands behind ``Fix:``."""
    return text.replace("\n", "\n         ")
