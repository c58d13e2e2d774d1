"""``slim.model_analyzer``: how large a graph's tensors and variables are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def tensor_description(var: Any) -> str:
    """Dtype and shape, as ``(float32 3x4)``."""
    return f"({var.dtype.name} {'x'.join(str(size) for size in var.shape)})"


def _headed(title: str) -> None:
    print("---------")
    print(title)
    print("---------")


def analyze_ops(graph: Any, print_info: bool = False) -> int:
    """The number of elements of all outputs; with ``print_info`` each op's are printed."""
    if print_info:
        _headed("Operations: name -> (type shapes) [size]")
    total = 0
    for op in graph.get_operations():
        size = sum(t.shape.num_elements() or 0 for t in op.outputs)
        if print_info:
            shapes = ", ".join(tensor_description(t) for t in op.outputs if t.shape)
            print(op.name, "\t->", shapes, f"[{size}]")
        total += size
    return total


def analyze_vars(variables: Iterable[Any], print_info: bool = False) -> tuple[int, int]:
    """The number of elements of all variables, and that of their bytes; with ``print_info`` each one's are printed."""
    if print_info:
        _headed("Variables: name (type shape) [size]")
    elements = total_bytes = 0
    for var in variables:
        size = var.shape.num_elements() or 0
        if print_info:
            print(var.name, tensor_description(var), f"[{size}, bytes: {size * var.dtype.size}]")
        elements += size
        total_bytes += size * var.dtype.size
    if print_info:
        print(f"Total size of variables: {elements}")
        print(f"Total bytes of variables: {total_bytes}")
    return elements, total_bytes
