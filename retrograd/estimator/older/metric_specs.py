"""Metrics of ``tf.contrib.learn``: functions, and which predictions, labels and weights they take.

Source: TensorFlow 1.15.5, ``contrib/learn/python/learn/metric_spec.py``: names of arguments, messages.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

from retrograd.estimator.specs import fn_args

_PREDICTIONS = {"predictions", "prediction", "logits", "logit"}
_LABELS = {"labels", "label", "targets", "target"}
_WEIGHTS = {"weights", "weight"}


class MetricSpec:
    """A metric of the older kind: a function of predictions and labels, and which of them it takes.

    Raises:
      ValueError: the function has two arguments for one thing, or none for labels or weights that have a key.
    """

    def __init__(
        self,
        metric_fn: Callable[..., Any],
        prediction_key: str | None = None,
        label_key: str | None = None,
        weight_key: str | None = None,
    ) -> None:
        self._metric_fn = metric_fn
        self._prediction_key, self._label_key, self._weight_key = prediction_key, label_key, weight_key
        self._names = fn_args(metric_fn) if callable(metric_fn) else ()
        self._predictions = self._argument(_PREDICTIONS)
        self._labels, self._weights = self._argument(_LABELS, label_key), self._argument(_WEIGHTS, weight_key)

    def _argument(self, names: set[str], key: str | None = None) -> str | None:
        """The argument of the function that has one of these names; None if none has, and no key says that it must."""
        found = names.intersection(self._names)
        if len(found) > 1:
            raise ValueError(f"Ambiguous arguments {_set(found)}, must provide only one of {_set(names)}.")
        if key is not None and not found:
            raise ValueError(f"{_set(names)} missing from {self._name}({self._names}).")
        return next(iter(found), None)

    @property
    def prediction_key(self) -> str | None:
        """The key of the predictions."""
        return self._prediction_key

    @property
    def label_key(self) -> str | None:
        """The key of the labels."""
        return self._label_key

    @property
    def weight_key(self) -> str | None:
        """The feature that weighs the examples."""
        return self._weight_key

    @property
    def metric_fn(self) -> Callable[..., Any]:
        """The function."""
        return self._metric_fn

    @property
    def _name(self) -> str:
        function: Any = self._metric_fn
        while isinstance(function, functools.partial):
            function = function.func
        return getattr(function, "__name__", str(function))

    def __str__(self) -> str:
        return (
            f"MetricSpec(metric_fn={self._name}, prediction_key={self._prediction_key}, "
            f"label_key={self._label_key}, weight_key={self._weight_key})"
        )

    def create_metric_ops(self, inputs: Any, labels: Any, predictions: Any) -> Any:
        """The value of the metric, and its update.

        Raises:
          ValueError: there are several predictions or labels and no key, or a key and only one.
        """
        predictions = _one_of(predictions, self._prediction_key, "prediction", "predictions")
        labels = _one_of(labels, self._label_key, "label", "labels")
        named: dict[str, Any] = {}
        if self._weight_key is not None and self._weights is not None:
            named[self._weights] = inputs[self._weight_key]
        if self._predictions is not None:
            named[self._predictions] = predictions
        if self._labels is not None and (self._predictions is not None or self._names[0] != self._labels):
            named[self._labels] = labels
        elif self._labels is not None:  # the first argument, before one of another name for the predictions
            return self._metric_fn(labels, predictions, **named)
        return self._metric_fn(**named) if self._predictions is not None else self._metric_fn(predictions, **named)


def _set(names: set[str]) -> str:
    return "{" + ", ".join(map(repr, sorted(names))) + "}"


def _one_of(values: Any, key: str | None, one: str, several: str) -> Any:
    """The value of that key; of a dictionary of one, that one."""
    if key is None:
        if not isinstance(values, Mapping):
            return values
        if len(values) != 1:
            raise ValueError(
                f"MetricSpec without specified {one}_key requires {several} tensor or single element dict, got {values}"
            )
        return next(iter(values.values()))
    if not isinstance(values, Mapping):
        raise ValueError(
            f"MetricSpec with {one}_key specified requires {several} dict, got {values}.\n"
            f"You must not provide a {one}_key if you only have a single Tensor as {several}."
        )
    if key not in values:
        raise KeyError(f"Key '{key}' missing from {values.keys()}.")
    return values[key]
