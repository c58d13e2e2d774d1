"""``tf.contrib.boosted_trees.estimator_batch``: estimators of boosted decision trees.

Each of them takes:

- learner_config: a ``LearnerConfig`` message: regularization, constraints, pruning, learning rate, strategies.
- examples_per_layer: after how many examples a layer grows, or a function of the layer's number.
- num_trees: training ends after so many.
- feature_columns: what of the features it reads; without them, all.
- weight_column_name: the feature that weighs examples.
- logits_modifier_function: ``(logits, features, mode) -> logits``.
- center_bias: whether a tree of one leaf comes first, the mean.
- use_core_libs: whether columns and head are of ``tf.feature_column`` and ``tf.estimator``.
- output_leaf_index: whether predictions hold the leaf of each tree.
- override_global_step_value: what the global step is to be when training ends.
- num_quantiles: how many thresholds a number is compared with at most.

Source: TensorFlow 1.15.5, ``contrib/boosted_trees/estimator_batch/estimator.py``: arguments, defaults, messages.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from retrograd.estimator.estimator import Estimator as CoreEstimator
from retrograd.estimator.gradient_trees import losses
from retrograd.estimator.gradient_trees.builders import (
    ModelBuilderOutputType,
    model_builder,
    ranking_model_builder,
)
from retrograd.estimator.gradient_trees.heads import CustomLossHead, core_quantile_regression_head
from retrograd.estimator.learn import Estimator
from retrograd.estimator.older.head_makers import multi_class_head, regression_head
from retrograd.ops import arrays
from retrograd.ops.reductions import reduce_mean


def _one_quantile(quantiles: Any) -> Any:
    if len(quantiles) > 1:
        raise ValueError("For now, just one quantile per estimator is supported")
    return quantiles[0]


class GradientBoostedDecisionTreeClassifier(Estimator):
    """One of ``n_classes`` classes.

    Raises:
      ValueError: ``learner_config`` has another number of classes.
    """

    def __init__(
        self, learner_config: Any, examples_per_layer: Any, n_classes: int = 2, num_trees: int | None = None,
        feature_columns: Any = None, weight_column_name: str | None = None, model_dir: Any = None, config: Any = None,
        label_keys: Any = None, feature_engineering_fn: Any = None, logits_modifier_function: Any = None,
        center_bias: bool = True, use_core_libs: bool = False, output_leaf_index: bool = False,
        override_global_step_value: int | None = None, num_quantiles: int = 100,
    ) -> None:  # fmt: skip
        def loss_fn(labels: Any, logits: Any, weights: Any = None) -> Any:
            return reduce_mean(losses.per_example_maxent_loss(labels, weights, logits, n_classes)[0])

        head = multi_class_head(
            n_classes=n_classes, weight_column_name=weight_column_name, enable_centered_bias=False,
            loss_fn=loss_fn if n_classes > 2 else None, label_keys=label_keys,
        )  # fmt: skip
        if learner_config.num_classes not in (0, n_classes):
            told = f"n_classes ({n_classes}) doesn't match learner_config ({learner_config.num_classes})."
            raise ValueError(told)
        learner_config.num_classes = n_classes
        params = {
            "head": head, "feature_columns": feature_columns, "learner_config": learner_config,
            "num_trees": num_trees, "weight_column_name": weight_column_name,
            "examples_per_layer": examples_per_layer, "center_bias": center_bias,
            "logits_modifier_function": logits_modifier_function, "use_core_libs": use_core_libs,
            "output_leaf_index": output_leaf_index, "override_global_step_value": override_global_step_value,
            "num_quantiles": num_quantiles,
        }  # fmt: skip
        super().__init__(model_builder, model_dir, config, params, feature_engineering_fn)


class GradientBoostedDecisionTreeEstimator(Estimator):
    """The same under a head of the user."""

    def __init__(
        self, learner_config: Any, examples_per_layer: Any, head: Any, num_trees: int | None = None,
        feature_columns: Any = None, weight_column_name: str | None = None, model_dir: Any = None, config: Any = None,
        feature_engineering_fn: Any = None, logits_modifier_function: Any = None, center_bias: bool = True,
        use_core_libs: bool = False, output_leaf_index: bool = False, override_global_step_value: int | None = None,
        num_quantiles: int = 100,
    ) -> None:  # fmt: skip
        params = {
            "head": head, "feature_columns": feature_columns, "learner_config": learner_config,
            "num_trees": num_trees, "weight_column_name": weight_column_name,
            "examples_per_layer": examples_per_layer, "logits_modifier_function": logits_modifier_function,
            "center_bias": center_bias, "use_core_libs": use_core_libs, "output_leaf_index": False,
            "override_global_step_value": override_global_step_value, "num_quantiles": num_quantiles,
        }  # fmt: skip
        super().__init__(model_builder, model_dir, config, params, feature_engineering_fn)


class GradientBoostedDecisionTreeRegressor(GradientBoostedDecisionTreeEstimator):
    """``label_dimension`` numbers."""

    def __init__(
        self, learner_config: Any, examples_per_layer: Any, label_dimension: int = 1, num_trees: int | None = None,
        feature_columns: Any = None, label_name: str | None = None, weight_column_name: str | None = None,
        model_dir: Any = None, config: Any = None, feature_engineering_fn: Any = None,
        logits_modifier_function: Any = None, center_bias: bool = True, use_core_libs: bool = False,
        output_leaf_index: bool = False, override_global_step_value: int | None = None, num_quantiles: int = 100,
    ) -> None:  # fmt: skip
        head = regression_head(
            label_name=label_name, label_dimension=label_dimension, weight_column_name=weight_column_name,
            enable_centered_bias=False,
        )  # fmt: skip
        learner_config.num_classes = 2 if label_dimension == 1 else label_dimension
        super().__init__(
            learner_config, examples_per_layer, head, num_trees, feature_columns, weight_column_name, model_dir,
            config, feature_engineering_fn, logits_modifier_function, center_bias, use_core_libs, output_leaf_index,
            override_global_step_value, num_quantiles,
        )  # fmt: skip


class GradientBoostedDecisionTreeQuantileRegressor(GradientBoostedDecisionTreeEstimator):
    """A quantile of numbers, the only one of ``quantiles``.

    Raises:
      ValueError: there are several.
    """

    def __init__(
        self, learner_config: Any, examples_per_layer: Any, quantiles: Any, label_dimension: int = 1,
        num_trees: int | None = None, feature_columns: Any = None, weight_column_name: str | None = None,
        model_dir: Any = None, config: Any = None, feature_engineering_fn: Any = None,
        logits_modifier_function: Any = None, center_bias: bool = True, use_core_libs: bool = False,
        output_leaf_index: bool = False, override_global_step_value: int | None = None, num_quantiles: int = 100,
    ) -> None:  # fmt: skip
        loss_fn = partial(losses.per_example_quantile_regression_loss, quantile=_one_quantile(quantiles))
        head = CustomLossHead(loss_fn, arrays.identity, label_dimension)
        learner_config.num_classes = max(2, label_dimension)
        super().__init__(
            learner_config, examples_per_layer, head, num_trees, feature_columns, weight_column_name, model_dir,
            config, feature_engineering_fn, logits_modifier_function, center_bias, use_core_libs, output_leaf_index,
            override_global_step_value, num_quantiles,
        )  # fmt: skip


class GradientBoostedDecisionTreeRanker(Estimator):
    """An order, learned from pairs: ``ranking_model_pair_keys`` are what features of left and right begin with."""

    def __init__(
        self, learner_config: Any, examples_per_layer: Any, head: Any, ranking_model_pair_keys: Any,
        num_trees: int | None = None, feature_columns: Any = None, weight_column_name: str | None = None,
        model_dir: Any = None, config: Any = None, label_keys: Any = None, feature_engineering_fn: Any = None,
        logits_modifier_function: Any = None, center_bias: bool = False, use_core_libs: bool = False,
        output_leaf_index: bool = False, override_global_step_value: int | None = None, num_quantiles: int = 100,
    ) -> None:  # fmt: skip
        params = {
            "head": head, "n_classes": 2, "feature_columns": feature_columns, "learner_config": learner_config,
            "num_trees": num_trees, "weight_column_name": weight_column_name,
            "examples_per_layer": examples_per_layer, "center_bias": center_bias,
            "logits_modifier_function": logits_modifier_function, "use_core_libs": use_core_libs,
            "output_leaf_index": output_leaf_index, "ranking_model_pair_keys": ranking_model_pair_keys,
            "override_global_step_value": override_global_step_value, "num_quantiles": num_quantiles,
        }  # fmt: skip
        super().__init__(ranking_model_builder, model_dir, config, params, feature_engineering_fn)


# -- estimators of tf.estimator ----------------------------------------------------------------


class _Core(CoreEstimator):
    """An estimator of ``tf.estimator`` that a builder makes the model of; ``make_head`` makes its head."""

    def __init__(
        self, builder: Any, make_head: Any, model_dir: Any, config: Any, learner_config: Any, examples_per_layer: Any,
        **params: Any,
    ) -> None:  # fmt: skip
        given = {
            "learner_config": learner_config, "examples_per_layer": examples_per_layer, "use_core_libs": True,
            "override_global_step_value": None, **params,
        }  # fmt: skip

        def model_fn(features: Any, labels: Any, mode: str, config: Any) -> Any:
            return builder(
                features, labels, mode, {**given, "head": make_head()}, config, ModelBuilderOutputType.ESTIMATOR_SPEC
            )

        super().__init__(model_fn, model_dir=model_dir, config=config)


class CoreGradientBoostedDecisionTreeEstimator(_Core):
    """Trees under a head of ``tf.estimator``."""

    def __init__(
        self, learner_config: Any, examples_per_layer: Any, head: Any, num_trees: int | None = None,
        feature_columns: Any = None, weight_column_name: str | None = None, model_dir: Any = None, config: Any = None,
        label_keys: Any = None, feature_engineering_fn: Any = None, logits_modifier_function: Any = None,
        center_bias: bool = True, output_leaf_index: bool = False, num_quantiles: int = 100,
    ) -> None:  # fmt: skip
        super().__init__(
            model_builder, lambda: head, model_dir, config, learner_config, examples_per_layer, num_trees=num_trees,
            feature_columns=feature_columns, weight_column_name=weight_column_name, center_bias=center_bias,
            logits_modifier_function=logits_modifier_function, output_leaf_index=output_leaf_index,
            num_quantiles=num_quantiles,
        )  # fmt: skip


class CoreGradientBoostedDecisionTreeRanker(_Core):
    """An order, learned from pairs, under a head of ``tf.estimator``."""

    def __init__(
        self, learner_config: Any, examples_per_layer: Any, head: Any, ranking_model_pair_keys: Any,
        num_trees: int | None = None, feature_columns: Any = None, weight_column_name: str | None = None,
        model_dir: Any = None, config: Any = None, label_keys: Any = None, logits_modifier_function: Any = None,
        center_bias: bool = False, output_leaf_index: bool = False, num_quantiles: int = 100,
    ) -> None:  # fmt: skip
        super().__init__(
            ranking_model_builder, lambda: head, model_dir, config, learner_config, examples_per_layer,
            num_trees=num_trees, feature_columns=feature_columns, weight_column_name=weight_column_name,
            center_bias=center_bias, logits_modifier_function=logits_modifier_function,
            output_leaf_index=output_leaf_index, ranking_model_pair_keys=ranking_model_pair_keys,
            num_quantiles=num_quantiles,
        )  # fmt: skip


class CoreGradientBoostedDecisionTreeQuantileRegressor(_Core):
    """A quantile of numbers, the only one of ``quantiles``.

    Raises:
      ValueError: there are several.
    """

    def __init__(
        self, learner_config: Any, examples_per_layer: Any, quantiles: Any, label_dimension: int = 1,
        num_trees: int | None = None, feature_columns: Any = None, weight_column_name: str | None = None,
        model_dir: Any = None, config: Any = None, label_keys: Any = None, feature_engineering_fn: Any = None,
        logits_modifier_function: Any = None, center_bias: bool = True, output_leaf_index: bool = False,
        num_quantiles: int = 100,
    ) -> None:  # fmt: skip
        quantile = _one_quantile(quantiles)
        super().__init__(
            model_builder, lambda: core_quantile_regression_head(quantile, label_dimension, weight_column_name),
            model_dir, config, learner_config, examples_per_layer, num_trees=num_trees,
            feature_columns=feature_columns, weight_column_name=weight_column_name, center_bias=center_bias,
            logits_modifier_function=logits_modifier_function, output_leaf_index=output_leaf_index,
            num_quantiles=num_quantiles,
        )  # fmt: skip
