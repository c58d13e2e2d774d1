"""Regular expressions in the syntax of RE2, as patterns of Python's ``re``.

What differs: RE2 has classes of Unicode (``\\p{Lu}``, ``\\p{Greek}``) and POSIX (``[[:^alpha:]]``), text between
``\\Q`` and ``\\E``, the flag ``U``, and flags in the middle; its ``\\d``, ``\\w``, ``\\s`` and ``\\b`` are ASCII's, its
``$`` is the very end, and there is no looking around and no reference to a group.

Source: the page "Syntax" of https://github.com/google/re2/wiki.
"""

from __future__ import annotations

import functools
import re
import sys
import unicodedata
from collections.abc import Iterable

from retrograd.ops.unicode import code_points_of_script

_Points = tuple[int, int]  # the first and the last of some code points

_POSIX = {
    "alnum": "09AZaz", "alpha": "AZaz", "ascii": "\x00\x7f", "blank": "\t\t  ", "cntrl": "\x00\x1f\x7f\x7f",
    "digit": "09", "graph": "!~", "lower": "az", "print": " ~", "punct": "!/:@[`{~", "space": "\t\r  ", "upper": "AZ",
    "word": "09AZ__az", "xdigit": "09AFaf",
}  # fmt: skip
_PERL = {"d": "09", "w": "09AZ__az", "s": "\t\n\f\r  "}
_CONTROLS = {"a": "\a", "f": "\f", "t": "\t", "n": "\n", "r": "\r", "v": "\v"}
_SCRIPTS = (  # in the order of their numbers
    "Common", "Inherited", "Arabic", "Armenian", "Bengali", "Bopomofo", "Cherokee", "Coptic", "Cyrillic", "Deseret",
    "Devanagari", "Ethiopic", "Georgian", "Gothic", "Greek", "Gujarati", "Gurmukhi", "Han", "Hangul", "Hebrew",
    "Hiragana", "Kannada", "Katakana", "Khmer", "Lao", "Latin", "Malayalam", "Mongolian", "Myanmar", "Ogham",
    "Old_Italic", "Oriya", "Runic", "Sinhala", "Syriac", "Tamil", "Telugu", "Thaana", "Thai", "Tibetan",
    "Canadian_Aboriginal", "Yi",
)  # fmt: skip
_LAST = sys.maxunicode
_MOST = 1000  # repetitions
_REPETITION = re.compile(r"([*+?]|\{(\d+)(,(\d*))?\})\??")
_FLAGS = r"\(\?([imsU]*)(-[imsU]+)?"


@functools.lru_cache(maxsize=256)
def compiled(pattern: str) -> re.Pattern[str]:
    """The pattern of ``re`` that matches what ``pattern`` matches in RE2.

    Raises:
      ValueError: it is no pattern; the message is RE2's.
    """
    try:
        return re.compile(_Reader(pattern).whole())
    except re.error as error:
        raise ValueError(str(error)) from None


def _pairs(text: str) -> list[_Points]:
    return [(ord(a), ord(b)) for a, b in zip(text[::2], text[1::2], strict=True)]


def _others(ranges: Iterable[_Points]) -> list[_Points]:
    """The code points that are in none of ``ranges``."""
    found, start = [], 0
    for first, last in sorted(ranges):
        if first > start:
            found.append((start, first - 1))
        start = max(start, last + 1)
    return found if start > _LAST else [*found, (start, _LAST)]


@functools.cache
def _by_category() -> dict[str, list[_Points]]:
    """The code points of each category of Unicode, as ``Lu``, and of each kind of categories, as ``L``."""
    found: dict[str, list[_Points]] = {}
    start, before = 0, unicodedata.category(chr(0))
    for point in range(1, _LAST + 2):
        category = unicodedata.category(chr(point)) if point <= _LAST else ""
        if category != before:
            found.setdefault(before, []).append((start, point - 1))
            start, before = point, category
    del found["Cn"], found["Cs"]  # what nobody has assigned, and what stands for bytes that are no text
    for category in list(found):
        found.setdefault(category[0], []).extend(found[category])
    return found


def _named(name: str, shown: str) -> list[_Points]:
    if name == "Any":
        return [(0, _LAST)]
    if name in _SCRIPTS:
        return code_points_of_script(_SCRIPTS.index(name))
    ranges = _by_category().get(name)
    if ranges is None:
        raise ValueError(f"invalid character class range: {shown}")
    return ranges


def _class(ranges: Iterable[_Points], negated: bool = False) -> str:
    parts = "".join(f"{_point(a)}-{_point(b)}" if a != b else _point(a) for a, b in ranges)
    return f"[{'^' if negated else ''}{parts}]"


def _point(point: int) -> str:
    return f"\\U{point:08x}"


class _Reader:
    """Reads a pattern from left to right and writes the other one."""

    def __init__(self, pattern: str) -> None:
        self.pattern, self.at = pattern, 0

    def ahead(self, text: str) -> bool:
        return self.pattern.startswith(text, self.at)

    def whole(self) -> str:
        written = self._alternatives(frozenset())
        if self.at < len(self.pattern):
            raise ValueError(f"missing ): {self.pattern}")
        return written

    def _alternatives(self, flags: frozenset[str]) -> str:
        """What stands up to the end of a group: ``a|b``, each with the flags that hold where it begins."""
        pieces: list[str] = []
        opened = 0  # groups of flags, which end where the alternative ends
        again: list[str] = []
        while self.at < len(self.pattern) and not self.ahead(")"):
            if self.ahead("|"):
                self.at += 1
                pieces += [")" * opened, "|", *again]
            elif found := re.compile(_FLAGS + r"\)").match(self.pattern, self.at):
                self.at = found.end()
                flags, text = _changed(flags, found[1], found[2] or "")
                pieces.append(text)
                again.append(text)
                opened += 1
            else:
                pieces.append(self._repeated(flags))
        return "".join(pieces) + ")" * opened

    def _repeated(self, flags: frozenset[str]) -> str:
        """One item and how often it comes."""
        item = None if self._starts_repetition() else self._item(flags)
        operator = self._repetition()
        if item is None:
            raise ValueError(f"no argument for repetition operator: {operator}")
        if operator is None:
            return item
        following = self._repetition()
        if following is not None:
            raise ValueError(f"bad repetition operator: {operator}{following}")
        bare = operator.removesuffix("?") if len(operator) > 1 else operator
        is_lazy = (operator != bare) != ("U" in flags)
        return f"(?:{item}){bare}{'?' if is_lazy else ''}"

    def _repetition(self) -> str | None:
        """The operator that stands here, with the question mark behind it."""
        found = _REPETITION.match(self.pattern, self.at)
        if found is None:
            return None
        least, most = found[2], found[4] or found[2]
        if least is not None and (int(least) > _MOST or int(most) > _MOST or int(most) < int(least)):
            raise ValueError(f"invalid repetition size: {found[1]}")
        self.at = found.end()
        return found[0]

    def _item(self, flags: frozenset[str]) -> str:
        """One character, class, anchor or group."""
        c = self.pattern[self.at]
        if c == "(":
            return self._group(flags)
        if c == "[":
            return self._set()
        if c == "\\":
            return self._escape()
        self.at += 1
        if c == "$":
            return "$" if "m" in flags else r"\Z"
        return c if c in ".^" else re.escape(c)

    def _starts_repetition(self) -> bool:
        return _REPETITION.match(self.pattern, self.at) is not None

    def _group(self, flags: frozenset[str]) -> str:
        opening = "("
        if self.ahead("(?P"):
            named = re.compile(r"\(\?P<(\w*)>").match(self.pattern, self.at)
            if named is None:
                raise ValueError("invalid perl operator: (?P")
            if not named[1]:
                raise ValueError(f"invalid named capture group: {named[0]}")
            self.at = named.end()  # a name is not asked for, and may be none of Python's
        elif self.ahead("(?"):
            given = re.compile(_FLAGS + ":").match(self.pattern, self.at)
            if given is None:
                raise ValueError(f"invalid perl operator: {self.pattern[self.at : self.at + 3]}")
            self.at = given.end()
            flags, opening = _changed(flags, given[1], given[2] or "")
        else:
            self.at += 1
        inside = self._alternatives(flags)
        if not self.ahead(")"):
            raise ValueError(f"missing ): {self.pattern}")
        self.at += 1
        return f"{opening}{inside})"

    def _escape(self) -> str:
        """What a backslash begins outside of a set."""
        if self.ahead("\\Q"):
            text, end, _ = self.pattern[self.at + 2 :].partition("\\E")
            self.at += 2 + len(text) + len(end)
            return f"(?:{re.escape(text)})"
        c = self.pattern[self.at + 1 : self.at + 2]
        if c in ("A", "z", "b", "B"):
            self.at += 2
            return {"A": r"\A", "z": r"\Z", "b": r"(?a:\b)", "B": r"(?a:\B)"}[c]
        ranges = self._class_escape()
        return re.escape(self._character()) if ranges is None else _class(ranges)

    def _class_escape(self) -> list[_Points] | None:
        """The code points of ``\\d``, ``\\pL`` and the like, if one stands here."""
        c = self.pattern[self.at + 1 : self.at + 2]
        if c.lower() in _PERL:
            self.at += 2
            ranges = _pairs(_PERL[c.lower()])
            return ranges if c.islower() else _others(ranges)
        if c not in ("p", "P"):
            return None
        found = re.compile(r"\\[pP](\{(\^?)(\w*)\}|(\w))").match(self.pattern, self.at)
        if found is None:
            raise ValueError(f"invalid character class range: {self.pattern[self.at :]}")
        self.at = found.end()
        ranges = _named(found[3] or found[4], found[0])
        return ranges if (c == "p") != bool(found[2]) else _others(ranges)

    def _character(self) -> str:
        """The character that stands here, escaped or not."""
        if not self.ahead("\\"):
            self.at += 1
            return self.pattern[self.at - 1]
        found = re.compile(r"\\(x\{([0-9A-Fa-f]+)\}|x([0-9A-Fa-f]{2})|([1-7][0-7]{1,2}|0[0-7]{0,2}))").match(
            self.pattern, self.at
        )
        if found is not None:
            point = int(found[2] or found[3], 16) if found[4] is None else int(found[4], 8)
            if point > _LAST:
                raise ValueError(f"invalid escape sequence: {found[0][:-1]}")
            self.at = found.end()
            return chr(point)
        c = self.pattern[self.at + 1 : self.at + 2]
        if not c:
            raise ValueError("trailing \\")
        if c not in _CONTROLS and (c.isalnum() or not c.isascii()):
            extent = 3 if c == "x" else 2
            raise ValueError(f"invalid escape sequence: {self.pattern[self.at : self.at + extent]}")
        self.at += 2
        return _CONTROLS.get(c, c)

    def _set(self) -> str:
        """``[...]``, as the code points that are in it."""
        start, negated = self.at, self.ahead("[^")
        self.at += 2 if negated else 1
        first = self.at
        ranges: list[_Points] = []
        while self.at == first or not self.ahead("]"):
            if self.at >= len(self.pattern):
                raise ValueError(f"missing ]: {self.pattern[start:]}")
            ranges += self._of_set()
        self.at += 1
        return _class(ranges, negated)

    def _of_set(self) -> list[_Points]:
        """The code points of one member of a set: a character, a range, a class."""
        posix = re.compile(r"\[:(\^?)(\w+):\]").match(self.pattern, self.at)
        if posix is not None:
            if posix[2] not in _POSIX:
                raise ValueError(f"invalid character class range: {posix[0]}")
            self.at = posix.end()
            ranges = _pairs(_POSIX[posix[2]])
            return _others(ranges) if posix[1] else ranges
        escaped = self._class_escape() if self.ahead("\\") else None
        if escaped is not None:
            return escaped
        start = self.at
        low = high = ord(self._character())
        if self.ahead("-") and not self.ahead("-]") and self.at + 1 < len(self.pattern):
            self.at += 1
            high = ord(self._character())
        if high < low:
            raise ValueError(f"invalid character class range: {self.pattern[start : self.at]}")
        return [(low, high)]


def _changed(flags: frozenset[str], on: str, off: str) -> tuple[frozenset[str], str]:
    """The flags that hold from here on, and the group of Python's that sets them."""
    changed = (flags | set(on)) - set(off)
    added = "".join(sorted((changed - flags) - {"U"}))
    removed = "".join(sorted((flags - changed) - {"U"}))
    return changed, f"(?{added}{'-' + removed if removed else ''}:"
