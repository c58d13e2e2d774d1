"""``break``, ``continue`` and ``return`` as flags and conditions, so that branches and loops have one way out."""

from __future__ import annotations

import ast
from collections.abc import Callable

from retrograd.autograph.reading import activity

Statement = ast.stmt
Fresh = Callable[[str], str]  # an unused name that begins like this


def expression(text: str, /, **parts: ast.expr) -> ast.expr:
    """``text`` as a tree in which ``parts`` stand for their names; it has no place in a file but where it is put."""
    tree = ast.parse(text, mode="eval").body
    for node in ast.walk(tree):
        for place in ("lineno", "col_offset", "end_lineno", "end_col_offset"):
            if hasattr(node, place):
                delattr(node, place)
    return Replaced(parts).visit(tree)  # type: ignore[no-any-return]


class Replaced(ast.NodeTransformer):
    """Puts expressions in the place of names."""

    def __init__(self, parts: dict[str, ast.expr]) -> None:
        self._parts = parts

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """The part of that name."""
        return self._parts.get(node.id, node)


def assigned(name: str, value: str | ast.expr, at: ast.AST) -> ast.stmt:
    """``name = value``, at a place of the source."""
    value = expression(value) if isinstance(value, str) else value
    node = ast.Assign([ast.Name(name, ast.Store())], value)
    return ast.fix_missing_locations(ast.copy_location(node, at))


def blocks_of(node: ast.AST) -> list[tuple[ast.AST, str]]:
    """The lists of statements in a statement, as owner and field; those of functions and classes are their own."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return []
    found = [(node, field) for field in ("body", "orelse", "finalbody") if getattr(node, field, None)]
    for inner in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
        found.append((inner, "body"))
    return found


def leaves(body: list[Statement], kinds: tuple[type, ...]) -> bool:
    """Whether a ``break``, ``continue`` or ``return`` of this level is among the statements."""
    for node in body:
        if isinstance(node, kinds):
            return True
        loop = isinstance(node, ast.While | ast.For | ast.AsyncFor)
        for owner, field in blocks_of(node):
            inside = kinds if not (loop and field == "body") else tuple(k for k in kinds if k is ast.Return)
            if inside and leaves(getattr(owner, field), inside):
                return True
    return False


def _guarded(body: list[Statement], kinds: tuple[type, ...], flag: str, exit_: Callable[[ast.stmt], list[ast.stmt]]):  # type: ignore[no-untyped-def]
    """``body`` with each exit replaced; what stands behind one that may have been taken runs if ``flag`` is not set."""
    result: list[Statement] = []
    for i, node in enumerate(body):
        if isinstance(node, kinds):
            return result + exit_(node)  # nothing behind it is reached
        taken = leaves([node], kinds)
        if taken:
            loop = isinstance(node, ast.While | ast.For | ast.AsyncFor)
            for owner, field in blocks_of(node):
                inside = tuple(k for k in kinds if k is ast.Return) if loop and field == "body" else kinds
                if inside:
                    setattr(owner, field, _guarded(getattr(owner, field), inside, flag, exit_))
        result.append(node)
        if taken and body[i + 1 :]:
            rest = _guarded(body[i + 1 :], kinds, flag, exit_)
            test = expression(f"ag__.not_({flag})")
            guard = ast.If(test, rest, [])
            guard.made = True  # type: ignore[attr-defined]
            return [*result, ast.fix_missing_locations(ast.copy_location(guard, body[i + 1]))]
    return result


class Loops(ast.NodeTransformer):
    """Loops without ``break``, ``continue`` and ``else``."""

    def __init__(self, fresh: Fresh) -> None:
        self._fresh = fresh

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        """A function inside is lowered for itself."""
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        """A class inside stays as it is."""
        return node

    def _visit_loop(self, node: ast.While | ast.For) -> list[Statement]:
        before: list[Statement] = []
        stop = None
        if leaves(node.body, (ast.Break,)):
            stop = self._fresh("break_")
            before.append(assigned(stop, "False", node))
            node.body = _breaks_replaced(node.body, stop)
            if isinstance(node, ast.While):
                test = expression(f"ag__.and_(lambda: test, lambda: ag__.not_({stop}))", test=node.test)
                node.test = ast.copy_location(test, node.test)
            else:
                node.extra_test = expression(f"ag__.not_({stop})")  # type: ignore[attr-defined]
        if leaves(node.body, (ast.Continue,)):
            skip = self._fresh("continue_")
            replaced = _guarded(node.body, (ast.Continue,), skip, lambda at: [assigned(skip, "True", at)])
            node.body = [assigned(skip, "False", node), *replaced]
        after: list[Statement] = node.orelse
        node.orelse = []
        if after and stop is not None:
            guard = ast.If(expression(f"ag__.not_({stop})"), after, [])
            after = [ast.copy_location(guard, after[0])]
        self.generic_visit(node)
        after = [made for each in after for made in _as_list(self.visit(each))]
        return [ast.fix_missing_locations(each) for each in (*before, node, *after)]

    visit_While = visit_For = _visit_loop


def _as_list(visited: ast.stmt | list[ast.stmt]) -> list[ast.stmt]:
    return visited if isinstance(visited, list) else [visited]


def _breaks_replaced(body: list[Statement], stop: str) -> list[Statement]:
    """``stop = True; continue`` in the place of each ``break``."""
    result: list[Statement] = []
    for node in body:
        if isinstance(node, ast.Break):
            result += [assigned(stop, "True", node), ast.copy_location(ast.Continue(), node)]
            continue
        for owner, field in blocks_of(node):
            if not (isinstance(node, ast.While | ast.For | ast.AsyncFor) and field == "body"):
                setattr(owner, field, _breaks_replaced(getattr(owner, field), stop))
        result.append(node)
    return result


def returns_lowered(body: list[Statement], fresh: Fresh) -> list[Statement]:
    """A function's ``body`` with one ``return``, at its end; as it is where none stands in a branch or a loop."""
    if not any(leaves([node], (ast.Return,)) for node in _branching(body)):
        return body
    done, value = fresh("do_return"), fresh("retval_")

    def exit_(node: ast.stmt) -> list[ast.stmt]:
        assert isinstance(node, ast.Return)
        given = node.value or ast.copy_location(ast.Constant(None), node)
        return [assigned(done, "True", node), assigned(value, given, node)]

    first, last = body[0], body[-1]
    body = _guarded(_alternatives(body), (ast.Return,), done, exit_)
    for node in body:
        _stop_loops(node, done)
    used = ast.copy_location(ast.Expr(ast.Name(done, ast.Load())), last)
    gives = ast.copy_location(ast.Return(expression(f"ag__.retval({value})")), last)
    starts = [assigned(done, "False", first), assigned(value, "ag__.UndefinedReturnValue()", first)]
    return [ast.fix_missing_locations(node) for node in (*starts, *body, used, gives)]


def _branching(body: list[Statement]) -> list[Statement]:
    """The branches and loops among the statements, wherever they stand."""
    found: list[Statement] = []
    for node in body:
        if isinstance(node, ast.If | ast.While | ast.For):
            found.append(node)
        for owner, field in blocks_of(node):
            found += _branching(getattr(owner, field))
    return found


def _alternatives(body: list[Statement]) -> list[Statement]:
    """What stands behind a branch that returns becomes the other branch."""
    result: list[Statement] = []
    for i, node in enumerate(body):
        for owner, field in blocks_of(node):
            setattr(owner, field, _alternatives(getattr(owner, field)))
        result.append(node)
        rest = body[i + 1 :]
        if isinstance(node, ast.If) and rest:
            if _returns(node.body):
                node.orelse = _alternatives([*node.orelse, *rest])
                return result
            if _returns(node.orelse):
                node.body = _alternatives([*node.body, *rest])
                return result
    return result


def _returns(body: list[Statement]) -> bool:
    """Whether every way through the statements returns."""
    for node in body:
        if isinstance(node, ast.Return):
            return True
        if isinstance(node, ast.With) and _returns(node.body):
            return True
        if isinstance(node, ast.If) and _returns(node.body) and _returns(node.orelse):
            return True
    return False


def _stop_loops(node: ast.AST, done: str) -> None:
    """Loops that may set ``done`` go on as long as it is not set."""
    if isinstance(node, ast.While | ast.For) and done in activity(*node.body).writes:
        if isinstance(node, ast.While):
            test = expression(f"ag__.and_(lambda: ag__.not_({done}), lambda: test)", test=node.test)
            node.test = ast.fix_missing_locations(ast.copy_location(test, node.test))
        else:
            extra = getattr(node, "extra_test", None)
            test = expression(f"ag__.not_({done})")
            if extra is not None:
                test = expression(f"ag__.and_(lambda: ag__.not_({done}), lambda: extra)", extra=extra)
            node.extra_test = test  # type: ignore[attr-defined]
    for owner, field in blocks_of(node):
        for inner in getattr(owner, field):
            _stop_loops(inner, done)
