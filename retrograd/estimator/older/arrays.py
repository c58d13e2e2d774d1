"""Arrays and serialized examples as the input of ``tf.contrib.learn``'s estimators.

Source: TensorFlow 1.15.5, ``contrib/learn/python/learn``: order and batches of arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from retrograd.estimator.receivers import build_parsing_serving_input_receiver_fn
from retrograd.graph import errors, log
from retrograd.ops import constants
from retrograd.sessions.hooks import FeedFnHook, SessionRunHook


class ArrayInput:
    """Batches of arrays: fed to placeholders, shuffled anew in each epoch by the same numbers as TensorFlow's."""

    def __init__(self, x: Any, y: Any, batch_size: int | None, shuffle: bool, epochs: int | None) -> None:
        self.x, self.y = _fed(x), None if y is None else _fed(y)
        self.count = len(_first(self.x))
        self.batch_size = batch_size or self.count
        self.shuffle, self.epochs = shuffle, epochs
        self.random = np.random.RandomState(42)

    def tensors(self) -> tuple[Any, Any]:
        """The placeholders."""
        self.places = _placeholders(self.x, "input")
        self.targets = None if self.y is None else _placeholders(self.y, "output")
        self.frames = self._frames()
        return self.places, self.targets

    def _order(self) -> Any:
        return self.random.permutation(self.count) if self.shuffle else np.arange(self.count)

    def _frames(self) -> Iterator[dict[Any, Any]]:
        epoch = 0
        while self.epochs is None or epoch < self.epochs:
            order = self._order()
            for begin in range(0, self.count, self.batch_size):
                rows = order[begin : begin + self.batch_size]
                frame = {place: array[rows] for place, array in _pairs(self.places, self.x)}
                if self.targets is not None:
                    frame.update((place, array[rows]) for place, array in _pairs(self.targets, self.y))
                yield frame
            epoch += 1

    def feed(self) -> dict[Any, Any]:
        """The next batch.

        Raises:
          OutOfRangeError: the epochs are over.
        """
        frame = next(self.frames, None)
        if frame is None:
            raise errors.OutOfRangeError(None, None, f"Already emitted {self.epochs} epochs.")
        return frame


def _fed(x: Any) -> Any:
    """Arrays of data frames, lists and dictionaries."""
    if isinstance(x, Mapping):
        return {key: _fed(value) for key, value in x.items()}
    array = np.asarray(x.values if hasattr(x, "iloc") else x)
    if array.dtype == np.float64:
        log.warning("float64 is not supported by many models, consider casting to float32.")
    return array


def _first(x: Any) -> Any:
    return next(iter(x.values())) if isinstance(x, dict) else x


def _placeholders(x: Any, name: str) -> Any:
    if isinstance(x, dict):
        return {key: _placeholders(value, key) for key, value in x.items()}
    return constants.placeholder(x.dtype, [None, *x.shape[1:]], name=name)


def _pairs(places: Any, arrays: Any) -> list[tuple[Any, Any]]:
    if isinstance(places, dict):
        return [(places[key], arrays[key]) for key in places]
    return [(places, arrays)]


def _input(
    x: Any, y: Any, input_fn: Any, batch_size: int | None, shuffle: bool, epochs: int | None
) -> tuple[Any, list[SessionRunHook]]:
    """An ``input_fn`` and the hooks that feed it."""
    if input_fn is None:
        if x is None:
            raise ValueError("Either x or input_fn must be provided.")
        arrays = ArrayInput(x, y, batch_size, shuffle, epochs)
        return arrays.tensors, [FeedFnHook(arrays.feed)]
    if x is not None or y is not None:
        raise ValueError("Can not provide both input_fn and x or y.")
    if batch_size is not None:
        raise ValueError("Can not provide both input_fn and batch_size.")
    return input_fn, []


class InputFnOps(NamedTuple):
    """What a function of serving input gives: features, labels, and the placeholders that a request feeds."""

    features: Any
    labels: Any
    default_inputs: Any


def build_parsing_serving_input_fn(
    feature_spec: Any, default_batch_size: int | None = None
) -> Callable[[], InputFnOps]:
    """A function that gives the features of serialized examples."""
    receive = build_parsing_serving_input_receiver_fn(feature_spec, default_batch_size)

    def input_fn() -> InputFnOps:
        received = receive()
        return InputFnOps(received.features, None, received.receiver_tensors)

    return input_fn
