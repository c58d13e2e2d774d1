"""``tf.CriticalSection``: parts of a graph of which no two run at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from retrograd.flow.tensor_array import TensorArray
from retrograd.graph import dtypes, nest
from retrograd.graph.modes import executing_eagerly, init_scope
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import colocate_with, control_dependencies, name_scope
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, control, mutexes

CRITICAL_SECTIONS = "critical_sections"
CRITICAL_SECTION_EXECUTIONS = "critical_section_executions"


class _Execution(NamedTuple):
    """One use of a section: the op that takes the lock, the lock, and the resources that it reads."""

    op: Operation
    handle: Tensor
    resources: list[Tensor]
    exclusive_resource_access: bool


def _passed_on(x: Any) -> Any:
    if isinstance(x, TensorArray):
        return x.identity()
    if isinstance(x, Operation):
        return control.group(x)
    return None if x is None and executing_eagerly() else arrays.identity(x)


class CriticalSection:
    """A lock under a name; ``execute(fn)`` builds what runs while it is held.

    Raises:
      ValueError: both a name and a definition are given.
      NotImplementedError: a definition is given, as in TensorFlow.
    """

    def __init__(
        self, name: str | None = None, shared_name: str | None = None, critical_section_def: Any = None,
        import_scope: str | None = None,
    ) -> None:  # fmt: skip
        if critical_section_def and name is not None:
            raise ValueError("critical_section_def and shared_name are mutually exclusive.")
        if critical_section_def:
            raise NotImplementedError("Not yet implemented")
        with name_scope(name, "CriticalSection", []) as scope, init_scope():
            self._handle = mutexes.mutex_v2(shared_name=scope if shared_name is None else shared_name, name=scope)
        if not executing_eagerly():
            default_graph().add_to_collections(CRITICAL_SECTIONS, self)

    @property
    def name(self) -> str:
        """The name of the op that is the lock."""
        return str(self._handle.op.name)

    def execute(self, fn: Callable[[], Any], exclusive_resource_access: bool = True, name: str | None = None) -> Any:
        """What ``fn`` gives, computed while the lock is held.

        Raises:
          ValueError: ``fn`` uses the same lock, or reads a resource that another section has to itself.
        """
        with name_scope(name, "critical_section_execute", []):
            lock = mutexes.mutex_lock(self._handle)
            graph = default_graph()
            before = len(graph.get_operations())
            with control_dependencies([lock.op]):
                result = fn()
            read: list[Tensor] = []
            if not executing_eagerly():
                created = graph.get_operations()[before:]
                self._wait_for_inputs(created, lock.op)
                found = (x for op in created for x in op.inputs if x.dtype == dtypes.resource)
                read = list(dict.fromkeys(found))
                self._check(read, exclusive_resource_access)
            flat = [_passed_on(x) for x in nest.flatten(result)]
            with control_dependencies(flat):
                with colocate_with(self._handle):
                    free = mutexes.consume_mutex_lock(lock)
                result = nest.pack_sequence_as(result, control.tuple_(nest.flatten(result)))
            with control_dependencies([free]):
                outputs = nest.map_structure(_passed_on, result)
            if not executing_eagerly():
                execution = _Execution(lock.op, self._handle, read, exclusive_resource_access)
                graph.add_to_collections(CRITICAL_SECTION_EXECUTIONS, execution)
            return outputs

    def _wait_for_inputs(self, created: list[Operation], lock: Operation) -> None:
        """The lock is taken when all is there that the section reads."""
        needed = {x.op: None for op in created for x in op.inputs}
        needed.update({op: None for made in created for op in made.control_inputs})
        for op in (*created, *lock.control_inputs, *(x.op for x in lock.inputs), lock):
            needed.pop(op, None)
        if needed:
            lock._add_control_input(control.group(*needed))

    def _is_own(self, handle: Tensor) -> bool:
        mine = self._handle.op
        return (
            handle.op.type == "MutexV2"
            and bool(handle.op.attrs["shared_name"])
            and handle.op.attrs["shared_name"] == mine.attrs["shared_name"]
            and handle.op.device == mine.device
        )

    def _check(self, read: list[Tensor], exclusive: bool) -> None:
        if any(self._is_own(x) for x in read):
            raise ValueError(
                "The function fn attempts to directly access the CriticalSection in which it would be running.  "
                "This is illegal and would cause deadlocks."
            )
        for other in default_graph().get_collection(CRITICAL_SECTION_EXECUTIONS):
            if self._is_own(other.handle) or not (exclusive or other.exclusive_resource_access):
                continue
            shared = [x for x in read if any(x is y for y in other.resources)]
            if shared:
                raise ValueError(
                    f"This execution would access resources: {shared}.  Either this lock (CriticalSection: "
                    f"{self._handle}) or lock '{other}' (CriticalSection: {other.handle}) requested exclusive resource "
                    "access of this resource.  Did you mean to call execute with keyword argument "
                    "exclusive_resource_access=False?"
                )
