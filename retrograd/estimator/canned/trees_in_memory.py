"""``tf.contrib.estimator``: boosted trees that are trained at once, on a data set that is one batch.

Source: ``tensorflow_estimator`` 1.15.1, ``contrib/estimator/python/estimator/boosted_trees.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.data.dataset import Dataset
from retrograd.estimator.canned.boosted_trees import BoostedTreesClassifier, BoostedTreesRegressor


def _repeated(train_input_fn: Callable[[], Any]) -> Callable[[], Any]:
    """The function of the same data, again and again."""

    def input_fn() -> Any:
        found = train_input_fn()
        return found.repeat() if isinstance(found, Dataset) else found

    return input_fn


def boosted_trees_classifier_train_in_memory(
    train_input_fn: Callable[[], Any], feature_columns: Any, model_dir: Any = None, n_classes: Any = 2,
    weight_column: Any = None, label_vocabulary: Any = None, n_trees: int = 100, max_depth: int = 6,
    learning_rate: float = 0.1, l1_regularization: float = 0.0, l2_regularization: float = 0.0,
    tree_complexity: float = 0.0, min_node_weight: float = 0.0, config: Any = None, train_hooks: Any = None,
    center_bias: bool = False, pruning_mode: str = "none", quantile_sketch_epsilon: float = 0.01,
) -> BoostedTreesClassifier:  # fmt: skip
    """A classifier, trained until it has ``n_trees``.

    Args:
      train_input_fn: gives features and labels of all examples, or a data set of that one element.
      train_hooks: of the training.
      others: as of ``tf.estimator.BoostedTreesClassifier``.
    """
    model = BoostedTreesClassifier(
        feature_columns, 1, model_dir, n_classes, weight_column, label_vocabulary, n_trees, max_depth, learning_rate,
        l1_regularization, l2_regularization, tree_complexity, min_node_weight, config, center_bias, pruning_mode,
        quantile_sketch_epsilon, train_in_memory=True,
    )  # fmt: skip
    model.train(_repeated(train_input_fn), hooks=train_hooks)
    return model


def boosted_trees_regressor_train_in_memory(
    train_input_fn: Callable[[], Any], feature_columns: Any, model_dir: Any = None, label_dimension: Any = 1,
    weight_column: Any = None, n_trees: int = 100, max_depth: int = 6, learning_rate: float = 0.1,
    l1_regularization: float = 0.0, l2_regularization: float = 0.0, tree_complexity: float = 0.0,
    min_node_weight: float = 0.0, config: Any = None, train_hooks: Any = None, center_bias: bool = False,
    pruning_mode: str = "none", quantile_sketch_epsilon: float = 0.01,
) -> BoostedTreesRegressor:  # fmt: skip
    """A regressor, trained until it has ``n_trees``; arguments as of ``boosted_trees_classifier_train_in_memory``."""
    model = BoostedTreesRegressor(
        feature_columns, 1, model_dir, label_dimension, weight_column, n_trees, max_depth, learning_rate,
        l1_regularization, l2_regularization, tree_complexity, min_node_weight, config, center_bias, pruning_mode,
        quantile_sketch_epsilon, train_in_memory=True,
    )  # fmt: skip
    model.train(_repeated(train_input_fn), hooks=train_hooks)
    return model
