"""Callbacks of ``tf.keras.callbacks``: what happens at the begin and end of batches, epochs and training."""

from __future__ import annotations

import collections
import csv
import importlib
import json
import os
import re
from typing import Any

import numpy as np

from retrograd.graph import log
from retrograd.io.checkpoint_files import latest_checkpoint
from retrograd.keras import backend as K
from retrograd.keras.lifting import outside_of_models
from retrograd.keras.utils import Progbar


class Callback:
    """Does nothing at each of the times that it is called; a subclass does something."""

    def __init__(self) -> None:
        self.validation_data: Any = None
        self.model: Any = None
        self.params: dict[str, Any] = {}

    def set_params(self, params: dict[str, Any]) -> None:
        """Called with what training is asked to do."""
        self.params = params

    def set_model(self, model: Any) -> None:
        """Called with the model."""
        self.model = model

    def on_batch_begin(self, batch: int, logs: Any = None) -> None:
        """Before a batch of training."""

    def on_batch_end(self, batch: int, logs: Any = None) -> None:
        """Behind a batch of training."""

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Before an epoch."""

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Behind an epoch."""

    def on_train_batch_begin(self, batch: int, logs: Any = None) -> None:
        """Before a batch of training."""
        self.on_batch_begin(batch, logs=logs)

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        """Behind a batch of training."""
        self.on_batch_end(batch, logs=logs)

    def on_test_batch_begin(self, batch: int, logs: Any = None) -> None:
        """Before a batch of evaluation."""

    def on_test_batch_end(self, batch: int, logs: Any = None) -> None:
        """Behind a batch of evaluation."""

    def on_predict_batch_begin(self, batch: int, logs: Any = None) -> None:
        """Before a batch of prediction."""

    def on_predict_batch_end(self, batch: int, logs: Any = None) -> None:
        """Behind a batch of prediction."""

    def on_train_begin(self, logs: Any = None) -> None:
        """Before training."""

    def on_train_end(self, logs: Any = None) -> None:
        """Behind training."""

    def on_test_begin(self, logs: Any = None) -> None:
        """Before evaluation."""

    def on_test_end(self, logs: Any = None) -> None:
        """Behind evaluation."""

    def on_predict_begin(self, logs: Any = None) -> None:
        """Before prediction."""

    def on_predict_end(self, logs: Any = None) -> None:
        """Behind prediction."""


class CallbackList:
    """Calls each of a list."""

    def __init__(self, callbacks: Any = None) -> None:
        self.callbacks = list(callbacks or ())
        self.params: dict[str, Any] = {}
        self.model: Any = None

    def set_params(self, params: dict[str, Any]) -> None:
        """Tell each what training is asked to do."""
        self.params = params
        for callback in self.callbacks:
            callback.set_params(params)

    def set_model(self, model: Any) -> None:
        """Tell each the model."""
        self.model = model
        with outside_of_models():
            for callback in self.callbacks:
                callback.set_model(model)

    def append(self, callback: Callback) -> None:
        """One more."""
        self.callbacks.append(callback)

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("on_"):
            raise AttributeError(name)

        def all_(*args: Any, **kwargs: Any) -> None:
            with outside_of_models():
                for callback in self.callbacks:
                    getattr(callback, name)(*args, **kwargs)

        return all_

    def __iter__(self) -> Any:
        return iter(self.callbacks)


class BaseLogger(Callback):
    """The means of an epoch, over examples."""

    def __init__(self, stateful_metrics: Any = None) -> None:
        super().__init__()
        self.stateful_metrics = set(stateful_metrics or ())

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        self.seen = 0
        self.totals: dict[str, Any] = {}

    def on_batch_end(self, batch: int, logs: Any = None) -> None:
        logs = logs or {}
        size = logs.get("size", 0) * logs.get("num_steps", 1)
        self.seen += size
        for key, value in logs.items():
            if key in self.stateful_metrics:
                self.totals[key] = value
            else:
                self.totals[key] = self.totals.get(key, 0) + np.float64(value) * size

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        if logs is None:
            return
        for key in self.params["metrics"]:
            if key in self.totals:
                total = self.totals[key]
                logs[key] = total if key in self.stateful_metrics else total / self.seen


class TerminateOnNaN(Callback):
    """Stops training when the loss is no number."""

    def on_batch_end(self, batch: int, logs: Any = None) -> None:
        loss = (logs or {}).get("loss")
        if loss is not None and (np.isnan(loss) or np.isinf(loss)):
            print(f"Batch {batch}: Invalid loss, terminating training")
            self.model.stop_training = True


class ProgbarLogger(Callback):
    """Prints how far training is."""

    def __init__(self, count_mode: str = "samples", stateful_metrics: Any = None) -> None:
        super().__init__()
        if count_mode not in ("samples", "steps"):
            raise ValueError("Unknown `count_mode`: " + str(count_mode))
        self.use_steps = count_mode == "steps"
        self.stateful_metrics = set(stateful_metrics or ())

    def on_train_begin(self, logs: Any = None) -> None:
        self.verbose, self.epochs = self.params["verbose"], self.params["epochs"]

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        self.seen = 0
        self.target = self.params["steps"] if self.use_steps else self.params["samples"]
        if self.verbose:
            if self.epochs > 1:
                print(f"Epoch {epoch + 1}/{self.epochs}")
            self.progbar = Progbar(
                target=self.target, verbose=self.verbose, stateful_metrics=self.stateful_metrics,
                unit_name="step" if self.use_steps else "sample",
            )  # fmt: skip

    def on_batch_begin(self, batch: int, logs: Any = None) -> None:
        self.log_values: list[Any] = []

    def on_batch_end(self, batch: int, logs: Any = None) -> None:
        logs = logs or {}
        steps = logs.get("num_steps", 1)
        self.seen += steps if self.use_steps else logs.get("size", 0) * steps
        self.log_values += [(k, logs[k]) for k in self.params["metrics"] if k in logs]
        if self.verbose and (self.target is None or self.seen < self.target):
            self.progbar.update(self.seen, self.log_values)

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        logs = logs or {}
        # beside those of the last batch: as if one more batch had given the mean of the epoch
        self.log_values += [(k, logs[k]) for k in self.params["metrics"] if k in logs]
        if self.verbose:
            if self.target is None:
                self.progbar.target = self.seen
            self.progbar.update(self.seen, self.log_values)


class History(Callback):
    """Keeps what each epoch gave."""

    def on_train_begin(self, logs: Any = None) -> None:
        self.epoch: list[int] = []
        self.history: dict[str, list[Any]] = {}

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        self.epoch.append(epoch)
        for key, value in (logs or {}).items():
            self.history.setdefault(key, []).append(value)


class _Watching(Callback):
    """Waits for a value to get better."""

    _without: str  # what it says where there is no such value

    def _settle(self, monitor: str, mode: str, min_delta: float = 0, fallback: str = "") -> None:
        if mode not in ["auto", "min", "max"]:
            log.warning("%s mode %s is unknown, fallback to auto mode.", fallback or type(self).__name__, mode)
            mode = "auto"
        is_max = mode == "max" or (mode == "auto" and ("acc" in monitor or monitor.startswith("fmeasure")))
        self.monitor_op = np.greater if is_max else np.less
        self._worst = -np.inf if is_max else np.inf

    def _monitored(self, logs: Any) -> Any:
        value = (logs or {}).get(self.monitor)  # type: ignore[attr-defined]
        if value is None:
            there = ",".join(logs or {})
            log.warning(self._without.format(monitor=self.monitor, there=there))  # type: ignore[attr-defined]
        return value


class ModelCheckpoint(_Watching):
    """Saves the model behind each epoch or after so many examples, or of these times only when it got better.

    Raises:
      ValueError: ``save_freq`` is neither "epoch" nor a number of examples.
    """

    _without = "Can save best model only with {monitor} available, skipping."

    def __init__(
        self, filepath: str, monitor: str = "val_loss", verbose: int = 0, save_best_only: bool = False,
        save_weights_only: bool = False, mode: str = "auto", save_freq: Any = "epoch", **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__()
        self.monitor, self.verbose, self.filepath = monitor, verbose, filepath
        self.save_best_only, self.save_weights_only, self.save_freq = save_best_only, save_weights_only, save_freq
        self.load_weights_on_restart = kwargs.get("load_weights_on_restart", False)
        self.period = kwargs.get("period", 1)
        if "load_weights_on_restart" in kwargs:
            log.warning(
                "`load_weights_on_restart` argument is deprecated. Please use `model.load_weights()` for loading "
                "weights before the start of `model.fit()`."
            )
        if "period" in kwargs:
            log.warning(
                "`period` argument is deprecated. Please use `save_freq` to specify the frequency in number of samples "
                "seen."
            )
        if save_freq != "epoch" and not isinstance(save_freq, int):
            raise ValueError(f"Unrecognized save_freq: {save_freq}")
        self.epochs_since_last_save = self._samples_since_last_save = self._epoch = 0
        self._settle(monitor, mode)
        self.best = self._worst

    def on_train_begin(self, logs: Any = None) -> None:
        if self.load_weights_on_restart:
            path = self._get_most_recently_modified_file_matching_pattern(self.filepath)
            if path is not None:
                self.model.load_weights(path)

    def _get_most_recently_modified_file_matching_pattern(self, pattern: str) -> str | None:
        """The newest of the files, or a checkpoint that the folder names; of equal age that with the last name."""
        folder, name = os.path.split(pattern)
        wanted = re.compile("^" + re.sub(r"{.*}", ".*", name) + "$")
        latest = latest_checkpoint(folder)
        if latest is not None and wanted.match(os.path.basename(latest)):
            return str(latest)
        found = [os.path.join(folder, each) for each in os.listdir(folder or ".") if wanted.match(each)]
        return max(found, key=lambda path: (os.path.getmtime(path), path), default=None)

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        self._epoch = epoch

    def on_batch_end(self, batch: int, logs: Any = None) -> None:
        if self.save_freq == "epoch":
            return
        self._samples_since_last_save += (logs or {}).get("size", 1)
        if self._samples_since_last_save >= self.save_freq:
            self._samples_since_last_save = 0
            self._save_model(self._epoch, logs)

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        self.epochs_since_last_save += 1
        if self.save_freq == "epoch" and self.epochs_since_last_save >= self.period:
            self._save_model(epoch, logs)

    def _save_model(self, epoch: int, logs: Any) -> None:
        self.epochs_since_last_save = 0
        path = self.filepath.format(epoch=epoch + 1, **(logs or {}))
        if self.save_best_only:
            current = self._monitored(logs)
            if current is None:
                return
            if not self.monitor_op(current, self.best):
                if self.verbose > 0:
                    print(f"\nEpoch {epoch + 1:05d}: {self.monitor} did not improve from {self.best:0.5f}")
                return
            if self.verbose > 0:
                print(
                    f"\nEpoch {epoch + 1:05d}: {self.monitor} improved from {self.best:0.5f} to {current:0.5f}, "
                    f"saving model to {path}"
                )
            self.best = current
        elif self.verbose > 0:
            print(f"\nEpoch {epoch + 1:05d}: saving model to {path}")
        if self.save_weights_only:
            self.model.save_weights(path, overwrite=True)
        else:
            self.model.save(path, overwrite=True)


class EarlyStopping(_Watching):
    """Stops training when a value no longer gets better."""

    _without = "Early stopping conditioned on metric `{monitor}` which is not available. Available metrics are: {there}"

    def __init__(
        self, monitor: str = "val_loss", min_delta: float = 0, patience: int = 0, verbose: int = 0, mode: str = "auto",
        baseline: Any = None, restore_best_weights: bool = False,
    ) -> None:  # fmt: skip
        super().__init__()
        self.monitor, self.patience, self.verbose, self.baseline = monitor, patience, verbose, baseline
        self.restore_best_weights, self.best_weights = restore_best_weights, None
        self._settle(monitor, mode)
        self.min_delta = abs(min_delta) * (1 if self.monitor_op is np.greater else -1)
        self.wait = self.stopped_epoch = 0

    def on_train_begin(self, logs: Any = None) -> None:
        self.wait = self.stopped_epoch = 0
        self.best = self._worst if self.baseline is None else self.baseline

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        current = self.get_monitor_value(logs)
        if current is None:
            return
        if self.monitor_op(current - self.min_delta, self.best):
            self.best, self.wait = current, 0
            if self.restore_best_weights:
                self.best_weights = self.model.get_weights()
            return
        self.wait += 1
        if self.wait >= self.patience:
            self.stopped_epoch, self.model.stop_training = epoch, True
            if self.restore_best_weights:
                if self.verbose > 0:
                    print("Restoring model weights from the end of the best epoch.")
                self.model.set_weights(self.best_weights)

    def get_monitor_value(self, logs: Any) -> Any:
        """The value that is watched, of those that an epoch gave; None with a warning if it is not there."""
        return self._monitored(logs)

    def on_train_end(self, logs: Any = None) -> None:
        if self.stopped_epoch > 0 and self.verbose > 0:
            print(f"Epoch {self.stopped_epoch + 1:05d}: early stopping")


class LearningRateScheduler(Callback):
    """Sets the learning rate by a function of the epoch, and of the rate."""

    def __init__(self, schedule: Any, verbose: int = 0) -> None:
        super().__init__()
        self.schedule, self.verbose = schedule, verbose

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        if not hasattr(self.model.optimizer, "lr"):
            raise ValueError('Optimizer must have a "lr" attribute.')
        try:
            rate = self.schedule(epoch, float(K.get_value(self.model.optimizer.lr)))
        except TypeError:
            rate = self.schedule(epoch)
        if not isinstance(rate, float | np.float32 | np.float64):
            raise ValueError('The output of the "schedule" function should be float.')
        K.set_value(self.model.optimizer.lr, rate)
        if self.verbose > 0:
            print(f"\nEpoch {epoch + 1:05d}: LearningRateScheduler reducing learning rate to {rate}.")

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        if logs is not None:
            logs["lr"] = K.get_value(self.model.optimizer.lr)


class ReduceLROnPlateau(_Watching):
    """Makes the learning rate smaller when a value no longer gets better."""

    _without = (
        "Reduce LR on plateau conditioned on metric `{monitor}` which is not available. Available metrics are: {there}"
    )

    def __init__(
        self, monitor: str = "val_loss", factor: float = 0.1, patience: int = 10, verbose: int = 0, mode: str = "auto",
        min_delta: float = 1e-4, cooldown: int = 0, min_lr: float = 0, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__()
        if factor >= 1.0:
            raise ValueError("ReduceLROnPlateau does not support a factor >= 1.0.")
        if "epsilon" in kwargs:
            log.warning("`epsilon` argument is deprecated and will be removed, use `min_delta` instead.")
        self.monitor, self.factor, self.patience, self.verbose = monitor, factor, patience, verbose
        self.min_delta, self.cooldown, self.min_lr = kwargs.get("epsilon", min_delta), cooldown, min_lr
        self._settle(monitor, mode, fallback="Learning Rate Plateau Reducing")
        self.on_train_begin()

    def on_train_begin(self, logs: Any = None) -> None:
        self.best, self.wait, self.cooldown_counter = self._worst, 0, 0

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        logs = logs if logs is not None else {}
        logs["lr"] = K.get_value(self.model.optimizer.lr)
        current = self._monitored(logs)
        if current is None:
            return
        if self.in_cooldown():
            self.cooldown_counter -= 1
            self.wait = 0
        sign = 1 if self.monitor_op is np.greater else -1
        if self.monitor_op(current, self.best + sign * self.min_delta):
            self.best, self.wait = current, 0
        elif not self.in_cooldown():
            self.wait += 1
            if self.wait >= self.patience:
                old = float(K.get_value(self.model.optimizer.lr))
                if old > self.min_lr:
                    new = max(old * self.factor, self.min_lr)
                    K.set_value(self.model.optimizer.lr, new)
                    if self.verbose > 0:
                        print(f"\nEpoch {epoch + 1:05d}: ReduceLROnPlateau reducing learning rate to {new}.")
                    self.cooldown_counter, self.wait = self.cooldown, 0

    def in_cooldown(self) -> bool:
        """Whether it still waits after the rate was made smaller."""
        return bool(self.cooldown_counter > 0)


class CSVLogger(Callback):
    """Writes a line for each epoch into a file."""

    def __init__(self, filename: str, separator: str = ",", append: bool = False) -> None:
        super().__init__()
        self.filename, self.sep, self.append = filename, separator, append
        self.keys: Any = None

    def on_train_begin(self, logs: Any = None) -> None:
        has_header = self.append and os.path.exists(self.filename) and os.path.getsize(self.filename) > 0
        self.csv_file = open(self.filename, "a" if self.append else "w", newline="")  # noqa: SIM115
        self.writer: Any = None
        self._needs_header = not has_header

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        logs = logs or {}
        if self.keys is None:
            self.keys = sorted(logs)
        if self.writer is None:
            self.writer = csv.DictWriter(self.csv_file, ["epoch", *self.keys], delimiter=self.sep, lineterminator="\n")
            if self._needs_header:
                self.writer.writeheader()
        row = collections.OrderedDict({"epoch": epoch})
        row.update((k, logs.get(k, "NA")) for k in self.keys)
        self.writer.writerow(row)
        self.csv_file.flush()

    def on_train_end(self, logs: Any = None) -> None:
        self.csv_file.close()


class RemoteMonitor(Callback):
    """Sends the numbers of each epoch to a server, as JSON in a form's field or as it is."""

    def __init__(
        self, root: str = "http://localhost:9000", path: str = "/publish/epoch/end/", field: str = "data",
        headers: Any = None, send_as_json: bool = False,
    ) -> None:  # fmt: skip
        super().__init__()
        self.root = root
        self.path = path
        self.field = field
        self.headers = headers
        self.send_as_json = send_as_json

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Send the epoch's number and its logs; a server that is not there is logged.

        Raises:
          ImportError: the package requests is not installed.
        """
        try:
            requests: Any = importlib.import_module("requests")
        except ImportError:
            raise ImportError("RemoteMonitor requires the `requests` library.") from None
        sent = {"epoch": epoch, **(logs or {})}
        given = {"json": sent} if self.send_as_json else {"data": {self.field: json.dumps(sent)}}
        try:
            requests.post(self.root + self.path, headers=self.headers, **given)
        except requests.exceptions.RequestException:
            log.warning("Warning: could not reach RemoteMonitor root server at " + str(self.root))


class LambdaCallback(Callback):
    """Functions as a callback."""

    def __init__(
        self, on_epoch_begin: Any = None, on_epoch_end: Any = None, on_batch_begin: Any = None,
        on_batch_end: Any = None, on_train_begin: Any = None, on_train_end: Any = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__()
        given = {
            "on_epoch_begin": on_epoch_begin, "on_epoch_end": on_epoch_end, "on_batch_begin": on_batch_begin,
            "on_batch_end": on_batch_end, "on_train_begin": on_train_begin, "on_train_end": on_train_end, **kwargs,
        }  # fmt: skip
        self.__dict__.update({k: v for k, v in given.items() if v is not None})
