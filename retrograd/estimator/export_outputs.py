"""What an exported model gives: outputs of predictions, classes and regressions, and the signatures made of them.

Source: TensorFlow 1.15.5, ``saved_model/model_utils``.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Mapping
from typing import Any

from retrograd.graph import dtypes, log
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import control_dependencies
from retrograd.graph.tensor import Tensor
from retrograd.io.saved_model import signature_constants, signatures
from retrograd.ops import constants

SINGLE_FEATURE_DEFAULT_NAME = "feature"
SINGLE_RECEIVER_DEFAULT_NAME = "input"
SINGLE_LABEL_DEFAULT_NAME = "label"
_SERVING_KEY = signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY
_ATTEMPTS = 10  # at a folder's name


class ExportOutput:
    """An output of an exported model: what a signature is made of."""

    def as_signature_def(self, receiver_tensors: dict[str, Any]) -> Any:
        """The signature from ``receiver_tensors`` to this output."""
        raise NotImplementedError("as_signature_def is not implemented.")


def _named(outputs: Any, single_name: str, label: str | None = None) -> dict[str, Tensor]:
    """Tensors by their names; names of several parts are joined."""
    if not isinstance(outputs, dict):
        outputs = {single_name: outputs}
    found = {}
    for key, value in outputs.items():
        key = _output_key(key, label or single_name)
        if not isinstance(value, Tensor):
            raise ValueError(f"{label or single_name} output value must be a Tensor; got {value}.")
        found[key] = value
    return found


def _output_key(key: Any, label: str) -> str:
    key = "/".join(key) if isinstance(key, tuple) else key
    if not isinstance(key, str):
        raise ValueError(f"{label} output key must be a string; got {key}.")
    return key


def _examples(receiver_tensors: dict[str, Any], kind: str) -> Any:
    """The one input, serialized examples."""
    found = list(receiver_tensors.values())
    if len(found) != 1 or dtypes.as_dtype(found[0].dtype) != dtypes.string:
        raise ValueError(f"{kind} input must be a single string Tensor; got {receiver_tensors}")
    return found[0]


class ClassificationOutput(ExportOutput):
    """Scores of classes, their names, or both.

    Raises:
      ValueError: neither is given, or one has a wrong dtype.
    """

    def __init__(self, scores: Any = None, classes: Any = None) -> None:
        if scores is not None and not (isinstance(scores, Tensor) and scores.dtype.is_floating):
            raise ValueError(f"Classification scores must be a float32 Tensor; got {scores}")
        if classes is not None and not (
            isinstance(classes, Tensor) and dtypes.as_dtype(classes.dtype) == dtypes.string
        ):
            raise ValueError(f"Classification classes must be a string Tensor; got {classes}")
        if scores is None and classes is None:
            raise ValueError("At least one of scores and classes must be set.")
        self._scores = scores
        self._classes = classes

    @property
    def scores(self) -> Any:
        """A score for each class."""
        return self._scores

    @property
    def classes(self) -> Any:
        """The names of the classes."""
        return self._classes

    def as_signature_def(self, receiver_tensors: dict[str, Any]) -> Any:
        examples = _examples(receiver_tensors, "Classification")
        return signatures.classification_signature_def(examples, self.classes, self.scores)


class RegressionOutput(ExportOutput):
    """A number for each example.

    Raises:
      ValueError: it is no tensor of floats.
    """

    def __init__(self, value: Any) -> None:
        if not (isinstance(value, Tensor) and value.dtype.is_floating):
            raise ValueError(f"Regression output value must be a float32 Tensor; got {value}")
        self._value = value

    @property
    def value(self) -> Tensor:
        """The numbers."""
        return self._value

    def as_signature_def(self, receiver_tensors: dict[str, Any]) -> Any:
        return signatures.regression_signature_def(_examples(receiver_tensors, "Regression"), self.value)


class PredictOutput(ExportOutput):
    """Tensors by their names; one without a name is ``output``.

    Raises:
      ValueError: something is no tensor, or a name no string.
    """

    def __init__(self, outputs: Any) -> None:
        self._outputs = _named(outputs, "output", "Prediction")

    @property
    def outputs(self) -> dict[str, Tensor]:
        """The tensors."""
        return self._outputs

    def as_signature_def(self, receiver_tensors: dict[str, Any]) -> Any:
        return signatures.predict_signature_def(receiver_tensors, self.outputs)


class _SupervisedOutput(ExportOutput):
    """Loss, predictions and metrics, under these prefixes."""

    def __init__(self, loss: Any = None, predictions: Any = None, metrics: Any = None) -> None:
        self.loss = None if loss is None else _prefixed(_named(loss, "loss"), "loss")
        self.predictions = None if predictions is None else _prefixed(_named(predictions, "predictions"), "predictions")
        self.metrics = None if metrics is None else _metric_tensors(metrics)


def _prefixed(outputs: dict[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {key if key.startswith(prefix) else f"{prefix}/{key}": value for key, value in outputs.items()}


def _metric_tensors(metrics: Any) -> dict[str, Tensor]:
    found = {}
    for key, metric in (metrics if isinstance(metrics, dict) else {"metrics": metrics}).items():
        value, update = metric if isinstance(metric, tuple) else (metric.result(), metric.updates[0])
        key = _output_key(key, "metrics")
        key = key if key.startswith("metrics") else f"metrics/{key}"
        if not isinstance(value, Tensor):
            raise ValueError(f"{key} output value must be a Tensor; got {value}.")
        if not isinstance(update, Tensor | Operation):
            raise ValueError(f"{key} update_op must be a Tensor or Operation; got {update}.")
        if isinstance(update, Operation):
            with control_dependencies([update]):
                update = constants.constant([], name="metric_op_wrapper")
        found[f"{key}/value"] = value
        found[f"{key}/update_op"] = update
    return found


class TrainOutput(_SupervisedOutput):
    """The output of a graph that trains."""

    def as_signature_def(self, receiver_tensors: dict[str, Any]) -> Any:
        return signatures.supervised_train_signature_def(receiver_tensors, self.loss, self.predictions, self.metrics)


class EvalOutput(_SupervisedOutput):
    """The output of a graph that evaluates."""

    def as_signature_def(self, receiver_tensors: dict[str, Any]) -> Any:
        return signatures.supervised_eval_signature_def(receiver_tensors, self.loss, self.predictions, self.metrics)


# -- outputs of a model ------------------------------------------------------------------------


def get_export_outputs(export_outputs: Any, predictions: Any) -> dict[str, ExportOutput]:
    """``export_outputs`` with a default among them; without any, the predictions.

    Raises:
      TypeError: something is no ``ExportOutput``.
      ValueError: none of several is the default.
    """
    if export_outputs is None:
        export_outputs = {_SERVING_KEY: PredictOutput(predictions)}
    if not isinstance(export_outputs, dict):
        raise TypeError(f"export_outputs must be dict, given: {export_outputs}")
    if not all(isinstance(v, ExportOutput) for v in export_outputs.values()):
        raise TypeError(f"Values in export_outputs must be ExportOutput objects. Given: {export_outputs}")
    if len(export_outputs) == 1:
        export_outputs.setdefault(_SERVING_KEY, *export_outputs.values())
    elif export_outputs and _SERVING_KEY not in export_outputs:
        raise ValueError(
            "Multiple export_outputs were provided, but none of them is specified as the default.  Do this by naming "
            "one of them with signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY."
        )
    return export_outputs


def export_outputs_for_mode(
    mode: str, serving_export_outputs: Any = None, predictions: Any = None, loss: Any = None, metrics: Any = None
) -> dict[str, ExportOutput]:
    """The outputs that a model exports in a mode."""
    if mode in ("infer", "predict"):
        return get_export_outputs(serving_export_outputs, predictions)
    if mode == "train":
        return {
            signature_constants.DEFAULT_TRAIN_SIGNATURE_DEF_KEY: TrainOutput(
                loss=loss, predictions=predictions, metrics=metrics
            )
        }
    return {
        signature_constants.DEFAULT_EVAL_SIGNATURE_DEF_KEY: EvalOutput(
            loss=loss, predictions=predictions, metrics=metrics
        )
    }


# -- signatures --------------------------------------------------------------------------------


def build_all_signature_defs(
    receiver_tensors: Any, export_outputs: Any, receiver_tensors_alternatives: Any = None, serving_only: bool = True
) -> dict[str, Any]:
    """The signatures from each set of inputs to each output, those that do not fit left out and logged.

    Raises:
      ValueError: ``export_outputs`` is no dictionary.
    """
    if export_outputs is None or not isinstance(export_outputs, dict):
        raise ValueError(f"export_outputs must be a dict and not{type(export_outputs)}")
    made: dict[str, Any] = {}
    excluded: dict[str, str] = {}
    sets = {"": receiver_tensors}
    sets.update({f"{name or 'None'}:": tensors for name, tensors in (receiver_tensors_alternatives or {}).items()})
    for prefix, tensors in sets.items():
        inputs = tensors if isinstance(tensors, dict) else {SINGLE_RECEIVER_DEFAULT_NAME: tensors}
        for key, output in export_outputs.items():
            name = f"{prefix}{key or 'None'}"
            try:
                made[name] = output.as_signature_def(inputs)
            except ValueError as error:
                excluded[name] = str(error)
    _report(made, excluded)
    if serving_only:
        made = {name: signature for name, signature in made.items() if signatures.is_valid_signature(signature)}
    return made


_METHODS = {
    signature_constants.CLASSIFY_METHOD_NAME: "Classify",
    signature_constants.REGRESS_METHOD_NAME: "Regress",
    signature_constants.PREDICT_METHOD_NAME: "Predict",
    signature_constants.SUPERVISED_TRAIN_METHOD_NAME: "Train",
    signature_constants.SUPERVISED_EVAL_METHOD_NAME: "Eval",
}


def _report(made: dict[str, Any], excluded: dict[str, str]) -> None:
    by_method: dict[str, list[str]] = {method: [] for method in _METHODS}
    for name, signature in made.items():
        by_method.setdefault(signature.method_name, []).append(name)
    for method, names in by_method.items():
        log.info("Signatures INCLUDED in export for %s: %s", _METHODS.get(method, method), names or "None")
    if excluded:
        log.info("Signatures EXCLUDED from export because they cannot be be served via TensorFlow Serving APIs:")
        for name, message in excluded.items():
            log.info("'%s' : %s", name, message)
    if not made:
        log.warning("Export includes no signatures!")
    elif _SERVING_KEY not in made:
        log.warning("Export includes no default signature!")


# -- folders -----------------------------------------------------------------------------------


def get_timestamped_export_dir(export_dir_base: Any) -> bytes:
    """A folder that is not there yet, named by the seconds since 1970.

    Raises:
      RuntimeError: ten such names are taken.
    """
    for attempt in range(1, _ATTEMPTS + 1):
        folder = os.path.join(os.fsencode(export_dir_base), str(int(time.time())).encode())
        if not os.path.exists(folder):
            return folder
        time.sleep(1)
        log.warning("Directory %s already exists; retrying (attempt %s/%s)", folder, attempt, _ATTEMPTS)
    raise RuntimeError(f"Failed to obtain a unique export directory name after {_ATTEMPTS} attempts.")


def get_temp_export_dir(timestamped_export_dir: Any) -> bytes:
    """The folder beside it in which it is written."""
    folder, name = os.path.split(os.fsencode(timestamped_export_dir))
    return os.path.join(folder, b"temp-" + name)


def copy_assets(assets_extra: Mapping[str, str] | None, folder: bytes) -> None:
    """Copy files, by their new names, into ``assets.extra`` of a SavedModel's folder."""
    for name, source in (assets_extra or {}).items():
        target = os.path.join(folder, b"assets.extra", os.fsencode(name))
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copyfile(source, target)
