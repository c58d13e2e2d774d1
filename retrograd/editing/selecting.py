"""Selections of ops and tensors: by name, by what they read, by who reads them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from retrograd.graph.graph import Graph
from retrograd.graph.operation import Operation
from retrograd.graph.tensor import Tensor

Filter = Callable[[Any], Any]


def is_iterable(obj: Any) -> bool:
    """Whether it is a collection; a tensor is none."""
    if isinstance(obj, Tensor):
        return False
    try:
        iter(obj)
    except Exception:
        return False
    return True


def concatenate_unique(la: list[Any], lb: Iterable[Any]) -> list[Any]:
    """Append to ``la`` what of ``lb`` it lacks."""
    known = set(la)
    for item in lb:
        if item not in known:
            la.append(item)
            known.add(item)
    return la


def get_unique_graph(tops: Any, check_types: Any = None, none_if_empty: bool = False) -> Graph | None:
    """The graph of ops and tensors.

    Raises:
      TypeError: something else is among them.
      ValueError: they are of several graphs, or there are none.
    """
    if isinstance(tops, Graph):
        return tops
    if not is_iterable(tops):
        raise TypeError(f"{type(tops)} is not iterable")
    kinds = check_types or (Operation, Tensor)
    kinds = tuple(kinds) if is_iterable(kinds) else (kinds,)
    graph = None
    for top in tops:
        if not isinstance(top, kinds):
            raise TypeError(f"Expected a type in ({', '.join(map(str, kinds))}), got: {type(top)}")
        if graph is None:
            graph = top.graph
        elif graph is not top.graph:
            raise ValueError(f"Operation {top} does not belong to given graph")
    if graph is None and not none_if_empty:
        raise ValueError("Can't find the unique graph of an empty list")
    return graph


def _listed(given: Any, kind: type, of_graph: Callable[[Graph], list[Any]], check: bool, graph: bool, mix: bool) -> Any:
    if isinstance(given, Graph):
        if graph:
            return of_graph(given)
        raise TypeError("allow_graph is False: cannot convert a tf.Graph.")
    given = list(given) if is_iterable(given) else [given]
    if given and check:
        get_unique_graph(given, None if mix else kind)
    return [each for each in given if isinstance(each, kind)]


def make_list_of_op(
    ops: Any, check_graph: bool = True, allow_graph: bool = True, ignore_ts: bool = False
) -> list[Operation]:
    """Ops as a list: of a graph all, of one op itself."""
    return _listed(ops, Operation, Graph.get_operations, check_graph, allow_graph, ignore_ts)


def make_list_of_t(
    ts: Any, check_graph: bool = True, allow_graph: bool = True, ignore_ops: bool = False
) -> list[Tensor]:
    """Tensors as a list: of a graph all, of one tensor itself."""
    return _listed(ts, Tensor, get_tensors, check_graph, allow_graph, ignore_ops)


def get_tensors(graph: Graph) -> list[Tensor]:
    """All tensors of a graph."""
    if not isinstance(graph, Graph):
        raise TypeError(f"Expected a graph, got: {type(graph)}")
    return [t for op in graph.get_operations() for t in op.outputs]


def get_generating_ops(ts: Any) -> list[Operation]:
    """The op of each tensor."""
    return [t.op for t in make_list_of_t(ts, allow_graph=False)]


def get_consuming_ops(ts: Any) -> list[Operation]:
    """The ops that read some tensors."""
    return concatenate_unique([], (op for t in make_list_of_t(ts, allow_graph=False) for op in t.consumers()))


class ControlOutputs:
    """The ops that wait for each op of a graph."""

    def __init__(self, graph: Graph) -> None:
        if not isinstance(graph, Graph):
            raise TypeError(f"Expected a tf.Graph, got: {type(graph)}")
        self._graph = graph

    @property
    def graph(self) -> Graph:
        return self._graph

    def update(self) -> ControlOutputs:
        """Follow changes of the graph, as it always does."""
        return self

    def get_all(self) -> dict[Operation, list[Operation]]:
        """All of them."""
        return {op: self.get(op) for op in self._graph.get_operations() if op.control_readers}

    def get(self, op: Operation) -> list[Operation]:
        """The ops that wait for ``op``."""
        return concatenate_unique([], sorted(op.control_readers, key=lambda reader: reader._id))


# -- by name -----------------------------------------------------------------------------------


def can_be_regex(obj: Any) -> bool:
    """Whether it is a text or a regular expression."""
    return isinstance(obj, str | re.Pattern)


def make_regex(obj: Any) -> re.Pattern[str]:
    """A text as a regular expression.

    Raises:
      ValueError: it is no text.
    """
    if not can_be_regex(obj):
        raise ValueError(f"Expected a string or a regex, got: {type(obj)}")
    return re.compile(obj)


def _inputs_of(ops: Iterable[Operation]) -> list[Tensor]:
    return concatenate_unique([], (t for op in ops for t in op.inputs))


def _outputs_of(ops: Iterable[Operation]) -> list[Tensor]:
    return [t for op in ops for t in op.outputs]


def filter_ts(ops: Any, positive_filter: Filter | bool) -> list[Tensor]:
    """The tensors that some ops read or make and that pass a filter; True passes all."""
    ops = make_list_of_op(ops)
    ts = concatenate_unique(_inputs_of(ops), _outputs_of(ops))
    return [t for t in ts if positive_filter is True or positive_filter(t)]  # type: ignore[operator]


def filter_ts_from_regex(ops: Any, regex: Any) -> list[Tensor]:
    """The same, by name."""
    pattern = make_regex(regex)
    return filter_ts(ops, lambda t: pattern.search(t.name))


def filter_ops(ops: Any, positive_filter: Filter | bool) -> list[Operation]:
    """The ops that pass a filter; True passes all."""
    ops = make_list_of_op(ops)
    return [op for op in ops if positive_filter is True or positive_filter(op)]  # type: ignore[operator]


def filter_ops_from_regex(ops: Any, regex: Any) -> list[Operation]:
    """The same, by name."""
    pattern = make_regex(regex)
    return filter_ops(ops, lambda op: pattern.search(op.name))


def get_name_scope_ops(ops: Any, scope: str) -> list[Operation]:
    """The ops below a name scope."""
    return filter_ops_from_regex(ops, f"^{scope.removesuffix('/')}(/.*)?$")


# -- by the flow of values ---------------------------------------------------------------------


def check_cios(control_inputs: Any = False, control_outputs: Any = None, control_ios: Any = None) -> tuple[Any, Any]:
    """Whether to follow control inputs, and the control outputs to follow; ``control_ios`` stands for both.

    Raises:
      TypeError: something else than ``ControlOutputs`` is given.
      ValueError: both are.
    """
    for given in (control_ios, control_outputs):
        if given is not None and not isinstance(given, ControlOutputs):
            raise TypeError(f"Expected a util.ControlOutputs, got: {type(given)}")
    if control_ios is not None:
        if control_outputs is not None:
            raise ValueError("control_outputs should be None when using control_ios.")
        return True, control_ios
    return control_inputs, control_outputs


def get_ops_ios(
    ops: Any, control_inputs: Any = False, control_outputs: Any = None, control_ios: Any = None
) -> list[Operation]:
    """The ops beside some ops, before and behind them."""
    control_inputs, control_outputs = check_cios(control_inputs, control_outputs, control_ios)
    found: list[Operation] = []
    for op in make_list_of_op(ops):
        concatenate_unique(found, (t.op for t in op.inputs))
        for t in op.outputs:
            concatenate_unique(found, t.consumers())
        if control_outputs is not None:
            concatenate_unique(found, control_outputs.get(op))
        if control_inputs:
            concatenate_unique(found, op.control_inputs)
    return found


def compute_boundary_ts(ops: Any) -> tuple[list[Tensor], list[Tensor], list[Tensor]]:
    """Of some ops: the tensors that come from outside, those that go outside, and those between them."""
    ops = make_list_of_op(ops)
    inside = set(ops)
    inputs, outputs = _inputs_of(ops), _outputs_of(ops)
    made = set(outputs)
    between = [t for t in inputs if t in made]
    hidden = {t for t in between if set(t.consumers()) <= inside}
    return [t for t in inputs if t not in made], [t for t in outputs if t not in hidden], between


def get_within_boundary_ops(
    ops: Any,
    seed_ops: Any,
    boundary_ops: Any = (),
    inclusive: bool = True,
    control_inputs: Any = False,
    control_outputs: Any = None,
    control_ios: Any = None,
) -> list[Operation]:
    """The ops that are reached from some ops, forwards and backwards, without crossing a boundary.

    Raises:
      ValueError: an op to begin with is on the boundary.
    """
    control_inputs, control_outputs = check_cios(control_inputs, control_outputs, control_ios)
    boundary = set(make_list_of_op(boundary_ops))
    reached = set(make_list_of_op(seed_ops, allow_graph=False))
    if boundary & reached:
        raise ValueError("Boundary is intersecting with the seeds.")
    wave = set(reached)
    while wave:
        beside = set(get_ops_ios(sorted(wave, key=lambda op: op._id), control_inputs, control_outputs)) - reached
        wave = beside - boundary
        reached |= beside if inclusive else wave
    return [op for op in make_list_of_op(ops) if op in reached]


def _walk(
    seeds: Sequence[Operation],
    beside: Callable[[Operation], Iterable[Operation]],
    inclusive: bool,
    within_ops: Any,
    within_ops_fn: Filter | None,
) -> list[Operation]:
    """The ops reached from ``seeds``, in waves."""
    within = set(make_list_of_op(within_ops, allow_graph=False)) if within_ops else None
    begun = [op for op in dict.fromkeys(seeds) if within is None or op in within]
    found = dict.fromkeys(begun)
    wave: list[Operation] = begun
    while wave:
        following = dict.fromkeys(new for op in wave for new in beside(op) if new not in found)
        wave = [
            op for op in following
            if (within is None or op in within) and (within_ops_fn is None or within_ops_fn(op))
        ]  # fmt: skip
        found.update(dict.fromkeys(wave))
    return [op for op in found if inclusive or op not in begun]


def _seeds(seed_ops: Any, of_tensors: Callable[[Any], list[Operation]]) -> list[Operation]:
    seeds = list(seed_ops) if is_iterable(seed_ops) else [seed_ops]
    if seeds and isinstance(seeds[0], Tensor):
        return of_tensors(make_list_of_t(seeds, allow_graph=False))
    return make_list_of_op(seeds, allow_graph=False)


def get_forward_walk_ops(
    seed_ops: Any,
    inclusive: bool = True,
    within_ops: Any = None,
    within_ops_fn: Filter | None = None,
    stop_at_ts: Any = (),
    control_outputs: Any = None,
) -> list[Operation]:
    """The ops that depend on some ops or tensors."""
    _, control_outputs = check_cios(False, control_outputs)
    stops = set(make_list_of_t(stop_at_ts))

    def beside(op: Operation) -> Iterable[Operation]:
        for t in op.outputs:
            if t not in stops:
                yield from t.consumers()
        if control_outputs is not None:
            yield from control_outputs.get(op)

    return _walk(_seeds(seed_ops, get_consuming_ops), beside, inclusive, within_ops, within_ops_fn)


def get_backward_walk_ops(
    seed_ops: Any,
    inclusive: bool = True,
    within_ops: Any = None,
    within_ops_fn: Filter | None = None,
    stop_at_ts: Any = (),
    control_inputs: bool = False,
) -> list[Operation]:
    """The ops on which some ops or tensors depend."""
    stops = set(make_list_of_t(stop_at_ts))

    def beside(op: Operation) -> Iterable[Operation]:
        yield from (t.op for t in op.inputs if t not in stops)
        if control_inputs:
            yield from op.control_inputs

    return _walk(_seeds(seed_ops, get_generating_ops), beside, inclusive, within_ops, within_ops_fn)


def _both_walks(
    forward: Any, backward: Any, forward_inclusive: bool, backward_inclusive: bool, within_ops: Any, within_ops_fn: Any,
    control_inputs: Any, control_outputs: Any, control_ios: Any,
) -> tuple[list[Operation], list[Operation]]:  # fmt: skip
    control_inputs, control_outputs = check_cios(control_inputs, control_outputs, control_ios)
    return (
        get_forward_walk_ops(
            forward, forward_inclusive, within_ops, within_ops_fn, control_outputs=control_outputs
        ),
        get_backward_walk_ops(
            backward, backward_inclusive, within_ops, within_ops_fn, control_inputs=control_inputs
        ),
    )  # fmt: skip


def get_walks_intersection_ops(
    forward_seed_ops: Any,
    backward_seed_ops: Any,
    forward_inclusive: bool = True,
    backward_inclusive: bool = True,
    within_ops: Any = None,
    within_ops_fn: Filter | None = None,
    control_inputs: Any = False,
    control_outputs: Any = None,
    control_ios: Any = None,
) -> list[Operation]:
    """The ops between: they depend on the first and the second depend on them."""
    forward, backward = _both_walks(
        forward_seed_ops, backward_seed_ops, forward_inclusive, backward_inclusive, within_ops, within_ops_fn,
        control_inputs, control_outputs, control_ios,
    )  # fmt: skip
    known = set(backward)
    return [op for op in forward if op in known]


def get_walks_union_ops(
    forward_seed_ops: Any,
    backward_seed_ops: Any,
    forward_inclusive: bool = True,
    backward_inclusive: bool = True,
    within_ops: Any = None,
    within_ops_fn: Filter | None = None,
    control_inputs: Any = False,
    control_outputs: Any = None,
    control_ios: Any = None,
) -> list[Operation]:
    """The ops of either walk."""
    forward, backward = _both_walks(
        forward_seed_ops, backward_seed_ops, forward_inclusive, backward_inclusive, within_ops, within_ops_fn,
        control_inputs, control_outputs, control_ios,
    )  # fmt: skip
    return concatenate_unique(forward, backward)


# -- by anything -------------------------------------------------------------------------------

_KEYWORDS = ("graph", "positive_filter", "restrict_ops_regex", "restrict_ts_regex")


def _select(
    args: Any, kwargs: dict[str, Any], mark: str, other: str, restrict: str, by_regex: Any, by_list: Any
) -> Any:
    for keyword in kwargs:
        if keyword not in _KEYWORDS:
            raise ValueError(f"Wrong keywords argument: {keyword}.")
    graph, passes = kwargs.get("graph"), kwargs.get("positive_filter")
    if graph is not None and not isinstance(graph, Graph):
        raise TypeError(f"Expected a tf.Graph, got: {type(graph)}")
    found: list[Any] = []
    for arg in args:
        if can_be_regex(arg):
            if graph is None:
                raise ValueError("Use the keyword argument 'graph' to use regex.")
            regex = make_regex(arg)
            if regex.pattern.startswith(other) or (kwargs.get(restrict) and not regex.pattern.startswith(mark)):
                continue
            chosen = by_regex(graph, regex)
        else:
            chosen = by_list(arg)
        concatenate_unique(found, (each for each in chosen if passes is None or passes(each)))
    return found


def select_ops(*args: Any, **kwargs: Any) -> list[Operation]:
    """Ops, given by themselves, in lists, or by regular expressions on the names in ``graph``.

    Raises:
      ValueError: an expression and no graph, or another keyword than ``graph``, ``positive_filter``,
        ``restrict_ops_regex`` and ``restrict_ts_regex``.
    """
    return _select(
        args, kwargs, "(?#ops)", "(?#ts)", "restrict_ops_regex", filter_ops_from_regex,
        lambda arg: make_list_of_op(arg, ignore_ts=True),
    )  # fmt: skip


def select_ts(*args: Any, **kwargs: Any) -> list[Tensor]:
    """Tensors, in the same way."""
    return _select(
        args, kwargs, "(?#ts)", "(?#ops)", "restrict_ts_regex", filter_ts_from_regex,
        lambda arg: make_list_of_t(arg, ignore_ops=True),
    )  # fmt: skip


def select_ops_and_ts(*args: Any, **kwargs: Any) -> tuple[list[Operation], list[Tensor]]:
    """Both; an expression is for ops, unless it begins with ``(?#ts)``."""
    ops = select_ops(*args, **{**kwargs, "restrict_ops_regex": False})
    return ops, select_ts(*args, **{**kwargs, "restrict_ts_regex": True})
