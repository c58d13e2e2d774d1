"""Models in HDF5 files, as Keras writes them."""

from __future__ import annotations

import itertools
import json
import os
import re
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from retrograd.graph import log
from retrograd.graph.errors import taught
from retrograd.io.overwriting import AT_ONCE, cell_of, give, let_go, parts_of
from retrograd.keras import backend as K
from retrograd.keras import losses, metrics, optimizers
from retrograd.keras.weights_of_files import legacy_weights, preprocess_weights_for_loading
from retrograd.nn.keras.lookup import custom_object_scope, custom_objects
from retrograd.nn.layers.session import check_shapes, current_session, set_first_values

_OF_HDF5 = re.compile("nable to|Can't ")  # how the library begins to say what is wrong


def _h5py() -> Any:
    try:
        import h5py
    except ImportError:
        error = ImportError("`save_model` and `load_weights` with HDF5 files require h5py.")
        raise taught(error, fix='pip install h5py, or model.save_weights("path") without .h5') from None
    return h5py


def write_weights(path: Any, layers: list[Any]) -> None:
    """Write the variables of layers."""
    with _opened(path, "w") as file:
        save_weights_to_hdf5_group(file, layers)


@contextmanager
def _opened(path: Any, mode: str) -> Iterator[Any]:
    """A file that is read, or one that takes its place when it is whole.

    Raises:
      OSError: there is no such file, or it is damaged, or it cannot be written.
    """
    if not isinstance(path, str | os.PathLike):  # a file or a group that is open
        yield path
        return
    name = os.fspath(path)
    opened = f"{name}.tempstate{secrets.randbits(63)}" if mode == "w" else name
    try:
        with _h5py().File(opened, mode) as file:
            yield file
        if mode == "w":
            os.replace(opened, name)
    except (KeyError, OSError, RuntimeError) as error:
        if isinstance(error, FileNotFoundError) or not _OF_HDF5.search(str(error)):
            raise
        what = "cannot be written" if mode == "w" else "is damaged"
        raise OSError(f"{name} {what}: {error}") from error
    finally:
        if mode == "w" and os.path.exists(opened):
            os.unlink(opened)


def save_weights_to_hdf5_group(f: Any, layers: list[Any]) -> None:
    """Write the variables of layers into an open file or a group of it, each layer's into a group of its name."""
    save_attributes_to_hdf5_group(f, "layer_names", [layer.name for layer in layers])
    f.attrs["backend"], f.attrs["keras_version"] = b"tensorflow", b"2.2.4-tf"
    for layer in layers:
        write_variables(f.create_group(layer.name), legacy_weights(layer))


def save_optimizer_weights_to_hdf5_group(hdf5_group: Any, optimizer: Any) -> None:
    """Write the variables of an optimizer, if it has any, into the group ``optimizer_weights``."""
    if optimizer.weights:
        write_variables(hdf5_group.create_group("optimizer_weights"), optimizer.weights)


def load_optimizer_weights_from_hdf5_group(hdf5_group: Any) -> list[np.ndarray]:
    """The values that ``save_optimizer_weights_to_hdf5_group`` wrote."""
    return [np.asarray(dataset) for dataset in _datasets(hdf5_group["optimizer_weights"])]


def write_variables(group: Any, variables: list[Any]) -> None:
    values = K.batch_get_value(variables)
    save_attributes_to_hdf5_group(group, "weight_names", [v.name for v in variables])
    for variable, value in zip(variables, values, strict=True):
        group.create_dataset(variable.name, data=np.asarray(value))


_LARGEST_ATTRIBUTE = 64512  # bytes


def save_attributes_to_hdf5_group(group: Any, name: str, data: Sequence[str | bytes]) -> None:
    """Write the names ``data`` as an attribute; in several, numbered from 0, where HDF5 does not take them as one.

    Raises:
      RuntimeError: one name alone is too long.
    """
    values = np.asarray([word.encode() if isinstance(word, str) else word for word in data])
    long = [_text(word) for word in values.tolist() if len(word) > _LARGEST_ATTRIBUTE]
    if long:
        raise RuntimeError(
            f"The following attributes cannot be saved to HDF5 file because they are larger than {_LARGEST_ATTRIBUTE} "
            f"bytes: {', '.join(long)}"
        )
    count = 1
    while any(part.nbytes > _LARGEST_ATTRIBUTE for part in np.array_split(values, count)):
        count += 1
    for i, part in enumerate(np.array_split(values, count)):
        group.attrs[name if count == 1 else f"{name}{i}"] = part


def load_attributes_from_hdf5_group(group: Any, name: str) -> list[str]:
    """The names in an attribute, or in several numbered from 0; none if there is no such attribute."""
    if name in group.attrs:
        return [_text(word) for word in group.attrs[name]]
    words: list[str] = []
    for i in itertools.count():
        if f"{name}{i}" not in group.attrs:
            break
        words += [_text(word) for word in group.attrs[f"{name}{i}"]]
    return words


def _datasets(group: Any) -> list[Any]:
    """The variables of a group, of which nothing is read but the shapes."""
    return [group[name] for name in load_attributes_from_hdf5_group(group, "weight_names")]


def read_weights(path: Any, layers: list[Any], by_name: bool) -> None:
    """Read the variables of layers, in their order or by name."""
    with _opened(path, "r") as file:
        is_model = "model_weights" in file and not load_attributes_from_hdf5_group(file, "layer_names")
        group = file["model_weights"] if is_model else file
        read_layers(group, layers, by_name)


def load_weights_from_hdf5_group(f: Any, layers: list[Any]) -> None:
    """Read the variables of layers from an open file or a group of it, in their order.

    Raises:
      ValueError: there are other layers, or other variables in a layer.
    """
    read_layers(f, layers, False)


def load_weights_from_hdf5_group_by_name(f: Any, layers: list[Any]) -> None:
    """Read the variables of the layers whose names the file or group has.

    Raises:
      ValueError: one of them has other variables.
    """
    read_layers(f, layers, True)


def read_layers(group: Any, layers: list[Any], by_name: bool) -> None:
    """Give variables the stored values.

    Raises:
      ValueError: there are other layers, or other variables in a layer.
    """
    stored = [(name, _datasets(group[name])) for name in load_attributes_from_hdf5_group(group, "layer_names")]
    if by_name:
        of_name = {layer.name: layer for layer in layers}
        found = [(i, name, of_name[name], values) for i, (name, values) in enumerate(stored) if name in of_name]
        placed = [each for each in found if each[-1]]
    else:
        stored = [(name, values) for name, values in stored if values]
        own = [layer for layer in layers if layer.weights]
        if len(own) != len(stored):
            raise ValueError(
                f"You are trying to load a weight file containing {len(stored)} layers into a model with {len(own)} "
                "layers."
            )
        placed = [(i, name, layer, values) for i, (layer, (name, values)) in enumerate(zip(own, stored, strict=True))]
    version, backend = (_text(group.attrs[key]) if key in group.attrs else None for key in ("keras_version", "backend"))
    version = version or "1"
    given: list[tuple[Any, Any]] = []
    for i, name, layer, values in placed:
        variables = legacy_weights(layer)
        values = preprocess_weights_for_loading(layer, values, version, backend)
        which = f'Layer #{i} (named "{layer.name}"'
        if len(variables) != len(values):
            raise ValueError(
                f"{which}) expects {len(variables)} weight(s), but the saved weights have {len(values)} element(s)."
                if by_name
                else f"{which} in the current model) was found to correspond to layer {name} in the save file. However "
                f"the new layer {layer.name} expects {len(variables)} weights, but the saved weights have "
                f"{len(values)} elements."
            )
        for variable, value in zip(variables, values, strict=True):
            shape = tuple(variable.shape.as_list())
            if by_name and shape != tuple(value.shape):
                raise ValueError(
                    f"{which}), weight {variable} has shape {shape}, but the saved weight has shape {value.shape}."
                )
            given.append((variable, value))
    check_shapes(given)
    small = [(variable, dataset) for variable, dataset in given if dataset.nbytes < AT_ONCE]
    large = [pair for pair in given if pair[1].nbytes >= AT_ONCE]
    for _, dataset in large:  # what cannot be read is told before anything changes
        _look_through(dataset)
    for part in parts_of(small, lambda pair: pair[1].nbytes):
        set_first_values([(variable, np.asarray(dataset)) for variable, dataset in part])
    for variable, dataset in large:
        cell = cell_of(variable, current_session)
        let_go([cell])
        give(cell, np.asarray(dataset, variable.dtype.base_dtype.as_numpy_dtype))


def _look_through(dataset: Any) -> None:
    """Read all of a value, and keep nothing of it."""
    for i in range(len(dataset)):
        dataset[i]


def save_model_to_hdf5(model: Any, filepath: Any, overwrite: bool = True, include_optimizer: bool = True) -> None:
    """Write layers, variables and how the model was compiled, as ``model.save`` does."""
    model.save(filepath, overwrite, include_optimizer, "h5")


def load_model_from_hdf5(filepath: Any, custom_objects: Any = None, compile: bool = True) -> Any:
    """The model of a file, or of one that is open.

    Raises:
      ValueError: the file holds variables alone.
    """
    with custom_object_scope(custom_objects):
        return read_model(filepath, compile)


def write_model(path: Any, model: Any, include_optimizer: bool) -> None:
    """Write layers, variables and how the model was compiled, with the variables of its optimizer."""
    from retrograd.keras.places import plain

    with _opened(path, "w") as file:
        config = {"class_name": type(model).__name__, "config": model.get_config()}
        file.attrs["model_config"] = json.dumps(config, default=plain).encode()
        file.attrs["keras_version"], file.attrs["backend"] = "2.2.4-tf", "tensorflow"
        save_weights_to_hdf5_group(file.create_group("model_weights"), model.layers)
        if not include_optimizer or model.optimizer is None:
            return
        if isinstance(model.optimizer, optimizers.TFOptimizer):
            log.warning(
                "TensorFlow optimizers do not make it possible to access optimizer attributes or optimizer state after "
                "instantiation. As a result, we cannot save the optimizer as part of the model save file. You will "
                "have to compile your model again after loading it. Prefer using a Keras optimizer instead "
                "(see keras.io/optimizers)."
            )
            return
        training = {
            "loss": model.loss, "metrics": model._compile_metrics, "weighted_metrics": model._weighted_metrics,
            "sample_weight_mode": model.sample_weight_mode, "loss_weights": model.loss_weights,
            "optimizer_config": optimizers.serialize(model.optimizer),
        }  # fmt: skip
        file.attrs["training_config"] = json.dumps(training, default=plain).encode()
        save_optimizer_weights_to_hdf5_group(file, model.optimizer)


def is_hdf5(path: Any) -> bool:
    """Whether it is a file of HDF5, by its content, or an open one."""
    import h5py

    return not isinstance(path, str | os.PathLike) or bool(h5py.is_hdf5(path))


def read_model(path: Any, compile_: bool) -> Any:
    """The model that ``write_model`` wrote.

    Raises:
      ValueError: the file holds variables alone.
    """
    from retrograd.keras.layer_table import layer_of

    with _opened(path, "r") as file:
        if "model_config" not in file.attrs:
            raise taught(ValueError("No model found in config file."), fix="model.load_weights(...) on a model like it")
        model = layer_of(json.loads(_text(file.attrs["model_config"])))
        read_layers(file["model_weights"], model.layers, False)
        if not compile_:
            return model
        if "training_config" not in file.attrs:
            log.warning(
                "No training configuration found in save file: the model was *not* compiled. Compile it manually."
            )
            return model
        training = json.loads(_text(file.attrs["training_config"]))
        model.compile(
            optimizer=optimizers.deserialize(training["optimizer_config"]), loss=_named(training["loss"], losses),
            metrics=_named(training["metrics"], metrics),
            weighted_metrics=_named(training.get("weighted_metrics"), metrics),
            loss_weights=training["loss_weights"], sample_weight_mode=training["sample_weight_mode"],
        )  # fmt: skip
        if "optimizer_weights" in file and not model.inputs:
            log.warning(
                "Sequential models without an `input_shape` passed to the first layer cannot reload their optimizer "
                "state. As a result, your model isstarting with a freshly initialized optimizer."
            )
        elif "optimizer_weights" in file:
            model._make_train_function()
            try:
                model.optimizer.set_weights(load_optimizer_weights_from_hdf5_group(file))
            except ValueError:
                log.warning(
                    "Error in loading the saved optimizer state. As a result, your model is starting with a freshly "
                    "initialized optimizer."
                )
    return model


def _named(value: Any, module: Any) -> Any:
    """Losses or metrics of a configuration; an object of the user's by its name."""
    if isinstance(value, dict) and "class_name" in value:
        kind = custom_objects.get(value["class_name"])
        if kind is not None:
            if hasattr(kind, "from_config"):
                return kind.from_config(value["config"])
            return kind(**value["config"]) if isinstance(kind, type) else kind
        return module.deserialize(value)
    if isinstance(value, dict):
        return {key: _named(v, module) for key, v in value.items()}
    if isinstance(value, list):
        return [_named(v, module) for v in value]
    return custom_objects.get(value, value) if isinstance(value, str) else value


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)
