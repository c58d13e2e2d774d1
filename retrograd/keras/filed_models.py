"""Models as configurations, files and summaries."""

from __future__ import annotations

import functools
import json
import os
from typing import Any

from retrograd.eager import deferred
from retrograd.eager.context import eager_mode
from retrograd.graph import log
from retrograd.graph.errors import taught
from retrograd.graph.modes import executing_eagerly_outside_functions
from retrograd.io.checkpoint_files import checkpoint_exists, update_checkpoint_state_internal
from retrograd.io.object_checkpoints import write_objects
from retrograd.io.object_restoring import ObjectsInCheckpoint
from retrograd.keras import backend as K
from retrograd.keras import first_optimizers
from retrograd.keras.described import yaml_package
from retrograd.keras.overwriting import may_write
from retrograd.keras.step_functions import SteppedNetwork
from retrograd.keras.utils import custom_object_scope


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
    return model_from_config(yaml_package().safe_load(yaml_string), custom_objects)


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
