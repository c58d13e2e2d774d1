"""Graphs that are built while ops run at once, and share the variables of eager execution.

A variable is made outside of such a graph (``init_scope`` leads out of it) and read by a ``VarHandleOp`` that
names it.  A tensor that has its value becomes a constant.  What a session runs with the store of eager
execution, it runs on the very variables that the program sees.
"""

from __future__ import annotations

from contextlib import nullcontext
from functools import cache
from typing import Any

from retrograd.eager.graph import eager_graph
from retrograd.eager.operation import EagerOperation
from retrograd.eager.tensor import EagerTensor
from retrograd.graph import dtypes
from retrograd.graph.apply import build
from retrograd.graph.definition import REQUIRED, Effect, define, known, not_differentiable
from retrograd.graph.functions import FunctionGraph
from retrograd.graph.graph import ControlDependencies, Graph
from retrograd.graph.tensor import Tensor


class BesideEager(Graph):
    """What such graphs share: nothing in them waits for, or stands beside, what has run at once."""

    def control_dependencies(self, control_inputs: Any) -> ControlDependencies:
        """Ops built in the block run after ``control_inputs``, those that are built into a graph; None lifts all."""
        if control_inputs is not None:
            control_inputs = [x for x in control_inputs if not _has_run(x)]
        return super().control_dependencies(control_inputs)

    def colocate_with(self, op: Any, ignore_existing: bool = False) -> Any:
        """Nothing: there is one device."""
        return nullcontext()


def _has_run(x: Any) -> bool:
    """Whether it is a variable, a tensor or an op of eager execution."""
    return not getattr(x, "_in_graph_mode", True) or isinstance(x, EagerTensor | EagerOperation)


class LiftedGraph(BesideEager):
    """A graph for sessions, such as the models of Keras build."""

    captures = takes_ops_at_once = True

    def __init__(self) -> None:
        super().__init__()
        self.building_function = True
        self.inside: dict[Any, Tensor] = {}  # what stands for a tensor from outside

    def capture(self, tensor: Tensor, name: str | None = None) -> Tensor:
        """What stands for ``tensor`` in this graph."""
        if not isinstance(tensor, EagerTensor):
            return tensor
        if tensor not in self.inside:
            self.inside[tensor] = stand_in(self, tensor)
        return self.inside[tensor]

    @property
    def seed(self) -> int | None:
        """The seed of all random ops."""
        return eager_graph().seed

    @seed.setter
    def seed(self, seed: int | None) -> None:
        eager_graph().seed = seed


class TracedGraph(BesideEager, FunctionGraph):
    """The graph of a function that was called where ops run at once."""

    def capture(self, tensor: Tensor, name: str | None = None) -> Tensor:
        """What stands for ``tensor`` inside: an input only for what is neither a number nor a variable."""
        if not isinstance(tensor, EagerTensor) or (tensor.dtype in _LASTING and tensor.op.type != "VarHandleOp"):
            return super().capture(tensor, name)
        if tensor not in self.captured:
            self.captured[tensor] = stand_in(self, tensor)
        return self.captured[tensor]


_LASTING = (dtypes.resource, dtypes.variant)

OUTER_RESOURCE = define(  # a table, say, that was made where ops run at once
    "OuterResource", "", "resource: dtype", attrs={"value": REQUIRED, "dtype": REQUIRED}, shape=lambda: (),
    kernel=lambda xp, memory, *, value: value, effect=Effect.HOST, gradient=not_differentiable,
)  # fmt: skip


def stand_in(graph: Graph, tensor: EagerTensor) -> Tensor:
    """A node of ``graph`` for a tensor that has its value: the same variable, or a constant."""
    producer = tensor.op
    with graph.control_dependencies(None), graph.name_scope(None):
        name = graph.unique_name(producer.name or "Const")
        if producer.type == "VarHandleOp":
            op = build(graph, producer.definition, name, (), dict(producer.attrs))
            if tensor.variable is not None:
                graph.notes.setdefault("variables from outside", {})[op.outputs[0]] = tensor.variable
        else:
            kind = OUTER_RESOURCE if tensor.dtype == dtypes.resource else known("Const")
            assert kind is not None
            op = build(graph, kind, name, (), {"value": tensor.value_now, "dtype": tensor.dtype})
    return op.outputs[0]


@cache
def graph_of_models() -> LiftedGraph:
    """The graph that the models of Keras are built in, where ops run at once."""
    return LiftedGraph()
