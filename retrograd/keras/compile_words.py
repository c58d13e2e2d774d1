"""What the words of ``compile`` mean: losses and metrics by name, by function, for each output."""

from __future__ import annotations

from typing import Any

from retrograd.graph.errors import taught
from retrograd.keras import losses, metrics

SHORT_NAMES = {"accuracy": "acc", "acc": "acc", "crossentropy": "ce", "ce": "ce"}


def as_loss(fn: Any) -> Any:
    if fn is None or isinstance(fn, losses.Loss):
        return fn
    made = losses.get(fn)
    if isinstance(made, losses.Loss):
        return made
    return losses.LossFunctionWrapper(made, name=getattr(made, "__name__", None))


def metrics_of(chosen: Any, names: list[str]) -> list[list[Any]]:
    """The metrics of each output."""
    if not chosen:
        return [[] for _ in names]
    if isinstance(chosen, dict):
        return [_listed(chosen.get(name)) for name in names]
    if not isinstance(chosen, list | tuple):
        raise TypeError(f"Type of `metrics` argument not understood. Expected a list or dictionary, found: {chosen}")
    if any(isinstance(m, list | tuple) for m in chosen):
        return [_listed(m) for m in chosen]
    return [[_another(m) if len(names) > 1 else m for m in chosen] for _ in names]


def _another(metric: Any) -> Any:
    """A metric like this one that counts for itself."""
    return type(metric).from_config(metric.get_config()) if isinstance(metric, metrics.Metric) else metric


def _listed(value: Any) -> list[Any]:
    return [] if value is None else list(value) if isinstance(value, list | tuple) else [value]


def compares_classes(fn: Any) -> bool:
    """Whether a loss takes the numbers of classes as targets."""
    return getattr(fn, "fn", None) is losses.sparse_categorical_crossentropy


def metric_of_kind(word: Any, output: Any, fn: Any) -> Any:
    """What accuracy or cross-entropy means for an output and a loss.

    Raises:
      TypeError: the output has no shape, as of a model in Python only that does not say it.
    """
    if output is None:
        error = TypeError("'NoneType' object is not subscriptable")
        raise taught(
            error, why=f"what {word!r} means follows from the shape of the output, which is not known",
            fix="metrics=['sparse_categorical_accuracy'], or define compute_output_shape(self, input_shape)",
        )  # fmt: skip
    is_binary = output.shape.as_list()[-1] == 1 or getattr(fn, "fn", None) is losses.binary_crossentropy
    is_sparse = compares_classes(fn)
    if SHORT_NAMES[word] == "acc":
        if is_binary:
            return metrics.binary_accuracy
        return metrics.sparse_categorical_accuracy if is_sparse else metrics.categorical_accuracy
    if is_binary:
        return losses.binary_crossentropy
    return losses.sparse_categorical_crossentropy if is_sparse else losses.categorical_crossentropy
