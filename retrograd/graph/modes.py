"""Graphs or eager execution: retrograd builds graphs."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any, NoReturn

from retrograd.graph import stack
from retrograd.graph.stack import default_graph

GRAPH_MODE, EAGER_MODE = 0, 1


def executing_eagerly() -> bool:
    """False: ops are built into a graph."""
    return False


in_eager_mode = executing_eagerly


def enable_eager_execution(config: Any = None, device_policy: Any = None, execution_mode: Any = None) -> NoReturn:
    """Refused: there are only graphs.

    Raises:
      RuntimeError: always.
    """
    error = RuntimeError("retrograd has no eager execution: it builds graphs and runs them.")
    error.add_note(
        "  Fix:   leave out tf.enable_eager_execution(), and take values from a session:\n"
        "         with tf.Session() as sess: print(sess.run(y))"
    )
    raise error


def enable_v2_behavior() -> NoReturn:
    """Refused, as it would be eager execution.

    Raises:
      RuntimeError: always.
    """
    enable_eager_execution()


def disable_eager_execution() -> None:
    """Nothing is left to disable."""


def disable_v2_behavior() -> None:
    """Nothing is left to disable."""


def enable_control_flow_v2() -> None:
    """Nothing changes: control flow is structured, and has gradients, anyway."""


def disable_control_flow_v2() -> None:
    """Nothing changes: control flow is structured anyway."""


def control_flow_v2_enabled() -> bool:
    """False: loops and branches have TensorFlow 1's names."""
    return False


@contextlib.contextmanager
def graph_mode() -> Iterator[None]:
    """Build the block's ops into a graph, as everywhere."""
    yield


@contextlib.contextmanager
def init_scope() -> Iterator[None]:
    """Build the block's ops outside of all control dependencies, and of functions that are being built.

    The name scope stays, and so do the devices, unless there are none inside the function.
    """
    inner = default_graph()
    outer = next((g for g in reversed(stack.graphs.items) if not g.building_function), None)
    outer = outer or stack.the_global_graph()
    scope, devices = inner.get_name_scope(), inner._scopes.devices
    with outer.as_default(), outer.control_dependencies(None), outer.name_scope(scope + "/" if scope else None):
        outside = outer._scopes.devices
        outer._scopes.devices = devices or outside
        try:
            yield
        finally:
            outer._scopes.devices = outside


class EagerTensor:
    """A value that eager execution has computed: nothing is one here."""


class Context:
    """What ``context()`` tells of the mode of execution."""

    scope_name = ""
    device_name = ""

    def executing_eagerly(self) -> bool:
        return False

    in_eager_mode = executing_eagerly

    def num_gpus(self) -> int:
        return num_gpus()

    def ensure_initialized(self) -> None:
        """Nothing is left to set up."""


_context = Context()


def context() -> Context:
    """The mode of execution."""
    return _context


def num_gpus() -> int:
    """GPUs that an op could be placed on: none."""
    return 0


def enabled() -> bool:
    """Whether TensorFlow 2's behaviour is on: never."""
    return False
