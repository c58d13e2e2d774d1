"""Strings against regular expressions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from retrograd.graph.apply import apply
from retrograd.graph.definition import REQUIRED, define, not_differentiable
from retrograd.graph.errors import invalid
from retrograd.graph.shapes import RawShape
from retrograd.graph.tensor import Tensor
from retrograd.ops import regular_expressions, shape_rules
from retrograd.ops.strings import as_bytes, as_strings, as_text, as_texts


def _compiled(pattern: str) -> re.Pattern[str]:
    """The pattern of Python for one of RE2.

    Raises:
      InvalidArgumentError: it is none.
    """
    try:
        return regular_expressions.compiled(pattern)
    except ValueError as error:
        raise invalid(f"Invalid pattern: {pattern}, error: {error}") from None


def _rewriting(pattern: re.Pattern[str], parts: Sequence[str | int], everywhere: bool) -> Callable[[str], str]:
    """What replaces matches by texts and the groups of these numbers; no empty match touches the last one."""
    count = 0 if everywhere else 1
    if not everywhere or not _may_be_empty(pattern):
        template = "".join(p.replace("\\", r"\\") if isinstance(p, str) else rf"\g<{p}>" for p in parts)
        return lambda text: pattern.sub(template, text, count)

    def rewritten(text: str) -> str:
        end = -1

        def replacement(match: re.Match[str]) -> str:
            nonlocal end
            if match.end() == end and match.start() == end:
                return ""
            end = match.end()
            return "".join(part if isinstance(part, str) else match[part] or "" for part in parts)

        return pattern.sub(replacement, text, count)

    return rewritten


def _may_be_empty(pattern: re.Pattern[str]) -> bool:
    """Whether there may be empty matches: all that looks at what stands beside, but for these, holds of no text too."""
    return pattern.match("") is not None or any(sign in pattern.pattern for sign in ("\\b", "\\B", "(?=", "(?!", "(?<"))


@lru_cache(maxsize=256)
def _parts_of(rewrite: str, n_groups: int) -> list[str | int]:
    """``\\0`` to ``\\9`` in ``rewrite`` are the match and its groups, two backslashes are one."""
    parts: list[str | int] = []
    for text, reference in re.findall(r"([^\\]+|\\(?!\d|\\))|\\(\d|\\)", rewrite):
        if text or reference == "\\":
            parts.append(text or reference)
        elif int(reference) <= n_groups:
            parts.append(int(reference))
    return parts or [""]


def _replaced(xp: Any, input: Any, *, pattern: str, rewrite: str, replace_global: bool) -> Any:
    compiled = _compiled(pattern)
    parts = _parts_of(rewrite, compiled.groups)
    return _of_texts(
        lambda texts: map(as_bytes, map(_rewriting(compiled, parts, replace_global), texts)), input, object
    )


def _of_texts(function: Callable[[list[str]], Iterable[Any]], input: Any, dtype: Any) -> np.ndarray:
    """``function`` of all strings as text."""
    x = as_strings(input)
    result = np.empty(x.shape, dtype)
    result.reshape(-1)[:] = [*function(as_texts(x.ravel().tolist()))]
    return result


STATIC_REGEX_REPLACE = define(
    "StaticRegexReplace", "input: string", "output: string",
    attrs={"pattern": REQUIRED, "rewrite": REQUIRED, "replace_global": True}, shape=shape_rules.same,
    kernel=_replaced, gradient=not_differentiable,
)  # fmt: skip


def _of_input(input: Tensor, *scalars: Tensor) -> RawShape:
    for scalar in scalars:
        shape_rules.with_rank(scalar, 0)
    return input.dims


def _scalar_text(x: Any) -> str:
    return as_text(as_strings(x).item())


REGEX_REPLACE = define(
    "RegexReplace", "input: string, pattern: string, rewrite: string", "output: string",
    attrs={"replace_global": True},
    ranks={
        "pattern": "0: Pattern must be scalar, but received {}",
        "rewrite": "0: Rewrite must be scalar, but received {}",
    },
    shape=_of_input,
    kernel=lambda xp, x, pattern, rewrite, *, replace_global: _replaced(
        xp, x, pattern=_scalar_text(pattern), rewrite=_scalar_text(rewrite), replace_global=replace_global
    ),
    gradient=not_differentiable,
)  # fmt: skip


def regex_replace(
    input: Any, pattern: Any, rewrite: Any, replace_global: bool = True, name: str | None = None
) -> Tensor:
    """The strings with every match of ``pattern`` (or the first) replaced by ``rewrite``."""
    if isinstance(pattern, str | bytes) and isinstance(rewrite, str | bytes):
        pattern, rewrite = (p.decode() if isinstance(p, bytes) else p for p in (pattern, rewrite))
        return apply(
            STATIC_REGEX_REPLACE, input, pattern=pattern, rewrite=rewrite, replace_global=replace_global,
            name=name,
        )  # fmt: skip
    return apply(REGEX_REPLACE, input, pattern, rewrite, replace_global=replace_global, name=name)


def _matched(xp: Any, input: Any, *, pattern: str) -> Any:
    whole = _compiled(pattern).fullmatch
    return _of_texts(lambda texts: [match is not None for match in map(whole, texts)], input, np.bool_)


STATIC_REGEX_FULL_MATCH = define(
    "StaticRegexFullMatch", "input: string", "output: bool", attrs={"pattern": REQUIRED},
    shape=shape_rules.same, kernel=_matched, gradient=not_differentiable,
)  # fmt: skip
REGEX_FULL_MATCH = define(
    "RegexFullMatch", "input: string, pattern: string", "output: bool",
    ranks={"pattern": "0: Pattern must be scalar, but received {}"},
    shape=_of_input,
    kernel=lambda xp, x, pattern: _matched(xp, x, pattern=_scalar_text(pattern)),
    gradient=not_differentiable,
)  # fmt: skip


def regex_full_match(input: Any, pattern: Any, name: str | None = None) -> Tensor:
    """Whether the whole of each string matches ``pattern``."""
    if isinstance(pattern, str | bytes):
        pattern = pattern.decode() if isinstance(pattern, bytes) else pattern
        return apply(STATIC_REGEX_FULL_MATCH, input, pattern=pattern, name=name)
    return apply(REGEX_FULL_MATCH, input, pattern, name=name)
