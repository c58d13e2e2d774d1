"""``Model``: a network that is compiled with a loss and an optimizer, and trained, evaluated and asked."""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.graph import dtypes, nest
from retrograd.graph.errors import taught
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.tensor import Tensor
from retrograd.io.saver import Saver
from retrograd.keras import backend as K
from retrograd.keras import callbacks as cbks
from retrograd.keras import losses, metrics, optimizers
from retrograd.keras.network import Input, InputLayer, Network
from retrograd.nn.layers.nodes import history_of
from retrograd.ops import constants

_AUTO = losses.Reduction.AUTO
_MEAN = losses.Reduction.SUM_OVER_BATCH_SIZE


class Model(Network):
    """A network with ``compile``, ``fit``, ``evaluate`` and ``predict``.

    ``Model(inputs, outputs)`` holds the layers between the two; a subclass says in ``call`` what it does.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.stop_training = False
        self._is_compiled = False
        self.optimizer: Any = None
        self.loss: Any = None
        self.history: Any = None
        self._functions: dict[str, Any] = {}

    # -- compiling -----------------------------------------------------------------------------

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
        self.optimizer = optimizers.get(optimizer)
        self.loss, self.loss_weights = loss, loss_weights
        self._compile_metrics, self._weighted_metrics = metrics or [], weighted_metrics
        self.sample_weight_mode, self._target_tensors = sample_weight_mode, target_tensors
        self._is_compiled = True
        self._functions = {}
        self._has_weights = False
        if self._is_graph_network:
            self._make_losses()

    def _by_output(self, value: Any, what: str) -> list[Any]:
        """One item of ``value`` for each output."""
        names = self.output_names
        if isinstance(value, dict):
            for name in value:
                if name not in names:
                    raise ValueError(
                        f"Unknown entry in {what} dictionary: {name}. Only expected following keys: {names}"
                    )
            return [value.get(name) for name in names]
        if isinstance(value, list | tuple):
            if len(value) != len(names):
                raise ValueError(
                    f"When passing a list as {what}, it should have one entry per model output. The model has "
                    f"{len(names)} outputs, but you passed {what}={value}"
                )
            return list(value)
        return [value for _ in names]

    def _make_losses(self) -> None:
        given = self._by_output(self.loss, "loss")
        self.loss_functions = [_as_loss(fn) for fn in given]
        weights = self._by_output(self.loss_weights, "loss_weights") if self.loss_weights is not None else None
        self._loss_weights_list = [1.0 if w is None else w for w in weights] if weights else [1.0] * len(given)
        self._make_targets()
        self._make_metrics()
        self._training_outputs: list[Tensor] = []
        total: Any = None
        self._loss_tensors: list[tuple[str, Any, Any]] = []
        means = {}
        if len(self.outputs) > 1:
            chosen = zip(self.output_names, self.loss_functions, strict=True)
            means = {name: metrics.Mean(name=name + "_loss") for name, fn in chosen if fn is not None}
        with name_scope("loss"):
            for i, (fn, y, output, name) in enumerate(
                zip(self.loss_functions, self.targets, self.outputs, self.output_names, strict=True)
            ):
                if fn is None:
                    continue
                with name_scope(name + "_loss"):
                    value = self._one_loss(fn, y, output, self.sample_weights[i])
                if name in means:
                    metric = means[name]
                    self._loss_tensors.append((name + "_loss", metric, metric(value)))
                weighted = self._loss_weights_list[i] * value
                total = weighted if total is None else total + weighted
            extra = self.get_losses_for(None) + self.get_losses_for(self.inputs)
            if total is None:
                if not extra:
                    raise ValueError("The model cannot be compiled because it has no loss to optimize.")
                total = 0.0
            if extra:
                regularization = extra[0]
                for more in extra[1:]:
                    regularization = regularization + more
                total = total + regularization
        self.total_loss = total

    def _one_loss(self, fn: Any, y: Any, output: Any, weights: Any) -> Any:
        mask = getattr(output, "_keras_mask", None)
        if mask is not None:
            mask = K.cast(mask, output.dtype)
            if weights is None:
                weights = mask
            else:
                mask, _, weights = losses.squeeze_or_expand(mask, None, weights)
                weights = weights * mask
        if hasattr(fn, "reduction"):
            each = fn.call(y, output)
            weighted = losses.compute_weighted_loss(each, sample_weight=weights, reduction=losses.Reduction.NONE)
            reduction = _MEAN if fn.reduction == _AUTO else fn.reduction
            return losses.reduced(weighted, reduction)
        return fn(y, output, sample_weight=weights)

    def _make_targets(self) -> None:
        given = self._by_output(self._target_tensors, "target_tensors")
        self.targets: list[Any] = []
        self.sample_weights: list[Any] = []
        for fn, output, name, tensor in zip(self.loss_functions, self.outputs, self.output_names, given, strict=True):
            if fn is None:
                self.targets.append(None)
                self.sample_weights.append(None)
                continue
            if tensor is None:
                tensor = constants.placeholder(K.dtype(output), [None] * len(output.shape), name=name + "_target")
            self.targets.append(tensor)
            weights = None
            if self._has_weights:
                weights = constants.placeholder_with_default(
                    np.ones(1, np.float32), [None], name=name + "_sample_weights"
                )
            self.sample_weights.append(weights)

    def _make_metrics(self) -> None:
        """The metric objects of each output, with the tensors of their results."""
        self._metric_tensors: list[tuple[str, Any, Any]] = []
        with_weights = ((self._compile_metrics, False), (self._weighted_metrics, True))
        made: list[tuple[str, Any, int, bool]] = []
        for chosen, is_weighted in with_weights:
            for i, of_output in enumerate(_metrics_of(chosen, self.output_names)):
                if self.loss_functions[i] is None and not of_output:
                    continue
                for metric in of_output:
                    made.append((*self._as_metric(metric, i), i, is_weighted))
        with name_scope("metrics"):
            for name, metric, i, is_weighted in made:
                with name_scope(metric.name):
                    weights = self.sample_weights[i] if is_weighted else None
                    mask = getattr(self.outputs[i], "_keras_mask", None)
                    if mask is not None and not is_weighted:
                        weights = K.cast(mask, self.outputs[i].dtype)
                    result = metric(self.targets[i], self.outputs[i], sample_weight=weights)
                self._metric_tensors.append((name, metric, result))

    def _as_metric(self, metric: Any, i: int) -> tuple[str, Any]:
        """A metric and its name in the logs: that which the user gave."""
        word = metric if isinstance(metric, str) else None
        if word in ("accuracy", "acc", "crossentropy", "ce"):
            metric = _metric_of_kind(word, self.outputs[i], self.loss_functions[i])
        elif not isinstance(metric, metrics.Metric):
            metric = metrics.get(metric)
        if not isinstance(metric, metrics.Metric):
            metric = metrics.MeanMetricWrapper(metric, name=getattr(metric, "__name__", "metric"))
        name = metric.name
        if word in ("accuracy", "acc", "crossentropy", "ce"):
            name = metric._name = {"accuracy": "acc", "crossentropy": "ce"}.get(word, word)
        if len(self.output_names) > 1:
            name = f"{self.output_names[i]}_{name}"
        taken = [n for n, _, _ in getattr(self, "_metric_tensors", [])]
        number = 1
        base = name
        while name in taken:
            name = f"{base}_{number}"
            number += 1
        return name, metric

    @property
    def metrics(self) -> list[Any]:
        """The metric objects."""
        if not self._is_compiled or not hasattr(self, "_metric_tensors"):
            return []
        return [m for _, m, _ in (*self._loss_tensors, *self._metric_tensors)]

    @property
    def metrics_names(self) -> list[str]:
        """What ``evaluate`` gives: the loss, the losses of outputs, the metrics."""
        names = ["loss"]
        if self._is_compiled and hasattr(self, "_metric_tensors"):
            names += [name for name, _, _ in (*self._loss_tensors, *self._metric_tensors)]
        return names

    def reset_metrics(self) -> None:
        """Let the metrics forget what they saw."""
        for metric in self.metrics:
            metric.reset_states()

    def _need_weights(self, weights: Any) -> None:
        if weights is not None and not self._has_weights:
            self._has_weights = True
            self._functions = {}
            self._make_losses()

    # -- functions -----------------------------------------------------------------------------

    def _settle_inputs(self, x: Any) -> None:
        """A subclass gets its inputs and outputs from the first data."""
        if self._is_graph_network:
            return
        if getattr(self, "_is_set", False):
            return
        arrays_given = x if isinstance(x, list | tuple) else [x]
        given = [np.asarray(a) if not isinstance(a, Tensor) else a for a in arrays_given]
        self.inputs = [
            constants.placeholder(_kind_of(a), [None, *np.shape(a)[1:]], name=f"input_{i + 1}")
            for i, a in enumerate(given)
        ]
        outputs = self(self.inputs[0] if len(self.inputs) == 1 else self.inputs)
        self.outputs = nest.flatten(outputs)
        self.input_names = [f"input_{i + 1}" for i in range(len(self.inputs))]
        self.output_names = [f"output_{i + 1}" for i in range(len(self.outputs))]
        self._is_set = True
        if self._is_compiled:
            self._make_losses()

    def _feeds(self) -> list[Any]:
        fed = [x for x in self.inputs if K.is_placeholder(x)]
        fed += [t for t in self.targets if t is not None and K.is_placeholder(t)]
        return fed + [w for w in self.sample_weights if w is not None]

    def _check_compiled(self) -> None:
        if not self._is_compiled:
            error = RuntimeError(
                "You must compile your model before training/testing. Use `model.compile(optimizer, loss)`."
            )
            raise taught(error, fix='model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])')

    def _function(self, kind: str) -> Any:
        if kind in self._functions:
            return self._functions[kind]
        for variable in self.weights:  # also those that are attributes of a subclass
            K.track_variable(variable)
        if kind == "predict":
            made = K.function(self._feeds_of_inputs(), self.outputs, updates=self.state_updates)
            self._functions[kind] = made
            return made
        results = [self.total_loss, *(r for _, _, r in (*self._loss_tensors, *self._metric_tensors))]
        counts = [u for m in self.metrics for u in m.updates]
        if kind == "train":
            with name_scope("training"):
                steps = self.optimizer.get_updates(loss=self.total_loss, params=self._collected_trainable_weights())
            updates = [*steps, *self.get_updates_for(None), *self.get_updates_for(self.inputs), *counts]
        else:
            updates = [*self.state_updates, *counts]
        self._functions[kind] = K.function(self._feeds(), results, updates=updates, name=f"{kind}_function")
        return self._functions[kind]

    def _collected_trainable_weights(self) -> list[Any]:
        return self.trainable_weights

    def _feeds_of_inputs(self) -> list[Any]:
        return [x for x in self.inputs if K.is_placeholder(x)]

    def _run(self, kind: str, values: list[Any]) -> list[Any]:
        function = self._function(kind)
        phase = K.learning_phase()
        if isinstance(phase, Tensor):
            function.feed_dict = {phase: kind == "train"}
        return function(values)

    def make_train_function(self) -> Callable[..., Any]:
        """The function of a step of training."""
        self._check_compiled()
        return self._function("train")

    _make_train_function = make_train_function

    @property
    def train_function(self) -> Any:
        """The same."""
        return self._function("train")

    # -- data ----------------------------------------------------------------------------------

    def _standardized(self, x: Any, y: Any, sample_weight: Any, class_weight: Any = None) -> list[np.ndarray]:
        """Inputs, targets and weights as arrays, in the order in which they are fed."""
        self._settle_inputs(x)
        inputs = _as_arrays(x, self.input_names, self.inputs, "input")
        if y is None and not any(t is not None and K.is_placeholder(t) for t in self.targets):
            return inputs
        names = [n for n, t in zip(self.output_names, self.targets, strict=True) if t is not None]
        tensors = [t for t in self.targets if t is not None]
        targets = _as_arrays(y, names, tensors, "target")
        weights: list[np.ndarray] = []
        self._need_weights(sample_weight if sample_weight is not None else class_weight)
        if self._has_weights:
            given = sample_weight if isinstance(sample_weight, list | dict) else [sample_weight] * len(names)
            if isinstance(given, dict):
                given = [given.get(n) for n in names]
            classes = class_weight if isinstance(class_weight, dict) and set(class_weight) & set(names) else None
            for name, target, weight in zip(names, targets, given, strict=True):
                by_class = classes.get(name) if classes else class_weight
                weights.append(_weights_of(target, weight, by_class))
        lengths = {len(a) for a in (*inputs, *targets)}
        if len(lengths) > 1:
            raise ValueError(
                "Input arrays should have the same number of samples as target arrays. Found "
                f"{len(inputs[0])} input samples and {len(targets[0])} target samples."
            )
        self._check_targets(targets)
        return [*inputs, *targets, *weights]

    def _check_targets(self, targets: list[np.ndarray]) -> None:
        for target, output, fn in zip(targets, self.outputs, self.loss_functions, strict=False):
            name = getattr(getattr(fn, "fn", fn), "__name__", "")
            exact = ("mean_squared_error", "binary_crossentropy", "categorical_crossentropy", "mean_absolute_error")
            if name not in exact:
                continue
            for n, k in zip(target.shape[1:], output.shape.as_list()[1:], strict=False):
                if k is not None and n != k:
                    raise ValueError(
                        f"A target array with shape {target.shape} was passed for an output of shape "
                        f"{tuple(output.shape.as_list())} while using as loss `{name}`. This loss expects targets to "
                        "have the same shape as the output."
                    )

    # -- one batch -----------------------------------------------------------------------------

    def train_on_batch(
        self, x: Any, y: Any = None, sample_weight: Any = None, class_weight: Any = None, reset_metrics: bool = True
    ) -> Any:
        """One step of training: the loss and the metrics."""
        self._check_compiled()
        result = self._run("train", self._standardized(x, y, sample_weight, class_weight))
        if reset_metrics:
            self.reset_metrics()
        return _single(result)

    def test_on_batch(self, x: Any, y: Any = None, sample_weight: Any = None, reset_metrics: bool = True) -> Any:
        """The loss and the metrics of a batch."""
        self._check_compiled()
        result = self._run("test", self._standardized(x, y, sample_weight))
        if reset_metrics:
            self.reset_metrics()
        return _single(result)

    def predict_on_batch(self, x: Any) -> Any:
        """The outputs for a batch."""
        self._settle_inputs(x)
        return _single(self._run("predict", _as_arrays(x, self.input_names, self.inputs, "input")))

    # -- many batches --------------------------------------------------------------------------

    def fit(
        self,
        x: Any = None,
        y: Any = None,
        batch_size: int | None = None,
        epochs: int = 1,
        verbose: int = 1,
        callbacks: Any = None,
        validation_split: float = 0.0,
        validation_data: Any = None,
        shuffle: Any = True,
        class_weight: Any = None,
        sample_weight: Any = None,
        initial_epoch: int = 0,
        steps_per_epoch: int | None = None,
        validation_steps: int | None = None,
        validation_freq: Any = 1,
        max_queue_size: int = 10,
        workers: int = 1,
        use_multiprocessing: bool = False,
        **kwargs: Any,
    ) -> Any:
        """Train for so many epochs; what each gave is in the ``history`` of the result.

        Raises:
          RuntimeError: the model is not compiled.
          ValueError: the data do not fit the model.
        """
        if "nb_epoch" in kwargs:
            epochs = kwargs.pop("nb_epoch")
        if kwargs:
            raise TypeError(f"Unrecognized keyword arguments: {kwargs}")
        self._check_compiled()
        if _is_generator(x):
            return self._fit_batches(
                x, steps_per_epoch, epochs, verbose, callbacks, validation_data, validation_steps, validation_freq,
                class_weight, shuffle, initial_epoch,
            )  # fmt: skip
        batch_size = batch_size or 32
        data = self._standardized(x, y, sample_weight, class_weight)
        held: list[np.ndarray] | None = None
        if validation_data is not None:
            parts = list(validation_data)
            held = self._standardized(parts[0], parts[1], parts[2] if len(parts) > 2 else None)
        elif validation_split and 0.0 < validation_split < 1.0:
            at = int(len(data[0]) * (1.0 - validation_split))
            data, held = [a[:at] for a in data], [a[at:] for a in data]
        samples = len(data[0])
        if verbose:
            print(f"Train on {samples} samples" + (f", validate on {len(held[0])} samples" if held else ""))
        run = self._callbacks(
            callbacks, "samples", batch_size=batch_size, epochs=epochs, steps=steps_per_epoch, samples=samples,
            verbose=verbose, do_validation=held is not None,
        )  # fmt: skip
        self._function("train")
        run.on_train_begin({})
        for epoch in range(initial_epoch, epochs):
            if self.stop_training:
                break
            logs: dict[str, Any] = {}
            self.reset_metrics()
            run.on_epoch_begin(epoch, logs)
            order = np.arange(samples)
            if shuffle == "batch":
                order = _shuffled_batches(order, batch_size)
            elif shuffle:
                np.random.shuffle(order)
            total, seen = 0.0, 0
            results: list[Any] = []
            for index in range(-(-samples // batch_size)):
                rows = order[index * batch_size : (index + 1) * batch_size]
                batch_logs: dict[str, Any] = {"batch": index, "size": len(rows)}
                run.on_train_batch_begin(index, batch_logs)
                results = self._run("train", data if samples <= batch_size else [a[rows] for a in data])
                total, seen = total + np.float64(results[0]) * len(rows), seen + len(rows)
                batch_logs.update(zip(self.metrics_names, results, strict=True))
                run.on_train_batch_end(index, batch_logs)
                if self.stop_training:
                    break
            logs.update(zip(self.metrics_names, [total / max(seen, 1), *results[1:]], strict=True))
            if held is not None and _validates(validation_freq, epoch):
                np.random.shuffle(np.arange(len(held[0])))  # TensorFlow draws an order here too
                found = self._evaluated(held, batch_size, run)
                logs.update({f"val_{k}": v for k, v in zip(self.metrics_names, found, strict=True)})
            run.on_epoch_end(epoch, logs)
        run.on_train_end({})
        return self.history

    def _callbacks(self, given: Any, count_mode: str, **params: Any) -> cbks.CallbackList:
        history = cbks.History()
        self.history = history
        stateful = self.metrics_names[1:]
        chosen = [*(given or []), history]
        if params["verbose"]:
            chosen.insert(0, cbks.ProgbarLogger(count_mode, stateful_metrics=stateful))
        run = cbks.CallbackList(chosen)
        names = self.metrics_names
        validation = [f"val_{n}" for n in names] if params["do_validation"] else []
        run.set_model(self)
        run.set_params({**params, "metrics": [*names, *validation]})
        self.stop_training = False
        return run

    def _evaluated(self, data: list[np.ndarray], batch_size: int, run: Any = None, progress: Any = None) -> list[Any]:
        self.reset_metrics()
        samples, total = len(data[0]), 0.0
        results: list[Any] = []
        if run is not None:
            run.on_test_begin({})
        for index, start in enumerate(range(0, samples, batch_size)):
            part = [a[start : start + batch_size] for a in data]
            if run is not None:
                run.on_test_batch_begin(index, {"batch": index, "size": len(part[0])})
            results = self._run("test", part)
            total += np.float64(results[0]) * len(part[0])
            if run is not None:
                logs = {"batch": index, "size": len(part[0]), **dict(zip(self.metrics_names, results, strict=True))}
                run.on_test_batch_end(index, logs)
            if progress is not None:
                progress.update(start + len(part[0]), list(zip(self.metrics_names, results, strict=True)))
        if run is not None:
            run.on_test_end({})
        return [total / max(samples, 1), *results[1:]]

    def evaluate(
        self, x: Any = None, y: Any = None, batch_size: int | None = None, verbose: int = 1, sample_weight: Any = None,
        steps: int | None = None, callbacks: Any = None, max_queue_size: int = 10, workers: int = 1,
        use_multiprocessing: bool = False,
    ) -> Any:  # fmt: skip
        """The loss and the metrics of data."""
        self._check_compiled()
        if _is_generator(x):
            return self.evaluate_generator(x, steps, callbacks, verbose=verbose)
        data = self._standardized(x, y, sample_weight)
        from retrograd.keras.utils import Progbar

        progress = None
        if verbose == 1:
            names = self.metrics_names[1:]
            progress = Progbar(len(data[0]), verbose=verbose, unit_name="sample", stateful_metrics=names)
        run = cbks.CallbackList(callbacks or [])
        run.set_model(self)
        return _single(self._evaluated(data, batch_size or 32, run, progress))

    def predict(
        self, x: Any, batch_size: int | None = None, verbose: int = 0, steps: int | None = None, callbacks: Any = None,
        max_queue_size: int = 10, workers: int = 1, use_multiprocessing: bool = False,
    ) -> Any:  # fmt: skip
        """The outputs for data."""
        if _is_generator(x):
            return self.predict_generator(x, steps, callbacks, verbose=verbose)
        self._settle_inputs(x)
        data = _as_arrays(x, self.input_names, self.inputs, "input")
        size = batch_size or 32
        parts = [self._run("predict", [a[i : i + size] for a in data]) for i in range(0, len(data[0]), size)]
        return _single([np.concatenate(pieces) for pieces in zip(*parts, strict=True)])

    # -- generators ----------------------------------------------------------------------------

    def _fit_batches(
        self, batches: Any, steps: Any, epochs: int, verbose: int, callbacks: Any, validation_data: Any,
        validation_steps: Any, validation_freq: Any, class_weight: Any, shuffle: Any, initial_epoch: int,
    ) -> Any:  # fmt: skip
        count = steps or (len(batches) if hasattr(batches, "__len__") else None)
        if count is None:
            raise ValueError("Please specify the number of steps via the `steps_per_epoch` argument.")
        run = self._callbacks(
            callbacks, "steps", epochs=epochs, steps=count, samples=None, verbose=verbose,
            do_validation=validation_data is not None,
        )  # fmt: skip
        source = _repeated(batches, shuffle)
        run.on_train_begin({})
        for epoch in range(initial_epoch, epochs):
            if self.stop_training:
                break
            logs: dict[str, Any] = {}
            if self._is_graph_network or getattr(self, "_is_set", False):
                self.reset_metrics()
            run.on_epoch_begin(epoch, logs)
            total, seen = 0.0, 0
            results: list[Any] = []
            for index in range(count):
                x, y, weight = _parts(next(source))
                size = len(nest.flatten(x)[0])
                batch_logs: dict[str, Any] = {"batch": index, "size": size}
                run.on_train_batch_begin(index, batch_logs)
                results = self._run("train", self._standardized(x, y, weight, class_weight))
                total, seen = total + np.float64(results[0]) * size, seen + size
                batch_logs.update(zip(self.metrics_names, results, strict=True))
                run.on_train_batch_end(index, batch_logs)
                if self.stop_training:
                    break
            logs.update(zip(self.metrics_names, [total / max(seen, 1), *results[1:]], strict=True))
            if validation_data is not None and _validates(validation_freq, epoch):
                if _is_generator(validation_data):
                    found = self.evaluate_generator(validation_data, validation_steps)
                else:
                    parts = list(validation_data)
                    found = self._evaluated(self._standardized(parts[0], parts[1], None), 32, run)
                found = found if isinstance(found, list) else [found]
                logs.update({f"val_{k}": v for k, v in zip(self.metrics_names, found, strict=True)})
            run.on_epoch_end(epoch, logs)
            if hasattr(batches, "on_epoch_end"):
                batches.on_epoch_end()
        run.on_train_end({})
        return self.history

    def fit_generator(
        self, generator: Any, steps_per_epoch: int | None = None, epochs: int = 1, verbose: int = 1,
        callbacks: Any = None, validation_data: Any = None, validation_steps: int | None = None,
        validation_freq: Any = 1, class_weight: Any = None, max_queue_size: int = 10, workers: int = 1,
        use_multiprocessing: bool = False, shuffle: bool = True, initial_epoch: int = 0,
    ) -> Any:  # fmt: skip
        """Train on the batches of a generator."""
        self._check_compiled()
        return self._fit_batches(
            generator, steps_per_epoch, epochs, verbose, callbacks, validation_data, validation_steps,
            validation_freq, class_weight, shuffle, initial_epoch,
        )  # fmt: skip

    def evaluate_generator(
        self, generator: Any, steps: int | None = None, callbacks: Any = None, max_queue_size: int = 10,
        workers: int = 1, use_multiprocessing: bool = False, verbose: int = 0,
    ) -> Any:  # fmt: skip
        """The loss and the metrics of the batches of a generator."""
        self._check_compiled()
        count = steps or len(generator)
        source = _repeated(generator, False)
        total, seen = 0.0, 0
        results: list[Any] = []
        is_first = True
        for _ in range(count):
            x, y, weight = _parts(next(source))
            data = self._standardized(x, y, weight)
            if is_first:
                self.reset_metrics()
                is_first = False
            results = self._run("test", data)
            size = len(nest.flatten(x)[0])
            total, seen = total + np.float64(results[0]) * size, seen + size
        return _single([total / max(seen, 1), *results[1:]])

    def predict_generator(
        self, generator: Any, steps: int | None = None, callbacks: Any = None, max_queue_size: int = 10,
        workers: int = 1, use_multiprocessing: bool = False, verbose: int = 0,
    ) -> Any:  # fmt: skip
        """The outputs for the batches of a generator."""
        source = _repeated(generator, False)
        parts = []
        for _ in range(steps or len(generator)):
            batch = next(source)
            x = batch[0] if isinstance(batch, tuple) else batch
            out = self.predict_on_batch(x)
            parts.append(out if isinstance(out, list) else [out])
        return _single([np.concatenate(pieces) for pieces in zip(*parts, strict=True)])

    # -- variables and files -------------------------------------------------------------------

    def get_weights(self) -> list[Any]:
        """The values of the variables."""
        return K.batch_get_value(self.weights)

    def set_weights(self, weights: Any) -> None:
        """Let the variables have these values.

        Raises:
          ValueError: there are more or fewer values, or one is of another shape.
        """
        own = self.weights
        if len(own) != len(weights):
            raise ValueError(
                f'You called `set_weights(weights)` on layer "{self.name}" with a  weight list of length '
                f"{len(weights)}, but the layer was expecting {len(own)} weights."
            )
        for variable, value in zip(own, weights, strict=True):
            if tuple(variable.shape.as_list()) != np.shape(value):
                raise ValueError(
                    f"Layer weight shape {tuple(variable.shape.as_list())} not compatible with provided weight shape "
                    f"{np.shape(value)}"
                )
        K.batch_set_value(zip(own, weights, strict=True))

    def save_weights(self, filepath: str, overwrite: bool = True, save_format: str | None = None) -> None:
        """Write the variables: a checkpoint, or for ``.h5`` an HDF5 file, which needs h5py."""
        if _is_hdf5(filepath, save_format):
            from retrograd.keras.hdf5 import write_weights

            write_weights(filepath, self.layers)
            return
        named = {f"layer-{i}/{j}": v for i, layer in enumerate(self.layers) for j, v in enumerate(layer.weights)}
        Saver(named, max_to_keep=1).save(
            K.get_session(), os.fspath(filepath), write_meta_graph=False, write_state=False
        )

    def load_weights(self, filepath: str, by_name: bool = False) -> Any:
        """Read what ``save_weights`` wrote."""
        if _is_hdf5(filepath, None):
            from retrograd.keras.hdf5 import read_weights

            return read_weights(filepath, self.layers, by_name)
        named = {f"layer-{i}/{j}": v for i, layer in enumerate(self.layers) for j, v in enumerate(layer.weights)}
        Saver(named, max_to_keep=1).restore(K.get_session(), os.fspath(filepath))
        return None

    def save(
        self, filepath: str, overwrite: bool = True, include_optimizer: bool = True, save_format: str | None = None,
        signatures: Any = None,
    ) -> None:  # fmt: skip
        """Write layers, variables and optimizer as an HDF5 file, which needs h5py."""
        from retrograd.keras.hdf5 import write_model

        write_model(filepath, self, include_optimizer)

    def get_config(self) -> dict[str, Any]:
        """The layers and how they follow each other.

        Raises:
          NotImplementedError: it is a subclass.
        """
        if not self._is_graph_network:
            raise NotImplementedError
        keys = {id(n) for nodes_ in self._nodes_by_depth.values() for n in nodes_}
        layers = []
        index: dict[tuple[int, int], int] = {}
        for layer in self.layers:
            kept = 0
            for i, node in enumerate(layer._inbound_nodes):
                if id(node) in keys:
                    index[id(layer), i] = kept
                    kept += 1
        for layer in self.layers:
            calls = []
            for node in layer._inbound_nodes:
                if id(node) not in keys or isinstance(layer, InputLayer):
                    continue
                calls.append([
                    [inbound.name, index.get((id(inbound), i), 0), j, node.arguments if k == 0 else {}]
                    for k, (inbound, i, j, _) in enumerate(node.inbound())
                ])  # fmt: skip
            layers.append({
                "name": layer.name, "class_name": type(layer).__name__, "config": layer.get_config(),
                "inbound_nodes": calls,
            })  # fmt: skip

        def places(tensors: list[Any]) -> list[Any]:
            histories = [history_of(x) for x in tensors]
            return [[h.layer.name, index.get((id(h.layer), h.node_index), 0), h.tensor_index] for h in histories]

        return copy.deepcopy({
            "name": self.name, "layers": layers, "input_layers": places(self.inputs),
            "output_layers": places(self.outputs),
        })  # fmt: skip

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Any:
        """The model of a configuration."""
        from retrograd.keras.layer_table import layer_of

        made: dict[str, Any] = {}
        waiting = []
        for data in config["layers"]:
            made[data["name"]] = layer_of(data, custom_objects)
            waiting += [(data["name"], call) for call in data["inbound_nodes"]]
        while waiting:
            name, call = waiting.pop(0)
            sources = [made[n]._inbound_nodes for n, _, _, *_ in call]
            if any(len(found) <= i for found, (_, i, *_) in zip(sources, call, strict=True)):
                waiting.append((name, call))
                continue
            tensors = [
                nest.flatten(found[i].output_tensors)[j] for found, (_, i, j, *_) in zip(sources, call, strict=True)
            ]
            arguments = call[0][3] if len(call[0]) > 3 else {}
            made[name](tensors[0] if len(tensors) == 1 else tensors, **arguments)

        def tensor(place: Any) -> Any:
            name, i, j = place
            return nest.flatten(made[name]._inbound_nodes[i].output_tensors)[j]

        inputs = [tensor(p) for p in config["input_layers"]]
        outputs = [tensor(p) for p in config["output_layers"]]
        return cls(inputs=_single(inputs), outputs=_single(outputs), name=config.get("name"))

    def to_json(self, **kwargs: Any) -> str:
        """The configuration as JSON."""
        config = {
            "class_name": type(self).__name__, "config": self.get_config(), "keras_version": "2.2.4-tf",
            "backend": "tensorflow",
        }  # fmt: skip
        return json.dumps(config, default=_plain, **kwargs)

    def summary(self, line_length: int | None = None, positions: Any = None, print_fn: Any = None) -> None:
        """Print the layers, the shapes of their outputs and the numbers of their parameters.

        Raises:
          ValueError: nothing is known of the inputs yet.
        """
        if not self.built and not self.weights:
            raise ValueError(
                "This model has not yet been built. Build the model first by calling `build()` or calling `fit()` with "
                "some data, or specify an `input_shape` argument in the first layer(s) for automatic build."
            )
        from retrograd.keras.summaries import print_summary

        print_summary(self, line_length=line_length, positions=positions, print_fn=print_fn)


# -- what models share ---------------------------------------------------------------------------


def _kind_of(array: Any) -> Any:
    kind = np.asarray(array).dtype if not isinstance(array, Tensor) else array.dtype.as_numpy_dtype
    return K.floatx() if np.dtype(kind).kind in "fb" else np.dtype(kind).name


def _plain(value: Any) -> Any:
    if hasattr(value, "get_config"):
        return {"class_name": type(value).__name__, "config": value.get_config()}
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    if isinstance(value, TensorShape):
        return value.as_list()
    if isinstance(value, dtypes.DType):
        return value.name
    if callable(value):
        return value.__name__
    raise TypeError("Not JSON Serializable:", value)


def _single(values: Any) -> Any:
    return values[0] if isinstance(values, list) and len(values) == 1 else values


def _is_hdf5(path: Any, save_format: str | None) -> bool:
    if save_format is not None:
        return save_format.lower() in ("h5", "hdf5", "keras")
    return str(path).endswith((".h5", ".keras", ".hdf5"))


def _as_loss(fn: Any) -> Any:
    if fn is None or isinstance(fn, losses.Loss):
        return fn
    made = losses.get(fn)
    if isinstance(made, losses.Loss):
        return made
    return losses.LossFunctionWrapper(made, name=getattr(made, "__name__", None))


def _metrics_of(chosen: Any, names: list[str]) -> list[list[Any]]:
    """The metrics of each output."""
    if not chosen:
        return [[] for _ in names]
    if isinstance(chosen, dict):
        return [_listed(chosen.get(name)) for name in names]
    if any(isinstance(m, list | tuple) for m in chosen):
        return [_listed(m) for m in chosen]
    return [[copy.copy(m) if len(names) > 1 and not isinstance(m, str) else m for m in chosen] for _ in names]


def _listed(value: Any) -> list[Any]:
    return [] if value is None else list(value) if isinstance(value, list | tuple) else [value]


def _metric_of_kind(word: Any, output: Any, fn: Any) -> Any:
    """What accuracy or cross-entropy means for an output and a loss."""
    is_binary = output.shape.as_list()[-1] == 1
    is_sparse = getattr(fn, "fn", None) is losses.sparse_categorical_crossentropy
    if word in ("accuracy", "acc"):
        kind: Any = metrics.categorical_accuracy
        if is_binary:
            kind = metrics.binary_accuracy
        elif is_sparse:
            kind = metrics.sparse_categorical_accuracy
    else:
        kind = losses.categorical_crossentropy
        if is_binary:
            kind = losses.binary_crossentropy
        elif is_sparse:
            kind = losses.sparse_categorical_crossentropy
    return metrics.MeanMetricWrapper(kind, name=word)


def _as_arrays(data: Any, names: list[str], tensors: list[Any], what: str) -> list[np.ndarray]:
    """One array for each name, with the rank of its tensor.

    Raises:
      ValueError: there are more or fewer, or one is of another shape.
    """
    if isinstance(data, dict):
        try:
            given = [data[name] for name in names]
        except KeyError as missing:
            raise ValueError(f"No data provided for {missing}. Need data for each key in: {names}") from None
    elif isinstance(data, list | tuple):
        given = list(data)
        if len(given) != len(names) and not all(hasattr(d, "shape") for d in given):
            given = [data]
    else:
        given = [data]
    if data is None:
        raise ValueError(f"No data provided for {names}.")
    if len(given) != len(names):
        if len(names) == 1 and isinstance(data, list | tuple):
            given = [np.asarray(data)]
        else:
            raise ValueError(
                f"Error when checking model {what}: the list of Numpy arrays that you are passing to your model is not "
                f"the size the model expected. Expected to see {len(names)} array(s), but instead got the following "
                f"list of {len(given)} arrays"
            )
    result = []
    for array, name, tensor in zip(given, names, tensors, strict=True):
        values = array.values if hasattr(array, "iloc") else array
        values = np.asarray(values)
        if values.ndim == 1:
            values = np.expand_dims(values, 1)
        rank = tensor.shape.ndims
        known = tensor.shape.as_list() if rank is not None else None
        if known is not None:
            if values.ndim != rank:
                if what == "target" and values.ndim == 2 and rank == 1:
                    values = values[:, 0]
                else:
                    raise ValueError(
                        f"Error when checking {what}: expected {name} to have {rank} dimensions, but got array with "
                        f"shape {values.shape}"
                    )
            if any(k is not None and k != n for k, n in zip(known[1:], values.shape[1:], strict=True)):
                raise ValueError(
                    f"Error when checking {what}: expected {name} to have shape {tuple(known[1:])} but got array with "
                    f"shape {values.shape[1:]}"
                )
        result.append(values)
    return result


def _weights_of(target: np.ndarray, weight: Any, by_class: Any) -> np.ndarray:
    result = np.ones(len(target), K.floatx()) if weight is None else np.asarray(weight, K.floatx())
    if not isinstance(by_class, dict):
        return result
    classes = np.argmax(target, axis=1) if target.ndim == 2 and target.shape[1] > 1 else target.reshape(-1)
    missing = set(classes.tolist()) - set(by_class)
    if missing:
        raise ValueError(
            f"`class_weight` must contain all classes in the data. The classes {missing} exist in the data but not in "
            "`class_weight`."
        )
    return result * np.asarray([by_class[c] for c in classes.tolist()], K.floatx())


def _shuffled_batches(order: np.ndarray, batch_size: int) -> np.ndarray:
    count = len(order) // batch_size
    head = order[: count * batch_size].reshape(count, batch_size)
    np.random.shuffle(head)
    return np.append(head.ravel(), order[count * batch_size :])


def _validates(frequency: Any, epoch: int) -> bool:
    return (epoch + 1) % frequency == 0 if isinstance(frequency, int) else epoch + 1 in frequency


def _is_generator(x: Any) -> bool:
    from retrograd.keras.utils import Sequence

    return isinstance(x, Sequence) or (hasattr(x, "__next__") and not isinstance(x, Tensor))


def _repeated(batches: Any, shuffle: Any) -> Any:
    """The batches of a generator, or those of a sequence again and again."""
    if hasattr(batches, "__next__"):
        return batches

    def over_and_over() -> Any:
        while True:
            order = np.arange(len(batches))
            if shuffle:
                np.random.shuffle(order)
            for i in order:
                yield batches[int(i)]

    return over_and_over()


def _parts(batch: Any) -> tuple[Any, Any, Any]:
    if not isinstance(batch, tuple):
        return batch, None, None
    if len(batch) == 2:
        return (*batch, None)
    if len(batch) == 3:
        return batch
    raise ValueError(f"Output of generator should be a tuple `(x, y, sample_weight)` or `(x, y)`. Found: {batch}")


# -- layers in a row -----------------------------------------------------------------------------


class Sequential(Model):
    """Layers one behind the other."""

    def __init__(self, layers: Any = None, name: str | None = None) -> None:
        super().__init__(name=name)
        self._row: list[Any] = []
        self._begins_with_input = False
        for layer in layers if isinstance(layers, list | tuple) else [layers] if layers is not None else []:
            self.add(layer)

    @property
    def _layers(self) -> list[Any]:
        return self._row

    @property
    def layers(self) -> list[Any]:
        """The layers, without the input."""
        return [layer for layer in self._row if not isinstance(layer, InputLayer)]

    def add(self, layer: Any) -> None:
        """One more layer.

        Raises:
          TypeError: it is none.
        """
        if hasattr(layer, "_keras_history"):
            layer = layer._keras_history.layer
        from retrograd.nn.layers.engine import Layer

        if not isinstance(layer, Layer):
            raise TypeError(f"The added layer must be an instance of class Layer. Found: {layer}")
        if any(known.name == layer.name for known in self._row) and not isinstance(layer, InputLayer):
            raise ValueError(f'The name "{layer.name}" is used 2 times in the model. All layer names should be unique.')
        if not self._row:
            if isinstance(layer, InputLayer):
                self._row.append(layer)
                self.outputs = list(layer._inbound_nodes[-1].output_tensors)
                self._settle()
                return
            shape = _first_shape(layer)
            if shape is not None:
                given = Input(batch_shape=shape, dtype=layer.dtype or None, name=layer.name + "_input")
                self._row.append(given._keras_history.layer)
                self.outputs = [given]
        self._row.append(layer)
        if getattr(self, "outputs", None):
            made = layer(self.outputs[0])
            if isinstance(made, list | tuple):
                raise TypeError(
                    "All layers in a Sequential model should have a single output tensor. For multi-output layers, use "
                    "the functional API."
                )
            self.outputs = [made]
            self._settle()
        else:
            self.built = False

    def _settle(self) -> None:
        first = self._row[0]
        self.inputs = list(first._inbound_nodes[0].output_tensors)
        self._inbound_nodes = []
        self._init_graph(self.inputs[0], self.outputs[0])
        self._is_graph_network = True

    def pop(self) -> None:
        """Take the last layer away."""
        if not self.layers:
            raise TypeError("There are no layers in the model.")
        layer = self._row.pop()
        layer._inbound_nodes.pop()
        if self._row:
            self._row[-1]._outbound_nodes = []
            self.outputs = [self._row[-1].output]
            self._settle()

    def build(self, input_shape: Any = None) -> None:
        """Make the variables for inputs of this shape."""
        if self._is_graph_network or input_shape is None:
            self.built = True
            return
        row, self._row = self._row, []
        x = Input(batch_shape=tuple(TensorShape(input_shape).as_list()), name=row[0].name + "_input")
        self._row.append(x._keras_history.layer)
        for layer in row:
            self._row.append(layer)
            x = layer(x)
        self.outputs = [x]
        self._settle()

    def call(self, inputs: Any, training: Any = None, mask: Any = None) -> Any:
        if self._is_graph_network:
            return super().call(inputs, training=training, mask=mask)
        from retrograd.nn.layers.engine import parameters_of

        for layer in self._row:
            takes = "training" in parameters_of(type(layer).call)
            inputs = layer(inputs, training=training) if takes and training is not None else layer(inputs)
        return inputs

    def _settle_inputs(self, x: Any) -> None:
        if not self._is_graph_network:
            self.build((None, *np.shape(x)[1:]))
            if self._is_compiled:
                self._make_losses()

    def compute_output_shape(self, input_shape: Any) -> Any:
        for layer in self.layers:
            input_shape = layer.compute_output_shape(input_shape)
        return input_shape

    def predict_proba(self, x: Any, batch_size: int = 32, verbose: int = 0) -> Any:
        """The outputs for data."""
        return self.predict(x, batch_size, verbose)

    def predict_classes(self, x: Any, batch_size: int = 32, verbose: int = 0) -> Any:
        """The class of the largest output; of one output, whether it is above one half."""
        proba = self.predict(x, batch_size=batch_size, verbose=verbose)
        return proba.argmax(axis=-1) if proba.shape[-1] > 1 else (proba > 0.5).astype("int32")

    def get_config(self) -> dict[str, Any]:
        layers = [{"class_name": type(layer).__name__, "config": layer.get_config()} for layer in self.layers]
        config: dict[str, Any] = {"name": self.name, "layers": copy.deepcopy(layers)}
        if self._is_graph_network:
            shape = self._row[0]._batch_input_shape
            if not isinstance(self._row[0], InputLayer):
                shape = self.layers[0]._batch_input_shape
            config["build_input_shape"] = shape
            config["layers"][0]["config"].setdefault("batch_input_shape", shape)
        return config

    @classmethod
    def from_config(cls, config: Any, custom_objects: Any = None) -> Any:
        from retrograd.keras.layer_table import layer_of

        name = config.get("name") if isinstance(config, dict) else None
        layers = config["layers"] if isinstance(config, dict) else config
        model = cls(name=name)
        for data in layers:
            model.add(layer_of(data, custom_objects))
        if not model.inputs if hasattr(model, "inputs") else True:
            shape = config.get("build_input_shape") if isinstance(config, dict) else None
            if shape:
                model.build(shape)
        return model


def _first_shape(layer: Any) -> Any:
    """The shape of the inputs that a first layer names, with the batch."""
    while layer is not None:
        shape = getattr(layer, "_batch_input_shape", None)
        if shape is not None:
            return shape
        row = layer.layers if isinstance(layer, Network) and layer.layers else None
        layer = row[0] if row else None
    return None


# -- copies and files ----------------------------------------------------------------------------


def clone_model(model: Any, input_tensors: Any = None, clone_function: Any = None) -> Any:
    """A model of the same layers with variables of its own."""
    return type(model).from_config(model.get_config())


def model_from_config(config: Any, custom_objects: Any = None) -> Any:
    """The model of a configuration."""
    from retrograd.keras.layer_table import layer_of

    return layer_of(config, custom_objects)


def model_from_json(json_string: str, custom_objects: Any = None) -> Any:
    """The model of what ``to_json`` gave."""
    return model_from_config(json.loads(json_string), custom_objects)


def save_model(
    model: Any, filepath: str, overwrite: bool = True, include_optimizer: bool = True, save_format: str | None = None,
    signatures: Any = None,
) -> None:  # fmt: skip
    """Write layers, variables and optimizer of a model."""
    model.save(filepath, overwrite, include_optimizer, save_format, signatures)


def load_model(filepath: str, custom_objects: Any = None, compile: bool = True) -> Any:
    """Read what ``save_model`` wrote."""
    from retrograd.keras.hdf5 import read_model

    return read_model(filepath, custom_objects, compile)
