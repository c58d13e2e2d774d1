"""Names of layers: ``dense``, ``dense_1``, ... in each graph."""

from __future__ import annotations

from collections import defaultdict

from retrograd.eager.graph import eager_graph
from retrograd.eager.lifted import LiftedGraph
from retrograd.graph.stack import default_graph
from retrograd.graph.text import snake_case


def to_snake_case(name: str) -> str:
    """``MaxPooling2D`` as ``max_pooling2d``; a name that would begin with ``_`` gets ``private`` before it."""
    snake = snake_case(name)
    return f"private{snake}" if snake[0] == "_" else snake


def object_counts() -> defaultdict[str, int]:
    """How many objects of each name there are in the graph; models of eager execution count with it."""
    graph = default_graph()
    notes = eager_graph().notes if isinstance(graph, LiftedGraph) else graph.naming
    counts: defaultdict[str, int] = notes.setdefault("object names", defaultdict(int))
    return counts


def unique_object_name(name: str, zero_based: bool = False) -> str:
    """``name`` with the number of objects of this name in the graph; ``zero_based``, the first has none."""
    counts = object_counts()
    number: int = counts[name] if zero_based else counts[name] + 1
    counts[name] += 1
    return name if number == 0 else f"{name}_{number}"
