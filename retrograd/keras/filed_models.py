"""Models as configurations, files and summaries."""

from __future__ import annotations

import copy
import functools
import importlib
import json
import os
from typing import Any

from retrograd.eager import deferred
from retrograd.eager.context import eager_mode
from retrograd.graph import log, nest
from retrograd.graph.errors import taught
from retrograd.graph.modes import executing_eagerly_outside_functions
from retrograd.io.checkpoint_files import checkpoint_exists, update_checkpoint_state_internal
from retrograd.io.object_checkpoints import write_objects
from retrograd.io.object_restoring import ObjectsInCheckpoint
from retrograd.keras import backend as K
from retrograd.keras import first_optimizers
from retrograd.keras.inputs import InputLayer
from retrograd.keras.overwriting import may_write
from retrograd.keras.places import by_key, each_of, placed, places_in, plain, with_tensors
from retrograd.keras.step_functions import SteppedNetwork
from retrograd.keras.utils import custom_object_scope
from retrograd.nn.layers.nodes import history_of


class FiledModel(SteppedNetwork):
    """A network that is described, written and read."""

    def save_weights(self, filepath: str, overwrite: bool = True, save_format: str | None = None) -> None:
        """Write the variables: a checkpoint by the names of layers, or for ``.h5`` an HDF5 file.

        Without ``overwrite`` the user is asked whether a file that is there may go.
        """
        if _is_hdf5(filepath, save_format):
            from retrograd.keras.hdf5 import write_weights

            if may_write(filepath, overwrite):
                write_weights(filepath, self.layers)
            return
        self._check_built("save")
        if not may_write(f"{os.fspath(filepath)}.index", overwrite):
            return
        if isinstance(self.optimizer, first_optimizers.Optimizer):
            log.warning(
                f"This model was compiled with a Keras optimizer ({self.optimizer}) but is being saved in TensorFlow "
                "format with `save_weights`. The model's weights will be saved, but unlike with TensorFlow optimizers "
                "in the TensorFlow format the optimizer's state will not be saved.\n\nConsider using a TensorFlow "
                "optimizer from `tf.train`."
            )
        path = write_objects(self, filepath, K.get_session())
        update_checkpoint_state_internal(
            os.path.dirname(path), path, all_model_checkpoint_paths=[path], save_relative_paths=True
        )

    def load_weights(self, filepath: str, by_name: bool = False) -> Any:
        """Read what ``save_weights`` wrote, or variables of a checkpoint by their names.

        Raises:
          ValueError: the model has no variables yet, or the file holds those of other layers.
        """
        if not checkpoint_exists(os.fspath(filepath)) or _is_hdf5(filepath, None):
            from retrograd.keras.hdf5 import read_weights

            self._check_built("load")
            return read_weights(filepath, self.layers, by_name)
        if by_name:
            error = NotImplementedError(
                "Weights may only be loaded based on topology into Models when loading TensorFlow-formatted weights "
                "(got by_name=True to load_weights)."
            )
            raise taught(error, fix="weights written as a file whose name ends with .h5")
        session = K.get_session()
        status = ObjectsInCheckpoint(self, os.fspath(filepath))
        status.assert_nontrivial_match().run_restore_ops(session)
        if not self._is_graph_network and not status.matched_keys:
            deferred.wait_for(functools.partial(_restore_made, status, set(), executing_eagerly_outside_functions()))
        if "train" not in self._keras_functions:
            self._awaited = status, status.matched_keys
        return status

    def _check_built(self, what: str) -> None:
        if not self.built and not self._is_graph_network and "build" in vars(type(self)):
            error = ValueError(
                f"Unable to {what} weights {'saved in HDF5 format into' if what == 'load' else 'of'} a subclassed "
                "Model which has not created its variables yet. Call the Model first, then load the weights."
            )
            raise taught(error, fix="model(tf.placeholder(tf.float32, [None, 784]))")

    def save(
        self, filepath: str, overwrite: bool = True, include_optimizer: bool = True, save_format: str | None = None,
        signatures: Any = None,
    ) -> None:  # fmt: skip
        """Write layers, variables and optimizer as an HDF5 file, or as a SavedModel if ``save_format`` is ``"tf"``.

        Without ``overwrite`` the user is asked whether what is there may go.

        Raises:
          NotImplementedError: it is a subclass, whose ``call`` no HDF5 file holds.
        """
        from retrograd.keras.hdf5 import write_model

        if save_format == "tf":
            from retrograd.keras.saved_models import write_saved_model

            if may_write(filepath, overwrite):
                write_saved_model(self, filepath, include_optimizer, signatures)
            return
        if not self._is_graph_network and self._build_input_shape is None:
            error = NotImplementedError(
                "Saving the model to HDF5 format requires the model to be a Functional model or a Sequential model. It "
                "does not work for subclassed models, because such models are defined via the body of a Python method, "
                "which isn't safely serializable. Consider saving to the Tensorflow SavedModel format (by setting "
                'save_format="tf") or using `save_weights`.'
            )
            raise taught(error, fix='model.save_weights("path")')
        if may_write(filepath, overwrite):
            write_model(filepath, self, include_optimizer)

    def _saved_form(self) -> Any:
        """What ``tf.saved_model.save`` writes in the place of the model."""
        from retrograd.keras.saved_models import saved_form

        return saved_form(self)

    def get_config(self) -> dict[str, Any]:
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
            kept = int(isinstance(layer, SteppedNetwork))  # the first call of a model is its own
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
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Any:
        """The model of a configuration."""
        from retrograd.keras.layer_table import layer_of

        made: dict[str, Any] = {}
        first: dict[str, int] = {}  # the number of a layer's first call: 1 of a model that has none of its own yet
        waiting = []
        for data in config["layers"]:
            made[data["name"]] = layer = layer_of(data, custom_objects)
            first[data["name"]] = int(isinstance(layer, SteppedNetwork) and not layer._inbound_nodes)
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

    def to_json(self, **kwargs: Any) -> str:
        """The configuration as JSON."""
        config = {
            "class_name": type(self).__name__, "config": self.get_config(), "keras_version": "2.2.4-tf",
            "backend": "tensorflow",
        }  # fmt: skip
        return json.dumps(config, default=plain, **kwargs)

    def to_yaml(self, **kwargs: Any) -> str:
        """The configuration as YAML.

        Raises:
          ImportError: the package pyyaml is not installed.
        """
        return str(_yaml().dump(json.loads(self.to_json()), **kwargs))

    def summary(self, line_length: int | None = None, positions: Any = None, print_fn: Any = None) -> None:
        """Print the layers, the shapes of their outputs and the numbers of their parameters.

        Raises:
          ValueError: nothing is known of the inputs yet.
        """
        if not self.built and "build" in vars(type(self)):
            raise ValueError(
                "This model has not yet been built. Build the model first by calling `build()` or calling `fit()` with "
                "some data, or specify an `input_shape` argument in the first layer(s) for automatic build."
            )
        from retrograd.keras.summaries import print_summary

        print_summary(self, line_length=line_length, positions=positions, print_fn=print_fn)


def _restore_made(status: ObjectsInCheckpoint, known: set[str], is_eager: bool) -> bool:
    """Give variables their values that were made since the last time; whether none can come any more.

    ``known`` has the keys of those that have their values. ``is_eager``: the model was read where ops run at once; it
    waits as long as they run otherwise.
    """
    if is_eager != executing_eagerly_outside_functions():
        return False
    if is_eager:
        with eager_mode():
            return status.restore_new()
    keys = status.matched_keys
    status.restore_others(known, K.get_session())
    known.update(keys)
    return status.is_complete


def _is_hdf5(path: Any, save_format: str | None) -> bool:
    if save_format is not None:
        return save_format.lower() in ("h5", "hdf5", "keras")
    return str(path).endswith((".h5", ".keras", ".hdf5"))


def model_from_config(config: Any, custom_objects: Any = None) -> Any:
    """The model of a configuration."""
    from retrograd.keras.layer_table import layer_of

    if isinstance(config, list):
        error = TypeError(
            "`model_from_config` expects a dictionary, not a list. Maybe you meant to use "
            "`Sequential.from_config(config)`?"
        )
        raise taught(error, fix="tf.keras.Sequential.from_config(config)")
    with custom_object_scope(custom_objects):
        return layer_of(config)


def model_from_json(json_string: str, custom_objects: Any = None) -> Any:
    """The model of what ``to_json`` gave."""
    return model_from_config(json.loads(json_string), custom_objects)


def model_from_yaml(yaml_string: str, custom_objects: Any = None) -> Any:
    """The model of a description in YAML.

    Raises:
      ImportError: the package pyyaml is not installed.
    """
    return model_from_config(_yaml().safe_load(yaml_string), custom_objects)


def _yaml() -> Any:
    try:
        return importlib.import_module("yaml")
    except ImportError:
        raise ImportError("Requires yaml module installed (`pip install pyyaml`).") from None


def save_model(
    model: Any, filepath: str, overwrite: bool = True, include_optimizer: bool = True, save_format: str | None = None,
    signatures: Any = None,
) -> None:  # fmt: skip
    """Write layers, variables and optimizer of a model."""
    model.save(filepath, overwrite, include_optimizer, save_format, signatures)


def load_model(filepath: str, custom_objects: Any = None, compile: bool = True) -> Any:
    """Read what ``save_model`` wrote.

    Raises:
      OSError: there is no such file or folder.
    """
    from retrograd.keras.hdf5 import is_hdf5, read_model
    from retrograd.keras.saved_models import read_saved_model

    with custom_object_scope(custom_objects):
        return read_model(filepath, compile) if is_hdf5(filepath) else read_saved_model(filepath, compile)
