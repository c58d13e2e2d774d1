"""Models of classes of one's own made new in place, where no configuration says how to make another."""

from __future__ import annotations

from typing import Any

from retrograd.graph.errors import taught
from retrograd.graph.untracked import leave_untracked
from retrograd.keras.models import Model
from retrograd.nn.keras.lookup import made_from
from retrograd.nn.layers.engine import Layer

_KEPT = {"_name", "_trainable", "_dynamic", "_dtype_policy", "_autocast", "_untracked", "supports_masking", "loss"}
_MADE = (
    "_is_set", "_inputs_by_name", "_run_eagerly", "_nested_inputs", "_nested_outputs", "input_names", "output_names",
    "loss_functions", "_loss_weights_list", "_weight_modes", "targets", "_metrics_by_output", "_weighted_by_output",
    "_compiled_metrics", "_loss_means", "sample_weights", "_weights_for", "total_loss", "_compiled_trainable",
)  # fmt: skip
HOW_TO_COPY = "def get_config(self): ...  # what __init__ takes, in the class of the model"


def copied(layer: Any) -> Any:
    """Another layer of the same class and configuration."""
    return made_from(type(layer), layer.get_config())


def reset_in_place(model: Any) -> None:
    """Give the model new layers, and let it be as it was before it was built and compiled.

    Raises:
      ValueError: an attribute holds a layer made of layers, or a list of layers.
    """
    layers = {name: value for name, value in vars(model).items() if isinstance(value, Layer)}
    for name, value in vars(model).items():
        if name in layers and getattr(value, "layers", None):
            error = ValueError(
                "We do not support the use of nested layers in `model_to_estimator` at this time. Found nested layer: "
                f"{value}"
            )
            raise taught(error, fix=HOW_TO_COPY)
        is_list = isinstance(value, list | tuple) and name not in model._untracked
        if is_list and value and name[0] != "_" and all(isinstance(x, Layer) for x in value):
            error = ValueError(
                "We do not support the use of list-of-layers attributes in subclassed models used with "
                f"`model_to_estimator` at this time. Found list model: {name}"
            )
            raise taught(error, fix=HOW_TO_COPY)
    if model.__dict__.get("_before_reset") is None:
        leave_untracked(model, "_before_reset")
        vars(model)["_before_reset"] = dict(vars(model))
    _as_before_built(model)
    vars(model).update((name, copied(layer)) for name, layer in layers.items())


def restore_in_place(model: Any) -> None:
    """Give the model back what ``reset_in_place`` took; without that, let it be as it was before it was built."""
    before = model.__dict__.get("_before_reset")
    if before is None:
        _as_before_built(model)
        return
    vars(model).clear()
    vars(model).update(before)


def _as_before_built(model: Any) -> None:
    new = vars(Model(name=model.name))
    vars(model).update((name, value) for name, value in new.items() if name not in _KEPT)
    for name in _MADE:
        vars(model).pop(name, None)
