"""Metrics of right and wrong decisions at thresholds: counts, precision, recall, areas under curves."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import control_dependencies
from retrograd.graph.tensor import Tensor
from retrograd.keras import backend as K
from retrograd.keras.losses import squeeze_or_expand
from retrograd.keras.metric_base import Metric
from retrograd.keras.metric_parts import (
    BELOW_ALL,
    AUCCurve,
    AUCSummationMethod,
    check_thresholds,
    flat_values,
)
from retrograd.nn.weights import broadcast_weights
from retrograd.ops import (
    arithmetic,
    arrays,
    casts,
    checks,
    comparison,
    constants,
    control,
    indexing,
    joining,
    ranking,
    reductions,
    repeating,
    rounding,
)


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
