"""Metrics of ``tf.keras.metrics``: functions of one batch, and objects that keep what they saw of all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.graph.convert import as_tensor
from retrograd.graph.dtypes import as_dtype
from retrograd.graph.modes import init_scope
from retrograd.graph.scopes import control_dependencies
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.keras import backend as K
from retrograd.keras import losses
from retrograd.keras.losses import squeeze_or_expand
from retrograd.keras.metric_parts import (
    BELOW_ALL,
    AUCCurve,
    AUCSummationMethod,
    check_thresholds,
    flat_values,
    number_of,
)
from retrograd.nn.keras.lookup import described, found
from retrograd.nn.layers import added_losses
from retrograd.nn.layers.engine import Layer
from retrograd.nn.layers.names import to_snake_case, unique_object_name
from retrograd.nn.layers.parameters import taking
from retrograd.nn.layers.policies import v2_dtype_behavior_enabled
from retrograd.nn.weights import broadcast_weights
from retrograd.ops import (
    arithmetic,
    arrays,
    casts,
    checks,
    comparison,
    confusion,
    constants,
    control,
    diagonals,
    indexing,
    joining,
    powers,
    ranking,
    reductions,
    repeating,
    rounding,
)
from retrograd.state.initializers import Zeros
from retrograd.state.inlining import function
from retrograd.state.variables import VariableV1

# -- functions -----------------------------------------------------------------------------------


def accuracy(y_true: Any, y_pred: Any) -> Tensor:
    """1 where the two are equal."""
    y_pred.shape.assert_is_compatible_with(y_true.shape)
    if y_true.dtype != y_pred.dtype:
        y_pred = casts.cast(y_pred, y_true.dtype)
    return casts.cast(comparison.equal(y_true, y_pred), K.floatx())


def binary_accuracy(y_true: Any, y_pred: Any, threshold: float = 0.5) -> Tensor:
    """How often the prediction is on the right side of ``threshold``, for each example."""
    y_pred = as_tensor(y_pred)
    limit = casts.cast(threshold, y_pred.dtype)
    y_pred = casts.cast(y_pred > limit, y_pred.dtype)
    return K.mean(comparison.equal(y_true, y_pred), axis=-1)


def categorical_accuracy(y_true: Any, y_pred: Any) -> Tensor:
    """1 where the largest prediction is that of the class."""
    best, right = ranking.argmax(y_true, axis=-1), ranking.argmax(y_pred, axis=-1)
    return casts.cast(comparison.equal(best, right), K.floatx())


def sparse_categorical_accuracy(y_true: Any, y_pred: Any) -> Tensor:
    """1 where the largest prediction is that of the class, an integer."""
    y_pred, y_true = as_tensor(y_pred), as_tensor(y_true)
    if y_true.rank is not None and y_pred.rank is not None and len(K.int_shape(y_true)) == len(K.int_shape(y_pred)):
        y_true = arrays.squeeze(y_true, [-1])
    best: Any = ranking.argmax(y_pred, axis=-1)
    if K.dtype(best) != K.dtype(y_true):
        best = casts.cast(best, K.dtype(y_true))
    return casts.cast(comparison.equal(y_true, best), K.floatx())


def top_k_categorical_accuracy(y_true: Any, y_pred: Any, k: int = 5) -> Tensor:
    """1 where the class is among the ``k`` largest predictions."""
    return casts.cast(ranking.in_top_k(y_pred, ranking.argmax(y_true, axis=-1), k), K.floatx())


def sparse_top_k_categorical_accuracy(y_true: Any, y_pred: Any, k: int = 5) -> Tensor:
    """1 where the class, an integer, is among the ``k`` largest predictions."""
    if as_tensor(y_true).rank == 2 and as_tensor(y_pred).rank is not None:
        y_true = arrays.reshape(y_true, [-1])
    return casts.cast(ranking.in_top_k(y_pred, casts.cast(y_true, "int32"), k), K.floatx())


# -- objects -------------------------------------------------------------------------------------


def _mean_of(value: Any, name: str) -> Any:
    """The mean over batches of a tensor of a layer, as a metric."""
    metric = Mean(name=name)
    metric(value)
    return metric


added_losses.metric_makers.append(_mean_of)


class Metric(Layer):
    """Variables that ``update_state`` changes and ``result`` reads; calling the metric does both."""

    def __init__(self, name: Any = None, dtype: Any = None, **kwargs: Any) -> None:
        super().__init__(name=name, dtype=dtype, **kwargs)
        self.stateful = self.built = True
        if not v2_dtype_behavior_enabled():
            self._dtype = K.floatx() if dtype is None else as_dtype(dtype).name
        update, result = self.update_state, self.result
        is_own = type(self).__module__ == __name__
        traced = update if is_own else function(update)

        def updated(*args: Any, **kwargs: Any) -> Any:
            done = (update if default_graph().is_eager else traced)(*args, **kwargs)
            if done is not None:
                self.add_update(done)
            return done

        def shown(*args: Any, **kwargs: Any) -> Any:
            value = arrays.identity(result(*args, **kwargs))
            value._metric_obj = self  # type: ignore[attr-defined]
            return value

        self.__dict__["update_state"], self.__dict__["result"] = updated, shown

    def _init_set_name(self, name: Any, zero_based: bool = True) -> None:
        self._name = name or unique_object_name(to_snake_case(type(self).__name__), zero_based)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        done = self.update_state(*args, **kwargs)
        with control_dependencies([done] if done is not None else []):
            self._call_result = self.result()
        return self._call_result

    def add_weight(  # type: ignore[override]
        self,
        name: Any,
        shape: Any = (),
        aggregation: Any = None,
        initializer: Any = None,
        dtype: Any = None,
        **kwargs: Any,
    ) -> Any:
        """A variable of the metric, in no collection."""
        kind = as_dtype(dtype or self.dtype or K.floatx())
        first = (
            Zeros() if initializer in (None, "zeros") else self._initializer_of(name, kind, _initializer(initializer))
        )
        made = VariableV1(
            lambda: first(shape, dtype=kind), name=name, trainable=False, collections=[], use_resource=True, dtype=kind
        )
        K.track_variable(made)
        self._non_trainable_weights.append(made)
        self._track_trackable(made, name, overwrite=True)
        return made

    def update_state(self, *args: Any, **kwargs: Any) -> Any:
        """The op that takes in a batch."""
        raise NotImplementedError("Must be implemented in subclasses.")

    def result(self) -> Any:
        """What is seen so far."""
        raise NotImplementedError("Must be implemented in subclasses.")

    def reset_states(self) -> None:
        """Forget what was seen."""
        K.batch_set_value([(v, np.zeros(v.shape.as_list())) for v in self.variables])

    def get_config(self) -> dict[str, Any]:
        return {"name": self.name, "dtype": self.dtype}


def _initializer(name: Any) -> Any:
    from retrograd.nn.keras import initializers

    return initializers.get(name)


def _weighted(values: Tensor, sample_weight: Any, reduce: Callable[..., Any] = K.mean) -> tuple[Tensor, Any]:
    """Values times weights, and the weights; values of more dimensions than weights are reduced first."""
    if sample_weight is None:
        return values, None
    sample_weight = casts.cast(sample_weight, values.dtype)
    values, _, sample_weight = squeeze_or_expand(values, None, sample_weight)
    try:
        sample_weight = broadcast_weights(sample_weight, values)
    except ValueError:
        axes = list(range(sample_weight.rank or 0, values.rank or 0))
        values = reduce(values, axis=axes)
    return arithmetic.multiply(values, sample_weight), sample_weight


class _Reduce(Metric):
    """A sum, and how many there were."""

    is_mean = True

    def __init__(self, name: Any, dtype: Any = None) -> None:
        super().__init__(name=name, dtype=dtype)
        self.total = self.add_weight("total", initializer="zeros")
        if self.is_mean:
            self.count = self.add_weight("count", initializer="zeros")

    def update_state(self, values: Any, sample_weight: Any = None) -> Any:
        (values,), sample_weight = flat_values([values], sample_weight)
        values = casts.cast(as_tensor(values), self.dtype)
        values, weights = _weighted(values, sample_weight, K.mean if self.is_mean else reductions.reduce_sum)
        total = reductions.reduce_sum(values)
        with control_dependencies([total]):
            done = self.total.assign_add(total)
        if not self.is_mean:
            return done.op
        if weights is None:
            count = casts.cast(arrays.size(values), self.dtype)
        else:
            count = reductions.reduce_sum(weights)
        with control_dependencies([done]):
            return self.count.assign_add(count).op

    def result(self) -> Any:
        if not self.is_mean:
            return arrays.identity(self.total)
        return arithmetic.div_no_nan(self.total, self.count)


class Sum(_Reduce):
    """The sum of values."""

    is_mean = False

    def __init__(self, name: Any = "sum", dtype: Any = None) -> None:
        super().__init__(name=name, dtype=dtype)


class Mean(_Reduce):
    """The weighted mean of values."""

    def __init__(self, name: Any = "mean", dtype: Any = None) -> None:
        super().__init__(name=name, dtype=dtype)


class MeanMetricWrapper(Mean):
    """The mean of a function of targets and predictions."""

    def __init__(self, fn: Callable[..., Any], name: Any = None, dtype: Any = None, **kwargs: Any) -> None:
        super().__init__(name=name, dtype=dtype)
        self._fn, self._fn_kwargs = fn, kwargs

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:  # type: ignore[override]
        (y_true, y_pred), sample_weight = flat_values([y_true, y_pred], sample_weight)
        y_true, y_pred = casts.cast(y_true, self.dtype), casts.cast(y_pred, self.dtype)
        y_pred, y_true, _ = squeeze_or_expand(y_pred, y_true, None)
        return super().update_state(self._fn(y_true, y_pred, **self._fn_kwargs), sample_weight=sample_weight)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), **{key: number_of(value) for key, value in self._fn_kwargs.items()}}


class _Fixed(MeanMetricWrapper):
    """The mean of one of the functions."""

    fn_: Callable[..., Any]
    name_: str

    def __init_subclass__(cls) -> None:
        if "name_" in vars(cls):
            taking(name=cls.name_, dtype=None, with_others=False)(cls)

    def __init__(self, name: Any = None, dtype: Any = None) -> None:
        super().__init__(type(self).fn_, name, dtype=dtype)


def _of(function: Callable[..., Any], word: str, title: str, doc: str) -> type[_Fixed]:
    return type(
        title, (_Fixed,), {"fn_": staticmethod(function), "name_": word, "__doc__": doc, "__module__": __name__}
    )


Accuracy = _of(accuracy, "accuracy", "Accuracy", "How often predictions are the targets.")
CategoricalAccuracy = _of(
    categorical_accuracy, "categorical_accuracy", "CategoricalAccuracy", "How often the largest is that of the class."
)
SparseCategoricalAccuracy = _of(
    sparse_categorical_accuracy, "sparse_categorical_accuracy", "SparseCategoricalAccuracy",
    "How often the largest prediction is that of the class, an integer.",
)  # fmt: skip
MeanAbsoluteError = _of(
    losses.mean_absolute_error, "mean_absolute_error", "MeanAbsoluteError", "The mean of absolute errors."
)
MeanAbsolutePercentageError = _of(
    losses.mean_absolute_percentage_error, "mean_absolute_percentage_error", "MeanAbsolutePercentageError",
    "The mean of errors, in percent.",
)  # fmt: skip
MeanSquaredError = _of(losses.mean_squared_error, "mean_squared_error", "MeanSquaredError", "The mean of squares.")
MeanSquaredLogarithmicError = _of(
    losses.mean_squared_logarithmic_error, "mean_squared_logarithmic_error", "MeanSquaredLogarithmicError",
    "The mean of squared errors of logarithms.",
)  # fmt: skip
Hinge = _of(losses.hinge, "hinge", "Hinge", "The mean hinge loss.")
SquaredHinge = _of(losses.squared_hinge, "squared_hinge", "SquaredHinge", "The mean squared hinge loss.")
CategoricalHinge = _of(losses.categorical_hinge, "categorical_hinge", "CategoricalHinge", "The mean hinge loss.")
LogCoshError = _of(losses.logcosh, "logcosh", "LogCoshError", "The mean of log(cosh(error)).")
Poisson = _of(losses.poisson, "poisson", "Poisson", "The mean Poisson loss.")
KLDivergence = _of(
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
        values, weights = _weighted(values, sample_weight)
        if weights is not None:
            counts = arithmetic.multiply(counts, weights)
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


# -- counts at thresholds ------------------------------------------------------------------------


class _Counts(Metric):
    """True and false positives and negatives at thresholds."""

    kinds: tuple[str, ...]

    def __init__(
        self, thresholds: Any, name: Any = None, dtype: Any = None, default: float = 0.5, is_bounded: bool = True
    ) -> None:  # fmt: skip
        super().__init__(name=name, dtype=dtype)
        self._given = thresholds
        if thresholds is not None and is_bounded:
            check_thresholds(thresholds if isinstance(thresholds, list | tuple) else [thresholds])
        self.thresholds = [float(v) for v in np.ravel(default if thresholds is None else thresholds)]
        for kind in self.kinds:
            setattr(self, kind, self.add_weight(self._word(kind), shape=(len(self.thresholds),)))

    def _word(self, kind: str) -> str:
        return kind

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        (y_pred, y_true), sample_weight = flat_values([y_pred, y_true], sample_weight)
        y_true, y_pred = casts.cast(y_true, "float32"), casts.cast(y_pred, "float32")
        y_pred.shape.assert_is_compatible_with(y_true.shape)
        least = checks.assert_greater_equal(y_pred, casts.cast(0.0, "float32"), message="predictions must be >= 0")
        most = checks.assert_less_equal(y_pred, casts.cast(1.0, "float32"), message="predictions must be <= 1")
        with control_dependencies([least, most]):
            sample_weight = None if sample_weight is None else as_tensor(sample_weight)
            y_pred, y_true, sample_weight = squeeze_or_expand(y_pred, y_true, sample_weight)
        top_k, class_id = getattr(self, "top_k", None), getattr(self, "class_id", None)
        if top_k is not None:
            best = ranking.top_k(y_pred, top_k, sorted=False)[1]
            mask = reductions.reduce_sum(indexing.one_hot(best, y_pred.shape[-1].value, axis=-1), axis=-2)
            y_pred = y_pred * mask + BELOW_ALL * (1 - mask)
        if class_id is not None:
            y_true, y_pred = y_true[..., class_id], y_pred[..., class_id]
        return control.group(*self._counted(y_true, y_pred, sample_weight))

    def _counted(self, y_true: Any, y_pred: Any, sample_weight: Any) -> list[Any]:
        """The updates of the counts: what is counted are pairs (is so, is said to be so) at each threshold."""
        count, examples = len(self.thresholds), arrays.size(y_pred)
        flat_pred = arrays.reshape(y_pred, [1, -1])
        flat_true = arrays.reshape(casts.cast(y_true, "bool"), [1, -1])
        limits = arrays.expand_dims(constants.constant(self.thresholds), 1)
        tiled = repeating.tile(limits, joining.stack([1, examples]))
        positive = comparison.greater(repeating.tile(flat_pred, [count, 1]), tiled)
        true = repeating.tile(flat_true, [count, 1])
        weights = None
        if sample_weight is not None:
            spread = broadcast_weights(casts.cast(sample_weight, "float32"), y_pred)
            weights = repeating.tile(arrays.reshape(spread, [1, -1]), [count, 1])
        kinds = set(self.kinds)
        cells = {"true_positives": (true, positive)}
        if kinds & {"false_negatives", "true_negatives"}:
            negative = comparison.logical_not(positive)
            cells["false_negatives"] = (true, negative)
        if kinds & {"false_positives", "true_negatives"}:
            false = comparison.logical_not(true)
            cells["false_positives"] = (false, positive)
            if "true_negatives" in kinds:
                cells["true_negatives"] = (false, negative)
        done = []
        for kind, (so, said) in cells.items():
            if kind in kinds:
                both = casts.cast(comparison.logical_and(so, said), "float32")
                both = both if weights is None else both * weights
                done.append(getattr(self, kind).assign_add(reductions.reduce_sum(both, 1)))
        return done

    def _only(self, value: Any) -> Any:
        return value[0] if len(self.thresholds) == 1 else value

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "thresholds": self._given}


class _OneCount(_Counts):
    """One of the four counts."""

    def __init__(self, thresholds: Any = None, name: Any = None, dtype: Any = None) -> None:
        super().__init__(thresholds, name=name, dtype=dtype)

    def _word(self, kind: str) -> str:
        return "accumulator"

    @property
    def accumulator(self) -> Any:
        """The variable that counts."""
        return getattr(self, self.kinds[0])

    def result(self) -> Any:
        value = as_tensor(self.accumulator)
        return value[0] if len(self.thresholds) == 1 else value


class FalsePositives(_OneCount):
    """How often a negative example was predicted positive."""

    kinds = ("false_positives",)


class FalseNegatives(_OneCount):
    """How often a positive example was predicted negative."""

    kinds = ("false_negatives",)


class TrueNegatives(_OneCount):
    """How often a negative example was predicted so."""

    kinds = ("true_negatives",)


class TruePositives(_OneCount):
    """How often a positive example was predicted so."""

    kinds = ("true_positives",)


class Precision(_Counts):
    """True positives over all that were predicted positive."""

    kinds = ("true_positives", "false_positives")

    def __init__(
        self, thresholds: Any = None, top_k: int | None = None, class_id: int | None = None, name: Any = None,
        dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(thresholds, name=name, dtype=dtype, default=0.5 if top_k is None else BELOW_ALL)
        self.top_k, self.class_id = top_k, class_id

    def result(self) -> Any:
        found_, other = (getattr(self, k) for k in self.kinds)
        return self._only(arithmetic.div_no_nan(found_, found_ + other))

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "top_k": self.top_k, "class_id": self.class_id}


class Recall(Precision):
    """True positives over all that are positive."""

    kinds = ("true_positives", "false_negatives")


class AUC(_Counts):
    """The area under a curve: ``"ROC"``, or ``"PR"``."""

    kinds = ("true_positives", "true_negatives", "false_positives", "false_negatives")

    def __init__(
        self, num_thresholds: int = 200, curve: str = "ROC", summation_method: str = "interpolation",
        name: Any = None, dtype: Any = None, thresholds: Any = None,
    ) -> None:  # fmt: skip
        if thresholds is None:
            if num_thresholds <= 1:
                raise ValueError("`num_thresholds` must be > 1.")
            thresholds = [(i + 1) * 1.0 / (num_thresholds - 1) for i in range(num_thresholds - 2)]
        self.curve, self.summation_method = AUCCurve.from_str(curve), AUCSummationMethod.from_str(summation_method)
        inner = sorted(thresholds)
        super().__init__([0.0 - K.epsilon(), *inner, 1.0 + K.epsilon()], name=name, dtype=dtype, is_bounded=False)
        self.num_thresholds = len(self.thresholds)

    def result(self) -> Any:
        tp, tn, fp, fn = (getattr(self, k) for k in self.kinds)
        n = self.num_thresholds - 1
        is_roc, method = self.curve is AUCCurve.ROC, self.summation_method
        if not is_roc and method is AUCSummationMethod.INTERPOLATION:
            return self._interpolated(tp, fp, fn, n)
        recall = arithmetic.div_no_nan(tp, tp + fn)
        if is_roc:
            x, y = arithmetic.div_no_nan(fp, fp + tn), recall
        else:
            x, y = recall, arithmetic.div_no_nan(tp, tp + fp)
        if method is AUCSummationMethod.INTERPOLATION:
            heights = (y[:n] + y[1:]) / 2.0
        elif method is AUCSummationMethod.MINORING:
            heights = arithmetic.minimum(y[:n], y[1:])
        else:
            heights = arithmetic.maximum(y[:n], y[1:])
        return reductions.reduce_sum(arithmetic.multiply(x[:n] - x[1:], heights), name=self.name)

    @staticmethod
    def _interpolated(tp: Any, fp: Any, fn: Any, n: int) -> Tensor:
        """Precision between two thresholds follows from true positives that are linear in all positives."""
        dtp = tp[:n] - tp[1:]
        p = tp + fp
        dp = p[:n] - p[1:]
        slope = arithmetic.div_no_nan(dtp, arithmetic.maximum(dp, 0), name="prec_slope")
        intercept = tp[1:] - arithmetic.multiply(slope, p[1:])
        ratio = comparison.where(
            comparison.logical_and(p[:n] > 0, p[1:] > 0),
            arithmetic.div_no_nan(p[:n], arithmetic.maximum(p[1:], 0), name="recall_relative_ratio"),
            constants.ones_like(p[1:]),
        )
        part = slope * (dtp + intercept * K.log(ratio))
        increment = arithmetic.div_no_nan(part, arithmetic.maximum(tp[1:] + fn[1:], 0), name="pr_auc_increment")
        return reductions.reduce_sum(increment, name="interpolate_pr_auc")

    def get_config(self) -> dict[str, Any]:
        return {
            "name": self.name, "dtype": self.dtype, "num_thresholds": self.num_thresholds, "curve": self.curve.value,
            "summation_method": self.summation_method.value, "thresholds": self.thresholds[1:-1],
        }  # fmt: skip


class _AtBest(_Counts):
    """One rate where another is as wanted."""

    kinds = ("true_positives", "true_negatives", "false_positives", "false_negatives")

    def __init__(self, value: float, num_thresholds: int, name: Any, dtype: Any) -> None:
        if num_thresholds <= 0:
            raise ValueError("`num_thresholds` must be > 0.")
        self.value, self.num_thresholds = value, num_thresholds
        inner = [(i + 1) * 1.0 / (num_thresholds - 1) for i in range(num_thresholds - 2)]
        super().__init__([0.0, *inner, 1.0] if num_thresholds > 1 else [0.5], name=name, dtype=dtype)

    def _best(self, found_: Any, missed: Any, other: Any, other_missed: Any) -> Any:
        """found / (found + missed), where the same rate of the others is nearest to ``value``."""
        rates = arithmetic.div_no_nan(other, other + other_missed)
        best = casts.cast(ranking.argmin(rounding.abs_(rates - self.value), axis=0), "int32")
        return arithmetic.div_no_nan(found_[best], found_[best] + missed[best])


class SensitivityAtSpecificity(_AtBest):
    """The sensitivity where the specificity is nearest to the one given."""

    def __init__(self, specificity: float, num_thresholds: int = 200, name: Any = None, dtype: Any = None) -> None:
        if specificity < 0 or specificity > 1:
            raise ValueError("`specificity` must be in the range [0, 1].")
        super().__init__(specificity, num_thresholds, name, dtype)
        self.specificity = specificity

    def get_config(self) -> dict[str, Any]:
        given = {"num_thresholds": self.num_thresholds, "specificity": self.specificity}
        return {"name": self.name, "dtype": self.dtype, **given}

    def result(self) -> Any:
        tp, tn, fp, fn = (getattr(self, kind) for kind in self.kinds)
        return self._best(tp, fn, tn, fp)


class SpecificityAtSensitivity(_AtBest):
    """The specificity where the sensitivity is nearest to the one given."""

    def __init__(self, sensitivity: float, num_thresholds: int = 200, name: Any = None, dtype: Any = None) -> None:
        if sensitivity < 0 or sensitivity > 1:
            raise ValueError("`sensitivity` must be in the range [0, 1].")
        super().__init__(sensitivity, num_thresholds, name, dtype)
        self.sensitivity = sensitivity

    def get_config(self) -> dict[str, Any]:
        given = {"num_thresholds": self.num_thresholds, "sensitivity": self.sensitivity}
        return {"name": self.name, "dtype": self.dtype, **given}

    def result(self) -> Any:
        tp, tn, fp, fn = (getattr(self, kind) for kind in self.kinds)
        return self._best(tn, fp, tp, fn)


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
