"""``SteppedNetwork``: the functions of a step of training, evaluation and prediction of a compiled network."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from retrograd.graph import log
from retrograd.graph.modes import executing_eagerly_outside_functions
from retrograd.graph.scopes import name_scope
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.keras import backend as K
from retrograd.keras.checking import check_apart
from retrograd.keras.compiling import CompiledNetwork
from retrograd.keras.eager_steps import EagerStep
from retrograd.keras.optimizer_v2 import OptimizerV2
from retrograd.nn.layers.held_weights import distinct
from retrograd.nn.layers.phase import has_learning_phase

_SCOPES = {"train": "training", "test": "evaluation", "predict": "predict"}


class Fed(list[Any]):
    """What a step is fed; ``modes`` say how the examples of each output are weighted, if that is known."""

    modes: list[Any] | None = None

    def of(self, values: list[Any]) -> Fed:
        """Other values of the same modes."""
        made = Fed(values)
        made.modes = self.modes
        return made


class SteppedNetwork(CompiledNetwork):
    """A compiled network with its functions, each made when it is first asked for."""

    def _feeds_of(self, kind: str) -> list[Any]:
        fed = [x for x in self.inputs if K.is_placeholder(x)]
        if kind == "predict":
            return fed
        fed += [t for t in self.targets if t is not None and K.is_placeholder(t)]
        return fed + [w for w in self.sample_weights if w is not None]

    def _keras_function(self, kind: str) -> Any:
        if kind in self._keras_functions:
            return self._keras_functions[kind]
        for layer in self._every_layer() if kind != "predict" else ():
            check_apart(layer)
        if self.run_eagerly:
            if kind == "train":
                self._warn_of_other_weights()
            return self._keras_functions.setdefault(kind, EagerStep(self, kind))
        for variable in self.weights:  # also those that are attributes of a subclass
            K.track_variable(variable)
        results = self.outputs
        if kind != "predict":
            if kind == "train":
                K.learning_phase()
            results = [self.total_loss, *(_result_of(m) for m in self._counted_metrics())]
        if kind == "train":
            self._warn_of_other_weights()
            with self._as_compiled():
                with nullcontext() if executing_eagerly_outside_functions() else name_scope("training"):
                    params = distinct(self.trainable_weights)
                    if not params and executing_eagerly_outside_functions():
                        log.warning(
                            "The list of trainable weights is empty. Make sure that you are not setting "
                            "model.trainable to False before compiling the model."
                        )
                    steps = self._steps_of(params)
                updates = [*steps, *self.get_updates_for(None), *self.get_updates_for(self.inputs)]
        else:
            updates = self.state_updates
        with name_scope(_SCOPES[kind]):
            self._keras_functions[kind] = K.function(
                self._feeds_of(kind), results, updates=updates, name=f"{kind}_function"
            )
        if kind == "train" and self._awaited is not None:  # now the optimizer has its variables
            (status, keys), self._awaited = self._awaited, None
            status.restore_others(keys, K.get_session())
        return self._keras_functions[kind]

    def _steps_of(self, params: list[Any]) -> list[Any]:
        """What the optimizer does to ``params``.

        TensorFlow's second loop, which trains where ops run at once, clips no derivatives.
        """
        optimizer = self.optimizer
        is_free = self._goes_on_between_epochs and isinstance(optimizer, OptimizerV2)
        with optimizer.unclipped() if is_free else nullcontext():
            return optimizer.get_updates(loss=self.total_loss, params=params)  # type: ignore[no-any-return]

    @contextmanager
    def _as_compiled(self) -> Iterator[None]:
        """Let training change in the block what it changed when the model was compiled: so it is until the next time.

        A model that shares layers with another may have them trained while the other has them frozen.
        """
        now = self._trainable_states()
        for layer, trainable in self._compiled_trainable:
            layer._trainable = trainable
        try:
            yield
        finally:
            for layer, trainable in now:
                layer._trainable = trainable

    def _warn_of_other_weights(self) -> None:
        """Say that layers were frozen, or no longer are, since the model was compiled."""
        settled = {id(layer) for layer, _ in self._compiled_trainable}
        now = [(id(x), t) for x, t in self._trainable_states() if id(x) in settled]
        if now != [(id(x), t) for x, t in self._compiled_trainable]:
            log.warning(
                "Discrepancy between trainable weights and collected trainable weights, did you set `model.trainable` "
                "without calling `model.compile` after ?"
            )

    @property
    def _collected_trainable_weights(self) -> list[Any]:
        """The variables that training changes, as it was settled when the model was compiled."""
        with self._as_compiled():
            return distinct(self.trainable_weights)

    def _function_of(self, kind: str, values: list[Any]) -> Any:
        """The function of steps for such values; the loss is built again if their examples are weighted otherwise."""
        modes = values.modes if isinstance(values, Fed) else None
        if modes is not None and modes != self._weights_for:
            self._weights_for = modes
            self._make_weighted()
        return self._keras_function(kind)

    def _run_batch(self, kind: str, values: list[Any], function: Any = None) -> list[Any]:
        """A step, by default with the function for its values."""
        function = function or self._function_of(kind, values)
        if kind == "train" or has_learning_phase():
            phase = K.learning_phase()
            if isinstance(phase, Tensor):
                function.feed_dict = {phase: kind == "train"}
        return list(function(values))

    def make_train_function(self) -> Callable[..., Any]:
        """The function of a step of training."""
        self._check_compiled()
        return self._keras_function("train")

    _make_train_function = make_train_function

    def _make_test_function(self) -> Callable[..., Any]:
        self._check_compiled()
        return self._keras_function("test")

    def _make_predict_function(self) -> Callable[..., Any]:
        return self._keras_function("predict")

    @property
    def train_function(self) -> Any:
        """The function of a step of training."""
        return self._keras_function("train")

    @property
    def test_function(self) -> Any:
        """The function of a step of evaluation."""
        return self._keras_function("test")

    @property
    def predict_function(self) -> Any:
        """The function of a step of prediction."""
        return self._keras_function("predict")


def _result_of(metric: Any) -> Any:
    """What a metric gave when it was called in this graph; what it gives now, if it was not."""
    found = getattr(metric, "_call_result", None)
    return found if isinstance(found, Tensor) and found.graph is default_graph() else metric.result()
