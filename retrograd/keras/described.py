"""``Described``: what a network is made of as a configuration, and the network of one."""

from __future__ import annotations

import copy
import importlib
import json
from typing import Any

from retrograd.graph import nest
from retrograd.keras.inputs import InputLayer
from retrograd.keras.places import by_key, each_of, placed, places_in, plain, with_tensors
from retrograd.nn.layers.nodes import history_of


class Described:
    """A network that is described."""

    _inbound_nodes: list[Any]

    def get_config(self: Any) -> dict[str, Any]:
        """The layers and how they follow each other.

        Raises:
          NotImplementedError: it is a subclass.
        """
        if not self._is_graph_network:
            raise NotImplementedError
        keys = {id(n) for nodes_ in self._nodes_by_depth.values() for n in nodes_}
        layers = []
        index: dict[tuple[int, int], int] = {}
        for layer in self.layers:
            kept = int(isinstance(layer, Described))  # the first call of a model is its own
            for i, node in enumerate(layer._inbound_nodes):
                if id(node) in keys:
                    index[id(layer), i] = kept
                    kept += 1
        for layer in self.layers:
            calls = []
            for node in layer._inbound_nodes:
                if id(node) not in keys or isinstance(layer, InputLayer):
                    continue
                entries = [
                    [inbound.name, index.get((id(inbound), i), 0), j, placed(node.arguments, index) if k == 0 else {}]
                    for k, (inbound, i, j, _) in enumerate(node.iterate_inbound())
                ]
                calls.append(by_key(node.input_tensors, entries))
            layers.append({
                "name": layer.name, "class_name": type(layer).__name__, "config": layer.get_config(),
                "inbound_nodes": calls,
            })  # fmt: skip

        def places(tensors: list[Any]) -> list[Any]:
            histories = [history_of(x) for x in tensors]
            return [[h.layer.name, index.get((id(h.layer), h.node_index), 0), h.tensor_index] for h in histories]

        return copy.deepcopy({
            "name": self.name, "layers": layers, "input_layers": by_key(self._nested_inputs, places(self.inputs)),
            "output_layers": by_key(self._nested_outputs, places(self.outputs)),
        })  # fmt: skip

    @classmethod
    def from_config(cls: Any, config: dict[str, Any], custom_objects: Any = None) -> Any:
        """The model of a configuration."""
        from retrograd.keras.layer_table import layer_of

        made: dict[str, Any] = {}
        first: dict[str, int] = {}  # the number of a layer's first call: 1 of a model that has none of its own yet
        waiting = []
        for data in config["layers"]:
            made[data["name"]] = layer = layer_of(data, custom_objects)
            first[data["name"]] = int(isinstance(layer, Described) and not layer._inbound_nodes)
            waiting += [(data["name"], call) for call in data["inbound_nodes"]]

        def tensor(place: Any) -> Any:
            name, i, j, *_ = place
            return nest.flatten(made[name]._inbound_nodes[max(i - first[name], 0)].output_tensors)[j]

        while waiting:
            name, call = waiting.pop(0)
            listed = [call[key] for key in sorted(call)] if isinstance(call, dict) else call
            arguments = listed[0][3] if len(listed[0]) > 3 else {}
            needed = [(n, max(i - first[n], 0)) for n, i, *_ in [*listed, *places_in(arguments, made)]]
            if any(len(made[n]._inbound_nodes) <= i for n, i in needed):
                waiting.append((name, call))
                continue
            made[name](each_of(tensor, call), **with_tensors(arguments, made, tensor))
        inputs, outputs = (each_of(tensor, config[key]) for key in ("input_layers", "output_layers"))
        model = cls(inputs=inputs, outputs=outputs, name=config.get("name"))
        for layer in made.values():  # losses and metrics that were added to the model
            if layer not in model.layers:
                model._take_in(layer)
        return model

    def to_json(self: Any, **kwargs: Any) -> str:
        """The configuration as JSON."""
        config = {
            "class_name": type(self).__name__, "config": self.get_config(), "keras_version": "2.2.4-tf",
            "backend": "tensorflow",
        }  # fmt: skip
        return json.dumps(config, default=plain, **kwargs)

    def to_yaml(self: Any, **kwargs: Any) -> str:
        """The configuration as YAML.

        Raises:
          ImportError: the package pyyaml is not installed.
        """
        return str(yaml_package().dump(json.loads(self.to_json()), **kwargs))


def yaml_package() -> Any:
    try:
        return importlib.import_module("yaml")
    except ImportError:
        raise ImportError("Requires yaml module installed (`pip install pyyaml`).") from None
