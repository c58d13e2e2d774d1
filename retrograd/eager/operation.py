"""``EagerOperation``: an op that has run, as rules of gradients and messages read it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from retrograd.graph.definition import OpDef
from retrograd.graph.operation import Operation
from retrograd.graph.source import Frames, user_frames

if TYPE_CHECKING:
    from retrograd.graph.graph import Graph
    from retrograd.graph.tensor import Tensor


class EagerOperation(Operation):
    """An op type with its inputs, attributes and outputs; nothing but a tape keeps it."""

    control_inputs = ()  # type: ignore[assignment]
    control_readers = ()  # type: ignore[assignment]
    device = ""
    original = None
    index = 0

    def __init__(
        self,
        definition: OpDef,
        name: str,
        inputs: tuple[Tensor, ...],
        attrs: dict[str, Any],
        outputs: list[Any],
    ) -> None:
        self.definition = definition
        self.name = name
        self.inputs = inputs
        self.attrs = attrs
        self.outputs = outputs

    @property
    def graph(self) -> Graph:  # type: ignore[override]
        """The graph that runs its ops at once."""
        from retrograd.eager.graph import eager_graph

        return eager_graph()

    @property
    def frames(self) -> Frames:  # type: ignore[override]
        """Where the program is: that is where the op was called, while it runs."""
        return user_frames()

    @property
    def output_ids(self) -> list[int]:  # type: ignore[override]
        return [y._id for y in self.outputs]

    def _set_device(self, device: Any) -> None:
        """Nothing: there is one device."""
