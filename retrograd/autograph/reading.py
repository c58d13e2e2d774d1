"""Which variables statements read and write, and which are still needed behind them."""

from __future__ import annotations

import ast
from collections.abc import Iterable

Names = dict[str, None]  # a set that keeps its order


class Activity(ast.NodeVisitor):
    """The variables that code reads and writes, and the attributes and elements that it writes."""

    def __init__(self) -> None:
        self.reads: set[str] = set()
        self.writes: Names = {}
        self.parts: dict[str, ast.expr] = {}  # such as self.x, d['k']: text -> expression

    def visit_Name(self, node: ast.Name) -> None:
        """A variable."""
        if isinstance(node.ctx, ast.Load):
            self.reads.add(node.id)
        else:
            self.writes[node.id] = None

    def _visit_part(self, node: ast.Attribute | ast.Subscript) -> None:
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Store) and _is_path(node):
            self.parts.setdefault(ast.unparse(node), node)

    visit_Attribute = visit_Subscript = _visit_part

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        """It reads its target, too."""
        if isinstance(node.target, ast.Name):
            self.reads.add(node.target.id)
        self.visit(node.value)
        self.visit(node.target)

    def _visit_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> None:
        inner = Activity()
        for each in node.body if isinstance(node.body, list) else [node.body]:
            inner.visit(each)
        own = {a.arg for a in ast.walk(node.args) if isinstance(a, ast.arg)}
        outer = {name for n in ast.walk(node) if isinstance(n, ast.Nonlocal | ast.Global) for name in n.names}
        self.reads |= inner.reads - own - (set(inner.writes) - outer)
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if default is not None:
                self.visit(default)
        if not isinstance(node, ast.Lambda):
            self.writes[node.name] = None
            for decorator in node.decorator_list:
                self.visit(decorator)

    visit_FunctionDef = visit_AsyncFunctionDef = visit_Lambda = _visit_function

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """Its name; its body is a scope of its own."""
        inner = Activity()
        inner.generic_visit(node)
        self.reads |= inner.reads
        self.writes[node.name] = None

    def _visit_comprehension(self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> None:
        inner = Activity()
        inner.generic_visit(node)
        own = {n.id for g in node.generators for n in ast.walk(g.target) if isinstance(n, ast.Name)}
        self.reads |= inner.reads - own
        self.writes |= {name: None for name in inner.writes if name not in own}

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _visit_comprehension

    def visit_alias(self, node: ast.alias) -> None:
        """What an import binds."""
        self.writes[(node.asname or node.name).partition(".")[0]] = None

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        """The name of the error."""
        if node.name:
            self.writes[node.name] = None
        self.generic_visit(node)


def activity(*nodes: ast.AST | None) -> Activity:
    """What ``nodes`` read and write together."""
    found = Activity()
    for node in nodes:
        if node is not None:
            found.visit(node)
            extra = getattr(node, "extra_test", None)
            if extra is not None:
                found.visit(extra)
    return found


def _is_path(node: ast.expr) -> bool:
    """Whether it is a variable, an attribute of a path, or an element of a path at a variable or constant."""
    if isinstance(node, ast.Attribute):
        return _is_path(node.value)
    if isinstance(node, ast.Subscript):
        return isinstance(node.slice, ast.Name | ast.Constant) and _is_path(node.value)
    return isinstance(node, ast.Name)


def mark_live(body: list[ast.stmt], at_exit: Iterable[str]) -> None:
    """Set ``live_in`` and ``live_out`` of every branch and loop: the variables that are read later.

    What follows a loop or a branch decides; code behind an error counts as reached from everywhere in ``try``.
    """
    _live(body, frozenset(at_exit), frozenset())


def _live(body: list[ast.stmt], out: frozenset[str], always: frozenset[str]) -> frozenset[str]:
    for node in reversed(body):
        out = _live_before(node, out, always) | always
    return out


def _live_before(node: ast.stmt, out: frozenset[str], always: frozenset[str]) -> frozenset[str]:
    before: frozenset[str] | set[str]
    if isinstance(node, ast.If):
        before = activity(node.test).reads | _live(node.body, out, always) | _live(node.orelse, out, always)
    elif isinstance(node, ast.While | ast.For):
        before = _live_before_loop(node, out, always)
    elif isinstance(node, ast.Try | ast.TryStar):
        out = _live(node.finalbody, out, always)
        handlers = frozenset[str]().union(*(_live(h.body, out, always) for h in node.handlers))
        handlers |= activity(*(h.type for h in node.handlers)).reads
        caught = always | handlers | (out if node.finalbody else frozenset())
        before = _live(node.body, _live(node.orelse, out, caught), caught) | handlers
    elif isinstance(node, ast.With | ast.AsyncWith):
        items = activity(*node.items)
        before = _live(node.body, out, always) - set(items.writes) | items.reads
    elif isinstance(node, ast.Match):
        cases = (_live(case.body, out, always) for case in node.cases)
        before = out.union(*cases) | activity(node).reads
    elif isinstance(node, ast.Return | ast.Raise):
        before = frozenset(activity(node).reads)
    else:
        here = activity(node)
        before = out - set(here.writes) | here.reads
    if isinstance(node, ast.If | ast.While | ast.For):
        node.live_in, node.live_out = frozenset(before | always), out | always  # type: ignore[union-attr]
    return frozenset(before)


def _live_before_loop(node: ast.While | ast.For, out: frozenset[str], always: frozenset[str]) -> frozenset[str]:
    test = node.test if isinstance(node, ast.While) else getattr(node, "extra_test", None)
    tested = activity(test).reads
    target = set(activity(node.target).writes) if isinstance(node, ast.For) else set()
    head: frozenset[str] = out | tested
    while True:
        again = head | (_live(node.body, head, always) - target)
        if again == head:
            break
        head = again
    return head | activity(node.iter).reads if isinstance(node, ast.For) else head
