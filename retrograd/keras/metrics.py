"""Metrics of ``tf.keras.metrics``: functions of one batch, and objects that keep what they saw of all."""

from __future__ import annotations

from typing import Any

from retrograd.graph.convert import as_tensor
from retrograd.graph.dtypes import as_dtype
from retrograd.graph.modes import init_scope
from retrograd.graph.scopes import control_dependencies
from retrograd.graph.stack import default_graph
from retrograd.keras import backend as K
from retrograd.keras import losses
from retrograd.keras.accuracies import accuracy as accuracy
from retrograd.keras.accuracies import binary_accuracy as binary_accuracy
from retrograd.keras.accuracies import categorical_accuracy as categorical_accuracy
from retrograd.keras.accuracies import sparse_categorical_accuracy as sparse_categorical_accuracy
from retrograd.keras.accuracies import sparse_top_k_categorical_accuracy as sparse_top_k_categorical_accuracy
from retrograd.keras.accuracies import top_k_categorical_accuracy as top_k_categorical_accuracy
from retrograd.keras.counting_metrics import AUC as AUC
from retrograd.keras.counting_metrics import FalseNegatives as FalseNegatives
from retrograd.keras.counting_metrics import FalsePositives as FalsePositives
from retrograd.keras.counting_metrics import Precision as Precision
from retrograd.keras.counting_metrics import Recall as Recall
from retrograd.keras.counting_metrics import SensitivityAtSpecificity as SensitivityAtSpecificity
from retrograd.keras.counting_metrics import SpecificityAtSensitivity as SpecificityAtSensitivity
from retrograd.keras.counting_metrics import TrueNegatives as TrueNegatives
from retrograd.keras.counting_metrics import TruePositives as TruePositives
from retrograd.keras.losses import squeeze_or_expand
from retrograd.keras.metric_base import Mean as Mean
from retrograd.keras.metric_base import MeanMetricWrapper as MeanMetricWrapper
from retrograd.keras.metric_base import Metric as Metric
from retrograd.keras.metric_base import Sum as Sum
from retrograd.keras.metric_base import fitted, metric_of
from retrograd.keras.metric_parts import (
    flat_values,
    number_of,
)
from retrograd.nn.keras.lookup import described, found
from retrograd.ops import (
    arithmetic,
    arrays,
    casts,
    comparison,
    confusion,
    constants,
    diagonals,
    powers,
    reductions,
    rounding,
)

# -- means -----------------------------------------------------------------------------------------

Accuracy = metric_of(accuracy, "accuracy", "Accuracy", "How often predictions are the targets.")
CategoricalAccuracy = metric_of(
    categorical_accuracy, "categorical_accuracy", "CategoricalAccuracy", "How often the largest is that of the class."
)
SparseCategoricalAccuracy = metric_of(
    sparse_categorical_accuracy, "sparse_categorical_accuracy", "SparseCategoricalAccuracy",
    "How often the largest prediction is that of the class, an integer.",
)  # fmt: skip
MeanAbsoluteError = metric_of(
    losses.mean_absolute_error, "mean_absolute_error", "MeanAbsoluteError", "The mean of absolute errors."
)
MeanAbsolutePercentageError = metric_of(
    losses.mean_absolute_percentage_error, "mean_absolute_percentage_error", "MeanAbsolutePercentageError",
    "The mean of errors, in percent.",
)  # fmt: skip
MeanSquaredError = metric_of(
    losses.mean_squared_error, "mean_squared_error", "MeanSquaredError", "The mean of squares."
)
MeanSquaredLogarithmicError = metric_of(
    losses.mean_squared_logarithmic_error, "mean_squared_logarithmic_error", "MeanSquaredLogarithmicError",
    "The mean of squared errors of logarithms.",
)  # fmt: skip
Hinge = metric_of(losses.hinge, "hinge", "Hinge", "The mean hinge loss.")
SquaredHinge = metric_of(losses.squared_hinge, "squared_hinge", "SquaredHinge", "The mean squared hinge loss.")
CategoricalHinge = metric_of(losses.categorical_hinge, "categorical_hinge", "CategoricalHinge", "The mean hinge loss.")
LogCoshError = metric_of(losses.logcosh, "logcosh", "LogCoshError", "The mean of log(cosh(error)).")
Poisson = metric_of(losses.poisson, "poisson", "Poisson", "The mean Poisson loss.")
KLDivergence = metric_of(
    losses.kullback_leibler_divergence, "kullback_leibler_divergence", "KLDivergence", "The mean divergence."
)


class BinaryAccuracy(MeanMetricWrapper):
    """How often predictions are on the right side of ``threshold``."""

    def __init__(self, name: Any = "binary_accuracy", dtype: Any = None, threshold: float = 0.5) -> None:
        super().__init__(binary_accuracy, name, dtype=dtype, threshold=threshold)


class TopKCategoricalAccuracy(MeanMetricWrapper):
    """How often the class is among the ``k`` largest."""

    def __init__(self, k: int = 5, name: Any = "top_k_categorical_accuracy", dtype: Any = None) -> None:
        super().__init__(top_k_categorical_accuracy, name, dtype=dtype, k=k)


class SparseTopKCategoricalAccuracy(MeanMetricWrapper):
    """How often the class, an integer, is among the ``k`` largest."""

    def __init__(self, k: int = 5, name: Any = "sparse_top_k_categorical_accuracy", dtype: Any = None) -> None:
        super().__init__(sparse_top_k_categorical_accuracy, name, dtype=dtype, k=k)


class BinaryCrossentropy(MeanMetricWrapper):
    """The mean cross-entropy of two classes."""

    def __init__(
        self, name: Any = "binary_crossentropy", dtype: Any = None, from_logits: bool = False, label_smoothing: Any = 0
    ) -> None:
        super().__init__(
            losses.binary_crossentropy, name, dtype=dtype, from_logits=from_logits, label_smoothing=label_smoothing
        )


class CategoricalCrossentropy(MeanMetricWrapper):
    """The mean cross-entropy of classes."""

    def __init__(
        self, name: Any = "categorical_crossentropy", dtype: Any = None, from_logits: bool = False,
        label_smoothing: Any = 0,
    ) -> None:  # fmt: skip
        super().__init__(
            losses.categorical_crossentropy, name, dtype=dtype, from_logits=from_logits,
            label_smoothing=label_smoothing,
        )  # fmt: skip


class SparseCategoricalCrossentropy(MeanMetricWrapper):
    """The mean cross-entropy of classes that are integers."""

    def __init__(
        self, name: Any = "sparse_categorical_crossentropy", dtype: Any = None, from_logits: bool = False,
        axis: int = -1,
    ) -> None:  # fmt: skip
        super().__init__(losses.sparse_categorical_crossentropy, name, dtype=dtype, from_logits=from_logits, axis=axis)


class CosineSimilarity(MeanMetricWrapper):
    """The mean cosine of the angle."""

    def __init__(self, name: Any = "cosine_similarity", dtype: Any = None, axis: int = -1) -> None:
        super().__init__(losses.cosine_proximity, name, dtype=dtype, axis=axis)


class RootMeanSquaredError(Mean):
    """The root of the mean of squared errors."""

    def __init__(self, name: Any = "root_mean_squared_error", dtype: Any = None) -> None:
        super().__init__(name, dtype=dtype)

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:  # type: ignore[override]
        y_true, y_pred = casts.cast(y_true, self.dtype), casts.cast(y_pred, self.dtype)
        y_pred, y_true, _ = squeeze_or_expand(y_pred, y_true, None)
        return super().update_state(arithmetic.squared_difference(y_pred, y_true), sample_weight=sample_weight)

    def result(self) -> Any:
        return powers.sqrt(arithmetic.div_no_nan(self.total, self.count))


class MeanRelativeError(Mean):
    """The mean of errors over ``normalizer``."""

    def __init__(self, normalizer: Any, name: Any = None, dtype: Any = None) -> None:
        super().__init__(name=name, dtype=dtype)
        self.normalizer = casts.cast(normalizer, self.dtype)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "normalizer": number_of(self.normalizer)}

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:  # type: ignore[override]
        (y_true, y_pred), sample_weight = flat_values([y_true, y_pred], sample_weight)
        y_true, y_pred = casts.cast(y_true, self.dtype), casts.cast(y_pred, self.dtype)
        y_pred, y_true, _ = squeeze_or_expand(y_pred, y_true, None)
        errors = arithmetic.div_no_nan(rounding.abs_(y_true - y_pred), self.normalizer)
        return super().update_state(errors, sample_weight=sample_weight)


class MeanTensor(Metric):
    """The mean of tensors, element by element."""

    def __init__(self, name: Any = "mean_tensor", dtype: Any = None) -> None:
        super().__init__(name=name, dtype=dtype)
        self.built = False
        self.total: Any = None
        self.count: Any = None

    def update_state(self, values: Any, sample_weight: Any = None) -> Any:
        values = casts.cast(as_tensor(values), self.dtype)
        if not self.built:
            self._make(values.shape.as_list())
        elif values.shape.as_list() != self.total.shape.as_list():
            raise ValueError(
                "MeanTensor input values must always have the same shape. Expected shape (set during the first call): "
                f"{self.total.shape}. Got: {values.shape}"
            )
        counts = constants.ones_like(values)
        values, weights = fitted(values, sample_weight)
        if weights is not None:
            counts = arithmetic.multiply(counts, weights)
            values = arithmetic.multiply(values, weights)
        with control_dependencies([self.total.assign_add(values)]):
            return self.count.assign_add(counts).op

    def _make(self, sizes: list[int | None]) -> None:
        """The variables, which have their first values at once: nobody knew of them before the first call."""
        with init_scope():
            self.total, self.count = (self.add_weight(n, shape=sizes) for n in ("total", "count"))
            if not default_graph().is_eager:
                K.get_session()
        self.built = True

    def result(self) -> Any:
        if not self.built:
            raise ValueError(
                "MeanTensor does not have any result yet. Please call the MeanTensor instance or use "
                "`.update_state(value)` before retrieving the result."
            )
        return arithmetic.div_no_nan(self.total, self.count)


class MeanIoU(Metric):
    """The mean, over classes, of intersection over union."""

    def __init__(self, num_classes: int, name: Any = None, dtype: Any = None) -> None:
        super().__init__(name=name, dtype=dtype)
        self.num_classes = num_classes
        self.total_cm = self.add_weight("total_confusion_matrix", shape=(num_classes, num_classes), dtype="float64")

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        y_true, y_pred = (casts.cast(v, "int64") for v in (y_true, y_pred))
        y_true, y_pred = (arrays.reshape(v, [-1]) for v in (y_true, y_pred))
        if sample_weight is not None:
            sample_weight = arrays.reshape(as_tensor(sample_weight), [-1])
        matrix = confusion.confusion_matrix(
            y_true, y_pred, self.num_classes, weights=sample_weight, dtype=as_dtype("float64")
        )
        return self.total_cm.assign_add(matrix).op

    def result(self) -> Any:
        matrix = as_tensor(self.total_cm)
        rows = casts.cast(reductions.reduce_sum(matrix, axis=0), self.dtype)
        columns = casts.cast(reductions.reduce_sum(matrix, axis=1), self.dtype)
        right = casts.cast(diagonals.diag_part(matrix), self.dtype)
        union = rows + columns - right
        valid = reductions.reduce_sum(casts.cast(comparison.not_equal(union, 0), self.dtype))
        ratios = arithmetic.div_no_nan(right, union)
        return arithmetic.div_no_nan(reductions.reduce_sum(ratios), valid)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "num_classes": self.num_classes}


# -- by name -------------------------------------------------------------------------------------

_FUNCTIONS: dict[str, Any] = {
    f.__name__: f for f in (
        accuracy, binary_accuracy, categorical_accuracy, sparse_categorical_accuracy, top_k_categorical_accuracy,
        sparse_top_k_categorical_accuracy,
    )
}  # fmt: skip
for _name in [
    "binary_crossentropy",
    "categorical_crossentropy",
    "categorical_hinge",
    "cosine_proximity",
    "cosine_similarity",
    "hinge",
    "KLD",
    "mae",
    "MAE",
    "mape",
    "MAPE",
    "mse",
    "MSE",
    "msle",
    "MSLE",
    "kullback_leibler_divergence",
    "mean_absolute_error",
    "mean_absolute_percentage_error",
    "mean_squared_error",
    "mean_squared_logarithmic_error",
    "poisson",
    "sparse_categorical_crossentropy",
    "squared_hinge",
    "logcosh",
]:
    _FUNCTIONS[_name] = getattr(losses, _name)
_CLASSES: dict[str, Any] = {
    name: kind for name, kind in list(globals().items()) if isinstance(kind, type) and issubclass(kind, Metric)
}


def get(identifier: Any) -> Any:
    """The metric of a name or a configuration, or the one given.

    Raises:
      ValueError: there is none of this name.
    """
    if isinstance(identifier, str | dict):
        return deserialize(identifier)
    if callable(identifier):
        return identifier
    raise ValueError(f"Could not interpret metric function identifier: {identifier}")


def deserialize(config: Any, custom_objects: Any = None) -> Any:
    """The metric of a name or a configuration."""
    from retrograd.keras.utils import get_custom_objects

    table = {**_CLASSES, **_FUNCTIONS, **get_custom_objects(), **(custom_objects or {})}
    made = found(config, table, "metric function")
    return made() if isinstance(made, type) else made


def serialize(metric: Any) -> Any:
    """The name of a metric function, or the configuration of a metric."""
    return described(metric)
