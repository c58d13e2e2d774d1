"""The global step: the variable that counts training steps."""

from __future__ import annotations

import logging
from typing import Any

from retrograd.graph.collections import GraphKeys
from retrograd.graph.graph import Graph
from retrograd.graph.modes import executing_eagerly
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.ops import state
from retrograd.state import initializers, scopes, variables

_READ_KEY = "global_step_read_op_cache"


def global_step(sess: Any, global_step_tensor: Any) -> int:
    """The number of steps that ``sess`` has counted."""
    if executing_eagerly():
        return int(global_step_tensor.numpy())
    return int(sess.run(global_step_tensor))


def get_global_step(graph: Graph | None = None) -> Any:
    """The global step of a graph: of its collection, or the tensor ``global_step:0``; None if there is none.

    Raises:
      TypeError: it is no integer scalar.
    """
    graph = graph or default_graph()
    listed = graph.get_collection(GraphKeys.GLOBAL_STEP)
    if len(listed) > 1:
        logging.getLogger("tensorflow").error("Multiple tensors in global_step collection.")
        return None
    if listed:
        found = listed[0]
    else:
        try:
            found = graph.get_tensor_by_name("global_step:0")
        except KeyError:
            return None
    assert_global_step(found)
    return found


def create_global_step(graph: Graph | None = None) -> Any:
    """Make the global step, an int64 variable that starts at 0.

    Raises:
      ValueError: the graph has one.
    """
    graph = graph or default_graph()
    if get_global_step(graph) is not None:
        error = ValueError('"global_step" already exists.')
        error.add_note("  Fix:   tf.train.get_or_create_global_step()")
        raise error
    with graph.as_default(), graph.name_scope(None):
        return scopes.get_variable(
            GraphKeys.GLOBAL_STEP, shape=[], dtype="int64", initializer=initializers.zeros_initializer(),
            trainable=False, aggregation=variables.VariableAggregation.ONLY_FIRST_REPLICA,
            collections=[GraphKeys.GLOBAL_VARIABLES, GraphKeys.GLOBAL_STEP],
        )  # fmt: skip


def get_or_create_global_step(graph: Graph | None = None) -> Any:
    """The global step of a graph, made if there is none."""
    graph = graph or default_graph()
    found = get_global_step(graph)
    return create_global_step(graph) if found is None else found


def assert_global_step(global_step_tensor: Any) -> None:
    """Raise ``TypeError`` unless ``global_step_tensor`` is an integer scalar, a variable or tensor."""
    if not isinstance(global_step_tensor, variables.Variable | Tensor):
        raise TypeError(f'Existing "global_step" must be a Variable or Tensor: {global_step_tensor}.')
    if not global_step_tensor.dtype.base_dtype.is_integer:
        raise TypeError(f'Existing "global_step" does not have integer type: {global_step_tensor.dtype}')
    shape = global_step_tensor.get_shape()
    if shape.ndims != 0 and shape.is_fully_defined():
        raise TypeError(f'Existing "global_step" is not scalar: {shape}')


def _get_global_step_read(graph: Graph | None = None) -> Any:
    """The tensor that reads the global step before it is increased, or None.

    Raises:
      RuntimeError: there are several.
    """
    found = (graph or default_graph()).get_collection(_READ_KEY)
    if len(found) > 1:
        raise RuntimeError(f"There are multiple items in collection {_READ_KEY}. There should be only one.")
    return found[0] if found else None


def _get_or_create_global_step_read(graph: Graph | None = None) -> Any:
    graph = graph or default_graph()
    read = _get_global_step_read(graph)
    step = get_global_step(graph)
    if read is not None or step is None:
        return read
    with graph.as_default(), graph.name_scope(None), graph.name_scope(step.op.name + "/"):
        value = step if isinstance(step, Tensor) else step.initialized_value()
        read = value + 0
    graph.add_to_collection(_READ_KEY, read)
    return read


def _increment_global_step(increment: Any, graph: Graph | None = None) -> Any:
    """Add ``increment`` to the global step, after it has been read.

    Raises:
      ValueError: there is no global step.
    """
    graph = graph or default_graph()
    step = get_global_step(graph)
    if step is None:
        raise ValueError(
            "Global step tensor should be created by tf.train.get_or_create_global_step before calling increment."
        )
    read = _get_or_create_global_step_read(graph)
    scope = graph.name_scope(step.op.name + "/")
    with graph.as_default(), graph.name_scope(None), scope, graph.control_dependencies([read]):
        return state.assign_add(step, increment)


def assert_or_get_global_step(graph: Graph | None = None, global_step_tensor: Any = None) -> Any:
    """``global_step_tensor``, which must be fit to count steps, or the one of the graph."""
    if global_step_tensor is None:
        return get_global_step(graph)
    assert_global_step(global_step_tensor)
    return global_step_tensor
