"""``Graph``: the operations of a program in the order in which it built them."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from retrograd.graph import devices, stack
from retrograd.graph.collections import Collections
from retrograd.graph.contexts import ControlFlowContext, check_reach, output_context
from retrograd.graph.definition import OpDef
from retrograd.graph.dtypes import DType
from retrograd.graph.library import Library
from retrograd.graph.lookup import Lookup
from retrograd.graph.operation import Operation
from retrograd.graph.shapes import RawShape
from retrograd.graph.source import Frames
from retrograd.graph.tensor import Tensor
from retrograd.graph.uids import uid

_VALID_OP_NAME = re.compile(r"^[A-Za-z0-9.][A-Za-z0-9_.\-/]*$")
_VALID_SCOPE_NAME = re.compile(r"^[A-Za-z0-9_.\-/]*$")


def is_valid_op_name(name: str) -> bool:
    """Whether an op may have this name, scopes and all."""
    return _VALID_OP_NAME.match(name) is not None


class Versions:
    """TensorFlow 1.15's GraphDef versions."""

    producer = 134
    min_consumer = 0


class ControlDependencies:
    """One ``with graph.control_dependencies(...)`` block.

    An op built inside waits for ``ops``, unless one of its inputs was built inside and waits already.
    """

    def __init__(self, graph: Graph, ops: list[Operation] | None) -> None:
        self.graph = graph
        self.starts_anew = ops is None
        self.ops = ops or []
        self.built_inside: set[Operation] = set()

    def __enter__(self) -> None:
        scopes = self.graph._scopes
        self.outer, self.context = scopes.waiting, scopes.context
        scopes.waiting = [self] if self.starts_anew else [*self.outer, self]
        if self.starts_anew:  # and outside of all branches and loops
            scopes.context = None

    def __exit__(self, *error: Any) -> None:
        self.graph._scopes.waiting, self.graph._scopes.context = self.outer, self.context


class Scopes(threading.local):
    """The blocks that a thread is inside of while building.

    TensorFlow keeps the name scope per graph; per thread it is the same for one thread and right for several.
    """

    def __init__(self) -> None:
        self.name = ""
        self.called = ""  # the scope of a function whose ops are built where it is called: its own names begin there
        self.waiting: list[ControlDependencies] = []
        self.devices: list[Callable[[Any], Any] | None] = []
        self.colocated: list[Operation] = []
        self.attrs: dict[str, Any] = {}
        self.gradient_types: dict[str, str] = {}
        self.kernel_labels: dict[str, str] = {}  # written into the nodes; kernels have no variants here
        self.original: Operation | None = None
        self.container = ""
        self.context: ControlFlowContext | None = None
        self.frames: Frames | None = None  # the user's stack, while the library builds on its own account


class Graph(Collections, Lookup, Library):
    """A computation, as data flow: operations, and the tensors that pass between them."""

    captures = False  # whether tensors of other graphs may be used in it
    takes_ops_at_once = False  # whether ops on its tensors are built into it where others run at once
    is_eager = False  # whether it runs its ops at once and keeps none of them
    own: type | None = None  # the class of tensors that are of this graph, where that follows from the class

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.RLock()
        self._ops: list[Operation] = []
        self.lifted: list[range] = []  # the places among them of those that were built out of what was being built
        self._by_name: dict[str, Operation] = {}
        self._names_in_use: dict[str, int] = {}
        self._scopes = Scopes()
        self._has_loops_or_branches = False
        self._finalized = False
        self._seed: int | None = None
        self.version_of_edges = 0  # counts changes to edges of ops that exist already
        self.building_function = False
        self.graph_def_versions = Versions()
        self.notes: dict[Any, Any] = {}  # what other parts remember about this graph
        self._functions: dict[str, Any] = {}
        self._graph_key = f"grap-key-{uid()}/"

    # -- identity ------------------------------------------------------------------------------

    @property
    def _c_graph(self) -> Graph:
        """What TensorFlow's compiled library holds of a graph: here the graph itself."""
        return self

    @property
    def version(self) -> int:
        """The number of ops built so far."""
        return len(self._ops)

    @property
    def _building_function(self) -> bool:
        return self.building_function

    @_building_function.setter
    def _building_function(self, building: bool) -> None:
        self.building_function = building

    @property
    def _last_id(self) -> int:
        return len(self._ops)

    def _next_op_seed(self) -> int:
        """What stands in for the seed of an op that has none: how many ops there are."""
        return len(self._ops)

    @property
    def symbolic(self) -> Graph:
        """The graph that sessions run: this one, unless it runs its ops itself."""
        return self

    @property
    def naming(self) -> dict[str, Any]:
        """The notes that hold variables by name, their scopes and the counts of names."""
        return self.notes

    def execute(
        self, definition: OpDef, name: str, inputs: tuple[Tensor, ...], attrs: dict[str, Any], given: str | None
    ) -> Operation:
        """Run an op at once, of a graph that does so; ``given`` is the name that the program gave it."""
        raise NotImplementedError

    @property
    def seed(self) -> int | None:
        """The graph-level random seed."""
        return self._seed

    @seed.setter
    def seed(self, seed: int | None) -> None:
        self._seed = seed

    @property
    def finalized(self) -> bool:
        """Whether the graph may no longer grow."""
        return self._finalized

    def finalize(self) -> None:
        """Allow no more changes."""
        self._finalized = True

    def _unsafe_unfinalize(self) -> None:
        self._finalized = False

    def _check_not_finalized(self) -> None:
        if self._finalized:
            error = RuntimeError("Graph is finalized and cannot be modified.")
            error.add_note(
                "  Why:   graph.finalize() was called, or a monitored session runs this graph\n"
                "  Fix:   build every op before; in a training loop, fetch ops that exist already"
            )
            raise error

    def as_default(self) -> AbstractContextManager[Graph]:
        """Build into this graph inside the block."""
        return stack.graphs.pushed(self)

    def is_feedable(self, tensor: Tensor) -> bool:
        """Whether ``tensor`` may be given a value by ``feed_dict``."""
        return tensor not in self.notes.get("unfeedable", ())

    def prevent_feeding(self, tensor: Tensor) -> None:
        """Let no run feed ``tensor``."""
        self.notes.setdefault("unfeedable", set()).add(tensor)

    def is_fetchable(self, tensor_or_op: Any) -> bool:
        """Whether a run may fetch ``tensor_or_op``."""
        op = tensor_or_op.op if isinstance(tensor_or_op, Tensor) else tensor_or_op
        return op not in self.notes.get("unfetchable", ())

    def prevent_fetching(self, op: Any) -> None:
        """Let no run fetch ``op``."""
        self.notes.setdefault("unfetchable", set()).add(op)

    # -- names ---------------------------------------------------------------------------------

    def unique_name(self, name: str, mark_as_used: bool = True) -> str:
        """``name`` in the current scope, with ``_1``, ``_2``, ... added if it is taken (in any case)."""
        scope = self._scopes.name
        if scope:
            name = f"{scope}/{name}"
        key = name.lower()
        used = self._names_in_use
        with self._lock:
            count = used.get(key, 0)
            if mark_as_used:
                used[key] = count + 1
            if count:
                base = key
                while key in used:
                    key = f"{base}_{count}"
                    count += 1
                if mark_as_used:
                    used[key] = 1
                name = f"{name}_{count - 1}"
        return name

    @contextmanager
    def name_scope(self, name: str | None) -> Iterator[str]:
        """Put the names of ops built in the block under ``name``; yields ``"scope/"``.

        A ``name`` that ends with ``/`` is taken as it is; None or ``""`` is the root.

        Raises:
          ValueError: ``name`` is not a valid scope name.
        """
        outer = self._scopes.name
        self._scopes.name = scope = self.scope_path(name)
        try:
            yield name if name and name[-1] == "/" else scope + "/" if scope else ""
        finally:
            self._scopes.name = outer

    def scope_path(self, name: str | None) -> str:
        """The path of the scope that ``name_scope(name)`` enters."""
        if not name:
            return ""
        valid = _VALID_SCOPE_NAME if self._scopes.name else _VALID_OP_NAME
        if not isinstance(name, str) or not valid.match(name):
            raise ValueError(f"'{name}' is not a valid scope name")
        return name[:-1] if name[-1] == "/" else self.unique_name(name)

    def node_name(self, name: str) -> str:
        """The name of a node that is asked for by ``name``, in the current scope; one that ends with ``/`` stands.

        Raises:
          ValueError: no node can have it.
        """
        full = name[:-1] if name.endswith("/") else self.unique_name(name)
        if not _VALID_OP_NAME.match(full):
            raise ValueError(f"'{full}' is not a valid node name")
        return full

    def get_name_scope(self) -> str:
        """The path of the current scope."""
        return self._scopes.name

    @property
    def _name_stack(self) -> str:
        return self._scopes.name

    @_name_stack.setter
    def _name_stack(self, path: str) -> None:
        self._scopes.name = path

    # -- blocks --------------------------------------------------------------------------------

    def control_dependencies(self, control_inputs: Iterable[Any] | None) -> ControlDependencies:
        """Ops built in the block run after ``control_inputs``; None lifts all such waits.

        What an outer block waits for is left to that block.
        """
        if control_inputs is None:
            return ControlDependencies(self, None)
        waited = {op for block in self._scopes.waiting for op in block.ops}
        ops = dict.fromkeys(self._op_of(item) for item in control_inputs)
        return ControlDependencies(self, [op for op in ops if op not in waited])

    def _place_of(self, item: Any) -> Operation:
        """The op beside which others are to stand; in the body of a function it may be one from outside."""
        op = item if isinstance(item, Operation) else getattr(item, "op", None)
        return op if self.captures and isinstance(op, Operation) else self._op_of(item)

    def _op_of(self, item: Any) -> Operation:
        item = (
            item.op
            if not isinstance(item, Tensor | Operation) and hasattr(item, "op") and not callable(item.op)
            else item
        )
        element = self.as_graph_element(item)
        return element.op if isinstance(element, Tensor) else element

    @contextmanager
    def device(self, device_name_or_function: Any) -> Iterator[None]:
        """Place ops built in the block on a device; None ignores the outer blocks."""
        function = device_name_or_function
        if function is not None and not callable(function):
            function = devices.merge_device(function)
        outer = self._scopes.devices
        self._scopes.devices = inner = [*outer, function]
        is_left = True
        try:
            yield
        except GeneratorExit:  # a block that was entered by hand and forgotten
            is_left = False
            raise
        finally:
            if is_left:
                if self._scopes.devices is not inner:
                    raise RuntimeError("Exiting device scope without proper scope nesting.")
                self._scopes.devices = outer

    @contextmanager
    def colocate_with(self, op: Any, ignore_existing: bool = False) -> Iterator[None]:
        """Place ops built in the block where ``op`` is."""
        if op is None and not ignore_existing:
            raise ValueError("Trying to reset colocation (op is None) but ignore_existing is not True")
        scopes = self._scopes
        outer, outer_devices = scopes.colocated, scopes.devices
        scopes.colocated = ([] if ignore_existing else outer) + ([] if op is None else [self._place_of(op)])
        scopes.devices = []
        try:
            yield
        finally:
            scopes.colocated, scopes.devices = outer, outer_devices

    def _colocate_with_for_gradient(
        self, op: Any, gradient_uid: str | None, ignore_existing: bool = False
    ) -> AbstractContextManager[None]:
        return self.colocate_with(op, ignore_existing)

    @contextmanager
    def gradient_override_map(self, op_type_map: dict[str, str]) -> Iterator[None]:
        """Ops of the mapped types built in the block use the gradient registered under the mapped name."""
        if not isinstance(op_type_map, dict):
            raise TypeError("op_type_map must be a dictionary mapping strings to strings")
        for op_type, mapped in op_type_map.items():
            if not isinstance(op_type, str) or not isinstance(mapped, str):
                raise TypeError("op_type_map must be a dictionary mapping strings to strings")
        outer = self._scopes.gradient_types
        self._scopes.gradient_types = {**outer, **op_type_map}
        try:
            yield
        finally:
            self._scopes.gradient_types = outer

    @contextmanager
    def _attr_scope(self, attr_map: dict[str, Any]) -> Iterator[None]:
        """Give the ops built in the block these attributes (``AttrValue`` protos or plain values; None removes)."""
        outer = self._scopes.attrs
        merged = {**outer, **attr_map}
        self._scopes.attrs = {name: value for name, value in merged.items() if value is not None}
        try:
            yield
        finally:
            self._scopes.attrs = outer

    @contextmanager
    def _kernel_label_map(self, op_to_kernel_label_map: dict[str, str]) -> Iterator[None]:
        outer = self._scopes.kernel_labels
        self._scopes.kernel_labels = {**outer, **op_to_kernel_label_map}
        try:
            yield
        finally:
            self._scopes.kernel_labels = outer

    @contextmanager
    def _original_op(self, op: Operation) -> Iterator[None]:
        outer = self._scopes.original
        self._scopes.original = op
        try:
            yield
        finally:
            self._scopes.original = outer

    @contextmanager
    def built_at(self, frames: Frames | None) -> Iterator[None]:
        """Ops built in the block are said to be built at ``frames`` of the user's; None: where each is."""
        outer = self._scopes.frames
        self._scopes.frames = frames
        try:
            yield
        finally:
            self._scopes.frames = outer

    @contextmanager
    def container(self, container_name: str) -> Iterator[str]:
        """Variables built in the block live in the resource container ``container_name``."""
        outer = self._scopes.container
        self._scopes.container = container_name
        try:
            yield container_name
        finally:
            self._scopes.container = outer

    @property
    def _container(self) -> str:
        return self._scopes.container

    # -- building ------------------------------------------------------------------------------

    def capture(self, tensor: Tensor, name: str | None = None) -> Tensor:
        """What stands for ``tensor`` in this graph: itself, unless this is the body of a function."""
        return tensor

    def holding(self, value: Any, dtype: DType) -> Any:
        """A tensor of this graph that has ``value`` already; None where tensors stand for values of runs."""
        return None

    def add_op(
        self,
        definition: OpDef,
        name: str,
        inputs: tuple[Tensor, ...],
        attrs: dict[str, Any],
        output_types: list[DType],
        dims: Sequence[RawShape] | None = None,
    ) -> Operation:
        """Append an op whose full ``name`` was made unique before; ``dims`` are the shapes of its outputs."""
        if self._finalized:
            self._check_not_finalized()
        scopes = self._scopes
        waits = self._waits_for(inputs) if scopes.waiting else []
        if scopes.attrs:
            self._apply_attr_scope(scopes.attrs, attrs)
        if definition.name in scopes.gradient_types:
            attrs["_gradient_op_type"] = scopes.gradient_types[definition.name].encode()
        if definition.name in scopes.kernel_labels:
            attrs["_kernel"] = scopes.kernel_labels[definition.name].encode()
        if self._has_loops_or_branches:
            check_reach(definition.name, name, inputs, scopes.context)
        with self._lock:
            op = Operation.placed(self, definition, name, inputs, attrs, output_types, waits)
            if scopes.context is not None:
                self._put_inside(op, scopes.context)
        for block in scopes.waiting:
            block.built_inside.add(op)
        op.original = scopes.original
        if dims is not None:  # before a function is asked where to place the op
            for tensor, shape in zip(op.outputs, dims, strict=True):
                tensor.dims = shape
        if scopes.devices:
            self._apply_device_functions(op)
        if scopes.colocated:
            self._colocate(op)
        return op

    def _put_inside(self, op: Operation, context: ControlFlowContext) -> None:
        """Let a new op stand in a branch or a loop, and read what that sees of outside."""
        is_constant = op.type == "Const"  # has no scope of its own
        scope = self._scopes.name + "/" * bool(self._scopes.name) if is_constant else op.name + "/"
        with self.name_scope(scope):  # what brings a tensor in is named after the op that reads it
            op._rewire(*context.adopt(op.inputs, op.control_inputs))
        op.context = context
        self._has_loops_or_branches = True
        self._keep_inside(op)

    def _keep_inside(self, op: Operation) -> None:
        """Let no run feed or fetch what exists only while a branch or a loop runs."""
        if output_context(op) is not None:
            self.prevent_fetching(op)
            for tensor in op.outputs:
                self.prevent_feeding(tensor)

    def _get_control_flow_context(self) -> ControlFlowContext | None:
        return self._scopes.context

    def _set_control_flow_context(self, context: ControlFlowContext | None) -> None:
        self._scopes.context = context

    @property
    def _control_flow_context(self) -> ControlFlowContext | None:
        return self._scopes.context

    def _waits_for(self, inputs: tuple[Tensor, ...]) -> list[Operation]:
        sources = {t.op for t in inputs}
        waits: dict[Operation, None] = {}
        for block in self._scopes.waiting:
            if sources.isdisjoint(block.built_inside):
                waits.update((op, None) for op in block.ops if op not in sources)
        return list(waits)

    def _apply_attr_scope(self, scope: dict[str, Any], attrs: dict[str, Any]) -> None:
        from retrograd.graph.protos import plain_value

        for name, value in scope.items():
            attrs.setdefault(name, plain_value(value) if type(value).__name__ == "AttrValue" else value)

    def _apply_device_functions(self, op: Operation) -> None:
        for function in reversed(self._scopes.devices):
            if function is None:
                break
            op._set_device(function(op))

    def _colocate(self, op: Operation) -> None:
        groups: set[bytes] = set()
        for other in self._scopes.colocated:
            groups.update(other.colocation_groups())
            if other.device:
                op.device = other.device
        op.attrs["_class"] = sorted(groups)

    def create_op(
        self,
        op_type: str,
        inputs: Iterable[Tensor],
        dtypes: Any = None,
        input_types: Any = None,
        name: str | None = None,
        attrs: dict[str, Any] | None = None,
        op_def: Any = None,
        compute_shapes: bool = True,
        compute_device: bool = True,
    ) -> Operation:
        """Build an op by the name of its type, from attributes given as ``AttrValue`` protos or plain values.

        Raises:
          ValueError: no such op type is known.
        """
        from retrograd.graph.apply import build
        from retrograd.graph.protos import plain_value

        definition = self.op_definition(op_type)
        if definition is None:
            raise ValueError(f"Op type not registered '{op_type}'")
        name = op_type if name is None else name
        full = name[:-1] if name.endswith("/") else self.unique_name(name)
        plain = {k: plain_value(v) if type(v).__name__ == "AttrValue" else v for k, v in (attrs or {}).items()}
        return build(self, definition, full, tuple(self.capture(t) for t in inputs), plain)

    # -- as data -------------------------------------------------------------------------------

    def get_operations(self) -> list[Operation]:
        """All operations, oldest first."""
        return list(self._ops)

    def as_graph_def(self, from_version: int | None = None, add_shapes: bool = False) -> Any:
        """A ``GraphDef`` proto of the ops built since ``from_version``."""
        from retrograd.graph.protos import graph_def

        with self._lock:  # other threads may rewire what is written already to ops that are new
            return graph_def(self, from_version, add_shapes)

    def switch_to_thread_local(self) -> None:
        """Scopes are always kept per thread; nothing is left to switch."""
