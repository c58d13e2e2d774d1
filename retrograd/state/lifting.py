"""Variables that the first call of a ``tf.function`` makes while it is traced into a graph.

They stand in the graph around the function, and what they begin with is built again there.  Source: TensorFlow
1.15.5, observed.
"""

from __future__ import annotations

from typing import Any

from retrograd.graph.collections import GraphKeys
from retrograd.graph.convert import as_tensor
from retrograd.graph.functions import FunctionGraph
from retrograd.graph.graph import Graph
from retrograd.graph.modes import init_scope
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import add_to_collections, colocate_with, device, name_scope
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.ops import resources
from retrograd.state.reference import no_initial_value
from retrograd.state.resource import ResourceVariable, checked_shape
from retrograd.state.variables import checked_modes


class UnliftableError(Exception):
    """What is asked of a graph depends on a placeholder that nothing stands for."""


class LiftedVariable(ResourceVariable):
    """A variable of the graph around the function that is being built."""

    def __init__(
        self, initial_value: Any = None, trainable: bool | None = None, caching_device: Any = None,
        name: str | None = None, dtype: Any = None, constraint: Any = None, synchronization: Any = None,
        aggregation: Any = None, shape: Any = None,
    ) -> None:  # fmt: skip
        """``initial_value`` is a tensor of the function's graph, or a callable that builds one there.

        Raises:
          UnliftableError: it follows from the arguments of the function.
        """
        self._synchronization, self._aggregation, self._trainable = checked_modes(
            synchronization, aggregation, trainable, name
        )
        if initial_value is None:
            raise no_initial_value()
        self._caching_device, self._constraint, self._save_slice_info = caching_device, constraint, None
        with name_scope(name, "Variable", [] if callable(initial_value) else [initial_value]) as scope:
            with name_scope("Initializer"), device(None):
                value = as_tensor(
                    initial_value() if callable(initial_value) else initial_value, dtype, name="initial_value"
                )
            self._shape, self._dtype = checked_shape(value, shape), value.dtype.base_dtype
            with init_scope():
                outer = default_graph()
                with name_scope(None):
                    own = outer.unique_name(scope[:-1])
                self._handle = resources.var_handle_op(self._dtype, self._shape, shared_name=own, name=f"{own}/")
                with name_scope(f"{own}/"), name_scope("Read"):
                    self._build_read()
            with outer.as_default(), outer.control_dependencies(None):
                self._initial_value = lifted(value, outer)
            with init_scope():
                with name_scope("IsInitialized"):
                    self._is_initialized_op = resources.var_is_initialized_op(self._handle)
                with name_scope("Assign") as assign_scope, colocate_with(self._handle.op, ignore_existing=True):
                    self._initializer_op = resources.assign_variable_op(
                        self._handle, self._initial_value, name=assign_scope
                    )
                add_to_collections([GraphKeys.GLOBAL_VARIABLES], self)


def lifted(tensor: Tensor, outer: Graph) -> Tensor:
    """``tensor`` of a function's graph, built again in ``outer``, the default graph, with all that it follows from.

    Raises:
      UnliftableError: it follows from an argument of the function.
    """
    twins: dict[Tensor, Tensor] = {}
    pending = [tensor]
    while pending:
        t = pending[-1]
        source = _source(t, outer)
        missing = [x for x in ([] if source is not t else t.op.inputs) if x not in twins]
        if t in twins or not missing:
            pending.pop()
        if t in twins:
            continue
        if source is not t:
            if source.graph is not outer:
                raise not_liftable(tensor, source.op, set(), tensor)
            twins[t] = source
        elif missing:
            pending += reversed(missing)
        elif isinstance(t.graph, FunctionGraph) and t in t.graph.inputs:
            raise not_liftable(tensor, t.op, set(), tensor)
        else:
            attrs = {key: value for key, value in t.op.attrs.items() if key != "_class"}
            twin = outer.create_op(t.op.type, [twins[x] for x in t.op.inputs], name=t.op.name, attrs=attrs)
            twins.update(zip(t.op.outputs, twin.outputs, strict=True))
    return twins[tensor]


def _source(tensor: Tensor, outer: Graph) -> Tensor:
    """What ``tensor`` stands for outside of the functions that are being built, as far as it stands for something."""
    while isinstance(tensor.graph, FunctionGraph) and tensor.graph is not outer:
        behind = tensor.graph.notes["captured from"].get(tensor)
        if behind is None:
            break
        tensor = behind
    return tensor


def not_liftable(fetch: Any, missing: Operation, given: set[Tensor], asked: Any) -> UnliftableError:
    """The error for what depends on the placeholder ``missing``: the way from there, backwards."""
    start = fetch.op if isinstance(fetch, Tensor) else fetch
    path = " <- ".join(f"{op.name} ({op.type})" for op in _path(start, missing, given))
    return UnliftableError(
        f"Unable to lift tensor {asked!r} because it depends transitively on placeholder {missing!r} via at least "
        f"one path, e.g.: {path}"
    )


def _path(start: Operation, end: Operation, given: set[Tensor]) -> list[Operation]:
    """A shortest way from an op back to one that it waits for."""
    reader: dict[Operation, Operation | None] = {start: None}
    waiting = [start]
    for op in waiting:
        for other in [*(x.op for x in op.inputs if x not in given), *op.control_inputs]:
            if other not in reader:
                reader[other] = op
                waiting.append(other)
    path: list[Operation] = []
    at: Operation | None = end
    while at is not None:
        path.append(at)
        at = reader[at]
    return path[::-1]
