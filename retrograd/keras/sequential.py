"""``Sequential``: a model of layers one behind the other."""

from __future__ import annotations

import copy
from typing import Any

from retrograd.graph.untracked import leave_untracked
from retrograd.keras.inputs import Input, InputLayer
from retrograd.keras.models import Model
from retrograd.keras.network import Network, numbered_layers, refuse_first_layers
from retrograd.nn.layers.engine import Layer, parameters_of


class Sequential(Model):
    """Layers one behind the other."""

    def __init__(self, layers: Any = None, name: str | None = None) -> None:
        super().__init__(name=name)
        leave_untracked(self, "_row")
        self._row: list[Any] = []
        for layer in layers if isinstance(layers, list | tuple) else [layers] if layers is not None else []:
            self.add(layer)

    @property
    def _layers_inside(self) -> list[Any]:
        return self._row

    @property
    def _holders_inside(self) -> list[Any]:
        return self._row

    @property
    def layers(self) -> list[Any]:
        """The layers, without the input; each once, however often it is in the row."""
        return [layer for layer in dict.fromkeys(self._row) if not isinstance(layer, InputLayer)]

    @property
    def input_spec(self) -> Any:
        """What the first layer asks of its inputs."""
        return self.layers[0].input_spec if self.layers else None

    @input_spec.setter
    def input_spec(self, value: Any) -> None:
        pass

    def add(self, layer: Any) -> None:
        """One more layer.

        Raises:
          TypeError: it is none, or one of ``tf.layers``.
        """
        if hasattr(layer, "_keras_history"):
            layer = layer._keras_history.layer
        if not isinstance(layer, Layer):
            raise TypeError(f"The added layer must be an instance of class Layer. Found: {layer}")
        refuse_first_layers([layer])
        if not self._row:
            if isinstance(layer, InputLayer):
                self._row.append(layer)
                self.outputs = list(layer._inbound_nodes[-1].output_tensors)
                self._settle_graph()
                return
            shape = first_shape(layer)
            if shape is not None:
                given = Input(batch_shape=shape, dtype=layer.dtype or None, name=layer.name + "_input")
                self._row.append(given._keras_history.layer)
                self.outputs = [given]
        self._row.append(layer)
        if self.outputs:
            made = layer(self.outputs[0])
            if isinstance(made, list | tuple):
                kind = ValueError if len(self.layers) == 1 else TypeError
                raise kind(
                    "All layers in a Sequential model should have a single output tensor. For multi-output layers, use "
                    "the functional API."
                )
            self.outputs = [made]
            if isinstance(self._row[0], InputLayer):
                self._settle_graph()
        else:
            self.built = False

    def _settle_graph(self) -> None:
        first = self._row[0]
        self.inputs = list(first._inbound_nodes[0].output_tensors)
        self._inbound_nodes = []
        self._init_graph(self.inputs[0], self.outputs[0])
        self._row = list(self._own_layers)  # a layer whose __call__ is the program's own may consist of others
        self._is_graph_network = True

    def pop(self) -> None:
        """Take the last layer away."""
        if not self.layers:
            raise TypeError("There are no layers in the model.")
        layer = self._row.pop()
        if self._is_graph_network:
            layer._inbound_nodes.pop()
        self._keras_functions = {}
        if not self.layers:
            self._row, self.outputs, self.inputs = [], None, None  # type: ignore[assignment]
            self._is_graph_network = self.built = False
        elif self._is_graph_network:
            self._row[-1]._outbound_nodes = []
            self.outputs = [self._row[-1].output]
            self._settle_graph()
        else:  # the next data or call tell its ends anew
            self.inputs, self.outputs, self._is_set = [], [], False

    def build(self, input_shape: Any = None) -> None:
        """Make the variables for inputs of this shape."""
        if not self._is_graph_network and input_shape is not None:
            self._build_input_shape = input_shape
        super().build(input_shape)

    def _maybe_build(self, inputs: Any) -> None:
        self.built = True

    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        if self._is_graph_network:
            return super().call(inputs, training=training, mask=mask)
        for layer in self.layers:  # TensorFlow, too, passes a layer of the row once if it has no inputs yet
            takes = "training" in parameters_of(type(layer).call)
            inputs = layer(inputs, training=training) if takes and training is not None else layer(inputs)
        return inputs

    def _settle_inputs(self, x: Any) -> None:
        if self._is_graph_network:
            return
        if isinstance(x, dict) and not any(hasattr(self.layers[0], n) for n in ("_feature_columns", "feature_columns")):
            raise ValueError(
                "Passing a dictionary input to a Sequential Model which doesn't have FeatureLayer as the first layer "
                "is an error."
            )
        super()._settle_inputs(x)
        if self._build_input_shape is None and len(self.inputs) == 1 and not isinstance(x, dict):
            self._build_input_shape = (None, *self.inputs[0].shape.as_list()[1:])

    def _checkpoint_children(self) -> list[tuple[str, Any]]:
        """The layers under the names that checkpoints have for them, also before there are inputs."""
        found = super()._checkpoint_children()
        if self._is_graph_network:
            return found
        return [*numbered_layers(self.layers), *(pair for pair in found if pair[0] == "optimizer")]

    def compute_output_shape(self, input_shape: Any) -> Any:
        for layer in self.layers:
            input_shape = layer.compute_output_shape(input_shape)
        return input_shape

    def predict_proba(self, x: Any, batch_size: int = 32, verbose: int = 0) -> Any:
        """The outputs for data."""
        return self.predict(x, batch_size, verbose)

    def predict_classes(self, x: Any, batch_size: int = 32, verbose: int = 0) -> Any:
        """The class of the largest output; of one output, whether it is above one half."""
        proba = self.predict(x, batch_size=batch_size, verbose=verbose)
        return proba.argmax(axis=-1) if proba.shape[-1] > 1 else (proba > 0.5).astype("int32")

    def get_config(self) -> dict[str, Any]:
        layers = [{"class_name": type(layer).__name__, "config": layer.get_config()} for layer in self.layers]
        config: dict[str, Any] = {"name": self.name, "layers": copy.deepcopy(layers)}
        if self._build_input_shape is not None:
            config["build_input_shape"] = self._build_input_shape
        return config

    @classmethod
    def from_config(cls, config: Any, custom_objects: Any = None) -> Any:
        from retrograd.keras.layer_table import layer_of

        name = config.get("name") if isinstance(config, dict) else None
        layers = config["layers"] if isinstance(config, dict) else config
        model = cls(name=name)
        for data in layers:
            model.add(layer_of(data, custom_objects))
        if not model.inputs:
            shape = config.get("build_input_shape") if isinstance(config, dict) else None
            if shape:
                model.build(shape)
        return model


def first_shape(layer: Any) -> Any:
    """The shape of the inputs that a first layer names, with the batch."""
    while layer is not None:
        shape = getattr(layer, "_batch_input_shape", None)
        if shape is not None:
            return shape
        row = layer.layers if isinstance(layer, Network) and layer.layers else None
        layer = row[0] if row else None
    return None
