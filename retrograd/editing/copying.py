"""Copies of pieces of a graph, with other inputs, in the same graph or another."""

from __future__ import annotations

import copy as copying
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from retrograd.editing.rerouting import add_control_inputs
from retrograd.editing.selecting import (
    ControlOutputs,
    compute_boundary_ts,
    concatenate_unique,
    get_name_scope_ops,
    get_unique_graph,
    get_walks_intersection_ops,
    is_iterable,
    make_list_of_op,
    make_list_of_t,
    select_ops_and_ts,
)
from retrograd.graph.collections import GraphKeys
from retrograd.graph.graph import Graph
from retrograd.graph.operation import Operation
from retrograd.graph.tensor import Tensor
from retrograd.ops.constants import placeholder

_PREFIX = "geph"


class SubGraphView:
    """Some ops of a graph, with the tensors that come from outside and those that go outside."""

    def __init__(self, inside_ops: Any = (), passthrough_ts: Any = ()) -> None:
        self._ops = make_list_of_op(inside_ops)
        passing = make_list_of_t(passthrough_ts)
        inputs, outputs, between = compute_boundary_ts(self._ops)
        known = {*inputs, *outputs, *between}
        self._graph = get_unique_graph([*self._ops, *passing], none_if_empty=True)
        self._passthrough_ts = [t for t in passing if t not in known]
        self._input_ts = inputs + self._passthrough_ts
        self._output_ts = outputs + self._passthrough_ts

    @property
    def graph(self) -> Graph | None:
        return self._graph

    @property
    def ops(self) -> list[Operation]:
        return self._ops

    @property
    def inputs(self) -> list[Tensor]:
        return list(self._input_ts)

    @property
    def outputs(self) -> list[Tensor]:
        return list(self._output_ts)

    @property
    def passthroughs(self) -> list[Tensor]:
        """The tensors that belong to no op of it."""
        return list(self._passthrough_ts)

    @property
    def connected_inputs(self) -> list[Tensor]:
        return [t for t in self._input_ts if t not in self._passthrough_ts]

    @property
    def connected_outputs(self) -> list[Tensor]:
        return [t for t in self._output_ts if t not in self._passthrough_ts]

    def __bool__(self) -> bool:
        return self._graph is not None

    def __enter__(self) -> SubGraphView:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def __str__(self) -> str:
        if not self:
            return "SubGraphView: empty"

        def listed(title: str, names: list[str]) -> str:
            head = f"** {title}[{len(names)}]:\n" if names else f"** {title}: empty\n"
            return head + "".join(f"  {n}\n" for n in names)

        def named(ts: list[Tensor]) -> list[str]:
            return [f"{t.name} *" if t in self._passthrough_ts else t.name for t in ts]

        text = f"SubGraphView (graphid={id(self.graph)}):\n" + listed("ops", [op.name for op in self._ops])
        return text + listed("inputs", named(self._input_ts)) + listed("outputs", named(self._output_ts))

    def copy(self) -> SubGraphView:
        """Another view of the same ops."""
        other = copying.copy(self)
        for name in ("_ops", "_passthrough_ts", "_input_ts", "_output_ts"):
            setattr(other, name, list(getattr(self, name)))
        return other

    def op(self, op_id: int) -> Operation:
        return self._ops[op_id]

    def is_passthrough(self, t: Tensor) -> bool:
        return t in self._passthrough_ts

    def find_op_by_name(self, op_name: str) -> Operation:
        """The op of a name.

        Raises:
          ValueError: it is not among them.
        """
        for op in self._ops:
            if op.name == op_name:
                return op
        raise ValueError(f"{op_name} not in subgraph.")

    def input_index(self, t: Tensor) -> int:
        return self._index(t, self._input_ts, "inputs")

    def output_index(self, t: Tensor) -> int:
        return self._index(t, self._output_ts, "outputs")

    def _index(self, t: Tensor, ts: list[Tensor], what: str) -> int:
        if t not in ts:
            raise ValueError(f"Can't find {t.name} in {what} of subgraph.")
        return ts.index(t)

    def consumers(self) -> list[Operation]:
        """The ops outside that read its outputs."""
        inside = set(self._ops)
        return concatenate_unique([], (op for t in self._output_ts for op in t.consumers() if op not in inside))

    def remap(self, new_input_indices: Any = None, new_output_indices: Any = None) -> SubGraphView:
        """The view with some of its inputs and outputs, in another order.

        Raises:
          ValueError: an index is out of range, or an input comes twice.
        """
        other = self.copy()
        if new_input_indices is not None:
            other._input_ts = _chosen(new_input_indices, self._input_ts, repeated=False)
        if new_output_indices is not None:
            other._output_ts = _chosen(new_output_indices, self._output_ts, repeated=True)
        return other

    def remap_inputs(self, new_input_indices: Any) -> SubGraphView:
        return self.remap(new_input_indices=new_input_indices)

    def remap_outputs(self, new_output_indices: Any) -> SubGraphView:
        return self.remap(new_output_indices=new_output_indices)

    def remap_default(self, remove_input_map: bool = True, remove_output_map: bool = True) -> SubGraphView:
        """The view with all of its inputs and outputs again."""
        other = self.copy()
        inputs, outputs, _ = compute_boundary_ts(self._ops)
        if remove_input_map:
            other._input_ts = inputs + self._passthrough_ts
        if remove_output_map:
            other._output_ts = outputs + self._passthrough_ts
        return other


def _chosen(indices: Any, ts: list[Tensor], repeated: bool) -> list[Tensor]:
    numbers = [i if isinstance(i, int) else ts.index(i) for i in indices]
    for i in numbers:
        if not 0 <= i < len(ts):
            raise ValueError(f"Out of [0, {len(ts)}[ range: {i}")
    if not repeated and len(set(numbers)) != len(numbers):
        raise ValueError(f"Found repetition in mapping: {numbers}")
    return [ts[i] for i in numbers]


def make_view(*args: Any, **kwargs: Any) -> SubGraphView:
    """A view of ops and tensors that are selected as by ``select_ops_and_ts``."""
    view = args[0] if len(args) == 1 and isinstance(args[0], SubGraphView) else None
    view = view or SubGraphView(*select_ops_and_ts(*args, **kwargs))
    graph = kwargs.get("graph")
    if graph is not None and view.graph is not None and view.graph is not graph:
        raise ValueError("Graph mismatch.")
    return view


def make_view_from_scope(scope: str, graph: Graph) -> SubGraphView:
    """A view of the ops below a name scope."""
    return SubGraphView(get_name_scope_ops(graph, scope))


# -- placeholders ------------------------------------------------------------------------------


def _with_slash(scope: str) -> str:
    return scope if not scope or scope.endswith("/") else scope + "/"


def placeholder_name(t: Tensor | None = None, scope: str | None = None, prefix: str = _PREFIX) -> str:
    """The name of the placeholder for a tensor: ``geph__NAME_INDEX`` beside it, or in a scope."""
    scope = None if scope is None else _with_slash(scope)
    if t is None:
        return f"{scope or ''}{prefix}"
    if not isinstance(t, Tensor):
        raise TypeError(f"Expected a tf.Tenfor, got: {type(t)}")
    folder, slash, name = t.op.name.rpartition("/")
    scope = folder + slash if scope is None else scope
    return scope + (name if name.startswith(f"{prefix}__") else f"{prefix}__{name}_{t.value_index}")


def make_placeholder_from_tensor(t: Tensor, scope: str | None = None, prefix: str = _PREFIX) -> Tensor:
    """A placeholder of the dtype and shape of a tensor."""
    return placeholder(t.dtype, t.shape, placeholder_name(t, scope, prefix))


def make_placeholder_from_dtype_and_shape(
    dtype: Any, shape: Any = None, scope: str | None = None, prefix: str = _PREFIX
) -> Tensor:
    """A placeholder."""
    return placeholder(dtype, shape, placeholder_name(None, scope, prefix))


# -- copies ------------------------------------------------------------------------------------


class _Work:
    """What a copy knows while it is made: the view, where it goes, and what has become of each op and tensor."""

    def __init__(self, sgv: SubGraphView, dst_graph: Graph, dst_scope: str, src_scope: str) -> None:
        self.sgv = sgv
        self.sgv_inputs_set = frozenset(sgv.inputs)
        self.ops = frozenset(sgv.ops)
        self.graph, self.scope = sgv.graph, src_scope
        self.graph_, self.scope_ = dst_graph, dst_scope
        self.transformed_ops: dict[Operation, Operation] = {}
        self.transformed_ts: dict[Tensor, Tensor] = {}
        graph = sgv.graph
        self.collections = {} if graph is None else {k: graph.get_collection(k) for k in graph.collections}
        self.frames: dict[str, str] = {}  # of loops
        self.later: list[tuple[Tensor, int, Operation]] = []  # inputs that come round a loop

    def new_name(self, name: str) -> str:
        if not name.startswith(self.scope):
            raise ValueError(f"{name} does not belong to source scope: {self.scope}.")
        return self.scope_ + name[len(self.scope) :]


def replace_t_with_placeholder_handler(info: Any, t: Tensor) -> Tensor:
    """A placeholder for a tensor from outside."""
    with info.graph_.as_default():
        return make_placeholder_from_tensor(t, scope=info.scope_)


def keep_t_if_possible_handler(info: Any, t: Tensor) -> Tensor:
    """The tensor itself, if the copy is in its graph, else a placeholder."""
    return t if info.graph is info.graph_ else replace_t_with_placeholder_handler(info, t)


_COLLECTIONS = frozenset(v for k, v in vars(GraphKeys).items() if not k.startswith("_") and isinstance(v, str))


def assign_renamed_collections_handler(info: Any, elem: Any, elem_: Any) -> None:
    """List the copy in the collections that list the original; those of the user's under a new name."""
    for name, listed in info.collections.items():
        if any(each is elem for each in listed):
            info.graph_.add_to_collection(name if name in _COLLECTIONS else info.new_name(name), elem_)


def transform_op_if_inside_handler(info: Any, op: Operation, keep_if_possible: bool = True) -> Operation | None:
    """The copy of an op; of one outside itself, if the copy is in its graph."""
    if op in info.ops:
        return info.transformed_ops[op]
    return op if keep_if_possible and info.graph is info.graph_ else None


def copy_op_handler(
    info: Any, op: Operation, new_inputs: Any, copy_shape: bool = False, nodedef_fn: Any = None
) -> tuple[Operation, list[Tensor]]:
    """An op of the same kind with other inputs."""
    name = info.graph_.unique_name(info.new_name(op.name))
    attrs, types = dict(op.attrs), [t.dtype for t in op.outputs]
    if "frame_name" in attrs:  # two loops in one frame would wait for each other
        frame = attrs["frame_name"]
        if frame not in info.frames:
            info.frames[frame] = info.graph_.unique_name(info.new_name(frame))
        attrs["frame_name"] = info.frames[frame]
    with info.graph_.control_dependencies(None), info.graph_.device(None):
        copied = info.graph_.add_op(op.definition, name, tuple(new_inputs), attrs, types)
    copied._set_device(op.device)
    for mine, theirs in zip(copied.outputs, op.outputs, strict=True):
        mine.dims = theirs.dims
    return copied, copied.outputs


class TransformerInfo:
    """What became of each op and tensor."""

    def __init__(self, info: _Work) -> None:
        self._graph, self._graph_ = info.graph, info.graph_
        self._scope, self._scope_ = info.scope, info.scope_
        self._transformed_ops = info.transformed_ops
        self._transformed_ts = info.transformed_ts

    def _map(self, top: Any) -> dict[Any, Any]:
        if isinstance(top, Operation):
            return self._transformed_ops
        if isinstance(top, Tensor):
            return self._transformed_ts
        raise TypeError(f"Expected a tf.Tensor or a tf.Operation, got a {type(top)}")

    def transformed(self, original: Any, missing_fn: Callable[[Any], Any] | None = None) -> Any:
        """The copy of an op or tensor, or of each in a structure; else what ``missing_fn`` says, or None."""

        def of(top: Any) -> Any:
            found = self._map(top).get(top)
            return missing_fn(top) if found is None and missing_fn is not None else found

        return _mapped(original, of)

    def original(self, transformed: Any, missing_fn: Callable[[Any], Any] | None = None) -> Any:
        """The original of a copy, in the same way."""

        def of(top: Any) -> Any:
            found = next((a for a, b in self._map(top).items() if b is top), None)
            return missing_fn(top) if found is None and missing_fn is not None else found

        return _mapped(transformed, of)

    def __str__(self) -> str:
        lines = ["Transform result info:"]
        lines += [f"  {op.name} => {op_.name}" for op, op_ in self._transformed_ops.items()]
        return "\n".join(lines) + "\n"


def _mapped(tree: Any, function: Callable[[Any], Any]) -> Any:
    if isinstance(tree, dict):
        return type(tree)((k, _mapped(v, function)) for k, v in tree.items())
    if isinstance(tree, tuple) and hasattr(tree, "_fields"):
        return type(tree)(*(_mapped(v, function) for v in tree))
    if is_iterable(tree):
        return (type(tree) if isinstance(tree, list | tuple) else tuple)(_mapped(v, function) for v in tree)
    return function(tree)


def _leaves(tree: Any) -> Iterator[Any]:
    if isinstance(tree, dict):
        tree = tree.values()
    if is_iterable(tree):
        for child in tree:
            yield from _leaves(child)
    else:
        yield tree


class Transformer:
    """Copies views; its handlers, attributes that may be set, say how."""

    def __init__(self) -> None:
        self.transform_op_handler: Callable[..., Any] = copy_op_handler
        self.transform_control_input_handler: Callable[..., Any] = transform_op_if_inside_handler
        self.assign_collections_handler: Callable[..., Any] = assign_renamed_collections_handler
        self.transform_external_input_handler: Callable[..., Any] = replace_t_with_placeholder_handler
        self.transform_external_hidden_input_handler: Callable[..., Any] = keep_t_if_possible_handler
        self.transform_original_op_handler: Callable[..., Any] = transform_op_if_inside_handler

    def __call__(
        self, sgv: Any, dst_graph: Graph, dst_scope: str, src_scope: str = "", reuse_dst_scope: bool = False
    ) -> tuple[SubGraphView, TransformerInfo]:
        """The view of the copy, and what became of each op and tensor."""
        sgv = make_view(sgv)
        if not isinstance(dst_graph, Graph):
            raise TypeError(f"Expected a tf.Graph, got: {type(dst_graph)}")
        dst_scope = _with_slash(dst_scope)
        if dst_scope and not reuse_dst_scope:
            dst_scope = _with_slash(dst_graph.unique_name(dst_scope[:-1]))
        work = _Work(sgv, dst_graph, dst_scope, _with_slash(src_scope))
        for op in sorted(sgv.ops, key=lambda op: op._id):
            self._copy(work, op)
        for t, index, op in work.later:
            work.transformed_ops[op]._update_input(index, work.transformed_ts[t])
        for op in sgv.ops:
            waits = [self.transform_control_input_handler(work, other) for other in op.control_inputs]
            copied = work.transformed_ops[op]
            add_control_inputs(copied, [w for w in waits if w is not None and w not in copied.control_inputs])
        return self._view(work, sgv), TransformerInfo(work)

    def _copy(self, work: _Work, op: Operation) -> None:
        inputs = [self._input(work, t, i, op) for i, t in enumerate(op.inputs)]
        copied, outputs = self.transform_op_handler(work, op, inputs)
        if copied is op:
            raise ValueError("In-place transformation not allowed.")
        work.transformed_ops[op] = copied
        self.assign_collections_handler(work, op, copied)
        for theirs, mine in zip(op.outputs, outputs, strict=True):
            work.transformed_ts[theirs] = mine
            self.assign_collections_handler(work, theirs, mine)

    def _input(self, work: _Work, t: Tensor, index: int, reader: Operation) -> Tensor:
        if t in work.transformed_ts:
            return work.transformed_ts[t]
        if t in work.sgv_inputs_set:
            return self.transform_external_input_handler(work, t)
        if t.op not in work.ops:
            return self.transform_external_hidden_input_handler(work, t)
        work.later.append((t, index, reader))  # round a loop: the first input stands for it until then
        if reader.type == "Merge" and index:
            return self._input(work, reader.inputs[0], 0, reader)
        with work.graph_.as_default():
            return make_placeholder_from_tensor(t, scope=work.scope_, prefix="geph_tmp")

    def _view(self, work: _Work, sgv: SubGraphView) -> SubGraphView:
        view = SubGraphView(list(work.transformed_ops.values()))
        inputs = [work.transformed_ts[t] for t in sgv.inputs if t in work.transformed_ts]
        outputs = [work.transformed_ts[t] for t in sgv.outputs if t in work.transformed_ts]
        return view.remap([t for t in inputs if t in view.inputs], [t for t in outputs if t in view.outputs])


def copy(
    sgv: Any, dst_graph: Graph | None = None, dst_scope: str = "", src_scope: str = "", reuse_dst_scope: bool = False
) -> tuple[SubGraphView, TransformerInfo]:
    """A copy of a view, with placeholders for what comes from outside."""
    sgv = make_view(sgv)
    graph = sgv.graph if dst_graph is None else dst_graph
    return Transformer()(sgv, graph, dst_scope, src_scope, reuse_dst_scope)


def copy_with_input_replacements(
    sgv: Any,
    replacement_ts: Mapping[Tensor, Tensor],
    dst_graph: Graph | None = None,
    dst_scope: str = "",
    src_scope: str = "",
    reuse_dst_scope: bool = False,
) -> tuple[SubGraphView, TransformerInfo]:
    """A copy of a view that reads other tensors in the place of some."""
    sgv = make_view(sgv)
    graph = sgv.graph if dst_graph is None else dst_graph
    copier = Transformer()
    copier.transform_external_input_handler = lambda info, t: (
        replacement_ts[t] if t in replacement_ts else keep_t_if_possible_handler(info, t)
    )
    return copier(sgv, graph, dst_scope, src_scope, reuse_dst_scope)


def graph_replace(
    target_ts: Any,
    replacement_ts: Mapping[Tensor, Tensor],
    dst_scope: str = "",
    src_scope: str = "",
    reuse_dst_scope: bool = False,
) -> Any:
    """What tensors would be, computed from other tensors in the place of some.

    Raises:
      ValueError: the targets do not depend on these.
    """
    targets = list(_leaves(target_ts))
    graph = get_unique_graph(targets, check_types=Tensor)
    assert graph is not None
    ops = get_walks_intersection_ops(list(replacement_ts), targets, control_ios=ControlOutputs(graph))
    if not ops:
        raise ValueError("Targets and replacements are not connected!")
    contexts: list[Any] = list(dict.fromkeys(op._control_flow_context for op in ops))
    for context in contexts:
        if context is not None and context.IsWhileContext():
            ends = [t.op for t in context.loop_enters], [t.op for t in context.loop_exits]
            concatenate_unique(ops, get_walks_intersection_ops(*ends, control_ios=ControlOutputs(graph)))
    _, info = copy_with_input_replacements(ops, replacement_ts, None, dst_scope, src_scope, reuse_dst_scope)
    return info.transformed(target_ts, lambda original: original)
