"""The way of a derivative through a run: each tensor on it with its value and its gradient."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from retrograd.explain.measures import Measure, measured
from retrograd.grad.gradients import Pass
from retrograd.graph.operation import Operation
from retrograd.graph.sparse import IndexedSlices
from retrograd.graph.tensor import Tensor
from retrograd.run.recorded import Record

PRODUCTS = frozenset(
    ("MatMul", "BatchMatMul", "BatchMatMulV2", "Conv1D", "Conv2D", "Conv3D", "DepthwiseConv2dNative", "SparseMatMul")
)
READS = ("Identity", "ReadVariableOp", "Enter", "RefEnter")


@dataclass(eq=False)
class Step:
    """A tensor on the way, with what it was and what its gradient was."""

    tensor: Tensor
    value: Measure | None
    gradient: Measure | None
    has_gradient: bool  # whether the pass built one

    @property
    def op(self) -> Operation:
        return self.tensor.op

    @property
    def line(self) -> tuple[str, int] | None:
        """File and number of the user's line that built it."""
        return line_of(self.op)


@dataclass(eq=False)
class Line:
    """A line of the program with the steps that it built, in order."""

    file: str
    number: int
    text: str
    steps: list[Step]

    @cached_property
    def main(self) -> Step:
        """The step that stands for the line: the last one that has a gradient."""
        return next((s for s in reversed(self.steps) if s.gradient is not None), self.steps[-1])

    @cached_property
    def series(self) -> tuple[float, ...]:
        """The norm of the gradient each time the line was met: in each iteration, or each time that it built ops."""
        inside = [s for s in self.steps if s.gradient is not None and s.gradient.series]
        if inside:
            inside = [s for s in inside if s.op.type not in READS] or inside
            shown = next((s for s in inside if s.op.type in PRODUCTS), inside[-1])
            return shown.gradient.series if shown.gradient is not None else ()
        alike = [s.gradient for s in self.steps if s.op.type == self.main.op.type and s.gradient is not None]
        return tuple(g.norm for g in alike)


@dataclass(eq=False)
class Weight:
    """An x of the pass."""

    tensor: Tensor
    gradient_tensor: Any  # None: no derivative reaches it
    value: Measure | None
    gradient: Measure | None

    @property
    def name(self) -> str:
        return self.tensor.op.name

    @property
    def has_gradient(self) -> bool:
        return self.gradient_tensor is not None


@dataclass(eq=False)
class Way:
    """What a pass of ``tf.gradients`` was in one run."""

    made: Pass
    record: Record
    run: int | None = None  # the number of the run, if they are counted
    trained: frozenset[Operation] | None = None  # the variables of all passes, where these are known
    steps: dict[Tensor, Step] = field(default_factory=dict)
    weights: list[Weight] = field(default_factory=list)

    def __post_init__(self) -> None:
        tensors = [t for t in self.made.of_tensors if t.dtype.base_dtype.is_floating or t.dtype.base_dtype.is_complex]
        for tensor in sorted(tensors, key=lambda t: (t.op.index, t.value_index)):
            value, gradient = self.values(tensor), self.gradients(tensor)
            if value or gradient:
                self.steps[tensor] = Step(
                    tensor, measured(value), measured(gradient), self.made.of_tensors[tensor] is not None
                )
        for x, dx in zip(self.made.xs, self.made.dxs, strict=True):
            tensor = plain(x)
            found = self.record.of(plain(dx)) if dx is not None else []
            self.weights.append(Weight(tensor, dx, measured(self.values(tensor)), measured(found)))

    def values(self, tensor: Tensor) -> list[Any]:
        """What ``tensor`` was; of a variable, what was read of it."""
        return [v for v in self.record.of(tensor) if hasattr(v, "dtype")]

    def gradients(self, tensor: Tensor) -> list[Any]:
        """What the gradient of ``tensor`` was; in a loop, in the order of the iterations of the loop itself."""
        dy = self.made.of_tensors.get(tensor)
        if dy is None:
            return []
        arrived = self.record.of(plain(dy))
        loop = plain(dy).op.context
        backwards = loop is not None and tensor.op.context is not None and loop is not tensor.op.context
        return arrived[::-1] if backwards else arrived

    @property
    def ys(self) -> list[Tensor]:
        return [plain(y) for y in self.made.ys]

    @cached_property
    def lines(self) -> list[Line]:
        """The lines of the program that built steps, in the order in which they did."""
        by_line: dict[tuple[str, int], list[Step]] = defaultdict(list)
        weights = {w.tensor for w in self.weights}
        for step in self.steps.values():
            if step.line is not None and step.tensor not in weights and not _is_read(step.op, weights):
                by_line[step.line].append(step)
        return [Line(file, n, _text(file, n), steps) for (file, n), steps in by_line.items()]

    def inputs(self, op: Operation) -> Iterable[Step]:
        """The steps that ``op`` reads."""
        return (self.steps[x] for x in op.inputs if x in self.steps)


def computed(ys: Iterable[Tensor], values: Callable[[Tensor], list[Any]]) -> list[Tensor]:
    """``ys``, or in the place of each that a run did not compute the nearest behind it that it did."""
    found, queue = [], deque(ys)
    seen = set(queue)
    while queue:
        tensor = queue.popleft()
        if values(tensor):
            found.append(tensor)
            continue
        fresh = [x for x in tensor.op.inputs if x not in seen]
        seen.update(fresh)
        queue += fresh
    return found


def plain(value: Any) -> Tensor:
    """The tensor that holds the numbers of a gradient."""
    return value.values if isinstance(value, IndexedSlices) else value


def line_of(op: Operation) -> tuple[str, int] | None:
    """File and number of the user's line that built ``op``."""
    for code, number in op.frames:
        if not code.co_filename.startswith("<frozen "):
            return code.co_filename, number
    return None


def _is_read(op: Operation, weights: set[Tensor]) -> bool:
    return op.type in READS and op.inputs[0] in weights


def _text(file: str, number: int) -> str:
    import linecache

    text = linecache.getline(file, number).strip()
    return text or f"line {number} of {Path(file).name}"
