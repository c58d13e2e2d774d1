"""What the recorded programs of ``golden/`` call of TensorFlow, read from their text without running them."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from itertools import chain, takewhile
from keyword import iskeyword
from pathlib import Path
from typing import Any

from retrograd import tf

_Known = dict[str, list[Any]]


def called() -> dict[int, Any]:
    """Every object that a recorded program names by a path from ``tf``, by its ``id``."""
    found: dict[int, Any] = {}
    for path in sorted((Path(__file__).parent / "golden").glob("*.py")):
        trees = [ast.parse(path.read_text())]
        if path.stem.endswith("_cases") and path.stem != "record_cases" and not _imported(trees[0], "tensorflow"):
            cases = getattr(importlib.import_module(f"golden.{path.stem}"), "CASES", {})
            programs = [x for x in (cases.values() if isinstance(cases, dict) else cases) if isinstance(x, str)]
            shared = takewhile(
                lambda lines: len(set(lines)) == 1, zip(*(x.split("\n") for x in programs), strict=False)
            )
            start = "\n".join(lines[0] for lines in shared)  # what all begin with is read once
            try:
                trees += [ast.parse(text) for text in (start, *(program[len(start) :] for program in programs))]
            except SyntaxError:  # inside of a block
                trees += [ast.parse(program) for program in programs]
        found.update((id(x), x) for x in _named(ast.Module([line for tree in trees for line in tree.body], [])))
    return found


def _named(tree: ast.AST) -> Iterator[Any]:
    """What a program names; a name stands for all that it is ever assigned."""
    nodes = list(ast.walk(tree))
    known: _Known = {"tf": [tf]}
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("retrograd.tf"):
            module = importlib.import_module(node.module)
            known.update((alias.asname or alias.name, [getattr(module, alias.name)]) for alias in node.names)
    for _ in range(3):  # names of names
        for target, value in chain.from_iterable(map(_assigned, nodes)):
            if isinstance(target, ast.Name):
                held = known.setdefault(target.id, [])
                held += [x for x in _at(value, known) if all(x is not other for other in held)]
    for node in nodes:
        yield from _at(node, known)
    strings = [n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    words = {word for text in strings for word in text.replace(",", " ").split()}
    for word in words:  # a table of paths
        if "." in word and all(part.isidentifier() and not iskeyword(part) for part in word.split(".")):
            yield from _at(ast.parse("tf." + word, mode="eval").body, known)
    for node in nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "getattr":
            for module in _at(node.args[0], known):
                yield from (getattr(module, word) for word in words if word.isidentifier() and hasattr(module, word))


def _imported(tree: ast.Module, module: str) -> bool:
    """Whether a file imports a module at once."""
    return any(isinstance(n, ast.Import) and any(a.name == module for a in n.names) for n in tree.body)


def _assigned(node: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    """The pairs of a target and a value in an assignment or a loop."""
    if isinstance(node, ast.Assign):
        pairs = [(target, node.value) for target in node.targets]
    elif isinstance(node, ast.For | ast.comprehension) and isinstance(node.iter, ast.Tuple | ast.List):
        pairs = [(node.target, value) for value in node.iter.elts]
    else:
        return
    for target, value in pairs:
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            yield from zip(target.elts, value.elts, strict=True)
        else:
            yield target, value


def _at(node: ast.AST, known: _Known) -> list[Any]:
    """What a name, or a path from one, stands for."""
    if isinstance(node, ast.Name):
        return known.get(node.id, [])
    if isinstance(node, ast.Attribute):
        return [getattr(x, node.attr) for x in _at(node.value, known) if hasattr(x, node.attr)]
    return []
