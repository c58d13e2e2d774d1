"""A function whose branches, loops, logic and calls go through operators that know tensors.

A branch or loop becomes functions without arguments: its parts, and a pair that reads and sets the variables and
attributes that it changes. They share the variables with the function around them (``nonlocal``), so plain Python
runs as it was written; where the condition is a tensor, the operator builds the parts as branches of a ``cond`` or
body of a ``while_loop`` and carries the state through it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from retrograd.autograph.finding import Definition, Unconvertible
from retrograd.autograph.lowering import Loops, assigned, expression, returns_lowered
from retrograd.autograph.options import ConversionOptions, Feature
from retrograd.autograph.reading import Activity, activity, mark_live

OPERATORS = "ag__"
_SEES_FRAME = {"locals", "vars", "dir", "eval", "exec"}  # their answers depend on the frame of the call
_LEFT = {"super", "globals", "breakpoint"}


@dataclass
class Scope:
    """What a function calls its variables."""

    parameters: list[str]
    declared: dict[str, str]  # "global" or "nonlocal" variables
    taken: set[str]
    undefined: dict[str, None] = field(default_factory=dict)

    def fresh(self, name: str) -> str:
        """A name that nothing has, remembered."""
        number, candidate = 0, name
        while candidate in self.taken:
            number += 1
            candidate = f"{name}_{number}"
        self.taken.add(candidate)
        return candidate


class Rewriter(ast.NodeTransformer):
    """Rewrites one function; functions inside it have rewriters of their own."""

    def __init__(self, options: ConversionOptions) -> None:
        self._options = options
        self._scope: Scope

    def rewritten(self, node: Definition) -> Definition:
        """``node`` with everything in it converted.

        Raises:
          Unconvertible: it looks at its own frame.
        """
        if isinstance(node, ast.Lambda):
            self._scope = Scope([], {}, _all_names(node))
            node.body = self.visit(node.body)
            return node
        return self._function(node)

    # -- functions

    def _function(self, node: ast.FunctionDef) -> ast.FunctionDef:
        arguments = [a.arg for a in ast.walk(node.args) if isinstance(a, ast.arg)]
        self._scope = scope = Scope(arguments, _declared(node.body), _all_names(node))
        first = _docstring(node.body)
        body = _without_directives(node.body[first:]) or [ast.copy_location(ast.Pass(), node)]
        wrapper = ast.Module(body, [])
        Loops(scope.fresh).visit(wrapper)
        body = returns_lowered(wrapper.body, scope.fresh)
        mark_live(body, scope.declared)
        body = self._block(body)
        unbound = [name for name in scope.undefined if name not in arguments and name not in scope.declared]
        given = [assigned(name, f"{OPERATORS}.Undefined({name!r})", node) for name in unbound]
        declarations = [each for each in body if isinstance(each, ast.Global | ast.Nonlocal)]
        body = [*declarations, *given, *(each for each in body if each not in declarations)]
        if self._options.uses(Feature.NAME_SCOPES):
            item = ast.withitem(expression(f"{OPERATORS}.scope({node.name!r})"))
            body = [ast.copy_location(ast.With([item], body), node)]
        node.body = [*node.body[:first], *body]
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        """A function inside is converted in place."""
        node.decorator_list = [self.visit(each) for each in node.decorator_list]
        node.args.defaults = [self.visit(each) for each in node.args.defaults]
        if any(isinstance(n, ast.Yield | ast.YieldFrom | ast.Await) for n in ast.walk(node)):
            return node
        return Rewriter(self._options)._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AsyncFunctionDef:
        """It stays as it is."""
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        """A class inside stays as it is."""
        return node

    def visit_With(self, node: ast.With) -> ast.With:
        """What opens a context is called as it is."""
        node.body = self._block(node.body)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        """A plain assignment: a shared variable may have no annotation."""
        self.generic_visit(node)
        if not isinstance(node.target, ast.Name):
            return node
        return ast.copy_location(ast.Assign([node.target], node.value) if node.value else ast.Pass(), node)

    # -- branches and loops

    def _block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        result: list[ast.stmt] = []
        for each in body:
            made = self.visit(each)
            result += made if isinstance(made, list) else [made]
        return result

    def visit_If(self, node: ast.If) -> Any:
        """Two functions, unless the condition can be no tensor."""
        plain = _never_a_tensor(node.test)
        body, orelse = activity(*node.body), activity(*node.orelse)
        node.test = self.visit(node.test)
        node.body, node.orelse = self._block(node.body), self._block(node.orelse)
        if plain:
            return node
        changed = [*body.writes, *(name for name in orelse.writes if name not in body.writes)]
        state = [name for name in changed if name in node.live_out]  # type: ignore[attr-defined]
        parts = body.parts | orelse.parts
        self._scope.undefined |= dict.fromkeys(changed)
        then, otherwise = self._scope.fresh("if_true"), self._scope.fresh("if_false")
        functions = [
            self._made_function(then, node.body, body.writes, node),
            self._made_function(otherwise, node.orelse, orelse.writes, node),
        ]
        passing = [name for name in changed if name not in state]
        return self._with_state(node, "if_stmt", [then, otherwise], functions, state, parts, passing, test=node.test)

    def visit_While(self, node: ast.While) -> Any:
        """The condition and the body as functions."""
        body, tested = activity(*node.body), activity(node.test)
        writes = body.writes | tested.writes
        node.test, node.body = self.visit(node.test), self._block(node.body)
        test, again = self._scope.fresh("loop_test"), self._scope.fresh("loop_body")
        functions = [
            self._made_function(test, [ast.copy_location(ast.Return(node.test), node.test)], tested.writes, node),
            self._made_function(again, node.body, body.writes, node),
        ]
        return self._loop(node, "while_stmt", [test, again], functions, writes, body)

    def visit_For(self, node: ast.For) -> Any:
        """The body as a function of the element."""
        body = activity(node.target, *node.body)
        node.iter, node.body = self.visit(node.iter), self._block(node.body)
        element, again = self._scope.fresh("iterates"), self._scope.fresh("loop_body")
        first = ast.Assign([node.target], ast.Name(element, ast.Load()))
        taken = [ast.copy_location(first, node.target), *node.body]
        functions = [self._made_function(again, taken, body.writes, node, [element])]
        extra, names = getattr(node, "extra_test", None), [again]
        if extra is not None:
            names.append(self._scope.fresh("extra_test"))
            gives = ast.copy_location(ast.Return(self.visit(extra)), node)
            functions.append(self._made_function(names[1], [gives], {}, node))
        else:
            names.append("None")
        return self._loop(node, "for_stmt", names, functions, body.writes, body, iterated=node.iter)

    def _loop(
        self,
        node: ast.stmt,
        operator: str,
        names: list[str],
        functions: list[ast.stmt],
        writes: Iterable[str],
        body: Activity,
        **parts: ast.expr,
    ) -> Any:
        before, after = node.live_in, node.live_out  # type: ignore[attr-defined]
        self._scope.undefined |= dict.fromkeys(writes)
        state = [name for name in writes if name in before or name in after]
        carried = {text: path for text, path in body.parts.items() if activity(_loaded(path)).reads <= before}
        return self._with_state(node, operator, names, functions, state, carried, (), **parts)

    def _with_state(
        self,
        node: ast.stmt,
        operator: str,
        names: list[str],
        functions: list[ast.stmt],
        state: list[str],
        carried: dict[str, ast.expr],
        passing: Iterable[str] = (),
        **parts: ast.expr,
    ) -> list[ast.stmt]:
        """The functions, and the call of the operator with them.

        The state is variables, and attributes and elements; behind it come variables that nobody reads later.
        """
        reader, setter = self._scope.fresh("get_state"), self._scope.fresh("set_state")
        values = self._scope.fresh("values")
        read: list[ast.expr] = [ast.Name(name, ast.Load()) for name in state]
        read += [
            expression(f"{OPERATORS}.part(lambda: path, text)", path=_loaded(path), text=ast.Constant(text))
            for text, path in carried.items()
        ]
        read += [ast.Name(name, ast.Load()) for name in passing]
        sets: list[ast.stmt] = []
        for i, name in enumerate(state):
            sets.append(assigned(name, f"{values}[{i}]", node))
        for i, path in enumerate(carried.values(), len(state)):
            given = expression(f"{OPERATORS}.Undefined is not type({values}[{i}])")
            write = ast.Assign([path], expression(f"{values}[{i}]"))
            sets.append(ast.If(given, [write], []))
        for i, name in enumerate(passing, len(state) + len(carried)):
            sets.append(assigned(name, f"{values}[{i}]", node))
        gives = ast.Return(ast.Tuple(read, ast.Load()))
        functions = [
            *functions,
            self._made_function(reader, [gives], {}, node),
            self._made_function(setter, sets or [ast.Pass()], dict.fromkeys((*state, *passing)), node, [values]),
        ]
        shown = ast.Tuple([ast.Constant(text) for text in (*state, *carried)], ast.Load())
        call = ast.Call(
            expression(f"{OPERATORS}.{operator}"),
            [
                *parts.values(),
                *(expression(name) for name in names),
                ast.Name(reader, ast.Load()),
                ast.Name(setter, ast.Load()),
                shown,
                ast.Constant(len(state)),
            ],
            [],
        )
        return [*functions, ast.fix_missing_locations(ast.copy_location(ast.Expr(call), node))]

    def _made_function(
        self, name: str, body: list[ast.stmt], writes: Iterable[str], at: ast.stmt, parameters: Iterable[str] = ()
    ) -> ast.stmt:
        """A function that shares the variables which it writes."""
        declarations: list[ast.stmt] = []
        for kind, make in (("global", ast.Global), ("nonlocal", ast.Nonlocal)):
            shared = [n for n in writes if self._scope.declared.get(n, "nonlocal") == kind]
            if shared:
                declarations.append(ast.copy_location(make(shared), at))
        own = [each for each in body if not isinstance(each, ast.Global | ast.Nonlocal)]
        arguments = ast.arguments([], [ast.arg(p) for p in parameters], None, [], [], None, [])
        made = ast.FunctionDef(name, arguments, [*declarations, *own] or [ast.Pass()], [], None, None)
        if "type_params" in ast.FunctionDef._fields:
            made.type_params = []  # type: ignore[attr-defined]
        made.made = True  # type: ignore[attr-defined]
        return ast.fix_missing_locations(ast.copy_location(made, at))

    # -- expressions

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        """``a if test else b``."""
        if _never_a_tensor(node.test) or _binds(node):
            return self.generic_visit(node)  # type: ignore[return-value]
        self.generic_visit(node)
        made = expression(
            f"{OPERATORS}.if_exp(test, lambda: body, lambda: orelse)",
            test=node.test, body=node.body, orelse=node.orelse,
        )  # fmt: skip
        return ast.copy_location(made, node)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        """``and`` and ``or``, which look at their second operand only if they need it."""
        if all(_never_a_tensor(each) for each in node.values) or _binds(node):
            return self.generic_visit(node)  # type: ignore[return-value]
        self.generic_visit(node)
        name = "and_" if isinstance(node.op, ast.And) else "or_"
        made = node.values[-1]
        for left in reversed(node.values[:-1]):
            made = expression(f"{OPERATORS}.{name}(lambda: left, lambda: right)", left=left, right=made)
            ast.copy_location(made, left)
        return ast.copy_location(made, node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        """``not``."""
        plain = not isinstance(node.op, ast.Not) or _never_a_tensor(node.operand)
        self.generic_visit(node)
        if plain:
            return node
        return ast.copy_location(expression(f"{OPERATORS}.not_(a)", a=node.operand), node)

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        """``==`` and ``!=``, if asked for."""
        self.generic_visit(node)
        if not self._options.uses(Feature.EQUALITY_OPERATORS) or _never_a_tensor(node):
            return node
        made: ast.expr | None = None
        left = node.left
        for op, right in zip(node.ops, node.comparators, strict=True):
            name = {ast.Eq: "eq", ast.NotEq: "not_eq"}.get(type(op))
            one: ast.expr = ast.Compare(left, [op], [right])
            if name:
                one = expression(f"{OPERATORS}.{name}(a, b)", a=left, b=right)
            made = one if made is None else expression(f"{OPERATORS}.and_(lambda: a, lambda: b)", a=made, b=one)
            left = right
        assert made is not None
        return ast.copy_location(made, node)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """What is called is converted, too."""
        function = node.func
        name = function.id if isinstance(function, ast.Name) else None
        path = ast.unparse(function) if isinstance(function, ast.Attribute | ast.Name) else ""
        if name in _SEES_FRAME:
            raise Unconvertible(f"{name}() looks at the frame of its caller")
        if name == "super" and not node.args and self._scope.parameters:
            node.args = [ast.Name("__class__", ast.Load()), ast.Name(self._scope.parameters[0], ast.Load())]
        self.generic_visit(node)
        if name in _LEFT or path.startswith(f"{OPERATORS}.") or path.endswith(".set_trace"):
            return node
        if name == "print" and not self._options.uses(Feature.BUILTIN_FUNCTIONS):
            return node
        node.func = ast.copy_location(expression(f"{OPERATORS}.called(f)", f=node.func), function)
        return node

    def visit_Assert(self, node: ast.Assert) -> ast.stmt:
        """An op, if asked for."""
        self.generic_visit(node)
        if not self._options.uses(Feature.ASSERT_STATEMENTS):
            return node
        message = node.msg or ast.Constant("Assertion error")
        made = expression(f"{OPERATORS}.assert_stmt(test, lambda: message)", test=node.test, message=message)
        return ast.copy_location(ast.Expr(ast.copy_location(made, node)), node)


# -- what is known of code ----------------------------------------------------------------------


def _loaded(path: ast.expr) -> ast.expr:
    """The path, read."""
    tree: ast.expr = ast.parse(ast.unparse(path), mode="eval").body
    return ast.copy_location(tree, path)


def _never_a_tensor(test: ast.expr) -> bool:
    """Whether the condition is a bool of Python whatever its variables are."""
    if isinstance(test, ast.Compare):
        return all(isinstance(op, ast.Is | ast.IsNot | ast.In | ast.NotIn) for op in test.ops)
    if isinstance(test, ast.BoolOp):
        return all(map(_never_a_tensor, test.values))
    if isinstance(test, ast.UnaryOp):
        return isinstance(test.op, ast.Not) and _never_a_tensor(test.operand)
    if isinstance(test, ast.Call):
        return isinstance(test.func, ast.Name) and test.func.id in ("isinstance", "issubclass", "hasattr", "callable")
    return isinstance(test, ast.Constant)


def _binds(node: ast.AST) -> bool:
    return any(isinstance(n, ast.NamedExpr) for n in ast.walk(node))


def _docstring(body: list[ast.stmt]) -> int:
    """The number of statements that are documentation."""
    first = body[0]
    return int(
        isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
    )


def _declared(body: list[ast.stmt]) -> dict[str, str]:
    found: dict[str, str] = {}
    stack: list[ast.AST] = list(body)
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Global | ast.Nonlocal):
            found |= dict.fromkeys(node.names, "global" if isinstance(node, ast.Global) else "nonlocal")
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            stack += ast.iter_child_nodes(node)
    return found


def _all_names(node: ast.AST) -> set[str]:
    names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
    return names | {n.arg for n in ast.walk(node) if isinstance(n, ast.arg)}


class _Directives(ast.NodeTransformer):
    """Drops calls that only say how a loop is to be built."""

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        """``set_loop_options(...)`` and ``set_element_type(...)``."""
        call = node.value
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute | ast.Name):
            name = call.func.attr if isinstance(call.func, ast.Attribute) else call.func.id
            if name == "set_loop_options":
                return ast.copy_location(ast.Pass(), node)
        return node


def _without_directives(body: list[ast.stmt]) -> list[ast.stmt]:
    return [_Directives().visit(each) for each in body]


class Mangled(ast.NodeTransformer):
    """Private names of a class as Python spells them outside of it."""

    def __init__(self, owner: str) -> None:
        self._prefix = "_" + owner.lstrip("_")

    def _name(self, name: str) -> str:
        return self._prefix + name if name.startswith("__") and not name.endswith("__") else name

    def visit_Name(self, node: ast.Name) -> ast.Name:
        """A variable."""
        node.id = self._name(node.id)
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        """A parameter."""
        node.arg = self._name(node.arg)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """An attribute."""
        node.attr = self._name(node.attr)
        return self.generic_visit(node)

    def visit_keyword(self, node: ast.keyword) -> ast.AST:
        """A keyword of a call."""
        node.arg = self._name(node.arg) if node.arg else None
        return self.generic_visit(node)
