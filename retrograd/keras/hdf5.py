"""Models in HDF5 files, as Keras writes them."""

from __future__ import annotations

import itertools
import json
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from retrograd.graph import log
from retrograd.graph.errors import taught
from retrograd.io.overwriting import AT_ONCE, cell_of, give, let_go, parts_of
from retrograd.keras import backend as K
from retrograd.keras import losses, metrics, optimizers
from retrograd.nn.keras.lookup import custom_objects
from retrograd.nn.layers.session import check_shapes, current_session, set_first_values

_OF_HDF5 = re.compile("nable to|Can't ")  # how the library begins to say what is wrong


def _h5py() -> Any:
    try:
        import h5py
    except ImportError:
        error = ImportError("`save_model` and `load_weights` with HDF5 files require h5py.")
        raise taught(error, fix='pip install h5py, or model.save_weights("path") without .h5') from None
    return h5py


def _legacy(layer: Any) -> list[Any]:
    """The variables in the order of the files: first those that are trained."""
    return [*layer.trainable_weights, *layer.non_trainable_weights]


def write_weights(path: Any, layers: list[Any]) -> None:
    """Write the variables of layers."""
    with _opened(path, "w") as file:
        _write_layers(file, layers)


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


def _write_layers(group: Any, layers: list[Any]) -> None:
    _write_names(group, "layer_names", [layer.name for layer in layers])
    group.attrs["backend"], group.attrs["keras_version"] = b"tensorflow", b"2.2.4-tf"
    for layer in layers:
        _write_variables(group.create_group(layer.name), _legacy(layer))


def _write_variables(group: Any, variables: list[Any]) -> None:
    values = K.batch_get_value(variables)
    _write_names(group, "weight_names", [v.name for v in variables])
    for variable, value in zip(variables, values, strict=True):
        group.create_dataset(variable.name, data=np.asarray(value))


_LARGEST_ATTRIBUTE = 64512  # bytes


def _write_names(group: Any, attribute: str, names: list[str]) -> None:
    """Write names as an attribute; in several, numbered from 0, where HDF5 does not take them as one.

    Raises:
      RuntimeError: one name alone is too long.
    """
    values = np.asarray([name.encode() for name in names])
    long = [name for name in names if len(name.encode()) > _LARGEST_ATTRIBUTE]
    if long:
        raise RuntimeError(
            f"The following attributes cannot be saved to HDF5 file because they are larger than {_LARGEST_ATTRIBUTE} "
            f"bytes: {', '.join(long)}"
        )
    count = 1
    while any(part.nbytes > _LARGEST_ATTRIBUTE for part in np.array_split(values, count)):
        count += 1
    for i, part in enumerate(np.array_split(values, count)):
        group.attrs[attribute if count == 1 else f"{attribute}{i}"] = part


def _read_names(group: Any, attribute: str) -> list[str]:
    if attribute in group.attrs:
        return [_text(name) for name in group.attrs[attribute]]
    names: list[str] = []
    for i in itertools.count():
        if f"{attribute}{i}" not in group.attrs:
            break
        names += [_text(name) for name in group.attrs[f"{attribute}{i}"]]
    return names


def _datasets(group: Any) -> list[Any]:
    """The variables of a group, of which nothing is read but the shapes."""
    return [group[name] for name in _read_names(group, "weight_names")]


def _read_variables(group: Any) -> list[np.ndarray]:
    return [np.asarray(dataset) for dataset in _datasets(group)]


def read_weights(path: Any, layers: list[Any], by_name: bool) -> None:
    """Read the variables of layers, in their order or by name."""
    with _opened(path, "r") as file:
        is_model = "model_weights" in file and not _read_names(file, "layer_names")
        group = file["model_weights"] if is_model else file
        _read_layers(group, layers, by_name)


def _read_layers(group: Any, layers: list[Any], by_name: bool) -> None:
    """Give variables the stored values.

    Raises:
      ValueError: there are other layers, or other variables in a layer.
    """
    stored = [(name, _datasets(group[name])) for name in _read_names(group, "layer_names")]
    stored = [(name, values) for name, values in stored if values]
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
    given: list[tuple[Any, Any]] = []
    for i, (layer, values) in enumerate(pairs):
        variables = _legacy(layer)
        if len(variables) != len(values):
            raise ValueError(
                f'Layer #{i} (named "{layer.name}" in the current model) expects {len(variables)} weights, but the '
                f"saved weights have {len(values)} elements."
            )
        given += zip(variables, values, strict=True)
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


def write_model(path: Any, model: Any, include_optimizer: bool) -> None:
    """Write layers, variables and how the model was compiled, with the variables of its optimizer."""
    from retrograd.keras.places import plain

    with _opened(path, "w") as file:
        config = {"class_name": type(model).__name__, "config": model.get_config()}
        file.attrs["model_config"] = json.dumps(config, default=plain).encode()
        file.attrs["keras_version"], file.attrs["backend"] = "2.2.4-tf", "tensorflow"
        _write_layers(file.create_group("model_weights"), model.layers)
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
        if model.optimizer.weights:
            _write_variables(file.create_group("optimizer_weights"), model.optimizer.weights)


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
        _read_layers(file["model_weights"], model.layers, False)
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
                model.optimizer.set_weights(_read_variables(file["optimizer_weights"]))
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
            return kind.from_config(value["config"]) if hasattr(kind, "from_config") else kind
        return module.deserialize(value)
    if isinstance(value, dict):
        return {key: _named(v, module) for key, v in value.items()}
    if isinstance(value, list):
        return [_named(v, module) for v in value]
    return custom_objects.get(value, value) if isinstance(value, str) else value


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)
