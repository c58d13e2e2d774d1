"""What is added to a layer: losses, updates and metrics."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

from retrograd.eager.lifted import TracedGraph
from retrograd.graph import dtypes, nest
from retrograd.graph.convert import as_tensor
from retrograd.graph.errors import taught
from retrograd.graph.modes import executing_eagerly_outside_functions
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import name_scope
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor, TensorLike
from retrograd.nn.layers import phase
from retrograd.nn.layers.calls import calls
from retrograd.nn.layers.held_weights import OfWeights, distinct
from retrograd.ops import arrays, casts, conditions, control
from retrograd.state.variables import VariableV2

metric_makers: list[Callable[[Any, str], Any]] = []  # of a tensor and a name; Keras' metrics stand below


class OfLosses(OfWeights):
    """What has losses, updates and metrics: its own, and those of the layers in it."""

    stateful: bool
    _activity_regularizer: Any
    _callable_losses: list[Callable[[], Any]]
    _does_all_it_builds: Any
    _losses: list[Any]
    _losses_of_calls: list[Any]  # of the last call where ops run at once, or in a function that was called there
    _metrics: list[Any]
    _updates: list[Any]

    def add_loss(self, losses: Any, inputs: Any = None) -> None:
        """Add losses: tensors, or functions without arguments that make them.

        Raises:
          RuntimeError: a tensor is added in a branch or a loop, in a graph beside eager execution.
        """
        for loss in nest.flatten(losses):
            if callable(loss) and not isinstance(loss, TensorLike):
                self._callable_losses.append(loss)
            elif loss is not None:
                _refuse_in_branch("You are using the method `add_loss` in a control flow branch in your layer", "loss")
                if not isinstance(loss, TensorLike):
                    loss = as_tensor(loss, dtype=dtypes.float32)
                _mark(loss, "_unconditional_loss", inputs is None)
                (self._losses_of_calls if beside_models(loss.graph) else self._losses).append(loss)

    @property
    def losses(self) -> list[Any]:
        """The losses of this layer and those in it; penalties of variables are made anew at each look."""
        made = [_unconditional(loss()) for loss in self._callable_losses]
        here = [loss for loss in self._losses_of_calls if loss.graph is default_graph()]
        own = [*(here or self._losses), *(loss for loss in made if loss is not None)]
        return [*own, *(loss for layer in self._layers_inside for loss in layer.losses)]

    def add_update(self, updates: Any, inputs: Any = None) -> None:
        """Add ops that training runs along; where ops run at once, functions run now, unless the layer is frozen."""
        if default_graph().is_eager:
            if not all(layer.trainable for layer, _, _ in calls.stack):
                return
            for update in updates if isinstance(updates, list | tuple) else [updates]:
                if callable(update) and not isinstance(update, TensorLike | Operation):
                    update()
            return
        inside = next((entered for entered in reversed(calls.stack) if entered[0] is self), None)
        given = inside[1] if inside else [node.input_tensors for node in getattr(self, "_inbound_nodes", [])]
        sources = nest.flatten(given)
        for update in updates if isinstance(updates, list | tuple) else [updates]:
            if callable(update) and not isinstance(update, TensorLike | Operation):
                update = self._unless_frozen(update) if inside else update()
            op = update if isinstance(update, Operation) else getattr(update, "op", None) or as_tensor(update).op
            _mark(op, "_unconditional_update", op not in reachable_from(sources))
            self._updates.append(op)

    def _unless_frozen(self, update: Callable[[], Any]) -> Any:
        """The update; where it would run along with the outputs, it does so only if the layer is trainable."""
        if not self._does_all_it_builds(default_graph()):
            return update()
        trains = phase.settled_by_functions(lambda: self.trainable, f"{self.name}_trainable")
        return conditions.cond(trains, lambda: control.group(update()), control.no_op)

    @property
    def updates(self) -> list[Any]:
        """The updates of this layer and those in it; none unless it is trainable."""
        if not self.trainable and not self.stateful:
            return []
        return [*self._updates, *(u for layer in self._layers_inside for u in layer.updates)]

    def get_updates_for(self, inputs: Any) -> list[Any]:
        """The updates that depend on ``inputs``; for None, those that depend on no input."""
        if inputs is None:
            return [u for u in self.updates if u._unconditional_update]
        reached = reachable_from(inputs)
        return [u for u in self.updates if not u._unconditional_update and u in reached]

    def get_losses_for(self, inputs: Any) -> list[Any]:
        """The losses that depend on ``inputs``; for None, those that depend on no input."""
        if inputs is None:
            return [loss for loss in self.losses if loss._unconditional_loss]
        reached = reachable_from(inputs)
        return [loss for loss in self.losses if not loss._unconditional_loss and loss in reached]

    def _handle_activity_regularization(self, inputs: Any, outputs: Any) -> None:
        """Add the penalty of each output, by example, to the losses."""
        if not self._activity_regularizer:
            return
        _refuse_in_branch("You are using a layer with `activity_regularizer` in a control flow branch", "output")
        with name_scope("ActivityRegularizer"):
            for output in nest.flatten(outputs):
                penalty = self._activity_regularizer(output)
                examples = casts.cast(arrays.shape(output)[0], penalty.dtype)
                self.add_loss(penalty / examples, inputs=inputs)

    @property
    def activity_regularizer(self) -> Any:
        """The penalty of the outputs."""
        return self._activity_regularizer

    @activity_regularizer.setter
    def activity_regularizer(self, regularizer: Any) -> None:
        self._activity_regularizer = regularizer

    # -- metrics -------------------------------------------------------------------------------

    def add_metric(self, value: Any, aggregation: str | None = None, name: str | None = None) -> None:
        """Let a tensor be reported by the models that this layer is in.

        Args:
          value: a tensor, or what a metric object gave when it was called.
          aggregation: ``"mean"``: its mean over the batches of an epoch.

        Raises:
          ValueError: the metric has no name, or another aggregation.
          RuntimeError: it is added in a branch or a loop, in a graph beside eager execution.
        """
        _refuse_in_branch("You are using the method `add_metric` in a control flow branch in your layer", "metric")
        if aggregation is not None and aggregation != "mean":
            raise ValueError(
                "We currently support only `mean` sample-wise metric aggregation. You provided aggregation=`"
                f"{aggregation}`"
            )
        of_object = getattr(value, "_metric_obj", None)
        if name is None and of_object is None:
            error = ValueError(
                "Please provide a name for your metric like `self.add_metric(tf.reduce_sum(inputs), "
                "name='mean_activation', aggregation='mean')`"
            )
            raise taught(error, fix="self.add_metric(..., name='mean_activation', aggregation='mean')")
        if of_object is not None:
            of_object._call_result = value
            if not any(m is of_object for m in self._metrics):
                self._metrics.append(of_object)
            return
        if aggregation is None:
            error = ValueError(
                "We do not support adding an aggregated metric result tensor that is not the output of a "
                "`tf.keras.metrics.Metric` metric instance. Without having access to the metric instance we cannot "
                "reset the state of a metric after every epoch during training. You can create a "
                "`tf.keras.metrics.Metric` instance and pass the result here or pass an un-aggregated result with "
                "`aggregation` parameter set as `mean`. For example: `self.add_metric(tf.reduce_sum(inputs), "
                "name='mean_activation', aggregation='mean')`"
            )
            raise taught(error, fix="self.add_metric(..., name='mean_activation', aggregation='mean')")
        for known in self._metrics:
            if known.name == name:
                known(value)
                return
        self._metrics.append(metric_makers[0](value, str(name)))

    @property
    def metrics(self) -> list[Any]:
        """The metrics of this layer, those among its attributes first, and of the layers in it."""
        return self._added_metrics()

    def _added_metrics(self) -> list[Any]:
        """The metrics that were added to this layer and to the layers in it."""
        return distinct([*self._own_metrics(), *(m for layer in self._layers_inside for m in layer._added_metrics())])

    def _own_metrics(self) -> list[Any]:
        """The metrics that were added to this layer, those among its attributes first."""
        own = self._metrics
        if not own:
            return []
        known = {id(m) for m in own}
        return distinct([*(v for v in self._values_of_attributes() if id(v) in known), *own])


def beside_models(graph: Any) -> bool:
    """Whether a graph is none that models are built in: where ops run at once, or a function's that is called there."""
    return bool(graph.is_eager) or isinstance(graph, TracedGraph)


def _refuse_in_branch(what: str, added: str) -> None:
    """Refuse what would exist in one branch only, for the step that reads it stands outside.

    Raises:
      RuntimeError: a branch or a loop is being built, in a graph beside eager execution.
    """
    if executing_eagerly_outside_functions() and default_graph()._scopes.context is not None:
        raise taught(
            RuntimeError(f"{what}, e.g.:"),
            why=f"a step of training reads the {added} whichever branch is taken",
            fix=f"let the branch give the {added}, tf.cond(..., lambda: ..., lambda: 0.0), and add that",
        )


def _mark(value: Any, name: str, truth: bool) -> Any:
    if value is not None:
        setattr(value, name, truth)
    return value


def _unconditional(loss: Any) -> Any:
    return _mark(loss, "_unconditional_loss", True)


def reachable_from(inputs: Any, targets: Any = ()) -> set[Any]:
    """The ops and tensors that depend on ``inputs``, and these; the nearest ones until all ``targets`` are there.

    Raises:
      TypeError: an input is no op, variable or tensor.
    """
    return nearest(nest.flatten(inputs, expand_composites=True), targets, _readers)


def _readers(x: Any) -> list[Any]:
    if isinstance(x, Operation):
        return [*x.outputs, *x.control_readers]
    if isinstance(x, VariableV2):
        return [x.op]
    if isinstance(x, Tensor):
        return list(x.readers)
    raise TypeError(f"Expected Operation, Variable, or Tensor, got {x}")


def nearest(inputs: Iterable[Any], targets: Any, readers: Callable[[Any], Iterable[Any]]) -> set[Any]:
    """``inputs`` and what reads them, the nearest first, until all ``targets``, if there are any, are there."""
    waiting = deque(inputs)
    reached, wanted = set(waiting), set(nest.flatten(() if targets is None else targets))
    while waiting and not (wanted and wanted <= reached):
        new = [x for x in dict.fromkeys(readers(waiting.popleft())) if x not in reached]
        reached.update(new)
        waiting += new
    return reached
