"""Runs in which tensors take the values of others: ``tensor_connection`` in ``CallableOptions``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from retrograd.graph import errors
from retrograd.graph.dtypes import type_word
from retrograd.graph.graph import Graph
from retrograd.graph.tensor import Tensor
from retrograd.run.failures import not_fed
from retrograd.run.fetches import Fetches
from retrograd.run.interpreter import Interpreter
from retrograd.run.partial import PartialRun
from retrograd.run.plan import Plan
from retrograd.run.store import Store


class Connected:
    """A plan in which each tensor of ``sources`` has the value of another, which the same run computes.

    A run goes as far as its feeds bring it, feeds the connected tensors what is computed by then, and goes on:
    every op runs once.

    Raises:
      InvalidArgumentError: a tensor is fed twice or both fed and fetched, has no such source, or one of another
        dtype than its readers need, or is behind itself.
      NotFoundError: there is no such tensor to be connected.
    """

    def __init__(self, graph: Graph, wanted: Fetches, feeds: Sequence[Tensor], connections: Any, store: Store) -> None:
        self.sources = _sources(graph, connections, feeds)
        for tensor in wanted.tensors:
            if tensor in feeds or tensor in self.sources:
                raise _wrong(f"{tensor.name} is both fed and fetched.")
        for tensor in self.sources.values():
            if tensor in feeds:  # what feeds it takes no part in the connection
                raise not_fed(tensor.op)
        self.fetches = wanted.tensors
        fetches = dict.fromkeys([*wanted.tensors, *self.sources.values()])
        self.plan = Plan(fetches, wanted.targets, [*feeds, *self.sources])
        self.feeds = feeds
        self.store = store
        self._check_dtypes()
        self.first = PartialRun(self.plan, store)
        self.stages = self._staged()

    def run(
        self,
        feeds: Sequence[Any],
        watched: Callable[[Interpreter], Interpreter] | None = None,
        deadline: float | None = None,
    ) -> list[Any]:
        """The values of the fetches; as ``Program.run``."""
        run = self.first.again()
        given = dict(zip(self.feeds, feeds, strict=True))
        known: dict[Tensor, Any] = {}
        with self.store.transaction():
            for stage in self.stages:
                wanted = [t for t in dict.fromkeys(map(self.sources.__getitem__, stage)) if t not in known]
                known.update(zip(wanted, run.advance(given, wanted, watched, deadline), strict=True))
                given = {t: known[self.sources[t]] for t in stage}
            left = [t for t in self.fetches if t not in known]
            known.update(zip(left, run.advance(given, left, watched, deadline), strict=True))
        return [known[t] for t in self.fetches]

    def _check_dtypes(self) -> None:
        for op in self.plan.ops:
            for i, (argument, t) in enumerate(zip(op.definition.of_inputs(op.attrs), op.inputs, strict=True)):
                if t in self.sources and (argument.is_ref or self.sources[t].dtype.base_dtype != t.dtype.base_dtype):
                    got, expected = type_word(self.sources[t].dtype.base_dtype), type_word(t.dtype)
                    place = f"Input {i} of node {op.name} was passed {got} from _identity_{t.op.name}_{t.value_index}:0"
                    raise _wrong(f"{place} incompatible with expected {expected}.")

    def _staged(self) -> list[list[Tensor]]:
        """The connected tensors in the order in which their sources can be computed."""
        stages = []
        fed, waiting = {*self.feeds}, [*self.sources]
        while waiting:
            stage = [t for t in waiting if self.first.feeds_of[self.sources[t]] <= fed]
            if not stage:
                nodes = f'"{waiting[-1].op.name}" and "{self.sources[waiting[-1]].op.name}"'
                raise _wrong(f"Requested Tensor connection between nodes {nodes} would create a cycle.")
            stages.append(stage)
            fed.update(stage)
            waiting = [t for t in waiting if t not in fed]
        return stages


def _sources(graph: Graph, connections: Any, feeds: Sequence[Tensor]) -> dict[Tensor, Tensor]:
    sources: dict[Tensor, Tensor] = {}
    for connection in connections:
        name = connection.to_tensor
        outputs, index = _outputs(graph, name)
        if outputs is None:
            raise errors.NotFoundError(None, None, f"FeedInputs: unable to find feed output {name}")
        if index >= len(outputs):
            raise _wrong(f"FeedInputs: {name} should have output index < {len(outputs)}")
        tensor = outputs[index]
        if tensor in sources or tensor in feeds:
            raise _wrong(f'Endpoint "{tensor.name}" fed more than once.')
        outputs, index = _outputs(graph, connection.from_tensor)
        if outputs is None:
            raise _wrong(f'Requested tensor connection from unknown node: "{name}".')
        if index >= len(outputs):
            count = f"(actual number of outputs = {len(outputs)})"
            raise _wrong(f'Requested tensor connection from unknown edge: "{name}" {count}.')
        sources[tensor] = outputs[index]
    return sources


def _outputs(graph: Graph, name: str) -> tuple[Sequence[Tensor] | None, int]:
    """The outputs of the op that a tensor's ``name`` begins with, and the number that it ends with, or 0."""
    node, _, index = name.partition(":")
    try:
        return graph.get_operation_by_name(node).outputs, int(index or 0)
    except KeyError:
        return None, 0


def _wrong(words: str) -> errors.InvalidArgumentError:
    return errors.InvalidArgumentError(None, None, words)
