"""Which layer made a tensor, of which tensors: the edges of a network of layers."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterator
from typing import Any

from retrograd.eager.tensor import EagerTensor
from retrograd.graph import nest
from retrograd.graph.composite import CompositeTensor
from retrograd.graph.convert import convert_to_tensor_or_composite
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.nn.layers.calls import calls
from retrograd.state.variables import VariableV2

KerasHistory = namedtuple("KerasHistory", ["layer", "node_index", "tensor_index"])


def history_of(x: Any) -> Any:
    """The layer, the number of its call and the number of the output that ``x`` is, or None."""
    return getattr(x, "_keras_history", None)


class Node:
    """One call of a layer: its inputs, its outputs, and the other arguments."""

    def __init__(self, layer: Any, inputs: Any, outputs: Any, arguments: dict[str, Any]) -> None:
        self.outbound_layer = layer
        self.input_tensors, self.output_tensors = inputs, outputs
        self.arguments = arguments
        self.input_shapes = nest.map_structure(shape_of, inputs)
        self.output_shapes = nest.map_structure(shape_of, outputs)
        made = [x for x in nest.flatten(inputs) if history_of(x) is not None]  # the begin of a network is not

        def of_each(what: Callable[[KerasHistory], Any]) -> Any:
            return nest.map_structure(lambda x: what(history_of(x)), inputs) if made else []

        self.inbound_layers = of_each(lambda h: h.layer)
        self.node_indices = of_each(lambda h: h.node_index)
        self.tensor_indices = of_each(lambda h: h.tensor_index)
        for i, x in enumerate(nest.flatten(outputs)):
            x._keras_history = KerasHistory(layer, len(layer._inbound_nodes), i)
        layer._inbound_nodes.append(self)
        for inbound in nest.flatten(self.inbound_layers):
            inbound._outbound_nodes.append(self)

    def iterate_inbound(self, include_arguments: bool = False) -> Iterator[tuple[Any, int, int, Any]]:
        """Each input with the layer that made it, the number of its call, and of the output.

        Args:
          include_arguments: whether those of the other arguments that layers made follow.
        """
        layers, nodes, outputs = map(nest.flatten, (self.inbound_layers, self.node_indices, self.tensor_indices))
        inputs = nest.flatten(self.input_tensors)[: len(layers)]
        yield from zip(layers, nodes, outputs, inputs, strict=True)
        for x in nest.flatten(self.arguments) if include_arguments else ():
            if (history := history_of(x)) is not None:
                yield (*history, x)

    @property
    def inbound_nodes(self) -> list[Node]:
        """The calls that made the inputs, then those that made other arguments."""
        return [layer._inbound_nodes[index] for layer, index, *_ in self.iterate_inbound(include_arguments=True)]

    def get_config(self) -> dict[str, Any]:
        """The names of the layers at both ends, and which calls and outputs of them these are."""
        return {
            "outbound_layer": self.outbound_layer.name,
            "inbound_layers": nest.map_structure(lambda layer: layer.name, self.inbound_layers),
            "node_indices": self.node_indices,
            "tensor_indices": self.tensor_indices,
        }


# types of objects that stand for the tensors that they convert to
_stand_ins: list[type] = []


def register_symbolic_tensor_type(cls: type) -> None:
    """Let objects of a type, which has a conversion to a tensor, be outputs and inputs of layers as tensors are."""
    _stand_ins.append(cls)


def is_symbolic_tensor(tensor: Any) -> bool:
    """Whether a tensor is a node of a graph; a variable is one where a graph is built, or as a layer's output."""
    if isinstance(tensor, tuple(_stand_ins)):
        tensor = convert_to_tensor_or_composite(tensor)
    if isinstance(tensor, VariableV2):
        return history_of(tensor) is not None or not default_graph().is_eager
    if isinstance(tensor, CompositeTensor):
        return all(is_symbolic_tensor(x) for x in nest.flatten(tensor, expand_composites=True))
    return isinstance(tensor, Tensor) and not isinstance(tensor, EagerTensor)


def shape_of(x: Any) -> Any:
    """The shape as a tuple, None where a size is not known."""
    return None if x.shape.ndims is None else tuple(x.shape.as_list())


# how ops between layers become layers; a network of layers needs it, and says how
makers: list[Callable[[Any], None]] = []


def with_history(inputs: Any, makes: bool = True) -> bool:
    """Whether all ``inputs`` were made by layers of a network, or by ops on what these made.

    ``makes``: these ops then become layers; otherwise they do not count.
    """
    flat = nest.flatten(inputs)
    if not flat or not all(isinstance(x, Tensor | CompositeTensor) or hasattr(x, "graph") for x in flat):
        return False
    if all(history_of(x) is not None for x in flat):
        return True
    if not makes or not makers or not comes_from_layers(flat):
        return False
    for make in makers:
        make(flat)
    return all(history_of(x) is not None for x in flat)


def settle_arguments(arguments: Any) -> None:
    """Let ops that made arguments of a layer of what layers made become layers too."""
    if calls.stack:
        return
    for x in nest.flatten(arguments):
        if isinstance(x, Tensor) and not isinstance(x, EagerTensor):
            with_history(x)


def comes_from_layers(tensors: list[Any]) -> bool:
    """Whether any of the tensors depends on one that a layer of a network made."""
    waiting, seen = list(tensors), set()
    while waiting:
        x = waiting.pop()
        if history_of(x) is not None:
            return True
        if isinstance(x, CompositeTensor):
            waiting += nest.flatten(x, expand_composites=True)
            continue
        op = getattr(x, "op", None)
        if op is None or op in seen:
            continue
        seen.add(op)
        waiting += op.inputs
    return False


class OfNodes:
    """What a layer knows of its calls in networks."""

    _name: str
    _inbound_nodes: list[Any]
    _outbound_nodes: list[Any]

    @property
    def inbound_nodes(self) -> list[Any]:
        """The calls of this layer in networks."""
        return self._inbound_nodes

    @property
    def outbound_nodes(self) -> list[Any]:
        """The calls of other layers on what this one made."""
        return self._outbound_nodes

    def _of_node(self, index: int, attribute: str, what: str) -> Any:
        if not self._inbound_nodes:
            raise RuntimeError(f"The layer has never been called and thus has no defined {what}.")
        if index >= len(self._inbound_nodes):
            raise ValueError(
                f"Asked to get {what} at node {index}, but the layer has only {len(self._inbound_nodes)} inbound nodes."
            )
        values = getattr(self._inbound_nodes[index], attribute)
        return values[0] if isinstance(values, list) and len(values) == 1 else values

    def get_input_at(self, node_index: int) -> Any:
        """The input of a call."""
        return self._of_node(node_index, "input_tensors", "input")

    def get_output_at(self, node_index: int) -> Any:
        """The output of a call."""
        return self._of_node(node_index, "output_tensors", "output")

    def get_input_shape_at(self, node_index: int) -> Any:
        """The shape of the input of a call."""
        return self._of_node(node_index, "input_shapes", "input shape")

    def get_output_shape_at(self, node_index: int) -> Any:
        """The shape of the output of a call."""
        return self._of_node(node_index, "output_shapes", "output shape")

    def get_input_mask_at(self, node_index: int) -> Any:
        """The mask of the input of a call."""
        return each_mask(self.get_input_at(node_index))

    def get_output_mask_at(self, node_index: int) -> Any:
        """The mask of the output of a call."""
        return each_mask(self.get_output_at(node_index))

    @property
    def input(self) -> Any:
        """The input of the first call in a network."""
        if not self._inbound_nodes:
            raise AttributeError(f"Layer {self._name} is not connected, no input to return.")
        return self.get_input_at(0)

    @property
    def output(self) -> Any:
        """The output of the first call in a network."""
        if not self._inbound_nodes:
            raise AttributeError(f"Layer {self._name} has no inbound nodes.")
        return self.get_output_at(0)

    @property
    def input_mask(self) -> Any:
        """The mask of the input."""
        return nest.map_structure(lambda x: getattr(x, "_keras_mask", None), self.input)

    @property
    def output_mask(self) -> Any:
        """The mask of the output."""
        return nest.map_structure(lambda x: getattr(x, "_keras_mask", None), self.output)

    @property
    def input_shape(self) -> Any:
        """The shape of the input, of a layer in a network."""
        if not self._inbound_nodes:
            raise AttributeError("The layer has never been called and thus has no defined input shape.")
        return self._one_shape("input")

    @property
    def output_shape(self) -> Any:
        """The shape of the output, of a layer in a network."""
        if not self._inbound_nodes:
            raise AttributeError("The layer has never been called and thus has no defined output shape.")
        return self._one_shape("output")

    def _one_shape(self, what: str) -> Any:
        shapes = [getattr(node, f"{what}_shapes") for node in self._inbound_nodes]
        if any(shape != shapes[0] for shape in shapes):
            raise AttributeError(
                f'The layer "{self._name} has multiple inbound nodes, with different {what} shapes. Hence the notion '
                f'of "{what} shape" is ill-defined for the layer. Use `get_{what}_shape_at(node_index)` instead.'
            )
        first = shapes[0]
        return first[0] if isinstance(first, list) and len(first) == 1 else first


def each_mask(x: Any) -> Any:
    """The mask of a tensor, or of each in a list."""
    return [each_mask(v) for v in x] if isinstance(x, list) else getattr(x, "_keras_mask", None)
