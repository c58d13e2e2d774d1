"""The loop of ``fit``, ``evaluate`` and ``predict``: epochs, batches, callbacks, and how far it is."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.keras import callbacks as cbks
from retrograd.keras.batches import ArrayBatches, Source
from retrograd.keras.checking import check_predicted
from retrograd.keras.composites import joined


def run_epochs(
    model: Any,
    kind: str,
    source: Source,
    callbacks: Any = None,
    epochs: int = 1,
    initial_epoch: int = 0,
    verbose: int = 0,
    validation: Any = None,
    validation_freq: Any = 1,
    batch_size: int | None = None,
) -> Any:
    """Run a kind of step over the batches of ``source``, for each epoch.

    ``validation`` is a function of the callbacks that gives the results of other data. The result is that of the
    last epoch: the mean loss and the metrics, or for ``"predict"`` the outputs of all batches.

    Raises:
      ValueError: there are no batches.
    """
    count_mode = "steps" if source.by_steps else "samples"
    names = model.metrics_names if kind != "predict" else []
    listed = _configured(model, kind, callbacks, epochs, batch_size, source, names, validation is not None, verbose)
    progress = cbks.ProgbarLogger(count_mode, stateful_metrics=names[1:])
    progress.params = {**listed.params, "verbose": verbose}
    if kind != "train" and model._goes_on_between_epochs and isinstance(source, ArrayBatches):
        progress.params["samples"] = 1  # so TensorFlow's second loop says how far it is with arrays
    progress.model = model
    model.stop_training = False
    getattr(listed, f"on_{kind}_begin")(None)
    progress.on_train_begin()
    results: list[Any] = []
    step = _Step(model, kind)
    for epoch in range(initial_epoch, epochs):
        if model.stop_training:
            break
        model.reset_metrics()
        logs: dict[str, Any] = {}
        if kind == "train":
            listed.on_epoch_begin(epoch, logs)
        progress.on_epoch_begin(epoch, logs)
        results = _one_epoch(model, step, source, listed, progress, names)
        logs = _logged(names, logs, results, kind)
        if validation is not None and _validates(validation_freq, epoch) and not model.stop_training:
            found = validation(listed)
            logs = _logged(names, logs, found if isinstance(found, list) else [found], kind, "val_")
        if kind == "train":
            listed.on_epoch_end(epoch, logs)
        progress.on_epoch_end(epoch, logs)
    getattr(listed, f"on_{kind}_end")(None)
    if kind == "train":
        return model.history
    return results[0] if len(results) == 1 else results


class _Step:
    """Steps of a loop, with one function as long as examples are weighted in one way and of no other size.

    Other loops may have another.
    """

    def __init__(self, model: Any, kind: str) -> None:
        self.model, self.kind = model, kind
        self._function: Any = None
        self._modes: Any = None
        self._ends: Any = None

    def __call__(self, values: list[Any]) -> list[Any]:
        modes = getattr(values, "modes", None)
        if self._function is None or modes != self._modes or self.model.outputs is not self._ends:
            self._function, self._modes = self.model._function_of(self.kind, values), modes
            self._ends = self.model.outputs
        return list(self.model._run_batch(self.kind, values, self._function))


def _one_epoch(
    model: Any, step: _Step, source: Source, listed: Any, progress: Any, metrics_names: list[str]
) -> list[Any]:  # fmt: skip
    kind = step.kind
    total, weight_of_all, steps = 0.0, 0, 0
    results: list[Any] = []
    pieces: list[list[Any]] = []
    for size, weight, values in source.epoch():
        logs: dict[str, Any] = {"batch": steps, "size": size}
        getattr(listed, f"on_{kind}_batch_begin")(steps, logs)
        progress.on_batch_begin(steps, logs)
        results = step(values)
        if kind == "predict":
            if isinstance(source, ArrayBatches) and not source.by_steps:
                check_predicted(results, size)
            pieces.append(results)
        else:
            total, weight_of_all = total + np.float64(results[0]) * weight, weight_of_all + weight
        logs = _logged(metrics_names, logs, results, kind)
        getattr(listed, f"on_{kind}_batch_end")(steps, logs)
        progress.on_batch_end(steps, logs)
        steps += 1
        if model.stop_training:
            break
    if not steps:
        raise ValueError("Empty training data.")
    if source.by_steps and progress.target is None:
        progress.target = progress.params["steps"] = steps
        if progress.verbose:
            progress.progbar.target = steps
    if kind == "predict":
        return [joined(parts) for parts in zip(*pieces, strict=True)]
    return [total / weight_of_all, *results[1:]]


def _configured(
    model: Any, kind: str, given: Any, epochs: int, batch_size: Any, source: Source, metrics_names: list[str],
    has_validation: bool, verbose: int,
) -> cbks.CallbackList:  # fmt: skip
    """The user's callbacks, in training with those that keep and average what epochs gave."""
    if isinstance(given, cbks.CallbackList):
        return given
    chosen = list(given or [])
    names: list[str] = []
    if kind == "train":
        model.history = cbks.History()
        chosen = [cbks.BaseLogger(stateful_metrics=metrics_names[1:]), *chosen, model.history]
    if kind != "predict":
        names = list(metrics_names)
        if has_validation:
            names += [f"val_{n}" for n in names]
    listed = cbks.CallbackList(chosen)
    listed.set_model(model)
    listed.set_params({
        "batch_size": batch_size, "epochs": epochs, "steps": source.count if source.by_steps else source.told,
        "samples": source.count, "verbose": verbose, "do_validation": has_validation, "metrics": names,
    })  # fmt: skip
    return listed


def _logged(
    names: list[str], logs: dict[str, Any], results: list[Any], kind: str, prefix: str = ""
) -> dict[str, Any]:  # fmt: skip
    if kind == "predict":
        logs["outputs"] = results
        return logs
    for name, value in zip(names, results, strict=False):
        logs[prefix + name] = value
    return logs


def _validates(frequency: Any, epoch: int) -> bool:
    """Whether this epoch, counted from 0, is followed by validation.

    Raises:
      ValueError: a frequency below 1.
    """
    if isinstance(frequency, int):
        if frequency < 1:
            raise ValueError("`validation_freq` can not be less than 1.")
        return (epoch + 1) % frequency == 0
    return epoch + 1 in frequency
