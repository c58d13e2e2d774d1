"""Version numbers that can be compared."""

from __future__ import annotations

import re
from functools import total_ordering
from typing import Any


class Version:
    """A version, made from its text; comparable with others of its class and with texts."""

    vstring = ""

    def __init__(self, vstring: str | None = None) -> None:
        if vstring:
            self.parse(vstring)

    def parse(self, vstring: str) -> None:
        raise NotImplementedError

    def _key(self) -> Any:
        raise NotImplementedError

    def _other(self, other: Any) -> Any:
        return type(self)(other) if isinstance(other, str) else other

    def __repr__(self) -> str:
        return f"{type(self).__name__} ('{self}')"

    def __eq__(self, other: object) -> bool:
        other = self._other(other)
        return self._key() == other._key() if isinstance(other, type(self)) else NotImplemented

    def __lt__(self, other: Any) -> bool:
        other = self._other(other)
        return self._key() < other._key() if isinstance(other, type(self)) else NotImplemented

    __hash__ = None  # type: ignore[assignment]


@total_ordering
class LooseVersion(Version):
    """Numbers and words in any order: ``1.15.0-rc1`` is ``[1, 15, 0, '-', 'rc', 1]``."""

    def parse(self, vstring: str) -> None:
        self.vstring = vstring
        parts = re.split(r"(\d+|[a-z]+|\.)", vstring)
        self.version = [int(p) if p.isdigit() else p for p in parts if p and p != "."]

    def _key(self) -> Any:
        return self.version

    def __str__(self) -> str:
        return self.vstring


@total_ordering
class StrictVersion(Version):
    """Two or three numbers, and perhaps ``a`` or ``b`` with a number: ``1.2a3``."""

    def parse(self, vstring: str) -> None:
        match = re.fullmatch(r"(\d+)\.(\d+)(?:\.(\d+))?(?:([ab])(\d+))?", vstring, re.ASCII)
        if match is None:
            raise ValueError(f"invalid version number '{vstring}'")
        major, minor, patch, stage, number = match.groups()
        self.vstring = vstring
        self.version = int(major), int(minor), int(patch or 0)
        self.prerelease = (stage, int(number)) if stage else None

    def _key(self) -> Any:
        return self.version, self.prerelease is None, self.prerelease or ("", 0)

    def __str__(self) -> str:
        numbers = self.version if self.version[2] else self.version[:2]
        text = ".".join(map(str, numbers))
        return text + (f"{self.prerelease[0]}{self.prerelease[1]}" if self.prerelease else "")
