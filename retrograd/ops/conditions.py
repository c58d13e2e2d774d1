"""``tf.cond``: only the branch that a run chooses is computed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.graph import context_protos, dtypes, nest
from retrograd.graph.collection_protos import register_proto_function
from retrograd.graph.collections import GraphKeys
from retrograd.graph.contexts import ControlFlowContext
from retrograd.graph.convert import as_tensor
from retrograd.graph.errors import taught
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import (
    add_to_collection,
    control_dependencies,
    name_scope,
    prepend_name_scope,
    strip_name_scope,
)
from retrograd.graph.sparse import IndexedSlices
from retrograd.graph.stack import default_graph
from retrograd.graph.static import static_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, casts, control, dataflow


class CondContext(ControlFlowContext):
    """One branch of a ``cond``: what is computed in it is computed only if ``pred`` is ``branch``."""

    message_field = "cond_ctxt"

    def __init__(self, pred: Tensor, pivot: Tensor, branch: int, name: str = "cond_text") -> None:
        super().__init__(name=name)
        self.pred = pred
        self.branch = branch
        self.pivot = pivot.op
        self.seen_as = {pred: pred}
        pivot.op.context = self

    def brought_in(self, tensor: Tensor) -> Tensor:
        """The output for this branch of a ``Switch`` on what the context around sees."""
        if self.outer is not None:
            tensor = self.outer.inside(tensor)
            if tensor in self.seen_as:
                return self.seen_as[tensor]
        with control_dependencies(None):
            seen = self.switched(tensor)
        seen.op.context = self
        self.graph._keep_inside(seen.op)
        self.seen_as[tensor] = seen
        return seen

    def switched(self, tensor: Tensor) -> Tensor:
        """The output for this branch of a new ``Switch``."""
        result: Tensor = dataflow.switch_beside(tensor, self.pred)[self.branch]
        return result

    def must_wait(self, inputs: Any, waits: list[Operation]) -> bool:
        return not inputs and not any(self.holds(op) for op in waits)

    def to_proto(self, export_scope: str | None = None) -> Any:
        if not context_protos.is_exported(self, export_scope):
            return None
        proto = context_protos.CondContextDef(
            pred_name=strip_name_scope(self.pred.name, export_scope),
            pivot_name=strip_name_scope(self.pivot.outputs[0].name, export_scope),
            branch=self.branch,
        )
        return context_protos.fill_common(proto, self, export_scope)

    @classmethod
    def from_proto(cls, proto: Any, import_scope: str | None = None) -> CondContext:
        context = cls.__new__(cls)
        ControlFlowContext.__init__(context)
        named = context.graph.as_graph_element
        context.name = prepend_name_scope(proto.context_name, import_scope)
        context.pred = named(prepend_name_scope(proto.pred_name, import_scope))
        context.pivot = named(prepend_name_scope(proto.pivot_name, import_scope)).op
        context.branch = proto.branch
        context.seen_as[context.pred] = context.pred
        context_protos.take_over(context, proto, import_scope)
        return context

    def built(self, function: Callable[[], Any]) -> tuple[Any, list[Tensor]]:
        """What ``function`` gives inside of this branch: as it is, and as the flat tensors to be merged."""
        with self.entered():
            result = behind_summaries(function)
            if result is None:
                return None, []
            return result, [self._result(x) for x in nest.flatten(result, expand_composites=True)]

    def _result(self, value: Any) -> Tensor:
        if isinstance(value, Operation):
            return control.with_dependencies([value], self.pivot.outputs[0])
        tensor = as_tensor(flow_of(value))
        if self.holds(tensor.op):
            return tensor
        if tensor not in self.seen_as:  # a tensor from outside, given back as it is
            outside = tensor if self.outer is None else self.outer.inside(tensor)
            self.seen_as[outside] = outside
            self.seen_as[tensor] = self.switched(outside)
            if outside is not tensor:
                del self.seen_as[outside]
        return self.seen_as[tensor]


register_proto_function(
    GraphKeys.COND_CONTEXT, lambda: context_protos.CondContextDef(), CondContext.to_proto, CondContext.from_proto
)


def behind_summaries(function: Callable[[], Any]) -> Any:
    """What ``function`` gives, available only after the summaries that it adds."""
    graph = default_graph()
    before = len(graph.get_collection(GraphKeys._SUMMARY_COLLECTION))
    result = function()
    summaries = graph.get_collection(GraphKeys._SUMMARY_COLLECTION)[before:]
    if summaries:
        with control_dependencies(summaries):
            result = nest.map_structure(lambda x: arrays.identity(flow_of(x)), result)
    return result


def flow_of(value: Any) -> Any:
    """The flow of a ``TensorArray``, which carries its elements through branches and loops; else the value."""
    return value.flow if _is_tensor_array(value) else value


def with_flow(like: Any, flow: Any) -> Any:
    """The ``TensorArray`` ``like`` with the elements that ``flow`` carries; ``flow`` if it is none."""
    return like._with_flow(flow) if _is_tensor_array(like) else flow


def _is_tensor_array(value: Any) -> bool:
    return hasattr(type(value), "_with_flow")


def cond(
    pred: Any,
    true_fn: Callable[[], Any] | None = None,
    false_fn: Callable[[], Any] | None = None,
    strict: bool = False,
    name: str | None = None,
    fn1: Callable[[], Any] | None = None,
    fn2: Callable[[], Any] | None = None,
) -> Any:
    """``true_fn()`` if ``pred`` holds, else ``false_fn()``.

    Only the ops built in the chosen function run; what they read from outside is computed in any case.

    Args:
      pred: a boolean scalar tensor.
      true_fn, false_fn: functions without arguments that build the branches and give tensors of the same
        dtypes in the same structure.
      strict: keep a structure of one element; by default it is given bare.

    Raises:
      TypeError: a branch is not callable; ``pred`` is a Python bool.
      ValueError: a branch gives nothing, or the two give different dtypes or structures.
    """
    for word, old, function, older in (("true_fn", "fn1", true_fn, fn1), ("false_fn", "fn2", false_fn, fn2)):
        if older is not None and function is not None:
            raise TypeError(f"cond(): {word} and {old} may not be set simultaneously.")
    true_fn, false_fn = fn1 if true_fn is None else true_fn, fn2 if false_fn is None else false_fn
    for word, function in (("true_fn", true_fn), ("false_fn", false_fn)):
        if function is None:
            raise TypeError(f"cond(): {word} argument required")
        if not callable(function):
            raise taught(TypeError(f"{word} must be callable."), fix="tf.cond(pred, lambda: x, lambda: y)")
    assert true_fn is not None
    assert false_fn is not None
    if default_graph().is_eager:
        result = true_fn() if pred else false_fn()
        return result if strict else _unpacked(result)
    with name_scope(name, "cond", [pred]):
        if isinstance(pred, bool):
            error = TypeError("pred must not be a Python bool")
            error.add_note("  Fix:   choose with Python's own if, or tf.constant(...) it")
            raise error
        false, true = dataflow.switch(pred, pred)
        pivots = arrays.identity(true, name="switch_t"), arrays.identity(false, name="switch_f")
        pred = arrays.identity(pred, name="pred_id")
        for op in (true.op, *(t.op for t in pivots), pred.op):
            op.graph.prevent_fetching(op)
        chosen = CondContext(pred, pivots[0], branch=1)
        result, true_tensors = _of_branch("true_fn", chosen, true_fn, strict)
        other = CondContext(pred, pivots[1], branch=0)
        false_result, false_tensors = _of_branch("false_fn", other, false_fn, strict)
        _make_alike(result, false_result, true_tensors, false_tensors)
        merged = [dataflow.merge(pair)[0] for pair in zip(false_tensors, true_tensors, strict=True)]
        if chosen.outer is None:
            add_to_collection(GraphKeys.COND_CONTEXT, chosen)
            add_to_collection(GraphKeys.COND_CONTEXT, other)
    flat = nest.flatten(result, expand_composites=True)
    merged = [with_flow(like, t) for like, t in zip(flat, merged, strict=True)]
    packed = nest.pack_sequence_as(result, merged, expand_composites=True)
    return packed if strict else _unpacked(packed)


def _of_branch(word: str, context: CondContext, function: Callable[[], Any], strict: bool) -> tuple[Any, list[Tensor]]:
    result, tensors = context.built(function)
    if result is None:
        raise ValueError(f"{word} must have a return value.")
    return result if strict else _unpacked(result), tensors


def _unpacked(result: Any) -> Any:
    """What a list or tuple of one element holds."""
    if isinstance(result, list | tuple) and len(result) == 1:
        return result[0]
    return result


def _make_alike(true: Any, false: Any, true_tensors: list[Tensor], false_tensors: list[Tensor]) -> None:
    """Check that the branches give the same; indices of slices that are int32 in one of them become int64."""
    true, false = _operations_hidden(true), _operations_hidden(false)
    try:
        nest.assert_same_structure(true, false, expand_composites=True)
    except (TypeError, ValueError):
        nest.assert_same_structure(true, false)
        if _give_one_index_type(true, false, true_tensors, false_tensors):
            true, false = (nest.pack_sequence_as(x, t, True) for x, t in ((true, true_tensors), (false, false_tensors)))
        try:
            nest.assert_same_structure(true, false, expand_composites=True)
        except TypeError as error:
            raise TypeError(f"Incompatible return types of true_fn and false_fn: {error}") from None
        except ValueError as error:
            raise ValueError(f"Incompatible return values of true_fn and false_fn: {error}") from None
    if not true_tensors:
        raise ValueError("true_fn and false_fn must return at least one result.")
    for t, f in zip(true_tensors, false_tensors, strict=True):
        if t.dtype.base_dtype != f.dtype.base_dtype:
            raise taught(
                ValueError(
                    "Outputs of true_fn and false_fn must have the same type: "
                    f"{t.dtype.base_dtype.name}, {f.dtype.base_dtype.name}"
                ),
                fix=f"tf.cast(..., tf.{t.dtype.base_dtype.name}) in false_fn",
            )


def _give_one_index_type(true: Any, false: Any, true_tensors: list[Tensor], false_tensors: list[Tensor]) -> bool:
    """Cast the indices of slices where their dtypes differ; whether they did."""
    place = 0  # of a leaf's first tensor, which is followed by its indices
    found = False
    for t, f in zip(nest.flatten(true), nest.flatten(false), strict=True):
        if isinstance(t, IndexedSlices) and isinstance(f, IndexedSlices) and t.indices.dtype != f.indices.dtype:
            for tensors in (true_tensors, false_tensors):
                tensors[place + 1] = casts.cast(tensors[place + 1], dtypes.int64)
            found = True
        place += len(nest.flatten(t, expand_composites=True))
    return found


def _operations_hidden(result: Any) -> Any:
    return None if isinstance(result, Operation) else result


def smart_constant_value(pred: Any) -> bool | None:
    """The truth of ``pred`` where it is known while building, else None.

    Raises:
      TypeError: ``pred`` is no boolean.
    """
    if isinstance(pred, Tensor):
        value = static_value(pred)
        return None if value is None else bool(value)
    if pred in {0, 1}:
        return bool(pred)
    if isinstance(pred, bool):
        return pred
    raise TypeError(f"`pred` must be a Tensor, or a Python bool, or 1 or 0. Found instead: {type(pred)}")


def smart_cond(
    pred: Any, true_fn: Callable[[], Any] | None = None, false_fn: Callable[[], Any] | None = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """``cond``, or the one function that will be chosen where that is known while building."""
    for word, function in (("true_fn", true_fn), ("false_fn", false_fn)):
        if not callable(function):
            raise TypeError(f"`{word}` must be callable.")
    known = smart_constant_value(pred)
    if known is None:
        return cond(pred, true_fn, false_fn, name=name)
    assert true_fn is not None
    assert false_fn is not None
    return true_fn() if known else false_fn()
