"""Subgraphs taken out of their graph and put elsewhere: inputs and outputs of views rerouted, detached, connected.

After ``tf.contrib.graph_editor``'s ``reroute`` and ``edit``.
"""

from __future__ import annotations

from typing import Any

from retrograd.editing.copying import SubGraphView, make_placeholder_from_tensor, make_view, placeholder_name
from retrograd.editing.rerouting import remove_control_inputs, reroute_ts, swap_ts
from retrograd.editing.selecting import ControlOutputs, check_cios, get_consuming_ops
from retrograd.graph.tensor import Tensor
from retrograd.ops.constants import placeholder

Views = tuple[SubGraphView, SubGraphView]


def _of_one_graph(sgv0: Any, sgv1: Any) -> Views:
    views = make_view(sgv0), make_view(sgv1)
    if views[0].graph is not None and views[1].graph is not None and views[0].graph is not views[1].graph:
        raise ValueError("Argument[1]: Wrong graph!")
    return views


def _follow_passthroughs(a: SubGraphView, b: SubGraphView) -> None:
    """The outputs of ``b`` that only passed through ``a`` are now the inputs in their places."""
    for i, t in enumerate(b._output_ts):
        if t in a._passthrough_ts:
            b._output_ts[i] = b._input_ts[a._input_ts.index(t)]


def _inputs(sgv0: Any, sgv1: Any, swap: bool) -> Views:
    sgv0, sgv1 = _of_one_graph(sgv0, sgv1)
    free = sgv0.ops + sgv1.ops + get_consuming_ops(sgv0.passthroughs) + get_consuming_ops(sgv1.passthroughs)
    (swap_ts if swap else reroute_ts)(sgv0.inputs, sgv1.inputs, can_modify=free)
    of0, of1 = sgv0.copy(), sgv1.copy()
    sgv1._input_ts, sgv1._passthrough_ts = of0._input_ts, of0._passthrough_ts
    if swap:
        sgv0._input_ts, sgv0._passthrough_ts = of1._input_ts, of1._passthrough_ts
    _follow_passthroughs(sgv0, sgv1)
    if swap:
        _follow_passthroughs(sgv1, sgv0)
    return sgv0, sgv1


def _outputs(sgv0: Any, sgv1: Any, swap: bool) -> Views:
    sgv0, sgv1 = _of_one_graph(sgv0, sgv1)
    (swap_ts if swap else reroute_ts)(sgv0.outputs, sgv1.outputs, cannot_modify=sgv0.ops + sgv1.ops)
    return sgv0, sgv1


def swap_inputs(sgv0: Any, sgv1: Any) -> Views:
    """Exchange the inputs of two views, which change in place."""
    return _inputs(sgv0, sgv1, swap=True)


def reroute_inputs(sgv0: Any, sgv1: Any) -> Views:
    """Let the second view read the inputs of the first."""
    return _inputs(sgv0, sgv1, swap=False)


def swap_outputs(sgv0: Any, sgv1: Any) -> Views:
    """Exchange the readers of the outputs of two views."""
    return _outputs(sgv0, sgv1, swap=True)


def reroute_outputs(sgv0: Any, sgv1: Any) -> Views:
    """Let what reads the outputs of the second view read those of the first."""
    return _outputs(sgv0, sgv1, swap=False)


def swap_ios(sgv0: Any, sgv1: Any) -> Views:
    """Exchange two views: outputs, then inputs."""
    views = _outputs(sgv0, sgv1, swap=True)
    return _inputs(*views, swap=True)


def reroute_ios(sgv0: Any, sgv1: Any) -> Views:
    """Put the first view in the place of the second."""
    views = _outputs(sgv0, sgv1, swap=False)
    return _inputs(*views, swap=False)


def detach_control_inputs(sgv: Any) -> None:
    """Let no op of a view wait for ops outside."""
    sgv = make_view(sgv)
    for op in sgv.ops:
        remove_control_inputs(op, [other for other in op.control_inputs if other not in sgv.ops])


def detach_control_outputs(sgv: Any, control_outputs: ControlOutputs) -> None:
    """Let no op outside wait for ops of a view."""
    if not isinstance(control_outputs, ControlOutputs):
        raise TypeError("Expected a util.ControlOutputs, got: {}", type(control_outputs))
    sgv = make_view(sgv)
    for op in sgv.ops:
        for other in control_outputs.get(op):
            if other not in sgv.ops:
                remove_control_inputs(other, op)


def detach_inputs(sgv: Any, control_inputs: bool = False) -> tuple[SubGraphView, list[Tensor]]:
    """Let a view read new placeholders in the place of its inputs; the view, changed in place, and these."""
    sgv = make_view(sgv)
    with sgv.graph.as_default():
        placeholders = [placeholder(dtype=t.dtype, name=placeholder_name(t)) for t in sgv.inputs]
    swap_inputs(sgv, placeholders)
    if control_inputs:
        detach_control_inputs(sgv)
    return sgv, placeholders


def detach_outputs(sgv: Any, control_outputs: ControlOutputs | None = None) -> tuple[SubGraphView, list[Tensor]]:
    """Let what reads the outputs of a view read new placeholders; a view of the outputs that were read, and these."""
    sgv = make_view(sgv)
    read = sgv.remap_outputs([i for i, t in enumerate(sgv.outputs) if t.consumers()])
    readers = SubGraphView(read.consumers())
    readers = readers.remap_inputs([i for i, t in enumerate(readers.inputs) if t in read.outputs])
    with sgv.graph.as_default():
        placeholders = [make_placeholder_from_tensor(t) for t in readers.inputs]
    swap_outputs(read, placeholders)
    if control_outputs is not None:
        detach_control_outputs(read, control_outputs)
    return read, placeholders


def detach(
    sgv: Any, control_inputs: Any = False, control_outputs: Any = None, control_ios: Any = None
) -> tuple[SubGraphView, list[Tensor], list[Tensor]]:
    """Take a view out of its graph: the placeholders that it reads, and those that its readers read."""
    control_inputs, control_outputs = check_cios(control_inputs, control_outputs, control_ios)
    _, inputs = detach_inputs(sgv, control_inputs)
    _, outputs = detach_outputs(sgv, control_outputs)
    return sgv, inputs, outputs


def connect(sgv0: Any, sgv1: Any, disconnect_first: bool = False) -> Views:
    """Let the second view read the outputs of the first; ``disconnect_first`` takes away their other readers."""
    sgv0, sgv1 = _of_one_graph(sgv0, sgv1)
    if disconnect_first:
        detach_outputs(sgv0)
    reroute_inputs(SubGraphView(passthrough_ts=sgv0.outputs), sgv1)
    return sgv0, sgv1


def bypass(sgv: Any) -> tuple[SubGraphView, list[Tensor]]:
    """Let the readers of a view's outputs read its inputs, and the view placeholders.

    Raises:
      ValueError: inputs and outputs differ in number, dtype or shape.
    """
    sgv = make_view(sgv)
    inputs = sgv.inputs
    sgv, placeholders = detach_inputs(sgv)
    reroute_ts(inputs, sgv.outputs)
    return sgv, placeholders
