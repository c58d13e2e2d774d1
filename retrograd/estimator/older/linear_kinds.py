"""Further linear models of ``tf.contrib.learn``: ``SVM``, those of ``SDCAOptimizer`` alone, and of mapped features.

Source: TensorFlow 1.15.5, ``contrib/learn``, ``contrib/linear_optimizer``, ``contrib/kernel_methods``: scopes, names,
messages.
"""

from __future__ import annotations

from typing import Any

from retrograd.contrib.kernel_methods import DenseKernelMapper
from retrograd.estimator.learn import Estimator
from retrograd.estimator.older.ascent import SDCAOptimizer, model_by_ascent
from retrograd.estimator.older.bundles import parsed_by
from retrograd.estimator.older.head_makers import binary_svm_head, multi_class_head, regression_head
from retrograd.estimator.older.heads import _BinaryLogisticHead, _BinarySvmHead, _MultiClassHead, _RegressionHead
from retrograd.estimator.older.keys import PredictionKey
from retrograd.estimator.older.model_fns import linear_by_gradients
from retrograd.estimator.older.models import one_key
from retrograd.estimator.older.specs import ModelFnOps
from retrograd.feature_column.older_numbers import _RealValuedColumn, real_valued_column
from retrograd.graph import log
from retrograd.ops import joining


class SVM(Estimator):
    """Two classes, as far apart as a sum of weights brings them: the hinge loss, by coordinate ascent.

    Args:
      example_id_column: the feature, strings, by which an example is known again in a later pass.
      feature_columns: the first feature columns, of ``tf.contrib.layers``.
      weight_column_name: the feature that weighs the examples.
      kernels: must be None.

    Raises:
      ValueError: ``kernels`` are given.
    """

    def __init__(
        self, example_id_column: str, feature_columns: Any, weight_column_name: Any = None, model_dir: Any = None,
        l1_regularization: float = 0.0, l2_regularization: float = 0.0, num_loss_partitions: int = 1,
        kernels: Any = None, config: Any = None, feature_engineering_fn: Any = None,
    ) -> None:  # fmt: skip
        if kernels is not None:
            raise ValueError("Kernel SVMs are not currently supported.")
        optimizer = SDCAOptimizer(
            example_id_column, num_loss_partitions, symmetric_l1_regularization=l1_regularization,
            symmetric_l2_regularization=l2_regularization,
        )  # fmt: skip
        head = binary_svm_head(weight_column_name=weight_column_name, enable_centered_bias=False)

        def model_fn(features: Any, labels: Any, mode: str) -> ModelFnOps:
            return model_by_ascent(features, labels, mode, head, feature_columns, optimizer, weight_column_name)

        super().__init__(model_fn, model_dir, config, None, feature_engineering_fn)
        self._feature_columns = feature_columns

    def export(  # type: ignore[override]
        self, export_dir: Any, signature_fn: Any = None, input_fn: Any = None, default_batch_size: int | None = 1,
        exports_to_keep: int | None = None,
    ) -> bytes:  # fmt: skip
        """Write a session bundle of all predictions, unless ``signature_fn`` says which."""
        return super().export(
            export_dir, input_fn or parsed_by(self._feature_columns), signature_fn=signature_fn,
            default_batch_size=default_batch_size, exports_to_keep=exports_to_keep,
        )  # fmt: skip

    def predict_classes(
        self, x: Any = None, input_fn: Any = None, batch_size: int | None = None, as_iterable: bool = True
    ) -> Any:
        """The class of each example."""
        return one_key(self, PredictionKey.CLASSES, x, input_fn, batch_size, as_iterable, False)

    def predict_proba(
        self, x: Any = None, input_fn: Any = None, batch_size: int | None = None, outputs: Any = None,
        as_iterable: bool = True,
    ) -> Any:  # fmt: skip
        """How probable the classes are, where the head says so; ``outputs`` is ignored."""
        return one_key(self, PredictionKey.PROBABILITIES, x, input_fn, batch_size, as_iterable, False)


def _of_key(estimator: Estimator, input_fn: Any, key: str) -> Any:
    return (prediction[key] for prediction in Estimator.predict(estimator, input_fn=input_fn, outputs=[key]))


class SDCAEstimator(Estimator):
    """A linear model by coordinate ascent, with as many partitions of the loss as there are workers.

    Raises:
      ValueError: the head is of another kind.
    """

    def __init__(
        self, example_id_column: str, feature_columns: Any, weight_column_name: Any = None, model_dir: Any = None,
        head: Any = None, l1_regularization: float = 0.0, l2_regularization: float = 1.0,
        num_loss_partitions: int | None = None, config: Any = None, feature_engineering_fn: Any = None,
        partitioner: Any = None,
    ) -> None:  # fmt: skip
        columns = tuple(feature_columns or ())
        assert columns, "a linear model needs feature_columns"
        if not isinstance(head, _BinaryLogisticHead | _BinarySvmHead | _RegressionHead):
            raise ValueError(
                f"head type: {type(head)} is not supported. Supported head types: _BinaryLogisticHead, "
                "_BinarySvmHead and _RegressionHead."
            )
        assert head.logits_dimension == 1

        def model_fn(features: Any, labels: Any, mode: str, params: Any, config: Any) -> ModelFnOps:
            optimizer = SDCAOptimizer(
                example_id_column, num_loss_partitions or max(1, config.num_worker_replicas),
                symmetric_l1_regularization=l1_regularization, symmetric_l2_regularization=l2_regularization,
                partitioner=partitioner,
            )  # fmt: skip
            return model_by_ascent(features, labels, mode, head, columns, optimizer, weight_column_name)

        super().__init__(model_fn, model_dir, config, {}, feature_engineering_fn)


class SDCALogisticClassifier(SDCAEstimator):
    """Two classes by coordinate ascent; arguments as of ``SDCAEstimator``."""

    def __init__(
        self, example_id_column: str, feature_columns: Any, weight_column_name: Any = None, model_dir: Any = None,
        l1_regularization: float = 0.0, l2_regularization: float = 1.0, num_loss_partitions: int | None = None,
        config: Any = None, feature_engineering_fn: Any = None, partitioner: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            example_id_column, feature_columns, weight_column_name, model_dir,
            multi_class_head(n_classes=2, weight_column_name=weight_column_name), l1_regularization,
            l2_regularization, num_loss_partitions, config, None, partitioner,
        )  # fmt: skip

    def predict_classes(self, input_fn: Any = None) -> Any:
        """The class of each example."""
        return _of_key(self, input_fn, PredictionKey.CLASSES)

    def predict_proba(self, input_fn: Any = None) -> Any:
        """How probable the classes are, for each example."""
        return _of_key(self, input_fn, PredictionKey.PROBABILITIES)


class SDCALinearRegressor(SDCAEstimator):
    """Numbers by coordinate ascent; arguments as of ``SDCAEstimator``."""

    def __init__(
        self, example_id_column: str, feature_columns: Any, weight_column_name: Any = None, model_dir: Any = None,
        l1_regularization: float = 0.0, l2_regularization: float = 1.0, num_loss_partitions: int | None = None,
        config: Any = None, feature_engineering_fn: Any = None, partitioner: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            example_id_column, feature_columns, weight_column_name, model_dir,
            regression_head(weight_column_name=weight_column_name), l1_regularization, l2_regularization,
            num_loss_partitions, config, None, partitioner,
        )  # fmt: skip

    def predict_scores(self, input_fn: Any = None) -> Any:
        """The number of each example."""
        return _of_key(self, input_fn, PredictionKey.SCORES)


# -- mapped features ---------------------------------------------------------------------------


def _with_mapped(features: dict[Any, Any], columns: Any, mappers: Any) -> tuple[dict[Any, Any], set[Any]]:
    """The features and columns, and those that the mappers make of columns of numbers."""
    features, columns = dict(features), set(columns)
    for column, maps in mappers.items():
        if not isinstance(column, _RealValuedColumn):
            log.warning(
                "Updates are currently supported on RealValuedColumns only. Metadata for FeatureColumn "
                f"{column.name} will not be updated."
            )
            continue
        name = f"{column.name}_MAPPED"
        columns.add(real_valued_column(name, sum(m.output_dim for m in maps)))
        features[name] = joining.concat([m.map(features[column.name]) for m in maps], 1)
    return features, columns


class KernelEstimator(Estimator):
    """A linear model of columns and of what mappers make of them.

    Raises:
      ValueError: there is neither a column nor a mapper, a mapper is none, or the head is of another kind.
    """

    def __init__(
        self, feature_columns: Any = None, model_dir: Any = None, weight_column_name: Any = None, head: Any = None,
        optimizer: Any = None, kernel_mappers: Any = None, config: Any = None,
    ) -> None:  # fmt: skip
        if not feature_columns and not kernel_mappers:
            raise ValueError("You should set at least one of feature_columns, kernel_mappers.")
        if not all(isinstance(m, DenseKernelMapper) for maps in (kernel_mappers or {}).values() for m in maps):
            raise ValueError("Invalid kernel mappers.")
        if not isinstance(head, _BinaryLogisticHead | _MultiClassHead):
            raise ValueError(
                f"head type: {type(head)} is not supported. Supported head types: _BinaryLogisticHead, _MultiClassHead."
            )

        def model_fn(features: Any, labels: Any, mode: str, params: Any, config: Any) -> ModelFnOps:
            columns = feature_columns or []
            if kernel_mappers is not None:
                features, columns = _with_mapped(features, columns, kernel_mappers)
            settings = {"gradient_clip_norm": None, "joint_weights": False}
            params = {"head": head, "feature_columns": columns, "optimizer": optimizer, **settings}
            return linear_by_gradients(features, labels, mode, params, config)

        super().__init__(model_fn, model_dir, config, {})


class KernelLinearClassifier(KernelEstimator):
    """Classes by a sum of weights of features, some of them mapped to where the classes lie on two sides of a plane.

    Args:
      feature_columns: the columns that are used as they are.
      n_classes: how many classes there are; labels are the numbers below.
      optimizer: an optimizer; by default Ftrl.
      kernel_mappers: for columns of numbers, the mappers of which the model sees the results.

    Raises:
      ValueError: there is neither a column nor a mapper, or a mapper is none.
    """

    def __init__(
        self, feature_columns: Any = None, model_dir: Any = None, n_classes: int = 2, weight_column_name: Any = None,
        optimizer: Any = None, kernel_mappers: Any = None, config: Any = None,
    ) -> None:  # fmt: skip
        head = multi_class_head(n_classes=n_classes, weight_column_name=weight_column_name)
        super().__init__(feature_columns, model_dir, weight_column_name, head, optimizer, kernel_mappers, config)

    def predict_classes(self, input_fn: Any = None) -> Any:
        """The class of each example."""
        return _of_key(self, input_fn, PredictionKey.CLASSES)

    def predict_proba(self, input_fn: Any = None) -> Any:
        """How probable each class is, for each example."""
        return _of_key(self, input_fn, PredictionKey.PROBABILITIES)
