"""Graphs from ``GraphDef``s: ``import_graph_def``."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from typing import Any

from retrograd.flow.found import close_loop, find_loops
from retrograd.graph import shapes
from retrograd.graph.apply import inferred_shapes, output_types, told_removed
from retrograd.graph.definition import OpDef
from retrograd.graph.deprecation import deprecated_args
from retrograd.graph.devices import DeviceSpec
from retrograd.graph.errors import InvalidArgumentError, NotFoundError, UnimplementedError, nearest
from retrograd.graph.graph import _VALID_OP_NAME, Graph
from retrograd.graph.nodes import check_inputs, checked_attrs, join_scopes
from retrograd.graph.operation import Operation, without
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import RawShape
from retrograd.graph.source import user_frames
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.graph.text import as_text, bytes_or_text_types
from retrograd.graph.versions import GRAPH_DEF_VERSION, GRAPH_DEF_VERSION_MIN_PRODUCER, VERSION
from retrograd.io.import_arguments import (
    CONTROL,
    Key,
    checked_graph_def,
    checked_input_map,
    drop_unknown_attrs,
    parsed_input,
    parsed_name,
    tensors_of_map,
)
from retrograd.io.stack_form import with_histories
from retrograd.ops import dataflow
from retrograd.state.defun import from_library

_OF_PYTHON = ("PyFunc", "PyFuncStateless", "EagerPyFunc")


@deprecated_args(
    None, "Please file an issue at https://github.com/tensorflow/tensorflow/issues if you depend on this feature.",
    "op_dict",
)  # fmt: skip
def import_graph_def(
    graph_def: Any,
    input_map: Any = None,
    return_elements: Any = None,
    name: str | None = None,
    op_dict: Any = None,
    producer_op_list: Any = None,
) -> list[Any] | None:
    """Add the nodes of a ``GraphDef`` to the default graph.

    Args:
      input_map: names of tensors in ``graph_def`` to the tensors that take their places; ``"^op"`` to an op.
      return_elements: names of ops and tensors in ``graph_def``; the result lists what they have become.
      name: the scope of the new ops, by default ``"import"``; ``""`` leaves the names as they are.  A name
        that is taken gets a number.
      op_dict: nothing; it is deprecated.
      producer_op_list: the op types as the writer knew them; attributes with their defaults that are
        unknown here are left out.

    Raises:
      TypeError: an argument is of the wrong kind.
      ValueError: ``graph_def`` is not well formed, or lacks what ``input_map`` or ``return_elements`` name.
      NotFoundError: an op type is unknown.
    """
    return import_nodes(graph_def, input_map, return_elements, name, producer_op_list)


def import_graph_def_for_function(graph_def: Any, name: str | None = None) -> None:
    """The same, for nodes that may be colocated with others that are not there."""
    import_nodes(graph_def, name=name, validate_colocation_constraints=False)


def import_nodes(
    graph_def: Any,
    input_map: Any = None,
    return_elements: Any = None,
    name: str | None = None,
    producer_op_list: Any = None,
    validate_colocation_constraints: bool = True,
) -> list[Any] | None:
    """``import_graph_def``, for which nodes that others are to stand beside may be missing."""
    graph_def = with_histories(checked_graph_def(graph_def))
    input_map = checked_input_map(input_map)
    if return_elements is not None:
        if not all(isinstance(x, bytes_or_text_types) for x in return_elements):
            raise TypeError("return_elements must be a list of strings.")
        return_elements = tuple(as_text(x) for x in return_elements)
    if producer_op_list is not None:
        drop_unknown_attrs(graph_def, producer_op_list)
    graph = default_graph()
    with name_scope(name, "import", input_map.values()) as scope:
        mapped = tensors_of_map(name, input_map)
    _check_same_graph(mapped, graph)
    wanted = [parsed_name(text) if ":" in text else text for text in return_elements or ()]
    found = _Import(graph, graph_def, scope, mapped, validate_colocation_constraints).run(wanted)
    return None if return_elements is None else found


def _check_same_graph(mapped: dict[Key, Any], graph: Graph) -> None:
    """Raises ``ValueError`` if something in the map is of another graph."""
    for (name, index), value in mapped.items():
        op = value if isinstance(value, Operation) else value.op
        if op.graph is not graph:
            entry = f"^{name}->^{op.name}" if index == CONTROL else f"{name}:{index}->{value.name}"
            raise ValueError(f"node '{op.name}' in input_map does not exist in graph (input_map entry: {entry})")


# -- nodes -------------------------------------------------------------------------------------


class _Import:
    """One import: the nodes of ``graph_def`` become ops of ``graph``, all or none of them."""

    def __init__(self, graph: Graph, graph_def: Any, scope: str, mapped: dict[Key, Any], checks_places: bool) -> None:
        self.graph, self.graph_def, self.mapped = graph, graph_def, mapped
        self.scope = f"{scope.rstrip('/')}/" if scope else ""
        self.checks_places = checks_places
        self.made: dict[str, Operation] = {}  # by the names that graph_def gives them
        self.used: set[Key] = set()  # of the map
        self.renamed: dict[str, str] = {}
        self.back_edges: list[tuple[Operation, int, Key]] = []

    def run(self, wanted: Sequence[Any]) -> list[Any]:
        """What ``wanted`` have become."""
        graph = self.graph
        self._check_versions()
        if self.scope and not _VALID_OP_NAME.fullmatch(self.scope[:-1]):
            raise ValueError(f"Imported node name prefix '{self.scope}' would lead to invalid node names")
        with graph._lock:  # or what other threads build would stand among what is imported
            self._index()
            graph._check_not_finalized()
            self._add_functions()
            first = len(graph._ops)
            try:
                with graph.built_at(graph._scopes.frames or user_frames()):
                    self._make_all()
                    found = [self._element(item) for item in wanted]
                find_loops(graph._ops[first:])
            except BaseException:
                _take_back(graph, first)
                raise
            self._set_versions()
            self._rename_places()
            ops = graph._ops[first:]
            for op in ops:
                graph._names_in_use.setdefault(op.name.lower(), 1)
            graph.notes.setdefault("read from a file", set()).update(op for op in ops if op.type in _OF_PYTHON)
            join_scopes(graph, ops)
            self._place(ops)
        self._check_used()
        return found

    # -- before ------------------------------------------------------------------------------

    def _check_versions(self) -> None:
        versions = self.graph_def.versions
        if versions.producer < GRAPH_DEF_VERSION_MIN_PRODUCER:
            raise ValueError(
                f"GraphDef producer version {versions.producer} below min producer {GRAPH_DEF_VERSION_MIN_PRODUCER} "
                f"supported by TensorFlow {VERSION}.  Please regenerate your graph."
            )
        if versions.min_consumer > GRAPH_DEF_VERSION:
            raise ValueError(
                f"GraphDef min consumer version {versions.min_consumer} above current version {GRAPH_DEF_VERSION} "
                f"for TensorFlow {VERSION}.  Please upgrade TensorFlow."
            )
        if GRAPH_DEF_VERSION in versions.bad_consumers:
            raise ValueError(
                f"GraphDef disallows consumer version {GRAPH_DEF_VERSION}.  Please upgrade TensorFlow: this version "
                "is likely buggy."
            )

    def _index(self) -> None:
        """Number the nodes by their names, and note what is wrong with any by itself."""
        self.number: dict[str, int] = {}
        self.prefixes: set[str] = set()
        for i, node in enumerate(self.graph_def.node):
            name = node.name
            if not _VALID_OP_NAME.fullmatch(name):
                raise ValueError(f"Node '{name}': Node name contains invalid characters")
            if name in self.number:
                raise ValueError(f"Node '{name}' is not unique")
            self.number[name] = i
            if not node.op:
                raise ValueError(f"Node '{name}' does not specify an operation")
            are_control = [text.startswith("^") for text in node.input]
            if sorted(are_control) != are_control:
                raise ValueError(f"Node '{name}': Control dependencies must come after regular dependencies")
            self.prefixes.update(_prefixes(name))
        self.taken = {p for op in self.graph._ops for p in _prefixes(op.name)}

    def _add_functions(self) -> None:
        if self.graph_def.library.function:
            try:
                for function in from_library(self.graph_def.library):
                    function.add_to_graph(self.graph)
            except InvalidArgumentError as error:
                raise ValueError(error.message) from None

    # -- making ------------------------------------------------------------------------------

    def _make_all(self) -> None:
        """Make each node once what it reads is there, the first of those first."""
        waiting, readers = self._waits()
        ready = [i for i, count in enumerate(waiting) if count == 0]
        done = 0
        while ready:
            i = heapq.heappop(ready)
            node = self.graph_def.node[i]
            self.made[node.name] = self._make(node)
            done += 1
            for reader in readers[i]:
                if node.op not in dataflow.NEXT_ITERATIONS or reader not in self.loop_merges:
                    waiting[reader] -= 1
                    if waiting[reader] == 0:
                        heapq.heappush(ready, reader)
        if done < len(waiting):
            raise ValueError(f"{len(waiting) - done} nodes in a cycle")
        for op, i, (name, index) in self.back_edges:
            source = self.made[name].outputs
            if index >= len(source) or source[index].dtype.base_dtype is not op.inputs[i].dtype.base_dtype:
                raise ValueError(f"Node '{op.name}': Connecting to invalid output {index} of source node {name}")
            close_loop(op, i, source[index])

    def _waits(self) -> tuple[list[int], list[list[int]]]:
        """For each node, how many inputs it still waits for; and which nodes read it."""
        nodes = self.graph_def.node
        next_ones = {node.name for node in nodes if node.op in dataflow.NEXT_ITERATIONS}
        self.loop_merges: set[int] = set()
        waiting: list[int] = []
        readers: list[list[int]] = [[] for _ in nodes]
        for i, node in enumerate(nodes):
            count = len(node.input)
            keys = [parsed_input(text) for text in node.input]
            if node.op in dataflow.MERGES and any(name in next_ones and k != CONTROL for name, k in keys):
                self.loop_merges.add(i)  # begins once its first value is there
                count = sum(k == CONTROL for _, k in keys) + 1
            for text, key in zip(node.input, keys, strict=True):
                if key in self.mapped:
                    count -= 1
                elif key[0] in self.number:
                    readers[self.number[key[0]]].append(i)
                else:
                    raise self._unknown_input(node, text)
            waiting.append(count)
        return waiting, readers

    def _unknown_input(self, node: Any, text: str) -> ValueError:
        error = ValueError(f"Node '{node.name}': Unknown input node '{text}'")
        near = nearest(parsed_input(text)[0], list(self.number))
        if near is not None:
            error.add_note(f"  Why:   the nearest name of a node is {near!r}")
        return error

    def _make(self, node: Any) -> Operation:
        self._check_places(node)
        data: list[Tensor | None] = []
        waits: dict[Operation, None] = {}
        missing: list[tuple[int, Key]] = []
        for text in node.input:
            key = parsed_input(text)
            if key in self.mapped:
                self.used.add(key)
                value = self.mapped[key]
                if key[1] == CONTROL:
                    waits[value] = None
                else:
                    data.append(value)
            elif key[0] not in self.made:
                missing.append((len(data), key))
                data.append(None)
            elif key[1] == CONTROL:
                waits[self.made[key[0]]] = None
            else:
                data.append(self._output(node, key))
        if missing and node.op not in dataflow.MERGES:
            raise ValueError(f"Node '{node.name}' had a back edge, but only Merge nodes can have back edges.")
        stand_in = next((t for t in data if t is not None), None)  # until the back edges are made
        if missing and stand_in is None:
            raise ValueError(f"Node '{node.name}' is a loop variable without a first value")
        op = self._placed(node, [t if t is not None else stand_in for t in data], list(waits), bool(missing))  # type: ignore[misc]
        self.back_edges += [(op, i, key) for i, key in missing]
        return op

    def _output(self, node: Any, key: Key) -> Tensor:
        name, index = key
        outputs = self.made[name].outputs
        if index >= len(outputs):
            raise ValueError(
                f"Node '{node.name}': Connecting to invalid output {index} of source node {name} which has "
                f"{len(outputs)} outputs."
            )
        return outputs[index]

    def _placed(self, node: Any, inputs: list[Tensor], waits: list[Operation], is_loop_merge: bool) -> Operation:
        graph = self.graph
        definition = graph.op_definition(node.op)
        if definition is None:
            raise _unknown_op(node.op)
        if (removal := told_removed(definition, self.graph_def.versions.producer)) is not None:
            raise UnimplementedError(None, None, removal)
        name = self._free_name(self.scope + node.name)
        attrs = checked_attrs(definition, node, name)
        known_shapes = attrs.pop("_output_shapes", None)
        if "_class" in attrs:
            attrs["_class"] = [self._moved_place(group) for group in attrs["_class"]]
        check_inputs(definition, name, attrs, inputs)
        dims = self._dims(definition, name, inputs, attrs, is_loop_merge)
        op = Operation.placed(graph, definition, name, tuple(inputs), attrs, output_types(definition, attrs), waits)
        for tensor, shape in zip(op.outputs, dims, strict=False):
            tensor.dims = shape
        if known_shapes is not None:
            _merge_shapes(op, known_shapes)
        op.device = node.device
        return op

    def _dims(
        self, definition: OpDef, name: str, inputs: list[Tensor], attrs: dict[str, Any], is_loop_merge: bool
    ) -> Sequence[RawShape]:
        if is_loop_merge:
            return [None, ()]
        if definition.shape is None:
            return []
        if definition.name == "Placeholder" and self.graph_def.versions.producer <= 21 and attrs["shape"].ndims == 0:
            return [None]  # graphs of that time did not tell a scalar from what is unknown
        try:
            return inferred_shapes(definition, name, inputs, attrs)
        except (ValueError, NotFoundError):
            raise
        except Exception as error:  # an attribute that no program would have built
            words = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            raise ValueError(f"{words} for '{name}' (op: '{definition.name}')") from error

    # -- names -------------------------------------------------------------------------------

    def _free_name(self, name: str) -> str:
        """``name``, with a number if an op or a scope of ops has it."""
        free, count = name, 0
        while self._is_taken(free) or (count and (free in self.number or free in self.prefixes)):
            count += 1
            free = f"{name}_{count}"
        if free != name:
            self.renamed[name] = free
        return free

    def _is_taken(self, name: str) -> bool:
        return name in self.graph._by_name or name in self.taken

    def _moved_place(self, group: bytes) -> bytes:
        return b"loc:@" + self.scope.encode() + group[5:] if group.startswith(b"loc:@") else group

    def _rename_places(self) -> None:
        """Let ops be beside those that got a number under their new names."""
        if not self.renamed:
            return
        new = {f"loc:@{old}".encode(): f"loc:@{name}".encode() for old, name in self.renamed.items()}
        for op in self.made.values():
            if "_class" in op.attrs:
                op.attrs["_class"] = [new.get(group, group) for group in op.attrs["_class"]]

    def _check_places(self, node: Any) -> None:
        if self.checks_places and "_class" in node.attr:
            for group in node.attr["_class"].list.s:
                place = group.removeprefix(b"loc:@").decode(errors="replace")
                if group.startswith(b"loc:@") and place not in self.number:
                    raise ValueError(f"Node '{node.name}' expects to be colocated with unknown node '{place}'")

    # -- after -------------------------------------------------------------------------------

    def _set_versions(self) -> None:
        mine, other = self.graph.graph_def_versions, self.graph_def.versions
        mine.producer = min(mine.producer, other.producer)
        mine.min_consumer = max(mine.min_consumer, other.min_consumer)

    def _place(self, ops: Iterable[Operation]) -> None:
        """Put each op where its node says and the blocks around allow; with those that it must stand beside."""
        graph, beside = self.graph, {}
        for op in ops:
            device, op.device = op.device, ""
            places = [as_text(g)[5:] for g in op.attrs.get("_class", ()) if as_text(g).startswith("loc:@")]
            places = [name for name in places if name != op.name]
            if places:
                beside[op] = places
            elif device:
                with graph.device(device):
                    graph._apply_device_functions(op)
            elif graph._scopes.devices:
                graph._apply_device_functions(op)
        for op, places in beside.items():
            for name in places:
                other = graph._by_name.get(name)
                if other is None:
                    raise ValueError(
                        f"Specified colocation to an op that does not exist during import: {name} in {op.name}"
                    )
                if other.device:
                    op._set_device(DeviceSpec.from_string(other.device))
                    break

    def _element(self, item: Any) -> Any:
        """The op of a name, or the tensor of the name of an output."""
        if isinstance(item, str):
            if item not in self.made:
                raise self._missing(f"Requested return node '{item}' not found in graph def", item)
            return self.made[item]
        if item in self.mapped:
            return self.mapped[item]
        name, index = item
        if name not in self.made:
            raise self._missing(f"Requested return tensor '{name}:{index}' not found in graph def", name)
        outputs = self.made[name].outputs
        if not 0 <= index < len(outputs):
            raise ValueError(f"Invalid return output {index} of node '{name}', which has {len(outputs)} output(s)")
        return outputs[index]

    def _missing(self, words: str, name: str) -> ValueError:
        error = ValueError(words)
        near = nearest(name, list(self.number))
        if near is not None:
            error.add_note(f"  Why:   the nearest name of a node is {near!r}")
        return error

    def _check_used(self) -> None:
        unused = []
        for name, index in sorted(self.mapped.keys() - self.used):
            op = self.made.get(name)
            if op is None or index >= len(op.outputs):
                unused.append(f"^{name}" if index == CONTROL else f"{name}:{index}")
        if unused:
            raise ValueError(f"Attempted to map inputs that were not found in graph_def: [{', '.join(unused)}]")


def _prefixes(name: str) -> Iterable[str]:
    """The scopes that an op of that name is in."""
    return [name[:i] for i, c in enumerate(name) if c == "/"]


# ops of which the first versions of TensorFlow wrote other shapes into files than those that they have
_SHAPES_MAY_DIFFER = frozenset((
    "RandomShuffleQueue", "PaddingFIFOQueue", "FIFOQueue", "PriorityQueue", "QueueSize", "Stack", "Barrier",
    "BarrierReadySize", "BarrierIncompleteSize", "HashTable", "MutableHashTable", "MutableHashTableOfTensors",
    "WholeFileReader", "TextLineReader", "FixedLengthRecordReader", "TFRecordReader", "IdentityReader", "LMDBReader",
    "ConditionalAccumulator", "SparseConditionalAccumulator", "RefIdentity", "RefSwitch", "RefEnter",
    "RefNextIteration", "RefMerge",
))  # fmt: skip


def _merge_shapes(op: Operation, given: Any) -> None:
    """Let what a node says of its shapes be known beside what was inferred."""
    if len(given) < len(op.outputs):
        raise ValueError(
            f"Node '{op.name}' has {len(op.outputs)} outputs but the _output_shapes attribute specifies shapes for "
            f"{len(given)} outputs"
        )
    for i, (tensor, shape) in enumerate(zip(op.outputs, given, strict=False)):
        try:
            tensor.dims = shapes.merge(tensor.dims, shape._raw)
        except ValueError as error:
            if op.type in _SHAPES_MAY_DIFFER:
                continue
            raise ValueError(
                f"Node '{op.name}' has an _output_shapes attribute inconsistent with the GraphDef for output #{i}: "
                f"{error}"
            ) from None


def _unknown_op(op_type: str) -> NotFoundError:
    from retrograd.graph.definition import REGISTRY

    error = NotFoundError(None, None, f"Op type not registered '{op_type}'")
    near = nearest(op_type, list(REGISTRY))
    if near is not None:
        error.add_note(f"  Why:   the nearest op type is {near!r}")
    return error


def _take_back(graph: Graph, first: int) -> None:
    """Remove the ops from number ``first`` on."""
    for op in reversed(graph._ops[first:]):
        for tensor in op.inputs:
            tensor.readers = without(tensor.readers, op)
        for source in op.control_inputs:
            source.control_readers = without(source.control_readers, op)
        del graph._by_name[op.name]
    del graph._ops[first:]
