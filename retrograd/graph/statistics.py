"""What ops cost, as functions that programs register for op types: ``flops``, ``weight_parameters``, ..."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_BY_KIND: dict[tuple[str, str], Callable[..., Any]] = {}


class OpStats:
    """An amount of one kind; ``+=`` adds another of that kind, and ``None`` is an unknown amount."""

    def __init__(self, statistic_type: str, value: float | None = None) -> None:
        self.statistic_type = statistic_type
        self.value = value

    def __iadd__(self, other: OpStats) -> OpStats:
        if other.statistic_type != self.statistic_type:
            raise ValueError(f"Can't add an OpStat of type {self.statistic_type} to one of {other.statistic_type}.")
        if other.value is not None:
            self.value = other.value if self.value is None else self.value + other.value
        return self


class RegisterStatistics:
    """A decorator: ``f(graph, node_def)`` gives the ``OpStats`` of that kind for ops of this type."""

    def __init__(self, op_type: str, statistic_type: str) -> None:
        if not isinstance(op_type, str):
            raise TypeError("op_type must be a string.")
        if "," in op_type:
            raise TypeError("op_type must not contain a comma.")
        if not isinstance(statistic_type, str):
            raise TypeError("statistic_type must be a string.")
        if "," in statistic_type:
            raise TypeError("statistic_type must not contain a comma.")
        self._key = op_type, statistic_type

    def __call__(self, f: Callable[..., Any]) -> Callable[..., Any]:
        if self._key in _BY_KIND:
            raise KeyError(f"Registering two statistics with name '{','.join(self._key)}'!")
        _BY_KIND[self._key] = f
        return f


def registered_amount(graph: Any, node: Any, statistic_type: str) -> Any:
    """The statistic of a node; without a function for its op type, one of unknown amount."""
    function = _BY_KIND.get((node.op, statistic_type))
    return OpStats(statistic_type) if function is None else function(graph, node)
