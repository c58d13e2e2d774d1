"""What a run costs: an estimate that follows from the plan and the shapes alone, never from the clock."""

from __future__ import annotations

from math import prod
from typing import Any

from retrograd.graph.operation import Operation
from retrograd.graph.tensor import Tensor
from retrograd.run.plan import Plan
from retrograd.run.repeats import count_repeated
from retrograd.run.specialise import Facts

# of programs of 30 to 17,000 ops a run, that take 0.3 to 100 ms: within a third for three quarters of them
_STEP = 1.2e-6  # seconds that the interpreter takes for an op on few elements
_ELEMENT = 3.5e-10  # seconds for each element that an op makes
_OPERATION = 8e-12  # seconds for each multiplication or addition of a contraction
_CONVOLVED = 3e-12  # of a convolution
ITERATIONS = 32  # that a loop is taken to have, if it is not known how many
_FEW_OPS = 40
_LARGE_MATRICES = 1 << 17  # elements
_ROLLED = 0.85  # what is not spent on a step that is rolled up: it is traced
_READS = frozenset(("Variable", "VariableV2", "VarHandleOp", "ReadVariableOp"))
_UNKNOWN = 32  # elements along a dimension of which nothing is known


def seconds(plan: Plan, facts: Facts, iterations: int = ITERATIONS, unknown: int = _UNKNOWN) -> float:
    """About how long the interpreter takes for one run of ``plan``, whose loops have so many iterations.

    Loops within loops are taken to have few, and dimensions that are not known ``unknown`` elements.
    """
    total = 0.0
    for op in plan.ops:
        if op.type == "Const":
            continue
        depth = plan.loop_of[op].depth + 1 if op in plan.loop_of else 0
        times = iterations * min(iterations, ITERATIONS) ** (depth - 1) if depth else 1
        total += _seconds(op, facts, unknown) * times
    return total


def is_certain(plan: Plan, facts: Facts) -> bool:
    """Whether the sizes of all that the ops of ``plan`` make are known; loops are estimated anyhow."""
    return all(facts.is_known(t) for op in plan.ops if op not in plan.loop_of for t in op.outputs)


def share_to_compile(plan: Plan) -> float:
    """Which share of ``plan`` XLA is about to compile: steps that a program unrolled are compiled once.

    What reads other variables is another step.
    """
    known: dict[Any, int] = {}
    letters = [known.setdefault(_letter(op), len(known)) for op in plan.ops if op.type != "Const"]
    return 1 - _ROLLED * count_repeated(letters) / max(1, len(letters))


def _letter(op: Operation) -> Any:
    tensors = (*op.inputs, *op.outputs)
    sources = [
        t.op if t.op.type in _READS else t.op.inputs[0].op if t.op.type == "Identity" else None for t in op.inputs
    ]
    variables = tuple([x.name if x is not None and x.type in _READS else "" for x in sources])
    return op.type, variables, tuple([(t.dtype, t.dims) for t in tensors])


def is_for_one(plan: Plan, facts: Facts) -> bool:
    """Whether a run only brings a row or two through large matrices: then NumPy's products are as fast as XLA's.

    Its convolutions are not.
    """
    products = [op for op in plan.ops if op.type == "MatMul"]
    rows = max((prod(_dims(op.outputs[0], facts)[:-1]) for op in products), default=0)
    if plan.writes or len(plan.ops) > _FEW_OPS or rows > 2 or any("Conv" in op.type for op in plan.ops):
        return False
    return sum(_count(op.inputs[1], facts) for op in products) > _LARGE_MATRICES


def _seconds(op: Operation, facts: Facts, unknown: int) -> float:
    made = sum(_count(t, facts, unknown) for t in op.outputs)
    if op.type in ("MatMul", "BatchMatMul", "BatchMatMulV2"):
        adjoint = op.attrs.get("transpose_a") or op.attrs.get("adj_x")
        inner = _dims(op.inputs[0], facts, unknown)[-2 if adjoint else -1 :][:1]
        return _STEP + 2 * made * prod(inner) * _OPERATION
    if "Conv" in op.type and len(op.inputs) > 1:
        # the largest of input, output and their gradients, for each element of a filter
        pixels = max(_count(t, facts, unknown) for t in (*op.inputs, *op.outputs))
        shapes = [d for d in (_dims(t, facts, unknown) for t in (*op.inputs, *op.outputs)) if len(d) > 2]
        window = min((prod(dims[:-1]) for dims in shapes), default=1)
        return _STEP + 2 * pixels * window * _CONVOLVED
    return _STEP + made * _ELEMENT


def _dims(tensor: Tensor, facts: Facts, unknown: int = _UNKNOWN) -> tuple[int, ...]:
    dims = facts.dims.get(tensor, tensor.dims)
    return tuple(unknown if n is None else n for n in dims) if dims is not None else (unknown, unknown)


def _count(tensor: Tensor, facts: Facts, unknown: int = _UNKNOWN) -> int:
    return prod(_dims(tensor, facts, unknown))
