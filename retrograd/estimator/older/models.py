"""``tf.contrib.learn``'s ready models: deep, linear, and both together, on the first or on the later feature columns.

Source: TensorFlow 1.15.5, ``contrib/learn/python/learn/estimators``: scopes, names, order of nodes, learning rates.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.estimator.learn import Estimator
from retrograd.estimator.older.arrays import ArrayInput
from retrograd.estimator.older.ascent import SDCAOptimizer
from retrograd.estimator.older.bundles import (
    classification_signature_fn_with_prob,
    parsed_by,
    regression_signature_fn,
)
from retrograd.estimator.older.head_makers import multi_class_head, regression_head
from retrograd.estimator.older.keys import MetricKey, PredictionKey, ProblemType
from retrograd.estimator.older.metric_specs import MetricSpec
from retrograd.estimator.older.model_fns import combined_model_fn, deep_model_fn, linear_model_fn, partitioner_of
from retrograd.estimator.older.specs import ModelFnOps
from retrograd.estimator.specs import ModeKeys
from retrograd.feature_column.older_models import infer_real_valued_columns
from retrograd.graph import dtypes, log
from retrograd.graph.graph import Graph
from retrograd.nn.contrib.metrics import (
    streaming_accuracy,
    streaming_auc,
    streaming_mean,
    streaming_precision,
    streaming_recall,
)
from retrograd.ops import casts, comparison
from retrograd.ops.activations import relu

# -- predictions -------------------------------------------------------------------------------


def one_key(estimator: Any, key: str, x: Any, input_fn: Any, batch_size: Any, as_iterable: bool, flat: bool) -> Any:
    """What is predicted under one key: iterated over, or as one array."""
    found = Estimator.predict(estimator, x, input_fn, batch_size, [key], as_iterable)
    if as_iterable:
        return (prediction[key] for prediction in found)
    return found[key].reshape(-1) if flat else found[key]


class _Predicting(Estimator):
    _exported_key: str
    _signature_fn: Callable[..., Any]

    def export(  # type: ignore[override]
        self, export_dir: Any, input_fn: Any = None, input_feature_key: str | None = None,
        use_deprecated_input_fn: bool = True, signature_fn: Any = None, default_batch_size: int | None = 1,
        exports_to_keep: int | None = None,
    ) -> bytes:  # fmt: skip
        """Write a session bundle; examples are parsed by the columns of the model unless ``input_fn`` does."""
        names = "feature_columns", "linear_feature_columns", "dnn_feature_columns"
        columns = [column for name in names for column in self.params.get(name) or ()]
        return super().export(
            export_dir, input_fn or parsed_by(columns), input_feature_key, use_deprecated_input_fn,
            signature_fn or type(self)._signature_fn, self._exported_key, default_batch_size, exports_to_keep,
        )  # fmt: skip

    def _foremost(self, *where: Any) -> Any:
        """What is predicted where nobody says what."""
        raise NotImplementedError

    def predict(
        self, x: Any = None, input_fn: Any = None, batch_size: int | None = None, outputs: Any = None,
        as_iterable: bool = True, iterate_batches: bool = False,
    ) -> Any:  # fmt: skip
        """The classes or numbers, or of ``outputs`` dictionaries."""
        if not outputs:
            return self._foremost(x, input_fn, batch_size, as_iterable)
        return super().predict(x, input_fn, batch_size, outputs, as_iterable, iterate_batches)


class _Classifier(_Predicting):
    _exported_key, _signature_fn = PredictionKey.PROBABILITIES, classification_signature_fn_with_prob

    def _foremost(self, *where: Any) -> Any:
        return self.predict_classes(*where)

    def predict_classes(
        self, x: Any = None, input_fn: Any = None, batch_size: int | None = None, as_iterable: bool = True
    ) -> Any:
        """The most probable class of each example."""
        return one_key(self, PredictionKey.CLASSES, x, input_fn, batch_size, as_iterable, True)

    def predict_proba(
        self, x: Any = None, input_fn: Any = None, batch_size: int | None = None, as_iterable: bool = True
    ) -> Any:
        """How probable each class is, for each example."""
        return one_key(self, PredictionKey.PROBABILITIES, x, input_fn, batch_size, as_iterable, False)


class _Regressor(_Predicting):
    _exported_key, _signature_fn = PredictionKey.SCORES, regression_signature_fn

    def evaluate(
        self, x: Any = None, y: Any = None, input_fn: Any = None, feed_fn: Any = None, batch_size: int | None = None,
        steps: int | None = None, metrics: Any = None, name: str | None = None, checkpoint_path: str | None = None,
        hooks: Any = None, log_progress: bool = True,
    ) -> dict[str, Any]:  # fmt: skip
        """Bare functions in ``metrics`` are of the predicted numbers."""
        of_scores = {
            key if isinstance(metric, MetricSpec) or isinstance(key, tuple) else (key, PredictionKey.SCORES): metric
            for key, metric in (metrics or {}).items()
        }
        return super().evaluate(
            x, y, input_fn, feed_fn, batch_size, steps, of_scores, name, checkpoint_path, hooks, log_progress
        )

    def _foremost(self, *where: Any) -> Any:
        return self.predict_scores(*where)

    def predict_scores(
        self, x: Any = None, input_fn: Any = None, batch_size: int | None = None, as_iterable: bool = True
    ) -> Any:
        """The number of each example."""
        return one_key(self, PredictionKey.SCORES, x, input_fn, batch_size, as_iterable, False)


# -- deep --------------------------------------------------------------------------------------


def _deep_params(
    head: Any, hidden_units: Any, feature_columns: Any, optimizer: Any, activation_fn: Any, dropout: Any,
    gradient_clip_norm: Any, embedding_lr_multipliers: Any, input_layer_min_slice_size: Any,
) -> dict[str, Any]:  # fmt: skip
    return locals()


class DNNClassifier(_Classifier):
    """Classes by a network of dense layers.

    Args:
      hidden_units: the sizes of the layers.
      feature_columns: what the model reads; categories as embeddings or one-hot.
      n_classes: how many classes there are; labels are the numbers below, or of ``label_keys``.
      weight_column_name: the feature that weighs the examples.
      optimizer: an optimizer, a function that makes one, or a name; Adagrad at a rate of 0.05.
      dropout: the probability with which each number behind a layer is dropped.
      gradient_clip_norm: the greatest norm of all gradients together.
      enable_centered_bias: learn the classes' frequencies beside the model.
      feature_engineering_fn: ``(features, labels) -> (features, labels)``, applied before the model.
      embedding_lr_multipliers: from columns of embeddings to factors of their gradients.
      input_layer_min_slice_size: the least bytes of a part of a column's variable.
    """

    def __init__(
        self, hidden_units: Any, feature_columns: Any, model_dir: Any = None, n_classes: int = 2,
        weight_column_name: Any = None, optimizer: Any = None, activation_fn: Any = relu, dropout: Any = None,
        gradient_clip_norm: Any = None, enable_centered_bias: bool = False, config: Any = None,
        feature_engineering_fn: Any = None, embedding_lr_multipliers: Any = None,
        input_layer_min_slice_size: Any = None, label_keys: Any = None,
    ) -> None:  # fmt: skip
        head = multi_class_head(n_classes, None, weight_column_name, enable_centered_bias, label_keys=label_keys)
        params = _deep_params(
            head, hidden_units, tuple(feature_columns or ()), optimizer, activation_fn, dropout, gradient_clip_norm,
            embedding_lr_multipliers, input_layer_min_slice_size,
        )  # fmt: skip
        super().__init__(deep_model_fn, model_dir, config, params, feature_engineering_fn)


class DNNRegressor(_Regressor):
    """Numbers by a network of dense layers; arguments as of ``DNNClassifier``."""

    def __init__(
        self, hidden_units: Any, feature_columns: Any, model_dir: Any = None, weight_column_name: Any = None,
        optimizer: Any = None, activation_fn: Any = relu, dropout: Any = None, gradient_clip_norm: Any = None,
        enable_centered_bias: bool = False, config: Any = None, feature_engineering_fn: Any = None,
        label_dimension: int = 1, embedding_lr_multipliers: Any = None, input_layer_min_slice_size: Any = None,
    ) -> None:  # fmt: skip
        head = regression_head(None, weight_column_name, label_dimension, enable_centered_bias)
        params = _deep_params(
            head, hidden_units, tuple(feature_columns or ()), optimizer, activation_fn, dropout, gradient_clip_norm,
            embedding_lr_multipliers, input_layer_min_slice_size,
        )  # fmt: skip
        super().__init__(deep_model_fn, model_dir, config, params, feature_engineering_fn)


class DNNEstimator(Estimator):
    """A network of dense layers under a head of the user; arguments as of ``DNNClassifier``."""

    def __init__(
        self, head: Any, hidden_units: Any, feature_columns: Any, model_dir: Any = None, optimizer: Any = None,
        activation_fn: Any = relu, dropout: Any = None, gradient_clip_norm: Any = None, config: Any = None,
        feature_engineering_fn: Any = None, embedding_lr_multipliers: Any = None,
        input_layer_min_slice_size: Any = None,
    ) -> None:  # fmt: skip
        params = _deep_params(
            head, hidden_units, feature_columns, optimizer, activation_fn, dropout, gradient_clip_norm,
            embedding_lr_multipliers, input_layer_min_slice_size,
        )  # fmt: skip
        super().__init__(deep_model_fn, model_dir, config, params, feature_engineering_fn)


# -- linear ------------------------------------------------------------------------------------


def _linear_params(
    head: Any, feature_columns: Any, optimizer: Any, gradient_clip_norm: Any, joint_weights: bool,
    weight_column_name: Any = None,
) -> dict[str, Any]:  # fmt: skip
    if not feature_columns:
        raise AssertionError("a linear model needs feature_columns")
    if isinstance(optimizer, SDCAOptimizer) and joint_weights:
        raise AssertionError("_joint_weights is incompatible with SDCAOptimizer.")
    return locals()


class LinearClassifier(_Classifier):
    """Classes by a sum of weights; by default Ftrl at a rate of at most 0.2. Arguments as of ``DNNClassifier``."""

    def __init__(
        self, feature_columns: Any, model_dir: Any = None, n_classes: int = 2, weight_column_name: Any = None,
        optimizer: Any = None, gradient_clip_norm: Any = None, enable_centered_bias: bool = False,
        _joint_weight: bool = False, config: Any = None, feature_engineering_fn: Any = None, label_keys: Any = None,
    ) -> None:  # fmt: skip
        if isinstance(optimizer, SDCAOptimizer):
            if enable_centered_bias:
                raise ValueError("enable_centered_bias is not supported with SDCA")
            assert n_classes == 2, "SDCA only applies to binary classification."
        head = multi_class_head(n_classes, None, weight_column_name, enable_centered_bias, label_keys=label_keys)
        params = _linear_params(head, feature_columns, optimizer, gradient_clip_norm, _joint_weight, weight_column_name)
        super().__init__(linear_model_fn, model_dir, config, params, feature_engineering_fn)


class LinearRegressor(_Regressor):
    """Numbers by a sum of weights; arguments as of ``LinearClassifier``."""

    def __init__(
        self, feature_columns: Any, model_dir: Any = None, weight_column_name: Any = None, optimizer: Any = None,
        gradient_clip_norm: Any = None, enable_centered_bias: bool = False, label_dimension: int = 1,
        _joint_weights: bool = False, config: Any = None, feature_engineering_fn: Any = None,
    ) -> None:  # fmt: skip
        if isinstance(optimizer, SDCAOptimizer):
            if enable_centered_bias:
                log.warning("centered_bias is not supported with SDCA, please disable it explicitly.")
                enable_centered_bias = False
            assert label_dimension == 1, "SDCA only applies for label_dimension=1."
        head = regression_head(None, weight_column_name, label_dimension, enable_centered_bias)
        params = _linear_params(
            head, feature_columns, optimizer, gradient_clip_norm, _joint_weights, weight_column_name
        )
        super().__init__(linear_model_fn, model_dir, config, params, feature_engineering_fn)


class LinearEstimator(Estimator):
    """A sum of weights under a head of the user; arguments as of ``LinearClassifier``."""

    def __init__(
        self, feature_columns: Any, head: Any, model_dir: Any = None, weight_column_name: Any = None,
        optimizer: Any = None, gradient_clip_norm: Any = None, _joint_weights: bool = False, config: Any = None,
        feature_engineering_fn: Any = None,
    ) -> None:  # fmt: skip
        if isinstance(optimizer, SDCAOptimizer):
            raise ValueError("LinearEstimator does not support SDCA optimizer.")
        params = _linear_params(head, feature_columns, optimizer, gradient_clip_norm, _joint_weights)
        super().__init__(linear_model_fn, model_dir, config, params, feature_engineering_fn)


# -- both --------------------------------------------------------------------------------------


def _combined_params(
    head: Any, linear_feature_columns: Any, linear_optimizer: Any, joint_linear_weights: bool,
    dnn_feature_columns: Any, dnn_optimizer: Any, dnn_hidden_units: Any, dnn_activation_fn: Any, dnn_dropout: Any,
    gradient_clip_norm: Any, embedding_lr_multipliers: Any, fix_global_step_increment_bug: bool,
    input_layer_partitioner: Any,
) -> dict[str, Any]:  # fmt: skip
    params = locals()
    for key in ("linear_feature_columns", "dnn_feature_columns"):
        params[key] = tuple(params[key] or ())
    if not params["linear_feature_columns"] + params["dnn_feature_columns"]:
        raise ValueError("Either linear_feature_columns or dnn_feature_columns must be defined.")
    return params


class DNNLinearCombinedClassifier(_Classifier):
    """Classes by a network and a sum of weights, wide and deep: each part with its columns and its optimizer.

    Without ``fix_global_step_increment_bug`` each part counts the step, as it always did.
    """

    def __init__(
        self, model_dir: Any = None, n_classes: int = 2, weight_column_name: Any = None,
        linear_feature_columns: Any = None, linear_optimizer: Any = None, _joint_linear_weights: bool = False,
        dnn_feature_columns: Any = None, dnn_optimizer: Any = None, dnn_hidden_units: Any = None,
        dnn_activation_fn: Any = relu, dnn_dropout: Any = None, gradient_clip_norm: Any = None,
        enable_centered_bias: bool = False, config: Any = None, feature_engineering_fn: Any = None,
        embedding_lr_multipliers: Any = None, input_layer_min_slice_size: Any = None, label_keys: Any = None,
        fix_global_step_increment_bug: bool = False,
    ) -> None:  # fmt: skip
        head = multi_class_head(n_classes, None, weight_column_name, enable_centered_bias, label_keys=label_keys)
        slices = None if input_layer_min_slice_size is None else partitioner_of(config, input_layer_min_slice_size)
        params = _combined_params(
            head, linear_feature_columns, linear_optimizer, _joint_linear_weights, dnn_feature_columns, dnn_optimizer,
            dnn_hidden_units, dnn_activation_fn, dnn_dropout, gradient_clip_norm, embedding_lr_multipliers,
            fix_global_step_increment_bug, slices,
        )  # fmt: skip
        super().__init__(combined_model_fn, model_dir, config, params, feature_engineering_fn)


class DNNLinearCombinedRegressor(_Regressor):
    """Numbers by a network and a sum of weights; arguments as of ``DNNLinearCombinedClassifier``."""

    def __init__(
        self, model_dir: Any = None, weight_column_name: Any = None, linear_feature_columns: Any = None,
        linear_optimizer: Any = None, _joint_linear_weights: bool = False, dnn_feature_columns: Any = None,
        dnn_optimizer: Any = None, dnn_hidden_units: Any = None, dnn_activation_fn: Any = relu,
        dnn_dropout: Any = None, gradient_clip_norm: Any = None, enable_centered_bias: bool = False,
        label_dimension: int = 1, config: Any = None, feature_engineering_fn: Any = None,
        embedding_lr_multipliers: Any = None, input_layer_min_slice_size: Any = None,
        fix_global_step_increment_bug: bool = False,
    ) -> None:  # fmt: skip
        head = regression_head(None, weight_column_name, label_dimension, enable_centered_bias)
        slices = None if input_layer_min_slice_size is None else partitioner_of(config, input_layer_min_slice_size)
        params = _combined_params(
            head, linear_feature_columns, linear_optimizer, _joint_linear_weights, dnn_feature_columns, dnn_optimizer,
            dnn_hidden_units, dnn_activation_fn, dnn_dropout, gradient_clip_norm, embedding_lr_multipliers,
            fix_global_step_increment_bug, slices,
        )  # fmt: skip
        super().__init__(combined_model_fn, model_dir, config, params, feature_engineering_fn)


class DNNLinearCombinedEstimator(Estimator):
    """A network and a sum of weights under a head of the user; arguments as of ``DNNLinearCombinedClassifier``."""

    def __init__(
        self, head: Any, model_dir: Any = None, linear_feature_columns: Any = None, linear_optimizer: Any = None,
        _joint_linear_weights: bool = False, dnn_feature_columns: Any = None, dnn_optimizer: Any = None,
        dnn_hidden_units: Any = None, dnn_activation_fn: Any = None, dnn_dropout: Any = None,
        gradient_clip_norm: Any = None, config: Any = None, feature_engineering_fn: Any = None,
        embedding_lr_multipliers: Any = None, fix_global_step_increment_bug: bool = False,
        input_layer_partitioner: Any = None,
    ) -> None:  # fmt: skip
        params = _combined_params(
            head, linear_feature_columns, linear_optimizer, _joint_linear_weights, dnn_feature_columns, dnn_optimizer,
            dnn_hidden_units, dnn_activation_fn, dnn_dropout, gradient_clip_norm, embedding_lr_multipliers,
            fix_global_step_increment_bug, input_layer_partitioner,
        )  # fmt: skip
        super().__init__(combined_model_fn, model_dir, config, params, feature_engineering_fn)


# -- others ------------------------------------------------------------------------------------


def LogisticRegressor(
    model_fn: Callable[..., Any], thresholds: Any = None, model_dir: Any = None, config: Any = None,
    feature_engineering_fn: Any = None,
) -> Estimator:  # fmt: skip
    """An estimator of a model that predicts probabilities, with the metrics of yes or no."""

    def measured(features: Any, labels: Any, mode: str, params: Any) -> ModelFnOps:
        predictions, loss, train_op = model_fn(features, labels, mode)
        metrics = None
        if mode == ModeKeys.EVAL:
            metrics = _logistic_metrics(labels, predictions, params.get("thresholds") or [0.5])
        outputs = {"head": (ProblemType.LOGISTIC_REGRESSION, {"predictions": predictions})}
        return ModelFnOps(mode, predictions, loss, train_op, metrics, outputs)

    return Estimator(measured, model_dir, config, {"thresholds": thresholds}, feature_engineering_fn)


def _logistic_metrics(labels: Any, predictions: Any, thresholds: Any) -> dict[str, Any]:
    labels = next(iter(labels.values())) if isinstance(labels, dict) and len(labels) == 1 else labels
    metrics = {
        MetricKey.PREDICTION_MEAN: streaming_mean(predictions),
        MetricKey.LABEL_MEAN: streaming_mean(labels),
        MetricKey.ACCURACY_BASELINE: streaming_mean(labels),
        MetricKey.AUC: streaming_auc(labels=labels, predictions=predictions),
    }
    for t in thresholds:
        above = casts.cast(
            comparison.greater_equal(predictions, t), dtypes.float32, name=f"predictions_at_threshold_{t:f}"
        )
        metrics[MetricKey.ACCURACY_MEAN % t] = streaming_accuracy(labels=labels, predictions=above)
        metrics[MetricKey.PRECISION_MEAN % t] = streaming_precision(labels=labels, predictions=above)
        metrics[MetricKey.RECALL_MEAN % t] = streaming_recall(labels=labels, predictions=above)
    return metrics


def infer_real_valued_columns_from_input_fn(input_fn: Callable[[], Any]) -> list[Any]:
    """A column of numbers for each feature that ``input_fn`` gives."""
    with Graph().as_default():
        return infer_real_valued_columns(input_fn()[0])


def infer_real_valued_columns_from_input(x: Any) -> list[Any]:
    """A column of numbers for each feature of arrays."""
    with Graph().as_default():
        return infer_real_valued_columns(ArrayInput(x, None, None, shuffle=False, epochs=1).tensors()[0])
