"""Steps of models that run op by op: where ``run_eagerly`` asks for it, or a layer is Python only."""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from retrograd.derivatives.tape import GradientTape
from retrograd.eager.context import eager_mode
from retrograd.eager.graph import eager_graph
from retrograd.graph import log, nest
from retrograd.graph.convert import convert_to_tensor_or_composite
from retrograd.graph.tensor import Tensor
from retrograd.keras import backend as K
from retrograd.keras.composites import value_of
from retrograd.keras.loss_scale_optimizer import LossScaleOptimizer
from retrograd.keras.optimizers import TFOptimizer
from retrograd.nn.layers.engine import parameters_of
from retrograd.ops import casts


class EagerStep:
    """One step of a kind, ``"train"``, ``"test"`` or ``"predict"``: called with the arrays that a graph would be fed.

    The result is the loss with what the metrics give, or for ``"predict"`` the outputs, as arrays.
    """

    def __init__(self, model: Any, kind: str) -> None:
        self.model, self.kind = model, kind
        self.feed_dict: dict[Any, Any] = {}  # what a function of a graph is told beside; here it is known

    def __call__(self, values: list[Any]) -> list[Any]:
        model, trains = self.model, self.kind == "train"
        inputs, targets, weights = self._parts(values)
        with eager_mode(), _learning_phase(trains):
            if self.kind == "predict":
                return [value_of(y) for y in nest.flatten(self._outputs(inputs, False))]
            with GradientTape() if trains else nullcontext() as tape:
                outputs = nest.flatten(self._outputs(inputs, trains))
                targets = [
                    None if y is None else casts.cast(y, output.dtype)
                    for y, output in zip(targets, outputs, strict=True)
                ]
                weights = [None if w is None else K.constant(w) for w in weights]
                total = self._loss(outputs, targets, weights)
                scaled = total
                if isinstance(model.optimizer, LossScaleOptimizer):
                    scaled = model.optimizer.get_scaled_loss(total)
            if trains:
                self._update(tape, scaled)
            model._count_metrics(outputs, targets, None)
            model._count_metrics(outputs, targets, weights)
            return [x.numpy() for x in (total, *(m.result() for m in model._counted_metrics()))]

    def _parts(self, values: list[Any]) -> tuple[list[Any], list[Any], list[Any]]:
        """Inputs, then for each output the target and the weights, or None."""
        model, rest = self.model, iter(values)
        inputs = [next(rest) for x in model.inputs if K.is_placeholder(x)]
        if self.kind == "predict":
            return inputs, [], []
        targets = [None if t is None else next(rest) for t in model.targets]
        weighs = any(mode is not None for mode in model._weights_for)
        return inputs, targets, [None if t is None or not weighs else next(rest, None) for t in model.targets]

    def _outputs(self, inputs: list[Any], training: bool) -> Any:
        model = self.model
        places = [x for x in model.inputs if K.is_placeholder(x)]
        tensors = [_as_fed(value, place) for value, place in zip(inputs, places, strict=True)]
        given = nest.pack_sequence_as(model._nested_inputs, tensors)
        return model(given, training=training) if "training" in parameters_of(type(model).call) else model(given)

    def _loss(self, outputs: list[Any], targets: list[Any], weights: list[Any]) -> Any:
        """The weighted sum of the losses of outputs, and those that layers add."""
        model = self.model
        terms: list[Any] = []
        for i, (fn, y, output, w) in enumerate(zip(model.loss_functions, targets, outputs, weights, strict=True)):
            if fn is None:
                continue
            value = model._one_loss(fn, y, output, w)
            if model._loss_means[i] is not None:
                model._loss_means[i](value)
            terms.append(model._loss_weights_list[i] * value)
        terms += model.losses
        return functools.reduce(operator.add, terms)

    def _update(self, tape: Any, loss: Any) -> None:
        model = self.model
        optimizer = model.optimizer
        variables = model._collected_trainable_weights
        if not variables:
            log.warning(
                "The list of trainable weights is empty. Make sure that you are not setting model.trainable to False "
                "before compiling the model."
            )
            return
        grads = tape.gradient(loss, variables)
        if isinstance(optimizer, LossScaleOptimizer):
            grads = optimizer.get_unscaled_gradients(grads)
        pairs = list(zip(grads, variables, strict=True))
        if isinstance(optimizer, TFOptimizer):
            optimizer.optimizer.apply_gradients(pairs, global_step=optimizer.iterations)
        else:
            optimizer.apply_gradients(pairs)


def _as_fed(value: Any, place: Any) -> Any:
    """A value as a tensor; numbers in the dtype that the place of the graph has."""
    x = convert_to_tensor_or_composite(value)
    return casts.cast(x, place.dtype) if isinstance(x, Tensor) and x.dtype.is_floating else x


@contextmanager
def _learning_phase(trains: bool) -> Iterator[None]:
    """Let layers train, or not, in the block; what was set before is so again behind it."""
    notes = eager_graph().notes
    before = dict(notes)
    notes["learning phase"] = int(trains)
    try:
        yield
    finally:
        del notes["learning phase"]
        if "learning phase" in before:
            notes["learning phase"] = before["learning phase"]
