"""Where nan and infinity begin, in the values of a run or in its gradients."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from retrograd.explain.finding import Finding
from retrograd.explain.measures import is_smooth, number
from retrograd.explain.way import Step, Way, computed
from retrograd.graph.operation import Operation
from retrograd.graph.order import ancestors
from retrograd.graph.tensor import Tensor

_PRODUCTS = frozenset(
    ("MatMul", "BatchMatMul", "BatchMatMulV2", "Conv2D", "Mul", "Square", "Sum", "Add", "AddV2", "Pow")
)


def not_finite(way: Way) -> Iterator[Finding]:
    """The op with which nan or infinity began; nothing if there is none."""
    if (tensor := _reached(way)) is not None:
        yield _begun_forwards(way, tensor)
    elif (step := _first_gradient(way)) is not None:
        yield _begun_backwards(way, step)


def _is_bad(values: list[Any]) -> bool:
    return any(is_smooth(np.asarray(v)) and not np.isfinite(np.asarray(v)).all() for v in values if _is_array(v))


def _is_array(value: Any) -> bool:
    return isinstance(value, np.ndarray | np.generic)


# -- values ------------------------------------------------------------------------------------


def _reached(way: Way) -> Tensor | None:
    """A y that is not finite, or, where no y was computed, what such a y would have been computed from."""
    return next((t for t in computed(way.ys, way.values) if _is_bad(way.values(t))), None)


def _begun_forwards(way: Way, tensor: Tensor) -> Finding:
    op = _origin(way, tensor)
    what = "nan" if any(np.isnan(np.asarray(v)).any() for v in way.values(tensor)) else "infinite"
    names = f"'{tensor.op.name}' is {what}"
    if not op.inputs or op.type in ("VariableV2", "VarHandleOp", "Identity", "ReadVariableOp", "Placeholder"):
        if op.type == "Placeholder":
            why = f"what is fed for '{op.name}' is not finite"
            return Finding(f"{names}: so is what was fed", why, "np.isfinite(data).all() before it is fed", op)
        why = f"'{op.name}' was not finite when the run began: a step before it, or its initializer, made it so"
        return Finding(names, why, "a smaller learning rate, or tf.clip_by_global_norm(gradients, 1.0)", op)
    why, fix = _cause(op, [way.values(x) for x in op.inputs])
    title = f"{names}: that begins with '{op.name}' (op type: {op.type})"
    return Finding(title, why, fix, op)


def _origin(way: Way, tensor: Tensor) -> Operation:
    """The first op behind ``tensor`` that gave what is not finite, of finite inputs."""
    behind = set(ancestors([tensor.op], set()))
    for call in way.record.calls:
        if call.op in behind and call.op.type not in ("Identity", "ReadVariableOp"):
            result = call.result if isinstance(call.result, tuple | list) else [call.result]
            if _is_bad([*result]) and not _is_bad([*call.inputs]) and _reaches(way, call.op, tensor):
                return call.op
    while True:
        bad = [x for x in tensor.op.inputs if _is_bad(way.values(x))]
        if not bad or tensor.op in (x.op for x in bad):
            return tensor.op
        tensor = bad[0]


def _reaches(way: Way, op: Operation, tensor: Tensor) -> bool:
    """Whether what is not finite goes on from ``op`` to ``tensor``."""
    queue, seen = deque(op.outputs), set(op.outputs)
    while queue:
        t = queue.popleft()
        if t is tensor:
            return True
        for reader in t.readers:
            for y in reader.outputs:
                if y not in seen and (not way.values(y) or _is_bad(way.values(y))):
                    seen.add(y)
                    queue.append(y)
    return False


def _joined(values: list[Any]) -> Any:
    """All elements of a tensor, of every iteration."""
    arrays = [np.ravel(np.asarray(v)) for v in values if _is_array(v)]
    return np.concatenate(arrays) if arrays else np.zeros(0)


def _cause(op: Operation, inputs: list[list[Any]]) -> tuple[str, str]:
    """Why a result of finite inputs is not finite, and what to type."""
    x = _joined(inputs[0]) if inputs else np.zeros(0)
    if op.type in ("Log", "Log1p"):
        edge = 0 if op.type == "Log" else -1
        at, below = int((x == edge).sum()), int((x < edge).sum())
        counts = " and ".join(f"{n} {words}" for n, words in ((at, f"are {edge}"), (below, f"are below {edge}")) if n)
        return f"of its {x.size} inputs {counts}", (
            "tf.log(tf.maximum(x, 1e-8)), or the loss that takes logits: "
            "tf.nn.softmax_cross_entropy_with_logits_v2, tf.nn.sigmoid_cross_entropy_with_logits"
        )
    if op.type in ("RealDiv", "Div", "Xdivy", "Reciprocal", "Inv"):
        y = _joined(inputs[-1])
        return f"of its {y.size} divisors {int((y == 0).sum())} are 0", "tf.div_no_nan(x, y), or x / (y + 1e-8)"
    if op.type in ("Exp", "Expm1", "Cosh", "Sinh"):
        return f"its largest input is {number(float(x.max()))}, and numbers end before e to that", (
            "tf.nn.softmax, tf.reduce_logsumexp or tf.nn.softplus, which do not overflow; else tf.minimum(x, 50.0)"
        )
    if op.type in ("Sqrt", "Rsqrt"):
        return f"of its {x.size} inputs {int((x < 0).sum())} are below 0 and {int((x == 0).sum())} are 0", (
            "tf.sqrt(tf.maximum(x, 1e-12))"
        )
    if op.type in _PRODUCTS:
        largest = max((float(np.abs(_joined(v)).max()) for v in inputs if _joined(v).size), default=0.0)
        return f"its inputs have grown to {number(largest)}, and the result is beyond what fits", (
            "a smaller learning rate or smaller first weights, or tf.clip_by_global_norm(gradients, 1.0)"
        )
    return "its result is not finite, though its inputs are", "look at its inputs:  tf.Print(x, [x])"


# -- gradients ---------------------------------------------------------------------------------


def _first_gradient(way: Way) -> tuple[Step, Operation] | None:
    """The first gradient on the way back that is not finite, with the op whose rule gave it of finite ones."""
    for step in reversed(way.steps.values()):
        if step.gradient is None or step.gradient.is_finite:
            continue
        for reader in step.tensor.readers:
            after = [way.steps[y] for y in reader.outputs if y in way.steps and way.steps[y].gradient is not None]
            if after and all(s.gradient.is_finite for s in after if s.gradient):
                return step, reader
    return None


def _begun_backwards(way: Way, found: tuple[Step, Operation]) -> Finding:
    step, op = found
    assert step.gradient is not None
    what = "nan" if step.gradient.nans else "infinite"
    title = f"the gradient is {what}: that begins with '{op.name}' (op type: {op.type})"
    x, y, dy = _joined(way.values(step.tensor)), op.outputs[0], _joined(way.gradients(op.outputs[0]))
    dx = _joined(way.gradients(step.tensor))
    bad = ~np.isfinite(dx)
    at = f"where its input is {number(float(x[bad][0]))}" if x.size == bad.size else "at these inputs"
    why = f"its derivative is infinite {at} ({int(bad.sum())} of {bad.size} elements)"
    fix = _SINGULAR.get(op.type, f"keep the input of '{op.name}' away from there, as by tf.maximum(x, 1e-8)")
    if dy.size == bad.size and not dy[bad].any():
        choice = _choice_after(way, y)
        why += ".  No derivative is asked for there, but 0 times infinity is nan"
        if choice is not None:
            why += f": '{choice.name}' takes the other side of these"
            name = _SHORT.get(op.type, "f")
            fix = (
                "choose before too, so that there is nothing infinite:\n"
                f"safe = tf.where(ok, x, tf.ones_like(x)); tf.where(ok, {name}(safe), other)"
            )
    return Finding(title, why, fix, op)


_SINGULAR = {
    "Sqrt": "tf.sqrt(x + 1e-12), or tf.sqrt(tf.maximum(x, 1e-12))",
    "Rsqrt": "tf.rsqrt(x + 1e-12)",
    "Log": "tf.log(tf.maximum(x, 1e-8)), or a loss that takes logits",
    "Pow": "tf.pow(tf.maximum(x, 1e-8), p)",
}
_SHORT = {"Sqrt": "tf.sqrt", "Log": "tf.log", "Rsqrt": "tf.rsqrt", "RealDiv": "a / ", "Exp": "tf.exp"}


def _choice_after(way: Way, tensor: Tensor) -> Operation | None:
    """The nearest op on the way that chooses among elements, of what reads ``tensor``."""
    return _nearest(tensor, lambda op: op.type in ("Select", "SelectV2"), way)


def _nearest(tensor: Tensor, wanted: Callable[[Operation], bool], way: Way) -> Operation | None:
    queue, seen = deque([tensor]), {tensor}
    while queue:
        for reader in queue.popleft().readers:
            if wanted(reader):
                return reader
            for y in reader.outputs:
                if y in way.made.of_tensors and y not in seen:
                    seen.add(y)
                    queue.append(y)
    return None
