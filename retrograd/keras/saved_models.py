"""Models of Keras as SavedModels: what TensorFlow 1.15.5 writes is read, and it reads what is written here.

The description of the layers stands in the metadata of the object graph, the variables in the checkpoint beside it.
"""

from __future__ import annotations

import json
import os
from typing import Any

from retrograd.graph import log
from retrograd.graph.modes import executing_eagerly
from retrograd.graph.specs import TensorSpec
from retrograd.graph.text import as_text
from retrograd.io.object_restoring import ObjectsInCheckpoint
from retrograd.io.saved_model.loader import parse_saved_model
from retrograd.io.saved_model.messages import get_variables_path
from retrograd.io.saved_model.saving import save
from retrograd.io.tracking import AutoTrackable, children
from retrograd.keras import backend_state, losses, metrics, optimizers
from retrograd.keras.hdf5 import _named
from retrograd.keras.optimizer_v2 import OptimizerV2
from retrograd.keras.saved_layers import Forms, SavedLayer
from retrograd.nn.layers.session import current_session
from retrograd.state.inlining import Function


class _Read(AutoTrackable):
    """A model with the names under which a SavedModel holds its layers and its optimizer."""

    def __init__(self, model: Any, with_optimizer: bool) -> None:
        self._model, self._with_optimizer = model, with_optimizer

    def _checkpoint_children(self) -> list[tuple[str, Any]]:
        return [pair for pair in children(self._model) if self._with_optimizer or pair[0] != "optimizer"]


class _SavedRoot(SavedLayer):
    """The model that is saved, with its optimizer and how it was compiled."""

    def __init__(self, model: Any, include_optimizer: bool) -> None:
        forms = Forms()
        super().__init__(model, forms)
        forms.let(model, self)
        self._with_optimizer = include_optimizer
        if not model.inputs:
            return
        specs = [
            TensorSpec(x.shape, x.dtype.base_dtype, name)
            for x, name in zip(model.inputs, model.input_names, strict=True)
        ]
        one: Any = specs[0] if len(specs) == 1 else specs
        if model._inputs_by_name:
            one = {spec.name: spec for spec in specs}

        def named(inputs: Any) -> Any:
            outputs = model(inputs, training=False)
            listed = outputs if isinstance(outputs, list | tuple) else [outputs]
            return dict(zip(model.output_names, listed, strict=True))

        self._default_save_signature = Function(named, "_default_save_signature", input_signature=[one])
        forms.add_functions(model, one)

    def description(self) -> dict[str, Any]:
        model, described = self._layer, super().description()
        described |= {"keras_version": "2.2.4-tf", "backend": "tensorflow"}
        if model._is_graph_network or model._build_input_shape is not None:
            described["model_config"] = {"class_name": type(model).__name__, "config": model.get_config()}
        if self._with_optimizer and isinstance(model.optimizer, OptimizerV2):  # others have no configuration
            described["training_config"] = {
                "loss": model.loss, "metrics": model._compile_metrics, "weighted_metrics": model._weighted_metrics,
                "sample_weight_mode": model.sample_weight_mode, "loss_weights": model.loss_weights,
                "optimizer_config": optimizers.serialize(model.optimizer),
            }  # fmt: skip
        return described

    def _checkpoint_children(self) -> list[tuple[str, Any]]:
        return [pair for pair in super()._checkpoint_children() if self._with_optimizer or pair[0] != "optimizer"]


def write_saved_model(model: Any, path: Any, include_optimizer: bool, signatures: Any = None) -> None:
    """Write layers, variables and optimizer of a model as a SavedModel, with a signature of inputs and outputs.

    Raises:
      ValueError: it has no inputs yet.
    """
    if not model.inputs and signatures is None:
        raise ValueError(
            f"Model {model} cannot be saved because the input shapes have not been set. Usually, input shapes are "
            "automatically determined from calling .fit() or .predict(). To manually set the shapes, call "
            "model._set_inputs(inputs)."
        )
    saved = saved_form(model, include_optimizer)
    if executing_eagerly():
        save(saved, path, signatures)
        return
    with backend_state.get_session().as_default():
        save(saved, path, signatures)


def saved_form(model: Any, include_optimizer: bool = True) -> AutoTrackable:
    """A model as it stands in a SavedModel."""
    return _SavedRoot(model, include_optimizer)


def _described_model(described: Any) -> Any:
    """The model of the layers that a SavedModel tells of; None if it tells of none, or of what is not to be had here.

    Code in a description, of a ``Lambda``, is not run: the function that was saved is the same as a graph.
    """
    from retrograd.keras.layer_table import layer_of

    if not isinstance(described, dict) or "model_config" not in described or _has_code(described["model_config"]):
        return None
    try:
        model = layer_of(described["model_config"])
    except ValueError as error:
        if not str(error).startswith("Unknown layer"):
            raise
        log.warning("%s: its functions are called instead", error)
        return None
    if not model._is_graph_network:
        model._set_inputs(TensorSpec(model._build_input_shape, backend_state.floatx()))
    return model


def _has_code(config: Any) -> bool:
    """Whether a description has code of Python."""
    if isinstance(config, dict):
        return config.get("function_type") == "lambda" or any(map(_has_code, config.values()))
    return isinstance(config, list) and any(map(_has_code, config))


def _revived(graphs: Any, folder: str) -> Any:
    """The model whose layers call the functions that were saved.

    Raises:
      ValueError: the SavedModel was not written by Keras.
    """
    from retrograd.keras.revived_models import revived_model

    nodes = graphs[0].object_graph_def.nodes if graphs else ()
    if not nodes or not nodes[0].user_object.identifier.startswith("_tf_keras_"):
        error = ValueError(f"The SavedModel at {folder} does not say of which layers its model is made.")
        error.add_note("  Fix:   tf.saved_model.load_v2(folder), whose result has variables and can be called")
        raise error
    return revived_model(graphs[0], folder)


def load(path: Any, compile: bool = True) -> Any:
    """The layer or model of a SavedModel, of its description or else with the functions that were saved.

    Raises:
      ValueError: it was not written by Keras.
    """
    return read_saved_model(path, compile)


def read_saved_model(path: Any, compile_: bool) -> Any:
    """The model that a SavedModel describes.

    Raises:
      ValueError: it was not written by Keras.
    """
    folder = as_text(os.fspath(path))
    graphs = parse_saved_model(folder).meta_graphs
    text = (
        graphs[0].object_graph_def.nodes[0].user_object.metadata if graphs and graphs[0].object_graph_def.nodes else ""
    )
    try:
        described = json.loads(text) if text else {}
    except ValueError:
        described = {}
    model = _described_model(described)
    is_described = model is not None
    if model is None:
        model = _revived(graphs, folder)
    training = described.get("training_config") if compile_ else None
    if compile_ and training is None:
        log.warning("No training configuration found in save file: the model was *not* compiled. Compile it manually.")
    if training is not None:
        model.compile(
            optimizer=optimizers.deserialize(training["optimizer_config"]), loss=_named(training["loss"], losses),
            metrics=_named(training["metrics"], metrics),
            weighted_metrics=_named(training.get("weighted_metrics"), metrics),
            loss_weights=training["loss_weights"], sample_weight_mode=training["sample_weight_mode"],
        )  # fmt: skip
        if is_described:
            model._make_train_function()
    if not is_described:
        return model
    status = ObjectsInCheckpoint(_Read(model, training is not None), get_variables_path(folder))
    status.assert_nontrivial_match().expect_partial().run_restore_ops(
        None if executing_eagerly() else current_session()
    )
    if not executing_eagerly():
        status.become_initializers()
    return model
