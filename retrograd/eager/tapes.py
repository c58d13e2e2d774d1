"""Tapes: what eager ops did to watched tensors, in order, and the gradient of it.

A tape keeps an op only if an input of it is watched, directly or because it was computed from what is.  The
rules of gradients run the ops that they would build; where another tape is recording, it sees them too.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from retrograd.eager.operation import EagerOperation
from retrograd.eager.tensor import EagerTensor
from retrograd.grad.aggregation import total
from retrograd.grad.gradients import carries_gradient, input_gradients
from retrograd.graph.definition import OpDef

if TYPE_CHECKING:
    from retrograd.graph.tensor import Tensor


class _Stack(threading.local):
    """The tapes that record what this thread does."""

    def __init__(self) -> None:
        self.active: list[Tape] = []


stack = _Stack()


class Tape:
    """The ops that moved what is watched."""

    def __init__(self, watches_variables: bool = True) -> None:
        self.watches_variables = watches_variables
        self.forget()

    def forget(self) -> None:
        """Start anew."""
        self.ops: list[EagerOperation] = []
        self.moving: dict[int, Any] = {}  # what is watched and what follows from it, by identity; kept alive
        self.variables: dict[int, Any] = {}

    def watch(self, tensor: Any) -> None:
        """Let derivatives by ``tensor`` be asked for."""
        self.moving[id(tensor)] = tensor

    def watch_variable(self, variable: Any) -> None:
        """Let derivatives by ``variable`` be asked for."""
        self.watch(variable.handle)
        self.variables[id(variable)] = variable

    def record(self, op: EagerOperation) -> None:
        """Keep ``op`` if an input of it is moving."""
        moving, keeps = self.moving, False
        for x in op.inputs:
            if id(x) in moving:
                keeps = True
            elif x.variable is not None and self.watches_variables:  # type: ignore[attr-defined]
                variable = x.variable()  # type: ignore[attr-defined]
                if variable is not None:
                    self.watch_variable(variable)
                    keeps = True
        if keeps:
            self.ops.append(op)
            for y in op.outputs:
                if carries_gradient(y.dtype):
                    moving[id(y)] = y

    @contextmanager
    def recording(self) -> Iterator[None]:
        """Record what the block does."""
        self.start()
        try:
            yield
        finally:
            self.stop()

    def start(self) -> None:
        """Record from now on."""
        stack.active.append(self)

    def stop(self) -> None:
        """Record no more."""
        stack.active.remove(self)

    def gradient(self, ys: Sequence[Any], xs: Sequence[Any], dys: Sequence[Any]) -> list[Any]:
        """The derivative of the sum of ``ys``, weighted by ``dys``, by each x; None where it depends on none."""
        reached = {id(x) for x in xs}
        path = []
        for op in self.ops:
            for x in op.inputs:
                if id(x) in reached:
                    path.append(op)
                    reached.update([id(y) for y in op.outputs if carries_gradient(y.dtype)])
                    break
        arrived: dict[int, list[Any]] = {}
        for y, dy in zip(ys, dys, strict=True):
            if id(y) in reached and carries_gradient(y.dtype):
                arrived.setdefault(id(y), []).append(dy)
        for op in reversed(path):
            _pass(op, reached, arrived)
        return [_sum(arrived.get(id(x), ()), "") for x in xs]


def _pass(op: EagerOperation, reached: set[int], arrived: dict[int, list[Any]]) -> None:
    """Let the gradients of the outputs of ``op`` arrive at its inputs."""
    dys = []
    for y in op.outputs:
        terms = arrived.get(id(y))
        dy = _sum(terms, op.name) if terms else None
        if terms and len(terms) > 1:
            arrived[id(y)] = [dy]
        dys.append(dy)
    if all(dy is None for dy in dys):
        return
    for x, dx in zip(op.inputs, input_gradients(op, dys, gate=False), strict=True):
        if dx is not None and id(x) in reached:
            arrived.setdefault(id(x), []).append(dx)


def _sum(terms: Sequence[Any], name: str) -> Any:
    terms = [term for term in terms if term is not None]
    if len(terms) < 2:
        return terms[0] if terms else None
    return total(list(terms), name, None)


def record(op: EagerOperation) -> None:
    """Show ``op`` to the tapes that are recording."""
    for x in op.inputs:
        if isinstance(x, EagerTensor):
            for tape in stack.active:
                tape.record(op)
            return


@contextmanager
def nothing_recorded() -> Iterator[None]:
    """Show nothing of what the block does to any tape."""
    active, stack.active = stack.active, []
    try:
        yield
    finally:
        stack.active = active


def record_as(name: str, outputs: Sequence[Tensor], inputs: Sequence[Tensor], gradient: Callable[..., Any]) -> None:
    """Show the tapes one op in the place of what computed ``outputs`` from ``inputs``.

    ``gradient(*dys)`` gives the gradients of the inputs.
    """
    definition = OpDef(
        name=name, inputs=(), outputs=(), attrs={}, types={}, choices={}, lengths={}, shape=None, kernel=None,
        gradient=lambda op, *dys: _listed(gradient(*dys)), static=frozenset(), effect=None, failure=None, remedy="",
    )  # fmt: skip
    record(EagerOperation(definition, name, tuple(inputs), {}, list(outputs)))


def _listed(dxs: Any) -> list[Any]:
    return list(dxs) if isinstance(dxs, list | tuple) else [dxs]
