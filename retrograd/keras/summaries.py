"""``model.summary()``: the layers of a model as a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def count_of(weights: Any) -> int:
    """The number of elements of variables."""
    return int(sum(np.prod(v.shape.as_list()) for v in {id(v): v for v in weights}.values()))


def print_summary(
    model: Any, line_length: int | None = None, positions: Any = None, print_fn: Callable[[str], None] | None = None
) -> None:
    """Print a row for each layer: its name and class, the shape of its output, the number of its parameters."""
    say = print_fn or print
    is_row = not model._is_graph_network or _is_in_a_row(model)
    line_length = line_length or (65 if is_row else 98)
    positions = positions or ([0.45, 0.85, 1.0] if is_row else [0.33, 0.55, 0.67, 1.0])
    if positions[-1] <= 1:
        positions = [int(line_length * p) for p in positions]
    head = ["Layer (type)", "Output Shape", "Param #"] + ([] if is_row else ["Connected to"])

    def row(fields: list[str]) -> None:
        line = ""
        for i, field in enumerate(fields):
            if i > 0:
                line = line[:-1] + " "
            line += str(field)
            line = line[: positions[i]]
            line += " " * (positions[i] - len(line))
        say(line)

    say(f'Model: "{model.name}"')
    say("_" * line_length)
    row(head)
    say("=" * line_length)
    for i, layer in enumerate(model.layers):
        try:
            shape = str(layer.output_shape)
        except (AttributeError, RuntimeError):
            shape = "multiple"
        count = layer.count_params() if layer.built else "0 (unused)"
        fields = [f"{layer.name} ({type(layer).__name__})", shape, str(count)]
        if is_row:
            row(fields)
        else:
            own = {id(n) for nodes in model._nodes_by_depth.values() for n in nodes}
            before = [
                f"{inbound.name}[{index}][{k}]"
                for node in layer._inbound_nodes if id(node) in own for inbound, index, k, _ in node.iterate_inbound()
            ]  # fmt: skip
            row([*fields, before[0] if before else ""])
            for more in before[1:]:
                row(["", "", "", more])
        say(("=" if i == len(model.layers) - 1 else "_") * line_length)
    settled = model._collected_trainable_weights if getattr(model, "_is_compiled", False) else model.trainable_weights
    trainable, fixed = count_of(settled), count_of(model.non_trainable_weights)
    say(f"Total params: {trainable + fixed:,}")
    say(f"Trainable params: {trainable:,}")
    say(f"Non-trainable params: {fixed:,}")
    say("_" * line_length)


def _is_in_a_row(model: Any) -> bool:
    if type(model).__name__ == "Sequential":
        return True
    return all(len(nodes) == 1 and len([*nodes[0].iterate_inbound()]) <= 1 for nodes in model._nodes_by_depth.values())
