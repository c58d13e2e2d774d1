"""Models in HDF5 files, as Keras writes them; needs the package h5py."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from retrograd.graph.errors import taught
from retrograd.keras import backend as K


def _h5py() -> Any:
    try:
        import h5py
    except ImportError:
        error = ImportError("`save_model` and `load_weights` with HDF5 files require h5py.")
        raise taught(error, fix='pip install h5py, or model.save_weights("path") without .h5') from None
    return h5py


def write_weights(path: str, layers: list[Any]) -> None:
    """Write the variables of layers."""
    with _h5py().File(path, "w") as file:
        _write_layers(file, layers)


def _write_layers(group: Any, layers: list[Any]) -> None:
    group.attrs["layer_names"] = [layer.name.encode() for layer in layers]
    group.attrs["backend"] = b"tensorflow"
    group.attrs["keras_version"] = b"2.2.4-tf"
    for layer in layers:
        own = group.create_group(layer.name)
        values = K.batch_get_value(layer.weights)
        own.attrs["weight_names"] = [v.name.encode() for v in layer.weights]
        for variable, value in zip(layer.weights, values, strict=True):
            own.create_dataset(variable.name, data=np.asarray(value))


def read_weights(path: str, layers: list[Any], by_name: bool) -> None:
    """Read the variables of layers, in their order or by name."""
    with _h5py().File(path, "r") as file:
        group = file["model_weights"] if "model_weights" in file and "layer_names" not in file.attrs else file
        _read_layers(group, layers, by_name)


def _read_layers(group: Any, layers: list[Any], by_name: bool) -> None:
    names = [n.decode() if isinstance(n, bytes) else n for n in group.attrs["layer_names"]]
    stored = []
    for name in names:
        keys = [n.decode() if isinstance(n, bytes) else n for n in group[name].attrs["weight_names"]]
        if keys:
            stored.append((name, [np.asarray(group[name][key]) for key in keys]))
    if by_name:
        of_name = {layer.name: layer for layer in layers}
        pairs = [(of_name[name], values) for name, values in stored if name in of_name]
    else:
        own = [layer for layer in layers if layer.weights]
        if len(own) != len(stored):
            raise ValueError(
                f"You are trying to load a weight file containing {len(stored)} layers into a model with {len(own)} "
                "layers."
            )
        pairs = list(zip(own, [values for _, values in stored], strict=True))
    K.batch_set_value([
        pair for layer, values in pairs for pair in zip(layer.weights, values, strict=True)
    ])  # fmt: skip


def write_model(path: str, model: Any, include_optimizer: bool) -> None:
    """Write layers, variables and how the model was compiled."""
    from retrograd.keras import losses, optimizers
    from retrograd.keras.models import _plain

    with _h5py().File(path, "w") as file:
        config = {"class_name": type(model).__name__, "config": model.get_config()}
        file.attrs["model_config"] = json.dumps(config, default=_plain).encode()
        file.attrs["keras_version"], file.attrs["backend"] = b"2.2.4-tf", b"tensorflow"
        _write_layers(file.create_group("model_weights"), model.layers)
        if include_optimizer and model.optimizer is not None:
            training = {
                "optimizer_config": optimizers.serialize(model.optimizer),
                "loss": model.loss if isinstance(model.loss, str | dict | list) else losses.serialize(model.loss),
                "metrics": model._compile_metrics, "weighted_metrics": model._weighted_metrics,
                "sample_weight_mode": model.sample_weight_mode, "loss_weights": model.loss_weights,
            }  # fmt: skip
            file.attrs["training_config"] = json.dumps(training, default=_plain).encode()


def read_model(path: str, custom_objects: Any, compile_: bool) -> Any:
    """The model that ``write_model`` wrote."""
    from retrograd.keras import optimizers
    from retrograd.keras.layer_table import layer_of

    with _h5py().File(path, "r") as file:
        config = json.loads(_text(file.attrs["model_config"]))
        model = layer_of(config, custom_objects)
        _read_layers(file["model_weights"], model.layers, False)
        if compile_ and "training_config" in file.attrs:
            training = json.loads(_text(file.attrs["training_config"]))
            model.compile(
                optimizer=optimizers.deserialize(training["optimizer_config"], custom_objects), loss=training["loss"],
                metrics=training["metrics"], loss_weights=training["loss_weights"],
            )  # fmt: skip
    return model


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else value
