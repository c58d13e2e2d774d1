"""Adding a node to a graph as a ``NodeDef`` describes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from retrograd.graph.apply import complete, inferred_shapes, output_types
from retrograd.graph.definition import OpDef
from retrograd.graph.dtypes import DType, as_dtype
from retrograd.graph.errors import NotFoundError
from retrograd.graph.graph import _VALID_OP_NAME, Graph
from retrograd.graph.operation import Operation
from retrograd.graph.protos import plain_value
from retrograd.graph.tensor import Tensor


def add_node(op: Operation, node_def: Any, graph: Graph, inputs: Any, control_inputs: Any, input_types: Any) -> None:
    """Let ``op`` be the node of ``graph`` that ``node_def`` describes, with these inputs.

    Raises:
      TypeError: an argument is of the wrong kind, or the inputs have not the dtypes that the op takes.
      ValueError: the name is not valid or taken, or the shapes of the inputs do not fit.
      NotFoundError: no such op type is known.
    """
    if type(node_def).__name__ != "NodeDef":
        raise TypeError(f"node_def needs to be a NodeDef: {node_def}")
    if not _VALID_OP_NAME.match(node_def.name):
        raise ValueError(f"'{node_def.name}' is not a valid node name")
    if not isinstance(graph, Graph):
        raise TypeError(f"g needs to be a Graph: {graph}")
    tensors = _tensors(inputs, graph)
    if input_types is not None:
        _check_types(node_def.name, tensors, [as_dtype(t) for t in input_types])
    definition = graph.op_definition(node_def.op)
    if definition is None:
        raise NotFoundError(None, None, f"Op type not registered '{node_def.op}'")
    if node_def.name in graph._by_name:
        raise ValueError(f"Duplicate node name in graph: '{node_def.name}'")
    graph._check_not_finalized()
    attrs = {key: plain_value(value) for key, value in node_def.attr.items()}
    complete(definition, tensors, attrs)
    _check_signature(definition, tensors)
    dims = inferred_shapes(definition, node_def.name, tensors, attrs) if definition.shape is not None else None
    waits = [c if isinstance(c, Operation) else c.op for c in control_inputs or ()]
    with graph._lock:
        op._place(graph, definition, node_def.name, tensors, attrs, output_types(definition, attrs), waits)
    graph.unique_name(node_def.name)
    if node_def.device:
        op._set_device(node_def.device)
    for tensor, shape in zip(op.outputs, dims or (), strict=False):
        tensor.dims = shape


def _tensors(inputs: Any, graph: Graph) -> tuple[Tensor, ...]:
    if inputs is not None and not isinstance(inputs, list):
        raise TypeError(f"inputs needs to be a list of Tensors: {inputs}")
    for tensor in inputs or ():
        if not isinstance(tensor, Tensor):
            raise TypeError(f"input needs to be a Tensor: {tensor}")
        if tensor.graph is not graph:
            raise ValueError(f"{tensor} must be from the same graph as {graph}.")
    return tuple(inputs or ())


def _check_types(name: str, tensors: Sequence[Tensor], wanted: list[DType]) -> None:
    found = [t.dtype for t in tensors]
    if len(found) != len(wanted) or not all(w.is_compatible_with(f) for w, f in zip(wanted, found, strict=True)):
        raise TypeError(f"In op '{name}', input types ({found}) are not compatible with expected types ({wanted})")


def _check_signature(definition: OpDef, tensors: Sequence[Tensor]) -> None:
    """Each input of an op without lists has the dtype that is fixed for it."""
    if definition.has_lists:
        return
    if len(tensors) != len(definition.inputs):
        wanted = ", ".join(a.dtype.name if a.dtype else a.type_attr or "" for a in definition.inputs)
        raise ValueError(f"NodeDef expected inputs '{wanted}' do not match {len(tensors)} inputs specified")
    for argument, tensor in zip(definition.inputs, tensors, strict=True):
        if argument.dtype is not None and not argument.dtype.is_compatible_with(tensor.dtype):
            raise ValueError(
                f"Input '{argument.name}' passed {tensor.dtype.base_dtype.name} expected {argument.dtype.name} "
                f"while building NodeDef of op '{definition.name}'"
            )
