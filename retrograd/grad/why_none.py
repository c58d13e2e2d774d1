"""Why a gradient is None: ``retrograd.why_none``.

Of all the ways from ``y`` back to ``x`` it takes one with the fewest obstacles: ops that pass no derivative on.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from retrograd.grad import registry
from retrograd.grad.gradients import is_trainable
from retrograd.grad.registry import gradient_of
from retrograd.grad.ways import dependents, distances, in_words, shortest_way
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import Effect
from retrograd.graph.functions import FunctionGraph
from retrograd.graph.operation import Operation
from retrograd.graph.tensor import Tensor
from retrograd.ops import constants


def why_none(y: Any, x: Any, stop_gradients: Any = None) -> str:
    """Print, and return, why ``tf.gradients(y, x, stop_gradients=stop_gradients)`` is None.

    Either ``y`` does not depend on ``x``, or every way between them meets an op that passes no derivative on;
    each such op comes with the line that built it and with the usual mend.

    >>> x = constants.constant(1.0, name="x")
    >>> _ = why_none(constants.constant(2.0, name="y"), x)  # doctest: +ELLIPSIS
    tf.gradients(y, x) is None
      Why:   'y' does not depend on 'x', and they have no op in common
      Where: ...
      Fix:   compute y from x
    """
    text = explanation(_tensor(y), _tensor(x), _stops(stop_gradients))
    print(text)
    return text


def _tensor(value: Any) -> Tensor:
    """What ``tf.gradients`` takes for ``value``: of a resource variable its handle, of another its reference."""
    return as_tensor(getattr(value, "handle", value), as_ref=True)


def _stops(stop_gradients: Any) -> frozenset[Operation]:
    if stop_gradients is None:
        return frozenset()
    listed = stop_gradients if isinstance(stop_gradients, list | tuple) else [stop_gradients]
    return frozenset(_tensor(t).op for t in listed)


def explanation(y: Tensor, x: Tensor, stops: frozenset[Operation] = frozenset()) -> str:
    """The answer of ``why_none``."""
    head = f"tf.gradients({_short(y)}, {_short(x)}) is None"
    if x.graph is not y.graph:
        return _answer(
            head, f"'{_short(y)}' and '{_short(x)}' are of different graphs", None, "build both in one graph"
        )
    way = clearest_way(y, [x], stops)
    if way is None:
        return _answer(head, *unconnected(y, x))
    if not way.obstacles:
        head = f"tf.gradients({_short(y)}, {_short(x)}) is not None"
        return f"{head}\n  Why:   the derivative passes  {in_words(way.ops)}"
    return f"{head}\n{way.in_words()}"


def _short(tensor: Tensor) -> str:
    return tensor.name if tensor.value_index else tensor.op.name


def _answer(head: str, why: str, place: str | None, fix: str) -> str:
    return "\n".join([head, f"  Why:   {why}", *([f"  Where: {place}"] if place else []), f"  Fix:   {fix}"])


# -- ways and obstacles ------------------------------------------------------------------------


@dataclass(frozen=True)
class Obstacle:
    """An op that passes no derivative on, why not, and what to type instead."""

    op: Operation
    why: str
    fix: str


@dataclass(frozen=True)
class Way:
    """The ops from x to y, and those of them that are obstacles, nearest to y first."""

    ops: list[Operation]
    obstacles: list[Obstacle]

    def in_words(self) -> str:
        """Why, where and how to mend, for each obstacle."""
        first, last = self.ops[0].name, self.ops[-1].name
        names = in_words(self.ops, [o.op for o in self.obstacles])
        lines = [f"  Why:   '{last}' depends on '{first}' by  {names}" if len(self.ops) > 1 else ""]
        for i, obstacle in enumerate(self.obstacles):
            start = "         but" if not i and lines[0] else "  Why:   nor does one pass" if i else "  Why:  "
            passes = " no derivative passes" if not i else ""
            lines.append(f"{start}{passes} '{obstacle.op.name}' (op type: {obstacle.op.type}): {obstacle.why}")
            lines += [f"  Where: {obstacle.op.place}"] if obstacle.op.place else []
            lines.append("  Fix:   " + obstacle.fix.replace("\n", "\n         "))
        return "\n".join(line for line in lines if line)


def clearest_way(
    y: Tensor, xs: Sequence[Tensor], stops: frozenset[Operation] = frozenset(), passes: Passes | None = None
) -> Way | None:
    """A way from one of ``xs`` to ``y`` with as few obstacles as there can be; None if there is no way.

    ``passes`` is what is known already of ops, for who asks more than once; with the same ``stops``.
    """
    reached, goals, passes = dependents(xs), set(xs), passes or Passes(stops)
    if y not in reached:
        return None
    start = (0, 0, 0)  # obstacles, steps, and the turn, for tensors do not compare
    ahead, came_from, done = [(start, y)], {y: (start, y)}, set()
    turns = itertools.count(1)
    while True:
        (obstacles, steps, _), t = heapq.heappop(ahead)
        if t in goals:
            break
        if t in done:
            continue
        done.add(t)
        for i, source in enumerate(t.op.inputs):
            if source in reached and source not in done:
                cost = (obstacles + (not passes.edge(t, i)), steps + 1, next(turns))
                if source not in came_from or cost[:2] < came_from[source][0][:2]:
                    came_from[source] = cost, t
                    heapq.heappush(ahead, (cost, source))
    return _way([t, *_followed(came_from, t, y)], passes)


def reached_by_derivatives(ys: Iterable[Tensor]) -> set[Tensor]:
    """The tensors that a derivative of some y passes to."""
    passes, found = Passes(frozenset()), set(ys)
    stack = list(found)
    while stack:
        t = stack.pop()
        fresh = {x for i, x in enumerate(t.op.inputs) if x not in found and passes.edge(t, i)}
        found |= fresh
        stack += fresh
    return found


def _followed(came_from: Mapping[Tensor, tuple[Any, Tensor]], t: Tensor, end: Tensor) -> Iterator[Tensor]:
    while t is not end:
        t = came_from[t][1]
        yield t


def _way(tensors: list[Tensor], passes: Passes) -> Way:
    x, edges = tensors[0], [(t, s) for s, t in pairwise(tensors)]
    obstacles = [passes.obstacle(t, s) for t, s in edges if not passes.edge(t, list(t.op.inputs).index(s))]
    if not is_trainable(x.dtype):
        obstacles.insert(0, _not_smooth(x))
    return Way([t.op for t in tensors], obstacles[::-1])


class Passes:
    """Which edges pass a derivative on; each op is asked once."""

    def __init__(self, stops: frozenset[Operation]) -> None:
        self.stops = stops
        self.known: dict[Operation, list[bool]] = {}

    def edge(self, t: Tensor, i: int) -> bool:
        """Whether a gradient of ``t`` becomes one of input ``i`` of its op."""
        source = t.op.inputs[i]
        if t.op in self.stops:
            return False
        if not is_trainable(source.dtype):
            return True  # what makes an integer of a float is the obstacle, or else x itself
        if t.op.type in _STRUCTURE:
            return is_trainable(t.dtype)
        if t.op not in self.known:
            self.known[t.op] = _inputs_with_gradient(t.op)
        return self.known[t.op][i]

    def obstacle(self, t: Tensor, source: Tensor) -> Obstacle:
        """Why ``t`` does not pass a derivative on to ``source``."""
        if t.op in self.stops:
            return Obstacle(t.op, "it is in stop_gradients", f"leave '{_short(t)}' out of stop_gradients=[...]")
        why, fix = _reason(t.op, source)
        return Obstacle(t.op, why, fix)


_STRUCTURE = frozenset(("Switch", "RefSwitch", "Merge", "Enter", "Exit", "NextIteration", "LoopHistory"))


def _inputs_with_gradient(op: Operation) -> list[bool]:
    """For each input of ``op``, whether the op's rule gives it a gradient.

    The rule is asked in a graph of its own, which captures what it reads: the program's graph stays as it is.
    """
    try:
        rule = gradient_of(op)
    except LookupError:
        return [False] * len(op.inputs)
    if rule is None:
        return [False] * len(op.inputs)
    graph = FunctionGraph("gradient")
    try:
        with graph.as_default():
            dys = [constants.placeholder(y.dtype.base_dtype, y.shape) for y in op.outputs]
            dxs = rule(op, *dys)
    except Exception:  # a rule that cannot be asked alone; what is being explained matters more
        return [True] * len(op.inputs)
    dxs = dxs if isinstance(dxs, list | tuple) else [dxs]
    return [dx is not None for dx in dxs]


# -- obstacles in words ------------------------------------------------------------------------

_FLAT = frozenset(("Round", "Rint", "Floor", "Ceil", "Sign", "FloorDiv", "FloorMod"))
_COMPARED = frozenset(
    (
        "Less", "LessEqual", "Greater", "GreaterEqual", "Equal", "NotEqual", "ApproximateEqual", "IsFinite", "IsInf",
        "IsNan",
    )
)  # fmt: skip
_OF_SHAPES = frozenset(("Shape", "ShapeN", "Size", "Rank", "ZerosLike", "OnesLike", "BroadcastGradientArgs"))
_INDICES = frozenset(("ArgMax", "ArgMin", "Where", "Unique", "UniqueWithCounts", "TopKV2", "InTopK", "InTopKV2"))


def _reason(op: Operation, source: Tensor) -> tuple[str, str]:
    """(why no derivative passes ``op`` to ``source``, the usual mend)."""
    name, x = op.type, _short(source)
    registered = registry.REGISTERED.get(registry.type_of_rule(op))
    if registered is not None and registered[0] is None:
        place = f" at {registered[1]}" if registered[1] else ""
        return f'tf.NotDifferentiable("{name}") says so{place}', _overridden(op)
    if registered is not None:
        return f"its gradient function gives None for '{x}'", f"return a gradient for '{x}' there"
    for kinds, why, fix in _REASONS:
        if name in kinds:
            return why, fix.format(x=x)
    try:
        gradient_of(op)
    except LookupError:
        return "no gradient is defined for its type", f'@tf.RegisterGradient("{name}")'
    if not any(is_trainable(y.dtype) for y in op.outputs):
        words = " and ".join(sorted({y.dtype.base_dtype.name for y in op.outputs}))
        return f"its result is {words}, and only floating numbers vary smoothly", _overridden(op)
    return f"its result does not vary smoothly with '{x}'", _overridden(op)


_REASONS: tuple[tuple[frozenset[str], str, str], ...] = (
    (frozenset(["StopGradient"]), "stopping it is what it is for", "use '{x}' itself where its derivative is wanted"),
    (_FLAT, "it is flat wherever it has a derivative",
     "straight through it:  x + tf.stop_gradient(tf.round(x) - x)  # its value forwards, the identity backwards"),
    (frozenset(["Cast"]), "integers do not vary smoothly, so no derivative passes a cast to them",
     "stay in floats:  x + tf.stop_gradient(tf.floor(x) - x)  is a whole number with a derivative"),
    (_INDICES, "an index does not vary smoothly",
     "tf.reduce_max(...) for the value there; tf.nn.softmax(... / temperature) for a smooth choice"),
    (_COMPARED, "true or false does not vary smoothly",
     "tf.sigmoid((a - b) / width) for a smooth step; tf.where(a > b, f, g) has the derivatives of f and g"),
    (_OF_SHAPES, "shapes do not depend on values", "use the values of '{x}'"),
    (frozenset(["PyFunc", "PyFuncStateless", "EagerPyFunc"]), "Python functions come without a derivative",
     '@tf.RegisterGradient("MyGradient")  # def f(op, *dys): return [dx, ...]\n'
     'with tf.get_default_graph().gradient_override_map({{"PyFunc": "MyGradient"}}):  # build it here'),
)  # fmt: skip


def _overridden(op: Operation) -> str:
    return (
        f"train on something without {op.type} on this way, or give it a derivative:\n"
        f'with tf.get_default_graph().gradient_override_map({{"{op.type}": "Identity"}}):  # build it here'
    )


def _not_smooth(x: Tensor) -> Obstacle:
    kind = x.dtype.base_dtype.name
    return Obstacle(x.op, f"it is {kind}, and only floating numbers vary smoothly", "make it tf.float32 to begin with")


# -- no way ------------------------------------------------------------------------------------


def unconnected(y: Tensor, x: Tensor) -> tuple[str, str | None, str]:
    """Why, where and how to mend, where ``y`` is not computed from ``x``."""
    (y_name, x_name), place = (_short(y), _short(x)), y.op.place
    why, fix = f"'{y_name}' does not depend on '{x_name}'", f"compute {y_name} from {x_name}"
    if x in dependents([y]):
        why += f"; it is the other way round:  {in_words(_way_down(y.op, x.op) or [y.op, x.op])}"
        fix = f"tf.gradients({x_name}, {y_name})"
    elif (write := _write_between(x, y)) is not None:
        variable = _variable(write)
        why += (
            f" but through the variable '{variable.name}', which '{write.name}' writes: "
            "no derivative passes the value of a variable"
        )
        place, fix = write.place, f"compute {y_name} from what is assigned, not from '{variable.name}'"
    elif x.op not in distances(y.op) and _waits(y.op, x.op):
        why += "; it only waits for it: control dependencies order ops and carry no values"
    elif (common := _nearest_common(y.op, x.op)) is not None:
        why += f"; the nearest op that both come from is '{common.name}' (op type: {common.type})"
        place = common.place
        fix = f"tf.gradients({y_name}, {common.name}), or {fix}"
    else:
        why += ", and they have no op in common"
    return why, place, fix


def _way_down(start: Operation, end: Operation) -> list[Operation] | None:
    return shortest_way(start, lambda op: op is end, lambda op: [r for t in op.outputs for r in t.readers])


def _nearest_common(a: Operation, b: Operation) -> Operation | None:
    """The op that both are computed from in the fewest steps altogether; constants do not count."""
    from_a, from_b = distances(a), distances(b)
    common = [op for op in from_a if op in from_b and op.type != "Const"]
    return min(common, key=lambda op: (from_a[op] + from_b[op], -op.index), default=None)


def _write_between(x: Tensor, y: Tensor) -> Operation | None:
    """An op that writes something computed from ``x`` to a variable that ``y`` reads."""
    read = set(distances(y.op))
    readers = {reader for t in dependents([x]) for reader in t.readers}
    writes = [op for op in readers if op.definition.effect is Effect.WRITE and op.inputs and _variable(op) in read]
    return min((op for op in writes if _variable(op) is not x.op), key=lambda op: op.index, default=None)


def _variable(write: Operation) -> Operation:
    op = write
    while op.inputs:
        op = op.inputs[0].op
    return op


def _waits(y: Operation, x: Operation) -> bool:
    """Whether ``y`` runs after ``x`` because of some control dependency."""
    return shortest_way(y, lambda op: op is x, lambda op: [*(t.op for t in op.inputs), *op.control_inputs]) is not None


# -- for the error of minimize -----------------------------------------------------------------


def best_of(y: Tensor, xs: Iterable[Any]) -> Way | None:
    """Of the ways from any of ``xs``, one with the fewest obstacles, and of those the shortest."""
    return clearest_way(y, [_tensor(x) for x in xs])
