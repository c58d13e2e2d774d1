"""Random forests as estimators: ``tf.contrib.tensor_forest``'s ``TensorForestEstimator``.

Source: TensorFlow 1.15.5, ``contrib/tensor_forest/client/random_forest.py``.
"""

from __future__ import annotations

from typing import Any

from retrograd.contrib.forests import RandomForestGraphs
from retrograd.estimator.learn import Estimator
from retrograd.estimator.older.head_makers import multi_class_head, regression_head
from retrograd.estimator.older.specs import ModelFnOps
from retrograd.estimator.specs import ModeKeys
from retrograd.feature_column.older_models import transform_features
from retrograd.graph import log
from retrograd.graph.scopes import control_dependencies
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.tensor import Tensor
from retrograd.nn import summaries
from retrograd.ops import arithmetic, control
from retrograd.ops.exponentials import log as logarithm
from retrograd.ops.slicing import slice_
from retrograd.ops.state import assign_add
from retrograd.sessions.hooks import SessionRunArgs, SessionRunHook
from retrograd.train.training_util import get_global_step

VARIANCE_PREDICTION_KEY, TREE_PATHS_PREDICTION_KEY = "prediction_variance", "tree_paths"
_EPSILON = 0.000001


class TensorForestRunOpAtEndHook(SessionRunHook):
    """Logs values when training ends."""

    def __init__(self, op_dict: dict[str, Any]) -> None:
        self._ops = op_dict

    def end(self, session: Any) -> None:
        for name in sorted(self._ops):
            log.info("%s: %s", name, session.run(self._ops[name]))


class TensorForestLossHook(SessionRunHook):
    """Stops when the loss has not become better for so many steps, by a share of itself."""

    def __init__(
        self, early_stopping_rounds: int, early_stopping_loss_threshold: float = 0.0, loss_op: Any = None
    ) -> None:
        self.early_stopping_rounds, self.early_stopping_loss_threshold = (
            early_stopping_rounds, early_stopping_loss_threshold,
        )  # fmt: skip
        self.loss_op = loss_op
        self.min_loss: Any = None
        self.last_step, self.steps = -1, 0

    def before_run(self, run_context: Any) -> SessionRunArgs:
        return SessionRunArgs({"global_step": get_global_step(), "current_loss": self.loss_op})

    def after_run(self, run_context: Any, run_values: Any) -> None:
        loss, step = run_values.results["current_loss"], run_values.results["global_step"]
        self.steps += 1
        if self.last_step == -1 or self.last_step > step:
            log.info("TensorForestLossHook resetting last_step.")
            self.last_step, self.steps, self.min_loss = step, 0, None
            return
        self.last_step = step
        if self.min_loss is None or loss < self.min_loss * (1 - self.early_stopping_loss_threshold):
            self.min_loss, self.steps = loss, 0
        if self.steps > self.early_stopping_rounds:
            log.info("TensorForestLossHook requesting stop.")
            run_context.request_stop()


class TensorForestEstimator(Estimator):
    """A random forest.

    Args:
      params: ``ForestHParams``.
      feature_columns: what of the features the forest reads; without them, all.
      weight_column, keys_column: the features that weigh examples, and that predictions are given with.
      early_stopping_rounds, early_stopping_loss_threshold: stop when in so many steps the loss has not become smaller
        by this share of itself.
      report_feature_importances: log at the end how often each feature is asked for.
      head: in the place of the one for classes or numbers.
    """

    def __init__(
        self, params: Any, device_assigner: Any = None, model_dir: Any = None, feature_columns: Any = None,
        graph_builder_class: Any = RandomForestGraphs, config: Any = None, weight_column: Any = None,
        keys_column: Any = None, feature_engineering_fn: Any = None, early_stopping_rounds: int = 100,
        early_stopping_loss_threshold: float = 0.001, num_trainers: int = 1, trainer_id: int = 0,
        report_feature_importances: bool = False, local_eval: bool = False, version: Any = None, head: Any = None,
        include_all_in_serving: bool = False,
    ) -> None:  # fmt: skip
        p = params.fill()
        head = head or _default_head(p, weight_column)

        def model_fn(features: Any, labels: Any, mode: str) -> ModelFnOps:
            features = {"features": features} if isinstance(features, Tensor | SparseTensor) else dict(features)
            if feature_columns:
                features.update(transform_features(features, feature_columns))
            weights, keys = features.pop(weight_column, None), features.pop(keys_column, None)
            graph = graph_builder_class(p, device_assigner=device_assigner)
            logits, paths, variance = graph.inference_graph(features)
            summaries.scalar("average_tree_size", graph.average_size())
            if not p.regression and p.num_classes == 2:  # the head takes the logarithm of the odds
                share = slice_(logits, [0, 1], [-1, 1])
                odds = share / arithmetic.maximum(1.0 - share, _EPSILON)
                logits = logarithm(arithmetic.maximum(odds, _EPSILON))
            step = None
            if labels is not None and mode == ModeKeys.TRAIN:
                with control_dependencies([logits.op]):
                    grown = graph.training_graph(
                        features, labels, input_weights=weights, num_trainers=num_trainers, trainer_id=trainer_id
                    )
                    step = control.group(grown, assign_add(get_global_step(), 1))
            if weights is not None:
                features[weight_column] = weights
            made: ModelFnOps = head.create_model_fn_ops(
                features=features, labels=labels, mode=mode, train_op_fn=lambda _: step, logits=logits
            )
            if report_feature_importances:
                at_end = {"1: feature_importances": graph.feature_importances()}
                made.training_hooks.append(TensorForestRunOpAtEndHook(at_end))
            if early_stopping_rounds and mode == ModeKeys.TRAIN:
                hook = TensorForestLossHook(early_stopping_rounds, early_stopping_loss_threshold, made.loss)
                made.training_hooks.append(hook)
            if keys is not None:
                made.predictions[keys_column] = keys
            if p.inference_tree_paths:
                made.predictions[TREE_PATHS_PREDICTION_KEY] = paths
            made.predictions[VARIANCE_PREDICTION_KEY] = variance
            return made

        super().__init__(model_fn, model_dir, config, feature_engineering_fn=feature_engineering_fn)


def _default_head(p: Any, weight_column: Any) -> Any:
    if p.regression:
        return regression_head(weight_column_name=weight_column, label_dimension=p.num_outputs)
    return multi_class_head(p.num_classes, weight_column_name=weight_column)
