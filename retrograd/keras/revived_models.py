"""Models of classes that are not at hand, from SavedModels: their layers call the functions that were saved.

Source: what TensorFlow 1.15.5's ``load_model`` makes of such a folder.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

from retrograd.eager.lifted import graph_of_models
from retrograd.graph import nest
from retrograd.graph.modes import executing_eagerly
from retrograd.graph.shapes import TensorShape
from retrograd.graph.untracked import leave_untracked
from retrograd.io.saved_model.loading import ObjectLoader
from retrograd.keras import backend_state
from retrograd.keras.models import Model
from retrograd.keras.network import Network
from retrograd.nn.layers.engine import Layer
from retrograd.ops.conditions import smart_cond

_BASES: dict[str, type] = {
    "_tf_keras_layer": Layer, "_tf_keras_network": Network, "_tf_keras_model": Model, "_tf_keras_sequential": Model,
}  # fmt: skip
_FUNCTIONS = (
    "__call__", "call_and_return_all_conditional_losses", "call_and_return_conditional_losses",
    "activity_regularizer_fn",
)  # fmt: skip
_OF_KERAS = frozenset(
    (
        "keras_api", "variables", "trainable_variables", "regularization_losses", "_default_save_signature",
        "non_trainable_variables", "layers", "metrics", "layer_regularization_losses", *_FUNCTIONS,
    )
)  # fmt: skip


class _Revived:
    """What such layers and models have in common."""

    _saved: dict[str, Any]
    _config: Any

    def call(self, inputs: Any, training: Any = None) -> Any:
        """What the saved function gives; the losses that come with it are the layer's."""
        function = self._saved["keras_api"].call_and_return_conditional_losses
        if "training" in function.function_spec.arg_names:
            training = backend_state.learning_phase() if training is None else training
            outputs, losses = smart_cond(
                training, lambda: function(inputs, training=True), lambda: function(inputs, training=False)
            )
        else:
            outputs, losses = function(inputs)
        self.add_loss(losses, inputs)  # type: ignore[attr-defined]
        return outputs

    def saved_functions(self) -> dict[str, Any]:
        """The functions under the names that Keras has for them."""
        api = self._saved.get("keras_api")
        return {name: getattr(api, name) for name in _FUNCTIONS if hasattr(api, name)}

    def get_config(self) -> dict[str, Any]:
        """The arguments that the layer was made with.

        Raises:
          NotImplementedError: they were not saved.
        """
        if self._config is None:
            raise NotImplementedError
        return dict(self._config)


def _revived(proto: Any) -> Any:
    """A layer or model of the class and name that its description says."""
    told = json.loads(proto.metadata)
    base = _BASES[proto.identifier]
    kind = type(str(told["class_name"]), (_Revived, base), {})
    made: Any = kind(name=told["name"]) if issubclass(base, Network) else kind(name=told["name"], dtype=told["dtype"])
    made._saved, made._config = {}, told.get("config")
    leave_untracked(made, "_saved", "_config")
    made.trainable = told["trainable"]
    return made


def _set(item: Any, name: str, value: Any) -> None:
    if name in _OF_KERAS:
        item._saved[name] = value
    else:
        setattr(item, name, value)


class ModelLoader(ObjectLoader):
    """Makes the objects of a ``SavedObjectGraph``, of layers layers."""

    def _of_user(self, proto: Any) -> tuple[Any, Callable[..., None]] | None:
        is_layer = proto.user_object.identifier in _BASES
        return (_revived(proto.user_object), _set) if is_layer else super()._of_user(proto)

    def settle(self) -> None:
        """Let layers have their penalties, and models their inputs."""
        for item in self._nodes:
            if not isinstance(item, _Revived) or "keras_api" not in item._saved:
                continue
            layer: Any = item
            layer.add_loss(list(getattr(item._saved["keras_api"], "layer_regularization_losses", ())))
            layer.built = True


def revived_model(meta: Any, folder: str) -> Any:
    """The model of a meta graph with objects, whose variables have their values.

    Raises:
      ValueError: it is no model.
    """
    loader = ModelLoader(meta, folder)
    model = loader.root
    if not isinstance(model, _Revived) or not isinstance(model, Model) or "keras_api" not in model._saved:
        raise ValueError(f"The object of the SavedModel at {folder} is no model of Keras.")
    loader.settle()
    if not executing_eagerly():
        backend_state.get_session().run([v.initializer for v in model.weights])
    function = model._saved["keras_api"].call_and_return_conditional_losses
    specs = [concrete.structured_input_signature[0][0] for concrete in function.concrete_functions]
    flat = list(zip(*map(nest.flatten, specs), strict=True))
    kinds = [(same[0].dtype, _common(same)) for same in flat]
    with graph_of_models().as_default() if executing_eagerly() else nullcontext():
        model._settle_placeholders(specs[0], kinds)
    return model


def _common(specs: Any) -> TensorShape:
    """The shape that all specs fit."""
    first = specs[0].shape
    for spec in specs[1:]:
        first = first.most_specific_compatible_shape(spec.shape)
    return first
