"""What models refuse before they begin: sizes of batches, names of outputs, weights of examples, metrics alike."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Iterable
from typing import Any

from retrograd.graph.errors import taught
from retrograd.keras import backend as K
from retrograd.nn.layers.engine import Layer


def check_call(model: Any, method: str) -> None:
    """A model that is a class of its own can be trained if its ``call`` needs the inputs alone.

    Raises:
      ValueError: it needs more.
    """
    if model._is_graph_network:
        return
    asked = list(inspect.signature(type(model).call).parameters.values())[2:]
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.POSITIONAL_ONLY)
    more = [p.name for p in asked if p.default is p.empty and p.kind in kinds and p.name != "training"]
    if more:
        error = ValueError(
            f"Models passed to `{method}` can only have `training` and the first argument in `call` as positional "
            f"arguments, found: {more}."
        )
        raise taught(error, fix=f"def call(self, inputs, {more[0]}=None):  # or all of them in a list of inputs")


def known_batch_size(inputs: Iterable[Any]) -> int | None:
    """The size of batches that the ``Input``s of a model say.

    Raises:
      ValueError: they say different ones.
    """
    sizes = [None if x.shape.ndims in (None, 0) else x.shape.as_list()[0] for x in inputs]
    named = [n for n in sizes if n is not None]
    if len(set(named)) > 1:
        error = ValueError(
            f"The specified batch sizes of the Input Layers are incompatible. Found batch sizes: {named}"
        )
        raise taught(error, fix="tf.keras.Input(shape, batch_size=n) with one n for all inputs")
    return named[0] if named else None


def batch_size_of(model: Any, given: int | None) -> int | None:
    """The size of the batches that arrays are cut into: the one given, or that of the model's inputs.

    Raises:
      ValueError: the inputs are of another size.
    """
    known = known_batch_size(x for x in model.inputs if K.is_placeholder(x)) if model._is_graph_network else None
    if known is not None and given is not None and known != given:
        error = ValueError(
            f"The `batch_size` argument value {given} is incompatible with the specified batch size of your Input "
            f"Layer: {known}"
        )
        raise taught(error, fix=f"batch_size={known}")
    return given or known


def check_predicted(outputs: list[Any], size: int) -> None:
    """Raises ``ValueError`` where a batch of ``size`` examples gives outputs of more or fewer."""
    for y in outputs:
        if hasattr(y, "shape") and y.shape[0] != size:
            raise ValueError(
                "Mismatch between expected batch size and model output batch size. Output shape = "
                f"{y.shape}, expected output shape = shape {(size, *y.shape[1:])}"
            )


def check_entries(given: Any, names: list[str], what: str) -> None:
    """Check what is given of each of several outputs.

    Raises:
      TypeError: it is neither a list nor a dictionary.
      ValueError: it is for outputs that are not there, or not one for each.
    """
    if given is None or len(names) == 1:
        return
    if isinstance(given, dict):
        check_names(given, names, what)
    elif not isinstance(given, list | tuple):
        raise TypeError(
            f"The model has multiple outputs, so `{what}` should be either a list or a dict. Provided `{what}` "
            f"type not understood: {given}"
        )


def check_names(given: dict[str, Any], names: list[str], what: str) -> None:
    """Raises ``ValueError`` where something is given for an output that is not there."""
    unknown = [name for name in given if name not in names]
    if unknown:
        raise ValueError(f"Unknown entries in {what} dictionary: {unknown}. Only expected following keys: {names}")


def check_listed(given: Any, count: int) -> None:
    """Raises ``ValueError`` where lists of metrics are for more or fewer outputs than there are."""
    if isinstance(given, list | tuple) and any(isinstance(m, list | tuple) for m in given) and len(given) != count:
        raise ValueError(
            "When passing a list of lists as `metrics`, it should have one entry per model output. The model has "
            f"{count} outputs, but you passed metrics={given}"
        )


def check_apart(layer: Any) -> None:
    """Raises ``ValueError`` where two metrics that a layer has added, or has as attributes, are of one name."""
    own = [v for v in vars(layer).values() if isinstance(v, Layer) and hasattr(v, "update_state")]
    added = {id(m): m for m in [*own, *layer._metrics]}
    for name, count in Counter(m.name for m in added.values()).items():
        if count > 1:
            error = ValueError(
                "Please provide different names for the metrics you have added. We found "
                f'{count} metrics with the name: "{name}"'
            )
            raise taught(error, fix="self.add_metric(tensor, name=..., aggregation='mean') with another name")
