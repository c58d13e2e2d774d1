"""The syntax tree of a function, found in the file that defines it."""

from __future__ import annotations

import ast
import copy
import linecache
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import NamedTuple

Definition = ast.FunctionDef | ast.Lambda


class Unconvertible(Exception):
    """A function that has no source, or whose source cannot be rewritten."""


class Found(NamedTuple):
    """A definition, and the class whose private names it means."""

    node: Definition
    owner: str | None


_files: dict[str, tuple[int, list[Found]]] = {}


def definition_of(function: FunctionType) -> Found:
    """A copy of the tree that ``function`` was compiled from.

    Raises:
      Unconvertible: there is no source, or it does not say which lambda of a line is meant.
    """
    code = function.__code__
    lines = linecache.getlines(code.co_filename, function.__globals__)
    if not lines:
        raise Unconvertible(f"no source of {function.__qualname__}")
    text = "".join(lines)
    known = _files.get(code.co_filename)
    if known is None or known[0] != hash(text):
        try:
            known = hash(text), list(_definitions(ast.parse(text), None))
        except SyntaxError as error:
            raise Unconvertible(f"{code.co_filename} does not parse: {error}") from error
        _files[code.co_filename] = known
    candidates = [f for f in known[1] if _may_be(f.node, code)]
    if len(candidates) > 1:
        candidates = _around(candidates, code)
    if len(candidates) != 1:
        raise Unconvertible(f"no source of {function.__qualname__}")
    return Found(copy.deepcopy(candidates[0].node), candidates[0].owner)


def _definitions(node: ast.AST, owner: str | None) -> Iterator[Found]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Definition):
            yield Found(child, owner)
        yield from _definitions(child, child.name if isinstance(child, ast.ClassDef) else owner)


def _may_be(node: Definition, code: CodeType) -> bool:
    decorators = getattr(node, "decorator_list", [])
    first = decorators[0].lineno if decorators else node.lineno
    return (
        first == code.co_firstlineno
        and getattr(node, "name", "<lambda>") == code.co_name
        and [a.arg for a in (*node.args.posonlyargs, *node.args.args)] == list(code.co_varnames[: code.co_argcount])
    )


def _around(candidates: list[Found], code: CodeType) -> list[Found]:
    """Of several definitions in a line, the innermost one that contains all instructions."""
    spots = [
        (line, column)
        for line, _, column, end in code.co_positions()
        if line is not None and column is not None and end
    ]
    around = [f for f in candidates if spots and all(_contains(f.node, spot) for spot in spots)]
    around.sort(key=lambda f: (f.node.lineno, f.node.col_offset))
    return around[-1:]


def _contains(node: Definition, spot: tuple[int, int]) -> bool:
    end = node.end_lineno or node.lineno, node.end_col_offset or 0
    return (node.lineno, node.col_offset) <= spot < end
