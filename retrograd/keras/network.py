"""``Network``: a layer made of the layers between two ends, or of its attributes."""

from __future__ import annotations

import inspect
from collections import defaultdict
from contextlib import nullcontext
from typing import Any

from retrograd.autograph.converting import converted
from retrograd.eager.lifted import LiftedGraph
from retrograd.graph import nest
from retrograd.graph.errors import OpError, nearest, taught
from retrograd.graph.shapes import TensorShape
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.graph.untracked import TrackableReference, leave_untracked
from retrograd.io.tracking import attributes_of
from retrograd.keras import backend as K
from retrograd.keras.checking import known_batch_size
from retrograd.keras.composites import SYMBOLIC
from retrograd.keras.described import Described
from retrograd.keras.inner_layers import AddLoss, AddMetric, ops_as_layers
from retrograd.keras.inputs import InputLayer
from retrograd.nn.layers import nodes
from retrograd.nn.layers.base import Layer as FirstLayer
from retrograd.nn.layers.containers import is_trackable
from retrograd.nn.layers.engine import Layer, each_shape, parameters_of
from retrograd.nn.layers.held_weights import distinct
from retrograd.ops import constants
from retrograd.state.variables import VariableV2

# -- the calls between two ends ------------------------------------------------------------------


def _calls_between(outputs: list[Any]) -> tuple[dict[int, list[Any]], list[Any]]:
    """The calls that ``outputs`` follow from, by their distance from the outputs, and the layers in order.

    Raises:
      ValueError: a call needs its own result.
    """
    order: dict[Any, int] = {}  # of layers, by the first visit
    visited: list[Any] = []
    open_calls: set[int] = set()
    done: set[int] = set()

    def visit(node: Any) -> None:
        layer = node.outbound_layer
        if id(node) in open_calls:
            raise ValueError(f'The tensor made by layer "{layer.name}" is part of a cycle.')
        if id(node) in done:
            return
        order.setdefault(layer, len(order))
        open_calls.add(id(node))
        for inbound in node.inbound_nodes:
            visit(inbound)
        open_calls.discard(id(node))
        done.add(id(node))
        visited.append(node)

    for x in outputs:
        history = nodes.history_of(x)
        visit(history.layer._inbound_nodes[history.node_index])
    depths: dict[int, int] = {}
    of_layers: dict[Any, int] = {}
    for node in reversed(visited):
        depth = max(depths.setdefault(id(node), 0), of_layers.get(node.outbound_layer, 0))
        of_layers[node.outbound_layer] = depths[id(node)] = depth
        for inbound in node.inbound_nodes:
            depths[id(inbound)] = max(depth + 1, depths.get(id(inbound), 0))
    by_depth: dict[int, list[Any]] = defaultdict(list)
    for node in visited:
        by_depth[depths[id(node)]].append(node)
    layers_by_depth: dict[int, list[Any]] = defaultdict(list)
    for layer, depth in of_layers.items():
        layers_by_depth[depth].append(layer)
    layers = [
        layer for depth in sorted(layers_by_depth, reverse=True)
        for layer in sorted(layers_by_depth[depth], key=order.__getitem__)
    ]  # fmt: skip
    return by_depth, layers


class Network(Described, Layer):
    """A layer made of layers: those between ``inputs`` and ``outputs``, or the attributes of a subclass.

    Raises:
      ValueError: an output does not follow from the inputs alone, or an input was made by no layer.
    """

    _masks_its_outputs = True
    _builds_outside = False  # its layers are called in that graph
    _allowed_keywords = Layer._allowed_keywords | {"inputs", "outputs"}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        inputs, outputs = kwargs.pop("inputs", None), kwargs.pop("outputs", None)
        if len(args) >= 2:
            inputs, outputs = args[:2]
            if len(args) == 3:
                kwargs["name"] = args[2]
        elif len(args) == 1 and inputs is None and outputs is not None:
            inputs = args[0]
        self._is_graph_network = inputs is not None and outputs is not None
        name = kwargs.pop("name", None)
        for key in kwargs if self._is_graph_network else ():
            if key != "trainable":
                raise TypeError(
                    "Functional models may only specify `name` and `trainable` keyword arguments during "
                    "initialization. Got an unexpected argument:",
                    key,
                )
        super().__init__(name=name, **kwargs)
        leave_untracked(
            self, "inputs", "outputs", "input_names", "output_names", "_nested_inputs", "_nested_outputs",
            "_own_layers", "_nodes_by_depth", "_input_layers", "_output_layers",
        )  # fmt: skip
        self.inputs: list[Any] = []
        self.outputs: list[Any] = []
        if self._is_graph_network:
            self._init_graph(inputs, outputs)

    def _init_graph(self, inputs: Any, outputs: Any) -> None:
        self._autocast = False  # its layers cast
        self._nested_inputs, self._nested_outputs = map(_unwrapped, (inputs, outputs))
        self.inputs, self.outputs = nest.flatten(inputs), nest.flatten(outputs)
        if len({id(x) for x in self.inputs}) != len(self.inputs):
            raise ValueError(
                "The list of inputs passed to the model is redundant. All inputs should only appear once. Found: "
                f"{self.inputs}"
            )
        for x in self.inputs:
            if nodes.history_of(x) is None:
                raise ValueError(
                    f"Input tensors to a {type(self).__name__} must come from `tf.keras.Input`. Received: {x} (missing "
                    "previous layer metadata)."
                )
        for x in self.outputs:
            if nodes.history_of(x) is None:
                ops_as_layers([x])
            if nodes.history_of(x) is None:
                raise ValueError(
                    "Output tensors to a " + type(self).__name__ + " must be the output of a TensorFlow `Layer` "
                    f"(thus holding past layer metadata). Found: {x}"
                )
        self._nodes_by_depth, self._own_layers = _calls_between(self.outputs)
        refuse_first_layers(self._own_layers)
        self._check_connected()
        known_batch_size(self.inputs)
        self._add_unread_inputs()
        self.built = True
        self.input_names = [nodes.history_of(x).layer.name for x in self.inputs]
        self.output_names = _unique([nodes.history_of(x).layer.name for x in self.outputs])
        self._input_layers = [nodes.history_of(x).layer for x in self.inputs]
        self._output_layers = [nodes.history_of(x).layer for x in self.outputs]
        names = [layer.name for layer in self._own_layers]
        for name in names:
            if names.count(name) != 1:
                raise ValueError(
                    f'The name "{name}" is used {names.count(name)} times in the model. All layer names should be '
                    "unique."
                )
        if not self._inbound_nodes:
            histories = [nodes.history_of(x) for x in self.outputs]
            nodes.Node(self, self._nested_inputs, self._nested_outputs, {})
            for x, history in zip(self.outputs, histories, strict=True):
                x._keras_history = history

    def _add_unread_inputs(self) -> None:
        """Let inputs that no output follows from stand before the last layers."""
        deeper = {id(node.outbound_layer) for depth, row in self._nodes_by_depth.items() if depth for node in row}
        place = sum(id(layer) in deeper for layer in self._own_layers)
        for x in self.inputs:
            layer = nodes.history_of(x).layer
            if layer not in self._own_layers:
                self._own_layers.insert(place, layer)
                place += 1

    def _check_connected(self) -> None:
        known = {id(x) for x in self.inputs}
        passed: list[str] = []
        for depth in sorted(self._nodes_by_depth, reverse=True):
            for node in self._nodes_by_depth[depth]:
                layer = node.outbound_layer
                needed = node.output_tensors if isinstance(layer, InputLayer) else node.input_tensors
                for x in nest.flatten(needed):
                    if id(x) not in known:
                        raise ValueError(
                            f'Graph disconnected: cannot obtain value for tensor {x} at layer "{layer.name}". The '
                            f"following previous layers were accessed without issue: {passed}"
                        )
                known.update(id(x) for x in nest.flatten(node.output_tensors))
                passed.append(layer.name)

    # -- losses and metrics of what is inside --------------------------------------------------

    def add_loss(self, losses: Any, inputs: Any = None) -> None:
        """Add losses; one that follows from the layers is computed by a layer, for other inputs too."""
        for loss in nest.flatten(losses):
            if self._is_inside(loss):
                self._insert_layer(AddLoss(unconditional=False), loss)
            else:
                super().add_loss(loss, inputs=inputs)

    def add_metric(self, value: Any, aggregation: str | None = None, name: str | None = None) -> None:
        """Add a metric; one that follows from the layers is computed by a layer, for other inputs too.

        Raises:
          ValueError: a functional model is given what a metric object gave.
        """
        if self._is_graph_network and getattr(value, "_metric_obj", None) is not None:
            error = ValueError(
                "Using the result of calling a `Metric` object when calling `add_metric` on a Functional Model is not "
                "supported. Please pass the Tensor to monitor directly."
            )
            raise taught(error, fix="model.add_metric(tensor, name='mean', aggregation='mean')")
        if self._is_inside(value) and aggregation is not None:
            self._insert_layer(AddMetric(aggregation, name), value)
        else:
            super().add_metric(value, aggregation, name)

    def _own_metrics(self) -> list[Any]:
        """The metrics among its attributes, then those that were added to it."""
        own = [v for v in vars(self).values() if isinstance(v, Layer) and hasattr(v, "update_state")]
        return distinct([*own, *super()._own_metrics()])

    def _is_inside(self, x: Any) -> bool:
        return self._is_graph_network and isinstance(x, Tensor) and nodes.comes_from_layers([x])

    def _insert_layer(self, layer: Any, x: Any) -> None:
        """One more layer, and those on the way to it; they are called behind the others."""
        layer(x)
        self._take_in(layer)

    def _take_in(self, layer: Any) -> None:
        """A layer that was called, and those on the way to it."""
        by_depth, _ = _calls_between([nest.flatten(layer._inbound_nodes[-1].output_tensors)[0]])
        known = {id(n) for of_depth in self._nodes_by_depth.values() for n in of_depth}
        least = min(self._nodes_by_depth)
        for depth in sorted(by_depth, reverse=True):
            new = [n for n in by_depth[depth] if id(n) not in known]
            if new:
                least -= 1
                self._nodes_by_depth[least] = new
            for node in new:
                if node.outbound_layer not in self._own_layers:
                    self._own_layers.append(node.outbound_layer)

    # -- inputs, as programs read them of TensorFlow's models ------------------------------------

    @property
    def _feed_inputs(self) -> list[Any]:
        return [x for x in self.inputs if K.is_placeholder(x)]

    @property
    def _feed_input_names(self) -> list[str]:
        return [name for name, x in zip(self.input_names, self.inputs, strict=True) if K.is_placeholder(x)]

    @property
    def _feed_input_shapes(self) -> list[Any]:
        return [K.int_shape(x) for x in self._feed_inputs]

    # -- layers --------------------------------------------------------------------------------

    @property
    def dynamic(self) -> bool:
        """Whether the model, or one of its layers, runs in Python only."""
        return self._dynamic or any(layer.dynamic for layer in self.layers)

    @property
    def layers(self) -> list[Any]:
        """The layers, in the order of the data."""
        return self._layers_inside

    @property
    def _layers_inside(self) -> list[Any]:
        return self._own_layers if self._is_graph_network else super()._layers_inside

    @property
    def _holders_inside(self) -> list[Any]:
        return self._own_layers if self._is_graph_network else super()._holders_inside

    @property
    def input(self) -> Any:
        """The inputs, in their structure; of a subclass, those of its only call."""
        return _unwrapped(self._nested_inputs) if self._is_graph_network else super().input

    @property
    def output(self) -> Any:
        """The outputs, in their structure; of a subclass, those of its only call."""
        return _unwrapped(self._nested_outputs) if self._is_graph_network else super().output

    def get_layer(self, name: str | None = None, index: int | None = None) -> Any:
        """The layer of a name, or at an index.

        Raises:
          ValueError: there is none.
        """
        if index is not None:
            if len(self.layers) <= index:
                raise ValueError(
                    f"Was asked to retrieve layer at index {index} but model only has {len(self.layers)} layers."
                )
            return self.layers[index]
        if not name:
            raise ValueError("Provide either a layer name or layer index.")
        for layer in self.layers:
            if layer.name == name:
                return layer
        error = ValueError(f"No such layer: {name}")
        similar = nearest(name, [layer.name for layer in self.layers])
        if similar:
            error.add_note(f"  Fix:   did you mean {similar!r}?")
        raise error

    def _checkpoint_children(self) -> list[tuple[str, Any]]:
        """The layers under the names that checkpoints have for them; of a subclass, its attributes."""
        if not self._is_graph_network:
            own = attributes_of(self)
            return [(n, x) for n, x in own.items() if is_trackable(x) and n != "optimizer"]
        return numbered_layers(self._layers_inside)

    @property
    def _checkpoint_dependencies(self) -> list[TrackableReference]:
        return [TrackableReference(*pair) for pair in self._checkpoint_children()]

    def __setattr__(self, name: str, value: Any) -> None:
        """Set an attribute.

        Raises:
          RuntimeError: a layer is set before ``__init__`` of this class was called.
        """
        if "_is_graph_network" not in self.__dict__ and any(
            isinstance(x, Layer | VariableV2) for x in nest.flatten(value)
        ):
            raise RuntimeError(
                "It looks like you are subclassing `Model` and you forgot to call `super(YourClass, self).__init__()`. "
                "Always start with this line."
            )
        super().__setattr__(name, value)

    def build(self, input_shape: Any = None) -> None:
        """Make the variables for inputs of this shape, or of these shapes.

        Raises:
          ValueError: it is no shape, or ``call`` has further arguments, or the layers do not take floats.
        """
        if self._is_graph_network or input_shape is None:
            self.built = True
            return
        if not isinstance(input_shape, tuple | list | TensorShape):
            raise ValueError(
                "Specified input shape is not one of the valid types. Please specify a batch input shape of type "
                f"tuple or list of input shapes. User provided input type: {type(input_shape)}"
            )
        more = list(inspect.signature(self.call).parameters.values())[1:]
        needed = [p for p in more if p.default is p.empty and p.name != "training"]
        if any(p.kind is p.POSITIONAL_OR_KEYWORD for p in needed):
            raise ValueError(
                "Currently, you cannot build your model if it has positional or keyword arguments that are not inputs "
                "to the model, but are required for its `call` method. Instead, in order to instantiate and build your "
                "model, `call` your model on real tensor data with all expected call arguments."
            )
        with LiftedGraph().as_default() if default_graph().is_eager else nullcontext():
            given = each_shape(lambda shape: constants.placeholder(K.floatx(), shape), input_shape)
            try:
                training = [p for p in more if p.name == "training" and p.default is p.empty]
                converted(self.call)(given, **({"training": False} if training else {}))
            except (OpError, TypeError) as error:
                raise ValueError(
                    "You cannot build your model by calling `build` if your layers do not support float type inputs. "
                    "Instead, in order to instantiate and build your model, `call` your model on real tensor data (of "
                    "the correct dtype)."
                ) from error
        self.built = True

    build._is_default = True  # type: ignore[attr-defined]  # a call on tensors makes the variables by itself

    def _check_created(self) -> None:
        """A class with a ``build`` of its own has no variables before."""
        if "build" in vars(type(self)) and not self.built:
            raise ValueError(
                f"Weights for model {self.name} have not yet been created. Weights are created when the Model is first "
                "called on inputs or `build()` is called with an `input_shape`."
            )

    @property
    def trainable_weights(self) -> list[Any]:
        """The variables that training changes: those of the layers, then its own.

        Raises:
          ValueError: its own ``build`` is still to make them.
        """
        self._check_created()
        return self._with_those_held("trainable_weights", self._own_variables(True)) if self.trainable else []

    @property
    def non_trainable_weights(self) -> list[Any]:
        """The variables that training leaves alone: those of the layers, then its own.

        Raises:
          ValueError: its own ``build`` is still to make them.
        """
        self._check_created()
        fixed = self._with_those_held("non_trainable_weights", self._own_variables(False))
        if self.trainable:
            return fixed
        return [*self._own_variables(True), *self._with_those_held("trainable_weights", fixed)]

    @property
    def weights(self) -> list[Any]:
        """All variables, layer by layer, then its own.

        Raises:
          ValueError: its own ``build`` is still to make them.
        """
        self._check_created()
        return self._with_those_held("weights", [*self._own_variables(True), *self._own_variables(False)])

    def _own_variables(self, trainable: bool) -> list[Any]:
        """Its own variables; of a model between two ends, those made by ``add_weight``."""
        if not self._is_graph_network:
            return self._own_weights(trainable)
        return self._trainable_weights if trainable else self._non_trainable_weights

    def _with_those_held(self, kind: str, own: list[Any]) -> list[Any]:
        """The variables of its layers and containers, then its own; one that it holds twice comes twice."""
        return [*(v for holder in self._holders_inside for v in getattr(holder, kind)), *own]

    variables = weights

    @property
    def stateful(self) -> bool:
        """Whether a layer keeps a state between batches."""
        return any(layer.stateful for layer in self._layers_inside)

    @stateful.setter
    def stateful(self, value: bool) -> None:
        pass

    def reset_states(self) -> None:
        """Let the layers forget their states."""
        for layer in self.layers:
            if layer.stateful and hasattr(layer, "reset_states"):
                layer.reset_states()

    @property
    def state_updates(self) -> list[Any]:
        """The updates of layers that keep a state."""
        return [u for layer in self.layers if layer.stateful for u in layer.updates]

    # -- calling it ----------------------------------------------------------------------------

    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        """The layers on other inputs, in the same order.

        Raises:
          NotImplementedError: it is a subclass that says not what it does.
        """
        if not self._is_graph_network:
            raise NotImplementedError("When subclassing the `Model` class, you should implement a `call` method.")
        values = {id(x): y for x, y in zip(self.inputs, nest.flatten(inputs), strict=True)}
        for x, m in zip(self.inputs, nest.flatten(mask) if mask is not None else [], strict=False):
            if m is not None:
                values[id(x)]._keras_mask = m
        for depth in sorted(self._nodes_by_depth, reverse=True):
            for node in self._nodes_by_depth[depth]:
                layer = node.outbound_layer
                if isinstance(layer, InputLayer) or not all(id(x) in values for x in nest.flatten(node.input_tensors)):
                    continue
                given = nest.map_structure(lambda x: values[id(x)], node.input_tensors)
                arguments = {k: replaced(v, values) for k, v in node.arguments.items()}
                if "training" in parameters_of(type(layer).call):
                    arguments.setdefault("training", training)
                outputs = layer(given[0] if isinstance(given, list) and len(given) == 1 else given, **arguments)
                for x, y in zip(nest.flatten(node.output_tensors), nest.flatten(outputs), strict=True):
                    values[id(x)] = y
        return nest.map_structure(lambda x: values[id(x)], self._nested_outputs)

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """The masks of the outputs."""
        if not self._is_graph_network:
            return None
        return nest.map_structure(lambda x: getattr(x, "_keras_mask", None), self.call(inputs, mask=mask))

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The shape of the output for inputs of this shape."""
        if not self._is_graph_network:
            return super().compute_output_shape(input_shape)
        given = input_shape if isinstance(input_shape, list) else [input_shape]
        if isinstance(input_shape, dict):
            given = [shape for _, shape in sorted(input_shape.items())]
        shapes: dict[int, Any] = {
            id(x): TensorShape(s) for x, s in zip(self.inputs, given, strict=True)
        }  # fmt: skip
        for depth in sorted(self._nodes_by_depth, reverse=True):
            for node in self._nodes_by_depth[depth]:
                layer = node.outbound_layer
                if isinstance(layer, InputLayer):
                    continue
                found = [shapes[id(x)] for x in nest.flatten(node.input_tensors)]
                if isinstance(node.input_tensors, dict):
                    made = layer.compute_output_shape(nest.pack_sequence_as(node.input_tensors, found))
                else:
                    made = layer.compute_output_shape(found[0] if len(found) == 1 else found)
                outputs = nest.flatten(node.output_tensors)
                if isinstance(made, dict):
                    made = [made[key] for key in sorted(made)]
                elif len(outputs) == 1:
                    made = [made]
                for x, s in zip(outputs, made, strict=True):
                    shapes[id(x)] = TensorShape(s)
        found = [shapes[id(x)] for x in self.outputs]
        if isinstance(self._nested_outputs, dict):
            return nest.pack_sequence_as(self._nested_outputs, found)
        return found[0] if len(found) == 1 else found


def refuse_first_layers(layers: list[Any]) -> None:
    """Let no layer of ``tf.layers`` into a model, which finds variables by other scopes than these.

    Raises:
      TypeError: there are some.
    """
    found = [layer for layer in layers if isinstance(layer, FirstLayer) and not layer._is_of_keras]
    if not found:
        return
    error = TypeError(
        "The following are legacy tf.layers.Layers:\n  " + "\n  ".join(map(str, found)) + "\nTo use keras as a "
        "framework (for instance using the Network, Model, or Sequential classes), please use the tf.keras.layers "
        "implementation instead. (Or, if writing custom layers, subclass from tf.keras.layers rather than tf.layers)"
    )
    raise taught(error, fix=f"tf.keras.layers.{type(found[0]).__name__}(...)")


def numbered_layers(layers: list[Any]) -> list[tuple[str, Any]]:
    """Layers by the names that checkpoints have for the layers of a model, which tell those with weights."""
    rows, count = [], 0
    for i, layer in enumerate(layers):
        if _has_weights(layer):
            rows.append((f"layer_with_weights-{count}", layer))
            count += 1
        rows.append((f"layer-{i}", layer))
    return rows


def _has_weights(layer: Any) -> bool:
    try:
        return bool(layer.weights)
    except ValueError:  # a model that has not been built
        return False


def _unwrapped(tensors: Any) -> Any:
    """The tensor of a list of one, as TensorFlow takes it; other structures stay."""
    return tensors[0] if isinstance(tensors, list) and len(nest.flatten(tensors)) == 1 else tensors


def replaced(value: Any, values: dict[int, Any]) -> Any:
    if isinstance(value, SYMBOLIC):
        return values.get(id(value), value)
    if isinstance(value, list | tuple) and not hasattr(value, "_fields"):
        return type(value)(replaced(v, values) for v in value)
    if isinstance(value, dict):
        return {key: replaced(v, values) for key, v in value.items()}
    return value


def _unique(names: list[str]) -> list[str]:
    """Names with a number where they come again."""
    seen: dict[str, int] = {}
    result = []
    for name in names:
        count = seen.get(name)
        seen[name] = (count or 0) + 1
        result.append(name if count is None else f"{name}_{count}")
    return result
