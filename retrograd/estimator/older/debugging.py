"""Models of ``tf.contrib.learn`` that read no features: they learn how often each label comes, or their mean.

Source: TensorFlow 1.15.5, ``contrib/learn/python/learn/estimators/debug.py``: arguments, rate, order of nodes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from retrograd.contrib.optimizing import optimize_loss
from retrograd.estimator.learn import Estimator
from retrograd.estimator.older.head_makers import multi_class_head, regression_head
from retrograd.estimator.older.keys import PredictionKey
from retrograd.estimator.older.specs import ModelFnOps
from retrograd.graph.scopes import control_dependencies
from retrograd.ops import arrays, constants
from retrograd.ops.checks import assert_equal


def debug_model_fn(features: Any, labels: Any, mode: str, params: dict[str, Any], config: Any = None) -> ModelFnOps:
    """Logits of 0 under ``params["head"]``, whose bias is what is learned.

    Raises:
      ValueError: there are no features, which say how many examples there are.
    """
    features = features if isinstance(features, dict) else {"": features}
    if not features:
        raise ValueError("Features cannot be empty.")
    head = params["head"]
    first, *others = (arrays.shape(feature)[0] for feature in features.values())
    with control_dependencies([assert_equal(first, size) for size in others]):
        logits = constants.zeros([first, head.logits_dimension])
    return head.create_model_fn_ops(  # type: ignore[no-any-return]
        features=features, labels=labels, mode=mode, logits=logits,
        train_op_fn=lambda loss: optimize_loss(loss, global_step=None, learning_rate=0.3, optimizer="Adagrad"),
    )  # fmt: skip


class _Debugging(Estimator):
    def _predicted(self, key: str, input_fn: Any, batch_size: int | None) -> Iterator[Any]:
        return (found[key] for found in self.predict(input_fn=input_fn, batch_size=batch_size, outputs=[key]))


class DebugClassifier(_Debugging):
    """Predicts of every example how often each class came in training; arguments as of ``DNNClassifier``."""

    def __init__(
        self, model_dir: Any = None, n_classes: int = 2, weight_column_name: Any = None, config: Any = None,
        feature_engineering_fn: Any = None, label_keys: Any = None,
    ) -> None:  # fmt: skip
        head = multi_class_head(
            n_classes, weight_column_name=weight_column_name, enable_centered_bias=True, label_keys=label_keys
        )
        super().__init__(debug_model_fn, model_dir, config, {"head": head}, feature_engineering_fn)

    def predict_classes(self, input_fn: Any = None, batch_size: int | None = None) -> Iterator[Any]:
        """The class that came most often, for each example."""
        return self._predicted(PredictionKey.CLASSES, input_fn, batch_size)

    def predict_proba(self, input_fn: Any = None, batch_size: int | None = None) -> Iterator[Any]:
        """How often each class came, for each example."""
        return self._predicted(PredictionKey.PROBABILITIES, input_fn, batch_size)


class DebugRegressor(_Debugging):
    """Predicts of every example the mean of the labels in training; arguments as of ``DNNRegressor``."""

    def __init__(
        self, model_dir: Any = None, label_dimension: int = 1, weight_column_name: Any = None, config: Any = None,
        feature_engineering_fn: Any = None,
    ) -> None:  # fmt: skip
        head = regression_head(
            weight_column_name=weight_column_name, label_dimension=label_dimension, enable_centered_bias=True
        )
        super().__init__(debug_model_fn, model_dir, config, {"head": head}, feature_engineering_fn)

    def predict_scores(self, input_fn: Any = None, batch_size: int | None = None) -> Iterator[Any]:
        """The mean, for each example."""
        return self._predicted(PredictionKey.SCORES, input_fn, batch_size)
