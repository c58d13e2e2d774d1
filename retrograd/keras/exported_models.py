"""``tf.keras.experimental.export_saved_model``: a SavedModel for serving, with the description of its layers beside it.

Source: TensorFlow 1.15.5, ``python/keras/saving/saved_model_experimental.py``: files, messages.
"""

from __future__ import annotations

import os
from typing import Any

from retrograd.graph.errors import NotFoundError
from retrograd.keras.filed_models import model_from_json
from retrograd.keras.models import Model
from retrograd.keras.saved_models import write_saved_model
from retrograd.keras.sequential import Sequential


def export_saved_model(
    model: Model,
    saved_model_path: Any,
    custom_objects: Any = None,
    as_text: bool = False,
    input_signature: Any = None,
    serving_only: bool = False,
) -> None:
    """Write a model for serving: its signature, its variables with those of its optimizer, and its layers as JSON.

    Args:
      saved_model_path: a folder that is new or empty.
      custom_objects: classes of layers by name; those of the model itself serve.
      serving_only: whether a subclass without a description may be written, too.

    Raises:
      AssertionError: there are files in the folder.
      NotImplementedError: a subclass, text, or another signature.
      ValueError: the model has no variables yet.
    """
    if as_text:
        raise NotImplementedError("SavedModels are written in binary form")
    if input_signature is not None:
        error = NotImplementedError("a signature of one's own")
        error.add_note("  Fix:   tf.saved_model.save(model, path, signatures=function.get_concrete_function(...))")
        raise error
    if isinstance(model, Sequential) and not model.built:
        raise ValueError(
            "Weights for sequential model have not yet been created. Weights are created when the Model is first "
            "called on inputs or `build()` is called with an `input_shape`, or the first layer in the model has "
            "`input_shape` during construction."
        )
    if not serving_only and not model._is_graph_network:
        raise NotImplementedError(
            "Subclassed models can only be exported for serving. Please set argument serving_only=True."
        )
    folder = os.fspath(saved_model_path)
    if not serving_only and os.path.isdir(folder) and os.listdir(folder):
        raise AssertionError(
            "Export directory already exists, and isn't empty. Please choose a different export directory, or delete "
            f"all the contents of the specified directory: {folder}"
        )
    write_saved_model(model, folder, include_optimizer=True)
    if model._is_graph_network:
        os.makedirs(os.path.dirname(_description(folder)), exist_ok=True)
        with open(_description(folder), "w", encoding="utf-8") as file:
            file.write(model.to_json())


def load_from_saved_model(saved_model_path: Any, custom_objects: Any = None) -> Model:
    """The model of a folder that ``export_saved_model`` wrote, with its variables; it is not compiled.

    Raises:
      NotFoundError: there is no description.
    """
    folder = os.fspath(saved_model_path)
    path = _description(folder)
    if not os.path.exists(path):
        raise NotFoundError(None, None, f"{path}; No such file or directory")
    with open(path, encoding="utf-8") as file:
        model = model_from_json(file.read(), custom_objects)
    model.load_weights(os.path.join(folder, "variables", "variables"))
    return model  # type: ignore[no-any-return]


def _description(folder: str) -> str:
    return os.path.join(folder, "assets", "saved_model.json")
