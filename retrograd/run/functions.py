"""A call of a function, as a session runs it: a plan of its own, in a part of the session's store."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from retrograd.graph.functions import Body
from retrograd.run.plan import Plan
from retrograd.run.program import Program
from retrograd.run.store import Store


class Call:
    """``body`` as one op calls it: with random streams and notes of its own, and the session's variables."""

    def __init__(self, body: Body, store: Store) -> None:
        self.program = Program(Plan(body.outputs, body.effects, body.inputs), store)

    @property
    def streams(self) -> list[Any]:
        """The random streams that a run moves on."""
        return self.program.general.streams

    def __call__(self, inputs: Sequence[Any]) -> list[Any]:
        """The values of the body's outputs.

        Raises:
          OpError: an op of the body fails.
        """
        return self.program.run(inputs)
