"""What models of ``tf.contrib.learn`` are described by.

Source: TensorFlow 1.15.5, ``contrib/learn/python/learn``: arguments, defaults, checks.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from retrograd.estimator.export_outputs import ClassificationOutput, ExportOutput, PredictOutput, RegressionOutput
from retrograd.estimator.older.keys import MetricKey, PredictionKey, ProblemType
from retrograd.estimator.specs import EstimatorSpec, ModeKeys
from retrograd.graph import dtypes, log
from retrograd.graph.convert import as_tensor, convert_to_tensor_or_sparse_tensor, get_graph_from_inputs
from retrograd.graph.operation import Operation
from retrograd.io.saved_model.signature_constants import DEFAULT_SERVING_SIGNATURE_DEF_KEY
from retrograd.ops.arrays import reshape
from retrograd.sessions.hooks import SessionRunHook


class _Fields(NamedTuple):
    predictions: Any
    loss: Any
    train_op: Any
    eval_metric_ops: Any
    output_alternatives: Any
    training_chief_hooks: Any
    training_hooks: Any
    scaffold: Any
    mode: Any


class ModelFnOps(_Fields):
    """What an older ``model_fn`` may give in place of a tuple.

    Args:
      mode: ``"train"``, ``"eval"`` or ``"infer"``.
      predictions: a tensor, or tensors by their names.
      loss: a scalar.
      train_op: what a step of training runs.
      eval_metric_ops: metrics by their names.
      output_alternatives: for each head its kind of problem and its outputs by their names.
      training_chief_hooks, training_hooks: further hooks of the sessions that train.
      scaffold: what these sessions need beside the model.

    Raises:
      ValueError: the mode is none, or something that it needs is missing, is no scalar, or is of another graph.
      TypeError: a hook is none.
    """

    __slots__ = ()

    def __new__(
        cls,
        mode: Any,
        predictions: Any = None,
        loss: Any = None,
        train_op: Any = None,
        eval_metric_ops: Any = None,
        output_alternatives: Any = None,
        training_chief_hooks: Any = None,
        training_hooks: Any = None,
        scaffold: Any = None,
    ) -> ModelFnOps:
        if mode not in (ModeKeys.TRAIN, ModeKeys.EVAL, ModeKeys.PREDICT):
            raise ValueError(f"Invalid mode {mode}.")
        get_graph_from_inputs((predictions, loss, train_op))
        for what, given, needed in (
            ("train_op", train_op, mode == ModeKeys.TRAIN),
            ("loss", loss, mode != ModeKeys.PREDICT),
            ("predictions", predictions, mode != ModeKeys.TRAIN),
        ):
            if given is None and needed:
                raise ValueError(f"Missing {what}.")
        if eval_metric_ops is not None and not isinstance(eval_metric_ops, dict):
            raise ValueError("eval_metric_ops must be a dict.")
        for hook in [*(training_hooks or []), *(training_chief_hooks or [])]:
            if not isinstance(hook, SessionRunHook):
                raise TypeError(
                    "All hooks returned from model_fn must be SessionRunHook instances, got instance of "
                    f"{type(hook)}: {hook}"
                )
        return super().__new__(
            cls, _tensors(predictions), _scalar(loss), _op(train_op), eval_metric_ops or {}, output_alternatives,
            training_chief_hooks or [], training_hooks or [], scaffold, mode,
        )  # fmt: skip

    def estimator_spec(self, default_serving_output_alternative_key: Any = None) -> EstimatorSpec:
        """The same for ``tf.estimator.Estimator``; the key names the head that answers where a request names none.

        Raises:
          ValueError: a kind of problem is unknown.
          KeyError: there are several heads, and none has the key.
        """
        exported, default = None, DEFAULT_SERVING_SIGNATURE_DEF_KEY
        if self.output_alternatives:
            heads = self.output_alternatives
            if len(heads) > 1 and default not in heads:
                heads = {**heads, default: heads[default_serving_output_alternative_key]}
            exported = {name: _export_output(*head) for name, head in heads.items()}
        return EstimatorSpec(
            self.mode, self.predictions, self.loss, self.train_op,
            {name: metric for name, metric in self.eval_metric_ops.items() if name != MetricKey.LOSS}, exported,
            self.training_chief_hooks, self.training_hooks, self.scaffold,
        )  # fmt: skip


def _tensors(predictions: Any) -> Any:
    if isinstance(predictions, dict):
        return {name: convert_to_tensor_or_sparse_tensor(value) for name, value in predictions.items()}
    return None if predictions is None else convert_to_tensor_or_sparse_tensor(predictions)


def _scalar(loss: Any) -> Any:
    if loss is None:
        return None
    loss = as_tensor(loss)
    if loss.shape.num_elements() not in (None, 1):
        raise ValueError(f"Loss must be scalar: {loss}.")
    return loss if loss.shape.is_compatible_with([]) else reshape(loss, [])


def _op(train_op: Any) -> Any:
    return train_op if train_op is None or isinstance(train_op, Operation) else as_tensor(train_op).op


def _export_output(problem_type: Any, predictions: Any) -> ExportOutput:
    scores = predictions.get(PredictionKey.SCORES)
    if scores is None:
        scores = predictions.get(PredictionKey.PROBABILITIES)
    if problem_type == ProblemType.LINEAR_REGRESSION:
        return RegressionOutput(scores)
    if problem_type in (ProblemType.CLASSIFICATION, ProblemType.LOGISTIC_REGRESSION):
        classes = predictions.get(PredictionKey.CLASSES)
        if classes is None or classes.dtype != dtypes.string:
            reason = "classes is None" if classes is None else "classes is not string"
            log.warning(f"{reason}, Servo inference will not have class ids.")
            classes = None
        return ClassificationOutput(scores, classes)
    if problem_type == ProblemType.UNSPECIFIED:
        return PredictOutput(predictions)
    raise ValueError(f"Unknown problem_type={problem_type}")
