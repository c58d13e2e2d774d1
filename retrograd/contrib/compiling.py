"""``tf.xla.experimental`` and ``tf.contrib.compiler``: what a program asks to be compiled by XLA.

Every plan is compiled by XLA once it has run a few times, so a request changes nodes' attributes and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from retrograd.graph import nest
from retrograd.graph.convert import as_tensor
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import control_dependencies
from retrograd.graph.stack import default_graph
from retrograd.ops import arrays
from retrograd.ops.control import no_op


@contextmanager
def jit_scope(compile_ops: Any = True, separate_compiled_gradients: bool = False) -> Iterator[None]:
    """Mark the ops of the block: ``_XlaCompile``, and ``_XlaScope``, which numbers the blocks.

    Args:
      compile_ops: whether to compile; or a function that says it of a node.
      separate_compiled_gradients: whether gradients of several calls are blocks of their own.
    """
    graph = default_graph()
    outer = graph.notes.get("jit scope")
    number = graph.notes.get("jit scopes", 0)
    if outer is None:
        graph.notes["jit scopes"] = number + 1
    scope = outer or f"jit_scope_{number}"
    graph.notes["jit scope"] = scope
    wanted = compile_ops if not callable(compile_ops) else True
    attrs = {
        "_XlaCompile": bool(wanted),
        "_XlaSeparateCompiledGradients": separate_compiled_gradients,
        "_XlaScope": scope.encode(),
    }
    try:
        with graph._attr_scope(attrs):
            yield
    finally:
        graph.notes["jit scope"] = outer


experimental_jit_scope = jit_scope


def compile_(computation: Callable[..., Any], inputs: Sequence[Any] | None = None) -> Any:
    """What ``computation`` makes of ``inputs``, which are tensors first; ops among its results run with the others.

    Raises:
      TypeError: ``computation`` is no function.
    """
    if not callable(computation):
        raise TypeError(f"The computation must be a function, but is {computation!r}")
    if inputs is not None and not isinstance(inputs, list | tuple):
        raise TypeError("inputs must be a list")
    given = [nest.map_structure(as_tensor, x) for x in inputs or []]
    results = computation(*given)
    listed = list(results) if isinstance(results, list | tuple) else [results]
    ops = [x for x in listed if isinstance(x, Operation)]
    values = [x for x in listed if x is not None and not isinstance(x, Operation)]
    with control_dependencies(ops):
        if not values:
            return no_op(name="output_deps")
        return [
            nest.map_structure(lambda x, i=i: arrays.identity(as_tensor(x), name=f"output_{i}"), value)
            for i, value in enumerate(values)
        ]
