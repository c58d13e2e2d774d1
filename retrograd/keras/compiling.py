"""``CompiledNetwork``: a network with the targets, losses and metrics of training, in TensorFlow's order."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.eager.context import enabled
from retrograd.graph import log
from retrograd.graph.errors import taught
from retrograd.graph.modes import executing_eagerly_outside_functions
from retrograd.graph.scopes import name_scope
from retrograd.graph.untracked import leave_untracked
from retrograd.keras import backend as K
from retrograd.keras import losses, metrics, optimizers
from retrograd.keras.checking import check_listed, check_names
from retrograd.keras.compile_words import SHORT_NAMES, as_loss, metric_of_kind, metrics_of
from retrograd.keras.lifting import in_graph_of_models
from retrograd.keras.loss_scale_optimizer import LossScaleOptimizer
from retrograd.keras.network import Network
from retrograd.keras.optimizer_v2 import OptimizerV2
from retrograd.nn.layers.held_weights import distinct
from retrograd.ops import constants

_AUTO = losses.Reduction.AUTO
_MEAN = losses.Reduction.SUM_OVER_BATCH_SIZE


class CompiledNetwork(Network):
    """A network with ``compile``: what it is trained for, and what is measured."""

    _is_set = False  # whether a subclass has its inputs and outputs
    _build_input_shape: Any = None  # of layers in a row that named none

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        leave_untracked(
            self,
            "loss",
            "loss_weights",
            "loss_functions",
            "sample_weight_mode",
            "sample_weights",
            "targets",
            "_own_tensors",
        )
        self.stop_training = False
        self._is_compiled = False
        self._runs_functions = True
        self.optimizer: Any = None
        self.loss: Any = None
        self.history: Any = None
        self._awaited: Any = None  # what a checkpoint had for a model whose optimizer had no variables yet
        self._keras_functions: dict[str, Any] = {}
        self._resets: list[Callable[[], None]] | None = None

    def _checkpoint_children(self) -> list[tuple[str, Any]]:
        """The layers, and the optimizer if its variables are its attributes."""
        found = super()._checkpoint_children()
        kinds = OptimizerV2 | optimizers.TFOptimizer
        return [*found, ("optimizer", self.optimizer)] if isinstance(self.optimizer, kinds) else found

    def compile(
        self,
        optimizer: Any = "rmsprop",
        loss: Any = None,
        metrics: Any = None,
        loss_weights: Any = None,
        sample_weight_mode: Any = None,
        weighted_metrics: Any = None,
        target_tensors: Any = None,
        distribute: Any = None,
        **kwargs: Any,
    ) -> None:
        """Settle the optimizer, the loss of each output and the metrics.

        Raises:
          ValueError: there are more or fewer losses than outputs.
        """
        unknown = set(kwargs) - {"run_eagerly", "experimental_run_tf_function"}
        if unknown:
            raise TypeError(f"Invalid keyword argument(s) in `compile`: {unknown}")
        if distribute is not None:
            raise taught(
                ValueError("Distribute argument in compile is not available in TF 2.0 please create the model under "
                           "the distribution strategy scope."),
                fix="model.compile(...) without distribute: here is one process",
            )  # fmt: skip
        self._run_eagerly = kwargs.get("run_eagerly")
        if self.run_eagerly and target_tensors is not None:
            raise taught(
                ValueError("target_tensors argument is not supported when running a model eagerly."),
                fix="model.fit(x, y), where y may be tensors",
            )
        self._runs_functions = kwargs.get("experimental_run_tf_function", True)
        if isinstance(optimizer, list | tuple):
            self.optimizer = [self._with_loss_scale(optimizers.get(each)) for each in optimizer]
        else:
            self.optimizer = self._with_loss_scale(optimizers.get(optimizer))
        self.loss, self.loss_weights = loss if loss is not None else {}, loss_weights
        self._compile_metrics, self._weighted_metrics = metrics or [], weighted_metrics
        self.sample_weight_mode, self._target_tensors = sample_weight_mode, target_tensors
        if self._is_compiled:  # what was read was for the optimizer before
            self._awaited = None
        self._is_compiled = True
        self._compiled_trainable = self._trainable_states()
        self._keras_functions, self._resets = {}, None
        if self._is_graph_network or self._is_set:
            self._make_losses()

    def _with_loss_scale(self, optimizer: Any) -> Any:
        """The optimizer, of a scaled loss where the policy of the model says so.

        Raises:
          ValueError: it is to scale the loss and is none of Keras' own.
        """
        policy = self._dtype_policy
        if policy.loss_scale is None:
            return optimizer
        if isinstance(optimizer, LossScaleOptimizer):
            if optimizer.loss_scale is not policy.loss_scale:
                log.warning(
                    f"LossScale of LossScaleOptimizer passed to compile ({optimizer.loss_scale}) is not the same as "
                    f"the dtype policy's loss scale ({policy.loss_scale}). Because the dtype policy has a loss scale, "
                    "you should pass an optimizer that is not wrapped with a LossScaleOptimizer,"
                )
            return optimizer
        if not isinstance(optimizer, OptimizerV2):
            raise ValueError(
                '"optimizer" must be an instance of tf.keras.optimizers.Optimizer when a dype policy with a loss scale '
                f" used, but got: {optimizer}. Using policy: {policy}"
            )
        return LossScaleOptimizer(optimizer, policy.loss_scale)

    @property
    def run_eagerly(self) -> bool:
        """Whether steps run op by op, which layers in Python only need; without it a step is one plan.

        Raises:
          ValueError: it was asked for in a graph of TensorFlow 1, or a layer needs it there.
        """
        asked = self.__dict__.get("_run_eagerly")
        if self.dynamic and not executing_eagerly_outside_functions():
            raise ValueError(
                "Your model contains layers that can only be successfully run in eager execution (layers constructed "
                "with `dynamic=True`). You must enable eager execution with `tf.enable_eager_execution()`."
            )
        if asked and not executing_eagerly_outside_functions():
            raise ValueError("You can only set `run_eagerly=True` if eager execution is enabled.")
        return bool(self.dynamic if asked is None else asked)

    @run_eagerly.setter
    @in_graph_of_models
    def run_eagerly(self, value: Any) -> None:
        was, self._run_eagerly = self.__dict__.get("_run_eagerly"), value
        if bool(was) != self.run_eagerly and self._is_compiled and (self._is_graph_network or self._is_set):
            self._make_losses()

    @property
    def _goes_on_between_epochs(self) -> bool:
        """Whether a number of steps cuts arrays into batches, and the next epoch goes on behind these.

        So TensorFlow's second loop does it, which trains where ops run at once; the first takes all of the arrays in
        each step.
        """
        is_first = isinstance(self.optimizer, optimizers.TFOptimizer) or not self._runs_functions
        return executing_eagerly_outside_functions() and not is_first

    def _by_output(self, value: Any, what: str) -> list[Any]:
        """One item of ``value`` for each output."""
        names = self.output_names
        if isinstance(value, dict):
            check_names(value, names, what)
            return [value.get(name) for name in names]
        if isinstance(value, list | tuple):
            if len(value) != len(names):
                raise ValueError(
                    f"When passing a list as {what}, it should have one entry per model "
                    f"output{'s' if what == 'loss' else ''}. The model has {len(names)} outputs, but you passed "
                    f"{what}={value}"
                )
            return list(value)
        return [value for _ in names]

    # -- targets, metrics, losses --------------------------------------------------------------

    def _make_losses(self) -> None:
        given = self._by_output(self.loss, "loss")
        for name in self.output_names if isinstance(self.loss, dict) and self.loss else ():
            if name not in self.loss:
                log.warning(
                    f"Output {name} missing from loss dictionary. We assume this was done on purpose. The fit and "
                    f"evaluate APIs will not be expecting any data to be passed to {name}."
                )
        self.loss_functions = [as_loss(fn) for fn in given]
        weights = self._by_output(self.loss_weights, "loss_weights") if self.loss_weights is not None else None
        self._loss_weights_list = [1.0 if w is None else w for w in weights] if weights else [1.0] * len(given)
        self._weight_modes = self._by_output(self.sample_weight_mode, "sample_weight_mode")
        for name in self.output_names if isinstance(self.sample_weight_mode, dict) else ():
            if name not in self.sample_weight_mode:
                raise ValueError(f"Output {name}missing from `_sample_weight_modes` dictionary")
        self._make_targets()
        self._make_metrics()
        self.sample_weights: list[Any] = [None] * len(given)
        self._weights_for: list[Any] = list(self._weight_modes)
        self._make_losses_again()

    def _make_losses_again(self) -> None:
        """The same of other outputs: targets stay, and metrics keep what they saw."""
        if not self.run_eagerly:
            self._count_metrics(self.outputs, self.targets, None)
        self._make_weighted()

    def _make_targets(self) -> None:
        given = self._by_output(self._target_tensors, "target_tensors")
        self.targets: list[Any] = []
        for fn, output, name, tensor in zip(self.loss_functions, self.outputs, self.output_names, given, strict=True):
            if fn is None:
                self.targets.append(None)
                continue
            if tensor is None:
                dims = None
                if output is not None:
                    dims = [None] * len(output.shape) or None  # of a scalar nothing is known: K.placeholder(ndim=0)
                kind = K.floatx() if output is None else K.dtype(output)
                tensor = constants.placeholder(kind, dims, name=name + "_target")
            self.targets.append(tensor)

    @property
    def _feed_targets(self) -> list[Any]:
        return [x for x in self.targets if x is not None and x.op.type == "Placeholder"]

    @property
    def _feed_sample_weights(self) -> list[Any]:
        return [x for x in self.sample_weights if x is not None]

    @property
    def _feed_output_names(self) -> list[str]:
        return [name for name, fn in zip(self.output_names, self.loss_functions, strict=True) if fn is not None]

    @property
    def _feed_loss_fns(self) -> list[Any]:
        return [fn for fn in self.loss_functions if fn is not None]

    def _make_metrics(self) -> None:
        """The metric objects of each output, unweighted and weighted, by their names."""
        made: list[list[list[Any]]] = []
        for chosen, is_weighted in ((self._compile_metrics, False), (self._weighted_metrics, True)):
            check_listed(chosen, len(self.output_names))
            if isinstance(chosen, dict):
                check_names(chosen, self.output_names, "metrics")
            made.append([
                [self._as_metric(m, i, is_weighted) for m in of_output] if self.loss_functions[i] is not None else []
                for i, of_output in enumerate(metrics_of(chosen, self.output_names))
            ])  # fmt: skip
        self._metrics_by_output: list[dict[str, Any]] = []
        self._weighted_by_output: list[dict[str, Any]] = []
        self._compiled_metrics: list[Any] = []
        names = ["loss", *(n + "_loss" for n in self.output_names if len(self.output_names) > 1)]
        for i, (plain, weighted) in enumerate(zip(*made, strict=True)):
            for pairs, kept in ((plain, self._metrics_by_output), (weighted, self._weighted_by_output)):
                by_name: dict[str, Any] = {}
                for name, metric in dict(pairs).items():  # of two with one name, the later
                    base = unique = f"{self.output_names[i]}_{name}" if len(self.output_names) > 1 else name
                    number = 1
                    while unique in names:
                        unique, number = f"{base}_{number}", number + 1
                    names.append(unique)
                    metric._name = unique
                    by_name[unique] = metric
                    self._compiled_metrics.append(metric)
                kept.append(by_name)
        self._loss_means: list[Any] = [None] * len(self.outputs)
        if len(self.outputs) > 1:
            pairs = zip(self.output_names, self.loss_functions, strict=True)
            self._loss_means = [metrics.Mean(name=n + "_loss") if fn is not None else None for n, fn in pairs]

    def _as_metric(self, metric: Any, i: int, is_weighted: bool) -> tuple[str, Any]:
        """A metric with its name."""
        prefix = "weighted_" if is_weighted else ""
        word = metric if isinstance(metric, str) else None
        if word in SHORT_NAMES:
            name = word if enabled() else prefix + SHORT_NAMES[word]
            return name, metrics.MeanMetricWrapper(
                metric_of_kind(word, self.outputs[i], self.loss_functions[i]), name=name
            )
        found = metrics.get(metric)
        name = str(getattr(found, "name", None) or getattr(found, "__name__", "metric"))
        name = (word or name) if enabled() else prefix + name
        if not isinstance(found, metrics.Metric):
            found = metrics.MeanMetricWrapper(found, name=name)
        return name, found

    def _count_metrics(self, outputs: list[Any], targets: list[Any], weights: list[Any] | None) -> None:
        """Let metrics count outputs: those for weighted examples, if there are weights; otherwise the others."""
        with name_scope("metrics"):
            for i, of_output in enumerate(self._metrics_by_output if weights is None else self._weighted_by_output):
                for name, metric in of_output.items():
                    with name_scope(name):
                        masked = self._with_mask(outputs[i], None if weights is None else weights[i])
                        metric(targets[i], outputs[i], sample_weight=masked)

    def _with_mask(self, output: Any, weights: Any) -> Any:
        mask = getattr(output, "_keras_mask", None)
        if mask is None:
            return weights
        mask = K.cast(mask, output.dtype)
        if weights is None:
            return mask
        mask, _, weights = losses.squeeze_or_expand(mask, None, weights)
        return weights * mask

    def _make_weighted(self) -> None:
        """What depends on the weights of examples: weighted metrics, and the loss."""
        self._keras_functions, self._resets = {}, None
        if self.run_eagerly:
            self.total_loss: Any = None
            return
        for i, (fn, name, mode) in enumerate(
            zip(self.loss_functions, self.output_names, self._weights_for, strict=True)
        ):
            if fn is None or mode is None:
                self.sample_weights[i] = None
                continue
            shape, first = ([None, None], [[1.0]]) if mode == "temporal" else ([None], [1.0])
            self.sample_weights[i] = constants.placeholder_with_default(
                constants.constant(first, dtype=K.floatx()), shape=shape, name=name + "_sample_weights"
            )
        self._count_metrics(self.outputs, self.targets, self.sample_weights)
        self._make_total_loss()

    def _make_total_loss(self) -> None:
        total: Any = None
        with name_scope("loss"):
            for i, (fn, y, output, name) in enumerate(
                zip(self.loss_functions, self.targets, self.outputs, self.output_names, strict=True)
            ):
                if fn is None:
                    continue
                with name_scope(name + "_loss"):
                    value = self._one_loss(fn, y, output, self.sample_weights[i])
                if self._loss_means[i] is not None:
                    self._loss_means[i](value)
                weighted = self._loss_weights_list[i] * value
                total = weighted if total is None else total + weighted
            extra = self.get_losses_for(None) + self.get_losses_for(self.inputs)
            if total is None:
                if not extra:
                    raise ValueError("The model cannot be compiled because it has no loss to optimize.")
                total = 0.0
            if extra:
                total = total + _added(extra)
        self.total_loss = total

    def _one_loss(self, fn: Any, y: Any, output: Any, weights: Any) -> Any:
        weights = self._with_mask(output, weights)
        if hasattr(fn, "reduction"):
            each = fn.call(y, output)
            weighted = losses.compute_weighted_loss(each, sample_weight=weights, reduction=losses.Reduction.NONE)
            reduction = _MEAN if fn.reduction == _AUTO else fn.reduction
            return losses.reduced(weighted, reduction)
        return fn(y, output, sample_weight=weights)

    def _modes_of(self, weights: list[Any]) -> list[Any]:
        """How the examples of each output are weighted, given their weights."""
        if all(w is None for w in weights):
            return [None] * len(weights)
        return [mode or "samplewise" for mode in self._weight_modes]

    # -- metrics -------------------------------------------------------------------------------

    def _counted_metrics(self) -> list[Any]:
        """All that is computed beside the loss: means of the outputs' losses, then the metrics."""
        means = [m for m in getattr(self, "_loss_means", []) if m is not None]
        if executing_eagerly_outside_functions():
            return [*means, *self.metrics]
        return [*means, *(m for m in self.metrics if getattr(m, "_call_result", None) is not None)]

    @property
    def metrics(self) -> list[Any]:
        """The metric objects: those of ``compile``, then those that were added."""
        added = self._added_metrics()
        return [*getattr(self, "_compiled_metrics", []), *added] if self._is_compiled else added

    @property
    def metrics_names(self) -> list[str]:
        """What ``evaluate`` gives: the loss, the losses of outputs, the metrics.

        What layers inside of layers have added has no name here, and is not told to callbacks.
        """
        means = getattr(self, "_loss_means", [])  # of a subclass that has seen no data there are none
        compiled = [*(m for m in means if m is not None), *getattr(self, "_compiled_metrics", [])]
        of_layers = [m for layer in self.layers for m in layer._own_metrics()]
        named = [*(compiled if self._is_compiled else []), *distinct([*of_layers, *self._own_metrics()])]
        return ["loss", *(m.name for m in named)]

    def reset_metrics(self) -> None:
        """Let the metrics forget what they saw."""
        if self._keras_functions and self._resets is not None:
            for reset in self._resets:
                reset()
            return
        counted = [*(m for m in getattr(self, "_loss_means", []) if m is not None), *self.metrics]
        for metric in counted:  # the first time one by one: so their assignments come in TensorFlow's order
            metric.reset_states()
        self._resets = _resets_of(counted)

    def _trainable_states(self) -> list[tuple[Any, bool]]:
        """Each layer, the outer ones first, and whether training changes it."""
        return [(layer, layer.trainable) for layer in self._every_layer()]

    def _check_compiled(self) -> None:
        if not self._is_compiled:
            error = RuntimeError(
                "You must compile your model before training/testing. Use `model.compile(optimizer, loss)`."
            )
            raise taught(error, fix='model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])')


def _resets_of(counted: list[Any]) -> list[Callable[[], None]]:
    """What resets the metrics, in their order: one run for all variables between those with a way of their own."""
    resets: list[Callable[[], None]] = []
    zeros: list[Any] = []
    for metric in counted:
        if getattr(metric.reset_states, "__func__", None) is metrics.Metric.reset_states:
            zeros += [(v, np.zeros(v.shape.as_list())) for v in metric.variables]
            continue
        resets += [functools.partial(K.batch_set_value, zeros), metric.reset_states]
        zeros = []
    return [*resets, functools.partial(K.batch_set_value, zeros)]


def _added(terms: list[Any]) -> Any:
    """The terms added up one by one."""
    total = terms[0]
    for term in terms[1:]:
        total = total + term
    return total
