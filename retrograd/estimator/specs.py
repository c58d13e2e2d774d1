"""What a ``model_fn`` is and gives: modes, ``EstimatorSpec``, and how the functions of a user are called.

Source: ``tensorflow_estimator`` 1.15.1, ``model_fn.py``.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, NamedTuple

from retrograd.estimator.export_outputs import get_export_outputs
from retrograd.graph import log, nest
from retrograd.graph.collections import GraphKeys
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import add_to_collection, get_collection
from retrograd.graph.shapes import TensorShape
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.keras.metrics import Metric
from retrograd.ops import arrays
from retrograd.sessions.hooks import SessionRunHook
from retrograd.sessions.scaffold import Scaffold
from retrograd.state.variables import Variable

LOSS_METRIC_KEY = "loss"
_MODEL_FN_ARGS = {"features", "labels", "mode", "params", "self", "config"}


class ModeKeys:
    """What a model is built for."""

    TRAIN = "train"
    EVAL = "eval"
    PREDICT = "infer"


class KerasModeKeys:
    """The same, as Keras calls it."""

    TRAIN = "train"
    TEST = "test"
    PREDICT = "predict"


# -- functions of the user -----------------------------------------------------------------------


def fn_args(fn: Callable[..., Any]) -> tuple[str, ...]:
    """The names of the arguments that ``fn`` can be given: those that a partial call has bound are left out."""
    if isinstance(fn, functools.partial):
        return tuple(name for name in fn_args(fn.func)[len(fn.args) :] if name not in fn.keywords)
    if not callable(fn):
        raise TypeError("unsupported callable")
    if not inspect.isroutine(fn) and not inspect.isclass(fn):
        fn = fn.__call__  # type: ignore[operator]
    found = inspect.getfullargspec(fn)
    names = found.args[1:] if inspect.ismethod(fn) else found.args
    return (*names, *found.kwonlyargs)


def called_with(fn: Callable[..., Any], **offered: Any) -> dict[str, Any]:
    """Those of the arguments that ``fn`` takes."""
    names = fn_args(fn)
    return {name: value for name, value in offered.items() if name in names}


def verify_model_fn_args(model_fn: Any, params: Any) -> None:
    """Raise ``ValueError`` unless ``model_fn`` takes features, and the parameters if there are some."""
    names = set(fn_args(model_fn))
    if "features" not in names:
        raise ValueError(f"model_fn ({model_fn}) must include features argument.")
    if params is not None and "params" not in names:
        raise ValueError(
            f"model_fn ({model_fn}) does not include params argument, but params ({params}) is passed to Estimator."
        )
    if params is None and "params" in names:
        log.warning("Estimator's model_fn (%s) includes params argument, but params are not passed to Estimator.",
                    model_fn)  # fmt: skip
    unknown = list(names - _MODEL_FN_ARGS)
    if unknown:
        raise ValueError(f"model_fn ({model_fn}) has following not expected args: {unknown}")


def call_logit_fn(logit_fn: Callable[..., Any], features: Any, mode: str, params: Any, config: Any) -> Any:
    """The logits of ``logit_fn(features, ...)``: a tensor, or tensors by their names.

    Raises:
      ValueError: it gives something else.
    """
    logits = logit_fn(features=features, **called_with(logit_fn, mode=mode, params=params, config=config))
    named = isinstance(logits, dict) and all(isinstance(k, str) and isinstance(v, Tensor) for k, v in logits.items())
    if not named and not isinstance(logits, Tensor):
        raise ValueError(
            f"logit_fn should return a Tensor or a dictionary mapping strings to Tensors.  logit_fn returned: {logits}"
        )
    return logits


# -- EstimatorSpec -------------------------------------------------------------------------------


class _Fields(NamedTuple):
    mode: str
    predictions: Any
    loss: Any
    train_op: Any
    eval_metric_ops: Any
    export_outputs: Any
    training_chief_hooks: Any
    training_hooks: Any
    scaffold: Any
    evaluation_hooks: Any
    prediction_hooks: Any


class EstimatorSpec(_Fields):
    """What a model is in one mode: training needs a loss and an op, evaluation a loss, prediction its values.

    Args:
      mode: of ``ModeKeys``.
      predictions: a tensor, or tensors by their names.
      loss: a scalar.
      train_op: what a step of training runs.
      eval_metric_ops: names to pairs (value, update op), or to metrics of Keras.
      export_outputs: signature names to ``ExportOutput``; by default the predictions.
      training_chief_hooks, training_hooks, evaluation_hooks, prediction_hooks: further hooks of the sessions.
      scaffold: what the sessions need beside the model.

    Raises:
      ValueError: something is missing, is no scalar, or is of another graph.
      TypeError: something is of a wrong type.
    """

    __slots__ = ()

    def __new__(
        cls,
        mode: str,
        predictions: Any = None,
        loss: Any = None,
        train_op: Any = None,
        eval_metric_ops: Any = None,
        export_outputs: Any = None,
        training_chief_hooks: Any = None,
        training_hooks: Any = None,
        scaffold: Any = None,
        evaluation_hooks: Any = None,
        prediction_hooks: Any = None,
    ) -> EstimatorSpec:
        train_op = _checked_train_op(train_op, mode)
        loss = _checked_loss(loss, mode)
        predictions = _checked_predictions(predictions, mode)
        if mode == ModeKeys.PREDICT:
            export_outputs = get_export_outputs(export_outputs, predictions)
        given_hooks = (training_hooks, evaluation_hooks, prediction_hooks, training_chief_hooks)
        training, evaluation, prediction, chief = map(_checked_hooks, given_hooks)
        metrics = _checked_metrics(eval_metric_ops)
        scaffold = scaffold or Scaffold()
        if not isinstance(scaffold, Scaffold):
            raise TypeError(f"scaffold must be tf.train.Scaffold. Given: {scaffold}")
        return super().__new__(
            cls, mode, predictions, loss, train_op, metrics, export_outputs, chief, training, scaffold, evaluation,
            prediction,
        )  # fmt: skip

    def _replace(self, **changes: Any) -> EstimatorSpec:
        if changes.get("mode", self.mode) != self.mode:
            raise ValueError("mode of EstimatorSpec cannot be changed.")
        fields = [changes.pop(name, value) for name, value in zip(self._fields, self, strict=True)]
        return EstimatorSpec(*fields)


def _from_another_graph(what: str, name: str) -> ValueError:
    return ValueError(
        f'{what} with "{name}" must be from the default graph. Possible causes of this error include: \n\n'
        f"1) {what} was created outside the context of the default graph.\n\n"
        '2) The object passed through to EstimatorSpec was not created in the most recent call to "model_fn".'
    )


def _checked_tensor(x: Any, name: str) -> Any:
    if not isinstance(x, Tensor | Variable):
        raise TypeError(f"{name} must be Tensor, given: {x}")
    return x


def _checked_train_op(train_op: Any, mode: str) -> Any:
    if train_op is None:
        if mode == ModeKeys.TRAIN:
            raise ValueError("Missing train_op.")
        return None
    if not isinstance(train_op, Operation | Tensor | Variable):
        raise TypeError(f"train_op must be Operation or Tensor, given: {train_op}")
    if isinstance(train_op, Variable):
        train_op = train_op.op
    if train_op.graph is not default_graph():
        raise _from_another_graph("train_op", train_op.name)
    return train_op


def _checked_loss(loss: Any, mode: str) -> Any:
    if loss is None:
        if mode in (ModeKeys.TRAIN, ModeKeys.EVAL):
            raise ValueError("Missing loss.")
        return None
    shape = _checked_tensor(loss, "loss").get_shape()
    if shape.num_elements() not in (None, 1):
        raise ValueError(f"Loss must be scalar, given: {loss}")
    if not shape.is_compatible_with(TensorShape([])):
        loss = arrays.reshape(loss, [])
    if loss.graph is not default_graph():
        raise _from_another_graph("loss", loss.name)
    return loss


def _checked_predictions(predictions: Any, mode: str) -> Any:
    if predictions is None:
        if mode == ModeKeys.PREDICT:
            raise ValueError("Missing predictions.")
        return {}
    if not isinstance(predictions, dict):
        if _checked_tensor(predictions, "predictions").graph is not default_graph():
            raise _from_another_graph("prediction values", predictions.name)
        return predictions
    for key, value in predictions.items():
        _checked_tensor(value, f"predictions[{key}]")
    for key, value in predictions.items():
        if value.graph is not default_graph():
            raise _from_another_graph("prediction values", f"{key}: {value.name}")
    return dict(predictions)


def _checked_hooks(hooks: Any) -> tuple[SessionRunHook, ...]:
    hooks = tuple(hooks or [])
    for hook in hooks:
        if not isinstance(hook, SessionRunHook):
            raise TypeError(f"All hooks must be SessionRunHook instances, given: {hook}")
    return hooks


def _checked_metrics(metrics: Any) -> dict[str, Any]:
    """Metrics as pairs; the variables of Keras' metrics join the collections of the others."""
    if metrics is None:
        return {}
    if not isinstance(metrics, dict):
        raise TypeError(f"eval_metric_ops must be a dict, given: {metrics}")
    for key, value in metrics.items():
        if isinstance(value, Metric):
            if not value.updates:
                raise ValueError(f'Please call update_state(...) on the "{value.name}" metric')
        elif not isinstance(value, tuple) or len(value) != 2:
            raise TypeError(
                f"Values of eval_metric_ops must be (metric_value, update_op) tuples, given: {value} for key: {key}"
            )
    for key, value in metrics.items():
        for part in [*value.updates, value.result()] if isinstance(value, Metric) else nest.flatten(value):
            if part.graph is not default_graph():
                raise _from_another_graph("eval_metric_ops", f"{key}: {part.name}")
    for key, value in metrics.items():
        if isinstance(value, Metric):
            for collection in (GraphKeys.LOCAL_VARIABLES, GraphKeys.METRIC_VARIABLES):
                there = get_collection(collection)
                for variable in value.variables:
                    if not any(variable is v for v in there):
                        add_to_collection(collection, variable)
            metrics[key] = (value.result(), value.updates[0])
    return metrics
