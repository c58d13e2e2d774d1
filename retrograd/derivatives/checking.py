"""Is each op's gradient right?  Every rule on the way from xs to ys, against differences of its op alone.

For y = f(x) at the values that a run gives x, for a random dy and along a random v, both sides of

    <f'(x)^T dy, v> = <dy, f'(x) v>

are computed: the left one by the op's gradient rule, the right one by central differences of its kernel in float64.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from retrograd.grad.checker import dense_gradient
from retrograd.grad.gradients import gradients, input_gradients, ops_between
from retrograd.grad.registry import gradient_of
from retrograd.grad.vjp import SMOOTH, is_smooth
from retrograd.graph import dtypes, stack
from retrograd.graph.apply import computed
from retrograd.graph.contexts import output_context
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import Effect
from retrograd.graph.operation import Operation
from retrograd.graph.order import in_order
from retrograd.graph.scopes import name_scope
from retrograd.graph.tensor import Tensor
from retrograd.ops import constants

Array = np.ndarray[Any, Any]
Values = dict[Tensor, Any]

_PASSED_ON = frozenset(("Enter", "Exit", "Merge", "Switch", "NextIteration", "Identity"))
_BY_FUNCTION = b"CustomGradient-"  # how the gradients of tf.custom_gradient are named
_TOLERANCE = {"float64": 1e-6, "complex128": 1e-6, "float32": 2e-3, "complex64": 2e-3}  # else 5e-2
_STEP = {"float64": 1e-3, "complex128": 1e-3}  # of the differences, relative to the values
_LARGE_STEP = 2e-2  # for less precise numbers


@dataclass(frozen=True)
class OpCheck:
    """What was found for one op."""

    op: Operation
    verdict: str  # "ok", "WRONG", "not differentiable here", "none flows" or "not checked"
    error: float | None = None  # relative
    why: str = ""

    def __str__(self) -> str:
        return f"{self.op.name} ({self.op.type}) at {self.op.place}: {self.verdict}{self.why and f': {self.why}'}"


@dataclass(frozen=True)
class GradientReport:
    """What ``check_gradients`` found: one ``OpCheck`` for each op, from xs to ys."""

    checks: tuple[OpCheck, ...]

    @property
    def wrong(self) -> list[OpCheck]:
        """The ops whose gradient is not their derivative."""
        return [check for check in self.checks if check.verdict == "WRONG"]

    @property
    def ok(self) -> bool:
        """Whether none is."""
        return not self.wrong

    def __str__(self) -> str:
        rows = [("op", "type", "built at", "error", "derivative")] + [
            (c.op.name, _type_of(c.op), c.op.place or "", "" if c.error is None else f"{c.error:.0e}", _words(c))
            for c in self.checks
        ]
        widths = [max(len(row[i]) for row in rows) for i in range(4)]
        lines = ["  ".join([*(cell.ljust(w) for cell, w in zip(row, widths, strict=False)), row[4]]) for row in rows]
        if not self.checks:
            return "0 ops: no derivative flows from ys to xs, as retrograd.why_none(y, x) tells"
        count = len(self.wrong)
        summary = f"{len(self.checks)} ops, " + (f"{count} WRONG" if count else "none wrong")
        return "\n".join([*(line.rstrip() for line in lines), summary])


def _type_of(op: Operation) -> str:
    override = op.attrs.get("_gradient_op_type")
    return op.type if override is None else f"{op.type} by {override.decode()}"


def _words(check: OpCheck) -> str:
    return check.verdict + (f": {check.why}" if check.why else "")


def check_gradients(ys: Any, xs: Any, feed_dict: Any = None, session: Any = None) -> GradientReport:
    """Check the gradient rule of every op between ``xs`` and ``ys`` where a run with ``feed_dict`` takes it.

    Prints a table and returns the same as a ``GradientReport``.  Each op is checked by itself, in float64 whatever
    its dtype, so a wrong rule is named and does not hide behind right ones; a loop, a conditional or a ``TensorArray``
    is checked as a whole, by each op that ends it or reads from it.  Outputs at a kink are left out.

    The check adds ops to the graph.

    Args:
      ys, xs: tensors or variables, or lists of them.
      feed_dict: what the run is given.
      session: what runs it, by default the default session.

    Raises:
      ValueError: there is no session.

    >>> import retrograd
    >>> from retrograd import tf
    >>> x = tf.placeholder(tf.float32, [3], name="x")
    >>> y = tf.reduce_sum(tf.exp(x), name="y")
    >>> with tf.Session():
    ...     report = retrograd.check_gradients(y, x, {x: [0.0, 1.0, 2.0]})  # doctest: +ELLIPSIS
    op ... type ... derivative
    Exp ... ok
    y ... ok
    2 ops, none wrong
    >>> report.ok
    True
    """
    session = session or stack.default_session()
    if session is None:
        error = ValueError("check_gradients needs a session to run the ops in")
        error.add_note("  Fix:   with tf.Session() as sess: retrograd.check_gradients(ys, xs, feed_dict)")
        raise error
    ys, xs = ([as_tensor(t, as_ref=True) for t in (ts if isinstance(ts, list | tuple) else [ts])] for ts in (ys, xs))
    feeds = {as_tensor(t): value for t, value in (feed_dict or {}).items()}
    path = ops_between(xs, ys)
    moved = set(xs).union(*(op.outputs for op in path))
    order = [op for op in in_order(path) if _is_a_step(op) and not moved.isdisjoint(_roots(op))]
    run = _Run(session, feeds, moved, _values(session, order, feeds))
    with session.graph.as_default(), name_scope("check_gradients"):
        report = GradientReport(tuple(run.check(op) for op in order))
    print(report)
    return report


# -- the values of a run -----------------------------------------------------------------------


def _values(session: Any, ops: Sequence[Operation], feeds: Values) -> Values:
    """What the tensors around ``ops`` are in a run, as far as they can be fetched."""
    tensors = _around([op for op in ops if _why_not(op) is None])
    try:
        return dict(zip(tensors, session.run(tensors, feeds), strict=True))
    except Exception:  # some are of a branch that is not taken: try each by itself
        return {t: value for t in tensors for value in _fetched(session, t, feeds)}


def _fetched(session: Any, tensor: Tensor, feeds: Values) -> list[Any]:
    try:
        return [session.run(tensor, feeds)]
    except Exception:
        return []


def _around(ops: Sequence[Operation]) -> list[Tensor]:
    """The inputs and outputs of ``ops``, and of what stands behind those that carry a function."""
    tensors = dict.fromkeys(t for op in ops for o in alone(op) for t in (*_roots(o), *o.outputs))
    return [t for t in tensors if t.dtype.base_dtype not in (dtypes.resource, dtypes.variant)]


def _why_not(op: Operation) -> str | None:
    """Why an op cannot be looked at by itself; None if it can."""
    if op.definition.kernel is None and not _ends_block(op):
        return "it has no kernel"
    if op.definition.effect is Effect.RANDOM:
        return "it draws random numbers"
    return None


def _is_flow(tensor: Tensor) -> bool:
    """Whether a tensor is no number but tells of the state of a ``TensorArray``."""
    while tensor.op.type in _PASSED_ON:
        tensor = tensor.op.inputs[0]
    flows = [a.name in ("flow", "flow_out", "grad_flow") for a in tensor.op.definition.outputs]
    return tensor.op.type.startswith("TensorArray") and flows[tensor.value_index]


def _ends_block(op: Operation) -> bool:
    """Whether a loop or a conditional ends in ``op``, or what was written to a ``TensorArray`` comes out of it."""
    return op.type in ("Exit", "Merge") or any(map(_is_flow, op.inputs))


def _is_a_step(op: Operation) -> bool:
    """Whether ``op`` is one on the way from numbers to numbers, not a part of a block that is one."""
    if output_context(op) is not None or any(map(_is_flow, op.outputs)):
        return False
    return any(map(is_smooth, op.inputs)) and any(map(is_smooth, op.outputs))


def _roots(op: Operation) -> list[Tensor]:
    """What ``op`` is a function of: its inputs, or for the end of a block the numbers that it sees of the outside."""
    if not _ends_block(op):
        return list(op.inputs)
    roots: dict[Tensor, None] = {}
    seen, queue = {op}, [op]
    while queue:
        for x in queue.pop(0).inputs:
            if output_context(x.op) is None and not _is_flow(x):
                roots |= {x: None} if is_smooth(x) else {}
            elif x.op not in seen:
                seen.add(x.op)
                queue.append(x.op)
    return list(roots)


def alone(op: Operation) -> list[Operation]:
    """The ops that compute what ``op`` stands for: itself, or the function whose own gradient it carries."""
    if not _carries_function(op):
        return [op]
    inside: set[Operation] = set()
    for i, y in enumerate(op.inputs):
        inside |= _depending(y, {x for x in op.inputs[i + 1 :] if x is not y})
    return [*in_order(inside), op]


def _made(op: Operation) -> set[Tensor]:
    """The tensors that ``op`` computes before its last step."""
    return {y for o in alone(op)[:-1] for y in o.outputs}


def _carries_function(op: Operation) -> bool:
    override = op.attrs.get("_gradient_op_type")
    return op.type == "IdentityN" and override is not None and override.startswith(_BY_FUNCTION)


def _depending(y: Tensor, xs: set[Tensor]) -> set[Operation]:
    """The ops on the ways from ``xs`` to ``y``."""
    behind: set[Operation] = set()
    stack_ = [y.op]
    while stack_:
        op = stack_.pop()
        if op not in behind and not xs.issuperset(op.outputs):
            behind.add(op)
            stack_ += [t.op for t in op.inputs if t not in xs]
    reached: set[Tensor] = set(xs)
    found = set()
    for op in in_order(behind):
        if not reached.isdisjoint(op.inputs):
            found.add(op)
            reached.update(op.outputs)
    return found


# -- one op ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Run:
    """A run, and what the tensors around the ops were in it."""

    session: Any
    feeds: Values
    moved: set[Tensor]  # what depends on an x, and the xs
    values: Values

    def check(self, op: Operation) -> OpCheck:
        reason = _why_not(op)
        if reason is None and not all(t in self.values for t in _around([op])):
            reason = "it did not run"
        if reason is not None:
            return OpCheck(op, "not checked", why=reason)
        if _ends_block(op):
            return self._compare(op)
        try:
            rule = gradient_of(op)
        except LookupError:
            return OpCheck(op, "not checked", why="no gradient is defined for it")
        return OpCheck(op, "none flows") if rule is None else self._compare(op)

    def _compare(self, op: Operation) -> OpCheck:
        """The two sides of the equation for one op; outputs at a kink are left out of both."""
        made, ys = _made(op), _computed_outputs(op)
        xs = [x for x in dict.fromkeys(_roots(op)) if x in self.moved and is_smooth(x) and x not in made]
        random = np.random.RandomState(0)
        vs = {x: _direction(random, self.values[x]) for x in xs}
        try:
            slopes = self._slopes(op, vs, ys)
        except Exception as error:
            return OpCheck(op, "not checked", why=f"it fails nearby: {_first_line(error)}")
        smooth = [np.isfinite(slope) for slope in slopes]
        if not any(map(np.any, smooth)):
            return OpCheck(op, "not differentiable here")
        dys = [np.where(at, _normal(random, slope), 0) for at, slope in zip(smooth, slopes, strict=True)]
        want = _products(dys, slopes, smooth)
        try:
            dxs = self._by_rule(op, xs, dict(zip(ys, dys, strict=True)))
        except Exception as error:
            return OpCheck(op, "WRONG", why=f"its rule fails: {_first_line(error)}")
        if not dxs:
            return OpCheck(op, "none flows")
        inside = [np.full(dx.shape, all(map(np.all, smooth))) | np.isfinite(dx) for dx in dxs.values()]
        got = _products(list(dxs.values()), [vs[x] for x in dxs], inside)
        scale = max(abs(want.sum()), float(np.linalg.norm(want)), abs(got.sum()))
        off = float(abs(got.sum() - want.sum()) / scale) if scale else 0.0
        names = {t.dtype.base_dtype.name for t in (*xs, *ys)}
        tolerance = max(_TOLERANCE.get(name, 5e-2) for name in names)
        return OpCheck(op, "ok" if off <= tolerance else "WRONG", off)

    def _slopes(self, op: Operation, vs: Values, ys: list[Tensor]) -> list[Array]:
        """f'(x) v by central differences of fourth order; nan where f has a kink, a jump or no value.

        At a kink the slopes of the two sides differ by as much however small the step.
        """
        function, h = self._function(op, ys)
        xs = {x: _wide(self.values[x]) for x in vs}

        def at(step: float) -> list[Array]:
            return function({x: value + step * vs[x] for x, value in xs.items()})

        slopes = []
        with np.errstate(all="ignore"):
            for y0, far_below, below, above, far_above in zip(at(0), at(-2 * h), at(-h), at(h), at(2 * h), strict=True):
                slope = (8 * (above - below) - (far_above - far_below)) / (12 * h)
                near = np.abs(above - 2 * y0 + below) / h
                far = np.abs(far_above - 2 * y0 + far_below) / (2 * h)
                sides = np.abs(above - y0) / h + np.abs(y0 - below) / h
                kink = (near > 0.75 * far) & (near > 1e-3 * sides) & (near > 1e-9 * np.abs(y0))
                slopes.append(np.where(kink | ~np.isfinite(slope), np.nan, slope))
        return slopes

    def _function(self, op: Operation, ys: list[Tensor]) -> tuple[Callable[[Values], list[Array]], float]:
        """What computes ``ys`` from other inputs of ``op``, in float64 if it can; and the step to take."""

        def in_float64(inputs: Values) -> list[Array]:
            known = {t: _wide(self.values[t]) for t in _around([op])} | inputs
            for o in alone(op):
                results = computed(o.definition, _wide_attrs(o.attrs), [known[t] for t in o.inputs])
                known.update(zip(o.outputs, map(np.asarray, results), strict=True))
            return [known[y] for y in ys]

        def in_session(inputs: Values) -> list[Array]:
            narrow = {x: value.astype(x.dtype.base_dtype.np) for x, value in inputs.items()}
            made = _made(op)
            fed = {x: self.values[x] for x in _roots(op) if x in self.values and x not in made and not x.dtype.is_ref}
            return [_wide(y) for y in self.session.run(ys, {**self.feeds, **fed, **narrow})]

        if not _ends_block(op) and all(o.definition.effect in (None, Effect.CHECK) for o in alone(op)):
            try:
                return in_float64, max(_STEP.get(y.dtype.name, _LARGE_STEP) for y in in_float64({}))
            except Exception:  # its kernel is for narrower numbers
                pass
        return in_session, max(_STEP.get(y.dtype.base_dtype.name, _LARGE_STEP) for y in ys)

    def _by_rule(self, op: Operation, xs: list[Tensor], dys: Values) -> Values:
        """The gradient of each of ``xs`` that the op's rule gives one to, for the gradients ``dys`` of outputs."""
        given = [
            constants.placeholder(y.dtype.base_dtype, np.shape(self.values[y])) if is_smooth(y) else None
            for y in op.outputs
        ]
        roots = _roots(op)
        built = (
            gradients(op.outputs, roots, given, stop_gradients=roots)
            if _ends_block(op)
            else input_gradients(op, list(given), False)
        )
        terms = [(x, dx) for x, dx in zip(roots, built, strict=True) if dx is not None and x in xs]
        around = roots if _ends_block(op) else [*roots, *op.outputs]
        fed = {t: self.values[t] for t in around if t in self.values and not t.dtype.is_ref}
        for y, placeholder in zip(op.outputs, given, strict=True):
            if placeholder is not None:
                fed[placeholder] = np.asarray(dys.get(y, np.zeros(np.shape(self.values[y])))).astype(
                    y.dtype.base_dtype.np
                )
        dxs: Values = {}
        values = self.session.run([dx for _, dx in terms], {**self.feeds, **fed})
        for (x, _), dx in zip(terms, values, strict=True):
            dims = np.shape(self.values[x])
            dx = _wide(dense_gradient(dx, dims))
            if dx.shape != dims:
                raise ValueError(f"the gradient of {x.name} has shape {dx.shape}, and {x.name} {dims}")
            dxs[x] = dxs[x] + dx if x in dxs else dx
        return dxs


def _computed_outputs(op: Operation) -> list[Tensor]:
    """The smooth outputs, but for those by which ``tf.custom_gradient`` passes on what its function was given."""
    if not _carries_function(op):
        return [y for y in op.outputs if is_smooth(y)]
    made = _made(op)
    return [y for i, y in enumerate(op.outputs) if op.inputs[i] in made or op.inputs[i] in op.inputs[i + 1 :]]


def _products(a: list[Array], b: list[Array], inside: list[Array]) -> Array:
    """The terms of <a, b> at the places ``inside``."""
    terms = [np.real(np.conj(x) * y)[at] for x, y, at in zip(a, b, inside, strict=True)]
    return np.concatenate([np.zeros(1), *terms])


def _direction(random: np.random.RandomState, value: Any) -> Array:
    """Random, of the size of the value: a relative step stays inside of most domains."""
    size = np.abs(_wide(value))
    largest = size.max(initial=0, where=np.isfinite(size))
    return _normal(random, _wide(value)) * np.maximum(size, 1e-3 * largest if largest else 1.0)


def _normal(random: np.random.RandomState, like: Array) -> Array:
    numbers = np.asarray(random.standard_normal(like.shape))
    return numbers + 1j * random.standard_normal(like.shape) if like.dtype.kind == "c" else numbers


def _wide(value: Any) -> Array:
    """A value in float64 or complex128, if its dtype is smooth."""
    array = np.asarray(value)
    if array.dtype.kind == "O" or not is_smooth(array):
        return array
    return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)


def _wide_attrs(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _wide_attrs(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_wide_attrs(each) for each in value]
    if not isinstance(value, dtypes.DType) or value.base_dtype not in SMOOTH:
        return value
    return dtypes.complex128 if value.is_complex else dtypes.float64


def _first_line(error: Exception) -> str:
    return f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}".rstrip(": ")


__all__ = ["GradientReport", "OpCheck", "check_gradients"]
