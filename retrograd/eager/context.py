"""Eager execution as a program turns it on: for the whole of it, or for a block."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from retrograd.eager.graph import eager_graph
from retrograd.graph import stack
from retrograd.graph.modes import executing_eagerly
from retrograd.graph.stack import default_graph

GRAPH_MODE, EAGER_MODE = 0, 1
SYNC, ASYNC = 0, 1
DEVICE_PLACEMENT_EXPLICIT, DEVICE_PLACEMENT_WARN, DEVICE_PLACEMENT_SILENT = 0, 1, 2


def enable_eager_execution(config: Any = None, device_policy: Any = None, execution_mode: Any = None) -> None:
    """Run ops as they are called, from now on and for the rest of the program.

    Args:
      config: a ``tf.ConfigProto``, of which nothing is needed.
      device_policy: how ops get inputs from other devices; there is one device.
      execution_mode: ``SYNC`` or ``ASYNC``; an op has run when its call returns in any case.

    Raises:
      ValueError: ops were built before, or an argument is none of these.
    """
    if execution_mode not in (None, SYNC, ASYNC):
        raise ValueError("execution_mode must be one of None, tf.contrib.eager.SYNC, tf.contrib.eager.ASYNC")
    if device_policy not in (None, *range(4)):
        raise ValueError("device_policy must be one of None, tf.contrib.eager.DEVICE_PLACEMENT_*")
    if config is not None and type(config).__name__ != "ConfigProto":
        raise TypeError(f"config must be a tf.ConfigProto, but got {type(config)}")
    if stack.is_at_once():
        return
    if stack.has_global_graph():
        error = ValueError("tf.enable_eager_execution must be called at program startup.")
        error.add_note(
            "  Why:   ops were built into the default graph before, and would never run\n"
            "  Fix:   call it right after  import tensorflow as tf"
        )
        raise error
    stack.run_at_once(eager_graph)


def disable_eager_execution() -> None:
    """Build ops into graphs, from now on."""
    stack.run_at_once(None)


_version_2 = [False]


def enable_v2_behavior() -> None:
    """Run ops as they are called; Keras names metrics as programs name them."""
    enable_eager_execution()
    _version_2[0] = True


def disable_v2_behavior() -> None:
    """Build ops into graphs."""
    disable_eager_execution()
    _version_2[0] = False


def disable_tensor_equality() -> None:
    """Let tensors be keys and equal themselves alone: so it is in any case."""


def disable_v2_tensorshape() -> None:
    """Let the entries of a shape be ``Dimension``s: so it is in any case."""


@contextlib.contextmanager
def eager_mode() -> Iterator[None]:
    """Run the ops of the block as they are called."""
    with stack.graphs.pushed(eager_graph()):
        yield


@contextlib.contextmanager
def graph_mode() -> Iterator[None]:
    """Build the ops of the block into the default graph."""
    with stack.graphs.pushed(default_graph().symbolic):
        yield


@contextlib.contextmanager
def execution_mode(mode: Any) -> Iterator[None]:
    """Nothing changes in the block: an op has run when its call returns."""
    yield


def set_execution_mode(mode: Any) -> None:
    """Nothing changes: an op has run when its call returns."""


def async_wait() -> None:
    """Nothing is left to wait for."""


def async_clear_error() -> None:
    """No error is kept: an op that fails raises where it is called."""


class Context:
    """What ``context()`` tells of the mode of execution."""

    @property
    def scope_name(self) -> str:
        """The name scope, with a ``/`` at its end."""
        scope = default_graph().get_name_scope()
        return f"{scope}/" if scope else ""

    device_name = ""
    execution_mode = SYNC

    def executing_eagerly(self) -> bool:
        return executing_eagerly()

    in_eager_mode = executing_eagerly

    def num_gpus(self) -> int:
        return num_gpus()

    def ensure_initialized(self) -> None:
        """Nothing is left to set up."""

    def devices(self) -> list[str]:
        """The names of the devices."""
        return list_devices()


_context = Context()


def context() -> Context:
    """The mode of execution."""
    return _context


def ensure_initialized() -> None:
    """Nothing is left to set up."""


def num_gpus() -> int:
    """GPUs that an op could be placed on: none."""
    return 0


def list_devices() -> list[str]:
    """The names of the devices that an op could be placed on."""
    return ["/job:localhost/replica:0/task:0/device:CPU:0"]


def enabled() -> bool:
    """Whether ``enable_v2_behavior`` was called."""
    return _version_2[0]


def get_default_graph() -> Any:
    """The innermost graph made default in this thread; where ops run at once, an empty one beside."""
    return default_graph().symbolic
