"""Each public name is what it is in TensorFlow 1.15.5: class, function, module or constant, with its arguments."""

from __future__ import annotations

import gzip
import importlib
import inspect
import json
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from retrograd import tf

RECORD = json.loads(gzip.decompress((Path(__file__).parent / "golden" / "public.json.gz").read_bytes()))
ONE_FOR_BOTH = "one function serves tf.lookup and tf.contrib.lookup; it takes the keywords of both"
OF_OUR_RECORD = "it is built from our op record, whose attributes stand in an order of their own"
OTHER_KIND = {
    "AUTO_REUSE": "a constant of our own class",
    "_default_graph_stack": "a stack of our own class",
    "_default_session_stack": "a stack of our own class",
    "_gradient_registry": "a registry of our own class",
    "_pure_variable_scope": "used as `with` alone",
    "TF_VALUE_DTYPES": "nothing adds to it",
    "tf_export": "a class there is called in the same way",
}
OTHER_ARGUMENTS = {
    "Variable": "a metaclass takes the arguments",
    "Operation": "an operation is built by a graph, from our op record",
    "data.Iterator": "the datasets alone make iterators",
    "compat.v2.data.Dataset": "its variant comes with the specs of the elements",
    "compat.v2.keras.estimator.model_to_estimator": "estimators write the checkpoints of tf.train.Saver",
    "contrib.learn.RunConfig": "0 seconds stand for 600 there",
    "contrib.labeled_tensor.AxisOrderError": "an exception",
    "contrib.learn.NotFittedError": "an exception",
    **dict.fromkeys(
        [
            "contrib.lookup.HashTable",
            "contrib.lookup.MutableDenseHashTable",
            "contrib.lookup.MutableHashTable",
            "contrib.lookup.index_table_from_tensor",
            "contrib.lookup.index_to_string_table_from_tensor",
            "contrib.lookup.string_to_index_table_from_file",
            "contrib.lookup.string_to_index_table_from_tensor",
        ],
        ONE_FOR_BOTH,
    ),
    **dict.fromkeys(
        ["data.experimental.SparseTensorStructure", "data.experimental.TensorStructure"],
        "they are the specs, which begin with the shape",
    ),
}


def public() -> Iterator[tuple[str, str, list[Any], Any]]:
    """Module, name, what TensorFlow has there, what the face has."""
    for path, names in RECORD["names"].items():
        try:
            module = importlib.import_module(f"retrograd.tf.{path}".rstrip("."))
        except ImportError:
            continue
        for name, place in names.items():
            if hasattr(module, name):
                yield path, name, RECORD["what"][place], getattr(module, name)


def kind_of(value: Any) -> str:
    if isinstance(value, ModuleType):
        return "module"
    if inspect.isclass(value):
        return "proto" if hasattr(value, "DESCRIPTOR") else "class"
    return "function" if callable(value) else "constant"


def is_plain(value: Any) -> bool:
    if isinstance(value, tuple | list):
        return all(map(is_plain, value))
    return value is None or isinstance(value, bool | int | float | str | bytes)


def arguments_of(value: Any) -> list[tuple[str, str | None]] | None:
    """The arguments that may stand at a place, with their defaults, ``?`` for one that is no plain value."""
    places = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.POSITIONAL_ONLY)
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return None
    if any(p.kind is p.VAR_POSITIONAL for p in signature.parameters.values()):
        return None
    return [
        (p.name, None if p.default is p.empty else repr(p.default) if is_plain(p.default) else "?")
        for p in signature.parameters.values()
        if p.kind in places
    ]


def places_of(words: list[str] | None) -> list[tuple[str, str | None]] | None:
    """The recorded arguments in the same form."""
    if words is None or words[:1] == ["self"]:
        return None
    found = []
    for word in words:
        if word.startswith("*"):
            break
        name, is_given, default = word.partition("=")
        found.append((name, default if is_given else None))
    return found


def difference(theirs: list[tuple[str, str | None]], ours: list[tuple[str, str | None]]) -> str:
    """What a caller would meet; more arguments may follow."""
    for i, (name, default) in enumerate(theirs):
        if i >= len(ours) or ours[i][0] != name:
            return f"{name} is {ours[i][0] if i < len(ours) else 'missing'}"
        if default not in (None, "?") and ours[i][1] != default:
            return f"{name}={default} is {ours[i][1]}"
    return ""


def is_inner(path: str, name: str) -> bool:
    return path.split(".")[0] == "python" or name.startswith("_")


def test_kinds() -> None:
    """A name that leads to a namesake of another kind is found here."""
    wrong, compared = [], 0
    for path, name, (kind, *rest), value in public():
        compared += 1
        place = f"{path}.{name}".lstrip(".")
        if name in OTHER_KIND:
            continue
        if kind_of(value) != kind:
            wrong.append(f"{place}: {kind} is {kind_of(value)}")
        elif kind == "constant" and rest[0] != type(value).__name__:
            wrong.append(f"{place}: {rest[0]} is {type(value).__name__}")
        elif kind == "constant" and rest[1] not in (None, repr(value)):
            wrong.append(f"{place}: {rest[1]} is {value!r}")
    assert not wrong
    assert compared > 13000


def test_arguments() -> None:
    """Order, names and defaults."""
    wrong, compared = [], 0
    for path, name, (kind, *rest), value in public():
        place = f"{path}.{name}".lstrip(".")
        if kind not in ("class", "function") or is_inner(path, name) or place in OTHER_ARGUMENTS:
            continue
        theirs = places_of(rest[0])
        ours = arguments_of(value) if theirs else None
        if theirs and ours is not None:
            compared += 1
            if said := difference(theirs, ours):
                wrong.append(f"{place}: {said}")
    assert not wrong
    assert compared > 3500


def test_methods() -> None:
    """The same of the methods that both have."""
    wrong, compared, seen = [], 0, set()
    for path, name, (kind, *rest), value in public():
        if kind != "class" or is_inner(path, name) or not inspect.isclass(value):
            continue
        for method, (what, *words) in rest[1].items():
            if what != "method" or method.startswith("__") or method in OTHER_METHODS or not hasattr(value, method):
                continue
            raw = inspect.getattr_static(value, method)
            place = f"{value.__module__}.{value.__name__}.{method}"
            theirs = places_of(words[0])
            if theirs is None or place in seen or not callable(getattr(raw, "__func__", raw)):
                continue
            ours = arguments_of(getattr(raw, "__func__", raw))
            if ours is None:
                continue
            seen.add(place)
            compared += 1
            if said := difference(theirs, ours if isinstance(raw, staticmethod) else ours[1:]):
                wrong.append(f"{path}.{name}.{method}: {said}")
    assert not wrong
    assert compared > 5000


OTHER_METHODS = {
    "build": "layers of feature columns name an argument that they do not use",
    "export_savedmodel": "of the older estimators: rewriting a graph is for tf.contrib.tpu",
    "from_config": "wrappers of cells take no objects of the user",
    "get_losses_for": "of a cuDNN layer",
    "call": "of a layer that passes on what it is given",
    "compute_gradients": "of an optimizer around another, which passes on what it is given",
}


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("keras.applications.densenet.DenseNet121", "include_top weights input_tensor input_shape pooling classes"),
        ("keras.applications.densenet.decode_predictions", "preds top"),
        ("keras.applications.xception.preprocess_input", "x data_format"),
    ],
)
def test_the_second_version_has_the_applications_of_the_first(name: str, arguments: str) -> None:
    """In TensorFlow all are wrappers, which have one name; each leads to its own."""
    value: Any = importlib.import_module("retrograd.tf.compat.v2")
    first: Any = tf
    for part in name.split("."):
        value, first = getattr(value, part), getattr(first, part)
    assert value is first
    assert list(inspect.signature(value).parameters)[: len(arguments.split())] == arguments.split()


@pytest.mark.parametrize("name", ["rfft", "rfft2d", "rfft3d", "irfft", "irfft2d", "irfft3d"])
def test_the_second_version_has_each_transform(name: str) -> None:
    second = importlib.import_module("retrograd.tf.compat.v2")
    assert getattr(second.signal, name) is getattr(tf.signal, name)


def test_the_second_version_of_callbacks() -> None:
    second = importlib.import_module("retrograd.tf.compat.v2")
    assert second.keras.callbacks.History is tf.keras.callbacks.History
    assert second.keras.regularizers.Regularizer is tf.keras.regularizers.Regularizer
