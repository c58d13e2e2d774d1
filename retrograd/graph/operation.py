"""``Operation``: one node of a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from retrograd.graph import shapes, source
from retrograd.graph.definition import OpDef
from retrograd.graph.dtypes import DType
from retrograd.graph.errors import InvalidArgumentError, OutOfRangeError
from retrograd.graph.tensor import Tensor, session_for
from retrograd.graph.uids import uid

if TYPE_CHECKING:
    from retrograd.graph.contexts import ControlFlowContext
    from retrograd.graph.graph import Graph


def without(readers: list[Operation], op: Operation) -> list[Operation]:
    """``readers`` with one ``op`` less: another list, because another thread may be going through this one."""
    rest = readers.copy()
    rest.remove(op)
    return rest


class Operation:
    """A node: an op type with its inputs, control inputs and attributes, and its output tensors."""

    graph: Graph
    definition: OpDef
    name: str
    inputs: tuple[Tensor, ...]
    attrs: dict[str, Any]
    outputs: list[Tensor]
    original: Operation | None
    context: ControlFlowContext | None = None  # the branch or loop that it was built in

    def __init__(
        self,
        node_def: Any,
        g: Graph,
        inputs: Any = None,
        output_types: Any = None,
        control_inputs: Any = None,
        input_types: Any = None,
        original_op: Operation | None = None,
        op_def: Any = None,
    ) -> None:
        """Add to ``g`` the node that a ``NodeDef`` describes; scopes and blocks have no part in it."""
        from retrograd.graph.nodes import add_node

        add_node(self, node_def, g, inputs, control_inputs, input_types)
        self.original = original_op

    @classmethod
    def placed(
        cls,
        graph: Graph,
        definition: OpDef,
        name: str,
        inputs: tuple[Tensor, ...],
        attrs: dict[str, Any],
        output_types: list[DType],
        control_inputs: list[Operation],
    ) -> Operation:
        """A new operation at the end of ``graph``, all of whose parts are known."""
        op = cls.__new__(cls)
        op._place(graph, definition, name, inputs, attrs, output_types, control_inputs)
        return op

    def _place(
        self,
        graph: Graph,
        definition: OpDef,
        name: str,
        inputs: tuple[Tensor, ...],
        attrs: dict[str, Any],
        output_types: list[DType],
        control_inputs: list[Operation],
    ) -> None:
        self.graph = graph
        self.definition = definition
        self.name = name
        self.inputs = inputs
        self.attrs = attrs
        self.control_inputs = control_inputs
        self.control_readers: list[Operation] = []
        self.index = len(graph._ops)  # place in the order of creation
        self.device = ""
        self.original = None
        self.frames = graph._scopes.frames or source.user_frames()
        self.outputs = [Tensor(self, i, dtype) for i, dtype in enumerate(output_types)]
        self.output_ids = [uid() for _ in output_types]
        for tensor in inputs:
            tensor.readers.append(self)
        for op in control_inputs:
            op.control_readers.append(self)
        graph._ops.append(self)
        graph._by_name[name] = self

    @property
    def type(self) -> str:
        """TensorFlow's name of the op type, such as ``MatMul``."""
        return self.definition.name

    @property
    def _id(self) -> int:
        return self.index + 1

    @property
    def _graph(self) -> Graph:
        return self.graph

    @property
    def _inputs(self) -> tuple[Tensor, ...]:
        return self.inputs

    @property
    def _outputs(self) -> list[Tensor]:
        return self.outputs

    @property
    def _control_inputs(self) -> list[Operation]:
        return self.control_inputs

    @property
    def _control_outputs(self) -> list[Operation]:
        return self.control_readers

    @property
    def _original_op(self) -> Operation | None:
        return self.original

    @property
    def _control_flow_context(self) -> ControlFlowContext | None:
        return self.context

    def _get_control_flow_context(self) -> ControlFlowContext | None:
        return self.context

    def _set_control_flow_context(self, context: ControlFlowContext | None) -> None:
        self.context = context

    @property
    def _input_types(self) -> list[DType]:
        arguments = self.definition.of_inputs(self.attrs)
        return [t.dtype if a.is_ref else t.dtype.base_dtype for t, a in zip(self.inputs, arguments, strict=True)]

    @property
    def _input_dtypes(self) -> list[DType]:
        return [t.dtype.base_dtype for t in self.inputs]

    @property
    def _output_types(self) -> list[DType]:
        return [t.dtype for t in self.outputs]

    def values(self) -> tuple[Tensor, ...]:
        """The outputs as a tuple."""
        return tuple(self.outputs)

    @property
    def traceback(self) -> list[tuple[str, int, str, str]]:
        """(file, line, function, text) of each of the user's frames, outermost first."""
        return source.traceback_rows(self.frames)

    @property
    def traceback_with_start_lines(self) -> list[tuple[str, int, str, str, int]]:
        """The rows of ``traceback``, each with the first line of its function."""
        starts = [code.co_firstlineno for code, _ in reversed(self.frames)]
        return [(*row, start) for row, start in zip(self.traceback, starts, strict=True)]

    @property
    def place(self) -> str | None:
        """The user's file and line that built this op."""
        return source.location(self.frames)

    def colocation_groups(self) -> list[bytes]:
        """The groups of ops that stand on one device with this one; by default a group of its own."""
        groups = [g for g in self.attrs.get("_class", ()) if g.startswith(b"loc:@")]
        return groups or [f"loc:@{self.name}".encode()]

    def get_attr(self, name: str) -> Any:
        """The value of an attribute, as TensorFlow's Python gives it.

        Raises:
          ValueError: the op has no such attribute.
        """
        if name not in self.attrs:
            raise ValueError(f"Operation '{self.name}' has no attr named '{name}'.")
        value = self.attrs[name]
        if isinstance(value, DType | bool | int | float | bytes):
            return value
        from retrograd.graph.protos import get_attr

        return get_attr(value)

    def _set_attr(self, name: str, value: Any) -> None:
        """Set an attribute from an ``AttrValue`` proto or a plain value."""
        if hasattr(value, "WhichOneof"):
            from retrograd.graph.protos import plain_value

            value = plain_value(value)
        self.attrs[name] = value

    def _clear_attr(self, name: str) -> None:
        """Let an attribute be what it is where nobody says."""
        default = self.definition.attrs.get(name)
        self.attrs.pop(name, None)
        if default is not None:
            self.attrs[name] = default

    def _add_control_input(self, op: Operation) -> None:
        self._add_control_inputs([op])

    def _add_control_inputs(self, ops: list[Operation]) -> None:
        with self.graph._lock:
            for op in ops:
                if op not in self.control_inputs:
                    self.control_inputs.append(op)
                    op.control_readers.append(self)
            self.graph.version_of_edges += 1

    def _remove_all_control_inputs(self) -> None:
        with self.graph._lock:
            self._wait_no_more()
            self.control_inputs = []
            self.graph.version_of_edges += 1

    def _wait_no_more(self) -> None:
        for op in self.control_inputs:
            op.control_readers = without(op.control_readers, self)

    def _update_input(self, index: int, tensor: Tensor) -> None:
        """Let input ``index`` be ``tensor``, which may be younger than this op.

        Raises:
          OutOfRangeError: there is no such input.
          InvalidArgumentError: the shapes contradict each other.
          ValueError: ``tensor`` is of another graph.
        """
        if index >= len(self.inputs):
            raise OutOfRangeError(
                None,
                None,
                f"Cannot update edge. Input index [{index}] is greater than the number of total inputs "
                f"[{len(self.inputs)}].",
            )
        if tensor.graph is not self.graph:
            raise ValueError(f"{tensor} must be from the same graph as {self}.")
        new, old = tensor.dims, self.inputs[index].dims
        if not shapes.compatible(new, old):
            texts = f"{shapes.shape_text(new)} and {shapes.shape_text(old)}"
            raise InvalidArgumentError(None, None, f"Cannot update edge, incompatible shapes: {texts}.")
        with self.graph._lock:
            former = self.inputs[index]
            former.readers = without(former.readers, self)
            self.inputs = (*self.inputs[:index], tensor, *self.inputs[index + 1 :])
            tensor.readers.append(self)
            self.graph.version_of_edges += 1

    def _add_outputs(self, types: list[DType], shapes: list[Any]) -> None:
        """Let the op have further outputs, of these dtypes and shapes; its attributes say so already."""
        with self.graph._lock:
            first = len(self.outputs)
            added = [Tensor(self, first + i, dtype) for i, dtype in enumerate(types)]
            for tensor, shape in zip(added, shapes, strict=True):
                tensor.set_shape(shape)
            self.outputs = [*self.outputs, *added]
            self.output_ids = [*self.output_ids, *(uid() for _ in types)]
            self.graph.version_of_edges += 1

    def _rewire(self, inputs: tuple[Tensor, ...], control_inputs: list[Operation]) -> None:
        """Let the inputs and control inputs be these, of the same dtypes and shapes, some perhaps younger."""
        with self.graph._lock:
            for tensor in self.inputs:
                tensor.readers = without(tensor.readers, self)
            self._wait_no_more()
            self.inputs, self.control_inputs = inputs, control_inputs
            for tensor in inputs:
                tensor.readers.append(self)
            for op in control_inputs:
                op.control_readers.append(self)
            if any(op.index > self.index for op in (*[t.op for t in inputs], *control_inputs)):
                self.graph.version_of_edges += 1

    def _set_device(self, device: Any) -> None:
        from retrograd.graph.devices import canonical

        self.device = canonical(device)

    @property
    def node_def(self) -> Any:
        """A ``NodeDef`` proto of this op."""
        from retrograd.graph.protos import node_def

        return node_def(self)

    @property
    def op_def(self) -> Any:
        """An ``OpDef`` proto of this op's type: its name, arguments and attributes."""
        from retrograd.graph.protos import op_def

        return op_def(self.definition)

    def run(self, feed_dict: Any = None, session: Any = None) -> None:
        """Run this op in ``session`` or the default one."""
        session_for(self.graph, session, "execute operation", "run()").run(self, feed_dict)

    def __copy__(self) -> Operation:
        return self

    def __str__(self) -> str:
        from google.protobuf.text_format import MessageToString

        text: str = MessageToString(self.node_def)  # str(proto) has the attributes in any order
        return text

    def __repr__(self) -> str:
        return f"<tf.Operation '{self.name}' type={self.type}>"
