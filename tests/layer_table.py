"""Rows of layers, cells, losses and metrics: their form, what is measured of one, and which of them a row runs."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import Any

import numpy as np
from function_table import code_of

from retrograd import tf

MADE = "layers that a row made"
FEW = 16  # elements of an array that are recorded one by one
STEPS = 3  # runs of what a row updates, each on a batch of its own
ACTS = {"__call__", "apply", "call", "initialize", "initial_state", "next_inputs", "result", "sample", "step"}


@dataclass(frozen=True)
class LayerRow:
    """How to build layers, cells, losses or metrics, and on what: the first batch of arrays."""

    name: str  # what it is about, and a word that tells it from others
    build: Callable[..., Any]  # tensors -> tensors in any structure
    inputs: tuple[Any, ...] = ()
    slopes: bool = True  # whether what comes out is differentiated
    rounding: float = 2e-5

    def __str__(self) -> str:
        return self.name


def kept(layer: Any) -> Any:
    """``layer``, of which variables, losses, updates and configuration are recorded."""
    tf.add_to_collection(MADE, layer)
    return layer


def used(layer: Any, *args: Any, **kwargs: Any) -> list[Any]:
    """What a layer gives and its losses; it is updated after each batch."""
    y = kept(layer)(*args, **kwargs)
    for update in getattr(layer, "updates", []):
        tf.add_to_collection("update_ops", update)
    return [y, *getattr(layer, "losses", [])]


def updated(metric: Any) -> Any:
    """The value of a metric of ``tf.metrics``, which is updated after each batch."""
    value, update = metric
    tf.add_to_collection("update_ops", update)
    return value


def counted(metric: Any, *args: Any, **kwargs: Any) -> Any:
    """The result of a metric of Keras, which is updated after each batch."""
    tf.add_to_collection("update_ops", kept(metric).update_state(*args, **kwargs))
    return metric.result()


def measured(row: LayerRow) -> dict[str, Any]:
    """What is built, the values of three batches before and after the updates of each, the gradients."""
    with tf.Graph().as_default() as graph:
        tf.set_random_seed(5)
        np.random.seed(5)
        xs = [tf.placeholder(np.asarray(a).dtype, np.shape(a)) for a in row.inputs]
        ys, updates = _flat(row.build(*xs)), graph.get_collection("update_ops")
        variables = _variables(graph)
        found = {
            "outputs": [[y.name, y.dtype.name, _sizes(y)] for y in ys],
            "collections": {
                key: [getattr(v, "name", type(v).__name__) for v in graph.get_collection(key)]
                for key in graph.collections
                if isinstance(key, str) and key != MADE and not key.endswith("_context") and graph.get_collection(key)
            },
            "variables": [[v.name, v.dtype.base_dtype.name, _sizes(v), bool(v.trainable)] for v in variables],
            "layers": [_layer(layer) for layer in graph.get_collection(MADE)],
        }
        weights = [v for v in graph.get_collection("trainable_variables") if v.dtype.is_floating]
        found["slopes"] = slopes = []
        moving = [y for y in ys if y.dtype.is_floating and row.slopes]
        if moving:
            along = [x for x in [*xs, *weights] if x.dtype.is_floating]
            slopes += [_dense(d) for d in tf.gradients(moving, along, [_swing(y) for y in moving])]
        first = [*[v.initializer for v in variables], tf.tables_initializer()]
        with tf.Session() as sess:
            sess.run(first)
            found["values"] = values = []
            for step in range(STEPS):
                feeds = dict(zip(xs, [_batch(a, i, step) for i, a in enumerate(row.inputs)]))  # noqa: B905
                values.append([plain(v) for v in sess.run(ys, feeds)])
                if step == 0:
                    held = [d for d in slopes if d is not None]
                    of = iter([plain(v) for v in sess.run(held, feeds)])
                    found["slopes"] = [d if d is None else next(of) for d in slopes]
                sess.run(updates, feeds)
            values.append([plain(v) for v in sess.run(ys, feeds)])
    return found


def _sizes(x: Any) -> Any:
    return None if x.shape.ndims is None else x.shape.as_list()


def _variables(graph: Any) -> list[Any]:
    """The graph's, and those of the layers: metrics of Keras are in no collection."""
    found = [*graph.get_collection("variables"), *graph.get_collection("local_variables")]
    for layer in graph.get_collection(MADE):
        found += [v for v in getattr(layer, "weights", []) if hasattr(v, "trainable")]
    return list({v.name: v for v in found}.values())


def _batch(array: Any, place: int, step: int) -> np.ndarray:
    """The numbers of the first batch in another order, another one for each input."""
    array = np.asarray(array)
    return np.roll(array.ravel(), step * (place + 1)).reshape(array.shape)


def plain(value: Any) -> Any:
    """Shape and numbers to eight digits; of many the first, and two sums of all."""
    array = np.asarray(value)
    if array.dtype.kind not in "fiub":
        return [list(array.shape), [0.0]]
    numbers = array.astype(np.float64).ravel()
    if len(numbers) > FEW:
        swings = [np.cos(np.arange(len(numbers)) * pace) for pace in (1.0, 0.1)]
        numbers = np.concatenate([numbers[:FEW], [swing @ numbers / np.sqrt(len(numbers)) for swing in swings]])
    return [list(array.shape), [float(f"{v:.8g}") for v in numbers]]


def _flat(ys: Any) -> list[Any]:
    return [part for y in tf.contrib.framework.nest.flatten(ys) for part in _parts(y) if part is not None]


def _parts(y: Any) -> list[Any]:
    """A tensor, or the tensors that a sparse or a ragged one is made of."""
    if hasattr(y, "dense_shape"):
        return [y.indices, y.values, y.dense_shape]
    return [y.values, *y.nested_row_splits] if hasattr(y, "nested_row_splits") else [y]


def _swing(y: Any) -> Any:
    """Weights of the elements of ``y``, none like the other."""
    count = tf.cast(tf.size(y), tf.float32)
    return tf.cast(tf.reshape(tf.cos(tf.range(count)), tf.shape(y)), y.dtype)


def _dense(slope: Any) -> Any:
    return slope if slope is None else tf.convert_to_tensor(slope)


def _layer(layer: Any) -> dict[str, Any]:
    found = {"name": layer.name if hasattr(layer, "_name") else None}
    for kind in ("trainable_weights", "non_trainable_weights", "losses", "updates"):
        found[kind] = [v.name for v in getattr(layer, kind, [])]
    if hasattr(layer, "get_config"):
        try:  # a layer may say that it has none
            found["config"] = _words(layer.get_config())
        except (AttributeError, NotImplementedError) as error:
            found["config"] = str(error)
    return found


def _words(value: Any) -> Any:
    """A configuration in words that hold in every version of Python."""
    if isinstance(value, np.ndarray):
        return _words(value.tolist())
    if isinstance(value, dict) and isinstance(value.get("function"), tuple):  # the bytes of a function
        return {str(k): _words(v) for k, v in value.items() if k != "function"}
    if isinstance(value, dict):
        return {str(k): _words(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_words(v) for v in value]
    if isinstance(value, (bool, int, str)) or value is None:
        return value
    return float(f"{value:.6g}") if isinstance(value, (float, np.floating)) else type(value).__name__


class Runs:
    """Which of some functions and classes do their work while they are watched."""

    def __init__(self, functions: set[CodeType], classes: set[type]) -> None:
        self.functions, self.classes = functions, classes
        self.seen: set[Any] = set()

    @contextmanager
    def watching(self) -> Iterator[None]:
        sys.setprofile(self._event)
        try:
            yield
        finally:
            sys.setprofile(None)

    def _event(self, frame: FrameType, event: str, _: Any) -> None:
        if event != "call":
            return
        code = frame.f_code
        if code in self.functions:
            self.seen.add(code)
        if code.co_name in ACTS and code.co_argcount:
            kind = type(frame.f_locals.get(code.co_varnames[0]))
            if kind in self.classes:
                self.seen.add(kind)


def mark_of(value: Any) -> Any:
    """What tells that a public function or class does its work: a code, or the class."""
    return value if inspect.isclass(value) else code_of(value)
