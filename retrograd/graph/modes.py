"""Graphs or eager execution: in which way the default graph takes an op, and blocks that leave a function."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar
from typing import TYPE_CHECKING

from retrograd.graph import stack
from retrograd.graph.stack import default_graph

if TYPE_CHECKING:
    from retrograd.graph.graph import Graph

# Whether Python's statements over tensors are to become ops in the function that is being built; None: nobody said.
statements_become_ops: ContextVar[bool | None] = ContextVar("statements_become_ops", default=None)


def executing_eagerly() -> bool:
    """Whether an op that is called now runs at once; otherwise it is built into a graph."""
    return default_graph().is_eager


in_eager_mode = executing_eagerly


def executing_eagerly_outside_functions() -> bool:
    """The same around all functions that are being built."""
    return _outer_graph().is_eager


def inside_function() -> bool:
    """Whether what is built now is a function."""
    return default_graph().building_function


def _outer_graph() -> Graph:
    """The innermost default graph that is no function."""
    outer = next((g for g in reversed(stack.graphs.items) if not g.building_function), None)
    return outer or stack.the_global_graph()


def enable_control_flow_v2() -> None:
    """Nothing changes: control flow is structured, and has gradients, anyway."""


def disable_control_flow_v2() -> None:
    """Nothing changes: control flow is structured anyway."""


def control_flow_v2_enabled() -> bool:
    """False: loops and branches have TensorFlow 1's names."""
    return False


def output_all_intermediates(state: bool | None) -> None:
    """Nothing changes: gradients of branches and loops keep what they read, and nothing else, anyway."""


@contextlib.contextmanager
def init_scope() -> Iterator[None]:
    """Build the block's ops outside of all control dependencies, and of functions that are being built.

    The name scope stays, and so do the devices, unless there are none inside the function.
    """
    inner, outer = default_graph(), _outer_graph()
    scope, devices = inner.get_name_scope(), inner._scopes.devices
    if inner._scopes.called:
        scope = scope.removeprefix(inner._scopes.called).removeprefix("/")
    with outer.as_default(), outer.control_dependencies(None), outer.name_scope(scope + "/" if scope else None):
        outside = outer._scopes.devices
        outer._scopes.devices = devices or outside
        first = outer.version
        try:
            yield
        finally:
            outer._scopes.devices = outside
            if inner is outer and outer.version > first:
                outer.lifted.append(range(first, outer.version))
