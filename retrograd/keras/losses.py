"""Losses of ``tf.keras.losses``: functions of targets and predictions, by example, and objects that add them up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import name_scope
from retrograd.graph.tensor import Tensor
from retrograd.keras import backend as K
from retrograd.nn.keras.lookup import described, found
from retrograd.nn.layers.parameters import taking
from retrograd.nn.weights import broadcast_weights
from retrograd.ops import (
    activations,
    arithmetic,
    arrays,
    casts,
    comparison,
    conditions,
    exponentials,
    norms,
    powers,
    reductions,
    rounding,
)
from retrograd.ops.confusion import remove_squeezable_dimensions


class Reduction:
    """How losses of examples become one: not at all, their sum, or their mean."""

    AUTO = "auto"
    NONE = "none"
    SUM = "sum"
    SUM_OVER_BATCH_SIZE = "sum_over_batch_size"

    @classmethod
    def all(cls) -> tuple[str, ...]:
        """Every kind."""
        return (cls.AUTO, cls.NONE, cls.SUM, cls.SUM_OVER_BATCH_SIZE)

    @classmethod
    def validate(cls, key: Any) -> None:
        """Raises ``ValueError`` unless ``key`` is a kind of reduction."""
        if key not in cls.all():
            raise ValueError(f"Invalid Reduction Key {key}.")


def reduced(weighted: Tensor, reduction: str) -> Tensor:
    """The losses of examples as one number."""
    if reduction == Reduction.NONE:
        return weighted
    loss = reductions.reduce_sum(weighted)
    if reduction == Reduction.SUM_OVER_BATCH_SIZE:
        with name_scope("num_elements") as scope:
            count = casts.cast(arrays.size(weighted, name=scope), dtype=weighted.dtype)
        loss = arithmetic.div_no_nan(reductions.reduce_sum(loss), count, name="value")
    return loss


def compute_weighted_loss(
    losses: Any, sample_weight: Any = None, reduction: str = Reduction.SUM_OVER_BATCH_SIZE, name: str | None = None
) -> Tensor:
    """``losses * sample_weight``, made one number as ``reduction`` says."""
    Reduction.validate(reduction)
    reduction = Reduction.SUM_OVER_BATCH_SIZE if reduction == Reduction.AUTO else reduction
    sample_weight = 1.0 if sample_weight is None else sample_weight
    with name_scope(name, "weighted_loss", (losses, sample_weight)):
        losses = as_tensor(losses)
        given = losses.dtype
        losses = casts.cast(losses, "float32")
        sample_weight = casts.cast(sample_weight, "float32")
        losses, _, sample_weight = squeeze_or_expand(losses, None, sample_weight)
        weights = broadcast_weights(sample_weight, losses)
        weighted = arithmetic.multiply(losses, weights, name="Mul")
        return casts.cast(reduced(weighted, reduction), given)


def squeeze_or_expand(y_pred: Any, y_true: Any, weights: Any) -> tuple[Any, Any, Any]:
    """The three with a last dimension of 1 taken away or added, so that their ranks are equal.

    Predictions with one dimension more, which is not of size 1, are those of classes, and stay.
    """
    if y_true is not None and None not in (y_pred.rank, y_true.rank):
        if y_pred.rank - y_true.rank != 1 or y_pred.dims[-1] == 1:
            y_true, y_pred = remove_squeezable_dimensions(y_true, y_pred)
    elif y_true is not None and y_pred.rank != 0:
        extra = arrays.rank(y_pred) - arrays.rank(y_true)
        is_single = comparison.equal(1, arrays.shape(y_pred)[-1])
        given = y_true, y_pred

        def squeezed() -> Any:
            return remove_squeezable_dimensions(*given)

        y_true, y_pred = conditions.cond(
            comparison.equal(1, extra), lambda: conditions.cond(is_single, squeezed, lambda: given), squeezed
        )
    if weights is None or weights.rank == 0:
        return y_pred, y_true, weights
    if weights.rank is not None and y_pred.rank is not None:
        if weights.rank - y_pred.rank == 1:
            weights = arrays.squeeze(weights, [-1])
        elif y_pred.rank - weights.rank == 1:
            weights = arrays.expand_dims(weights, [-1])
        return y_pred, y_true, weights
    extra = arrays.rank(weights) - arrays.rank(y_pred)
    weights = conditions.cond(
        comparison.equal(arrays.rank(weights), 0), lambda: weights,
        lambda: conditions.cond(
            comparison.equal(extra, 1), lambda: arrays.squeeze(weights, [-1]),
            lambda: conditions.cond(
                comparison.equal(extra, -1), lambda: arrays.expand_dims(weights, [-1]), lambda: weights
            ),
        ),
    )  # fmt: skip
    return y_pred, y_true, weights


# -- functions -----------------------------------------------------------------------------------


def _alike(y_true: Any, y_pred: Any) -> tuple[Tensor, Tensor]:
    y_pred = as_tensor(y_pred)
    return casts.cast(y_true, y_pred.dtype), y_pred


def mean_squared_error(y_true: Any, y_pred: Any) -> Tensor:
    """``mean((y_pred - y_true)^2)`` of each example."""
    y_true, y_pred = _alike(y_true, y_pred)
    return K.mean(arithmetic.squared_difference(y_pred, y_true), axis=-1)


def mean_absolute_error(y_true: Any, y_pred: Any) -> Tensor:
    """``mean(|y_pred - y_true|)`` of each example."""
    y_true, y_pred = _alike(y_true, y_pred)
    return K.mean(rounding.abs_(y_pred - y_true), axis=-1)


def mean_absolute_percentage_error(y_true: Any, y_pred: Any) -> Tensor:
    """``100 * mean(|y_true - y_pred| / |y_true|)`` of each example."""
    y_true, y_pred = _alike(y_true, y_pred)
    diff = rounding.abs_((y_true - y_pred) / K.clip(rounding.abs_(y_true), K.epsilon(), None))
    return 100.0 * K.mean(diff, axis=-1)


def mean_squared_logarithmic_error(y_true: Any, y_pred: Any) -> Tensor:
    """``mean((log(y_pred + 1) - log(y_true + 1))^2)`` of each example."""
    y_true, y_pred = _alike(y_true, y_pred)
    first = exponentials.log(K.clip(y_pred, K.epsilon(), None) + 1.0)
    second = exponentials.log(K.clip(y_true, K.epsilon(), None) + 1.0)
    return K.mean(arithmetic.squared_difference(first, second), axis=-1)


def _signs(y_true: Tensor) -> Tensor:
    """0 and 1 as -1 and 1."""
    zeros, ones = comparison.equal(y_true, 0), comparison.equal(y_true, 1)
    is_binary = reductions.reduce_all(comparison.logical_or(zeros, ones))
    return conditions.cond(is_binary, lambda: 2.0 * y_true - 1.0, lambda: y_true)


def squared_hinge(y_true: Any, y_pred: Any) -> Tensor:
    """``mean(max(1 - y_true * y_pred, 0)^2)`` of each example."""
    y_true, y_pred = _alike(y_true, y_pred)
    return K.mean(powers.square(arithmetic.maximum(1.0 - _signs(y_true) * y_pred, 0.0)), axis=-1)


def hinge(y_true: Any, y_pred: Any) -> Tensor:
    """``mean(max(1 - y_true * y_pred, 0))`` of each example."""
    y_true, y_pred = _alike(y_true, y_pred)
    return K.mean(arithmetic.maximum(1.0 - _signs(y_true) * y_pred, 0.0), axis=-1)


def categorical_hinge(y_true: Any, y_pred: Any) -> Tensor:
    """``max(max((1 - y_true) * y_pred) - sum(y_true * y_pred) + 1, 0)`` of each example."""
    y_true, y_pred = _alike(y_true, y_pred)
    pos = reductions.reduce_sum(y_true * y_pred, axis=-1)
    neg = reductions.reduce_max((1.0 - y_true) * y_pred, axis=-1)
    return arithmetic.maximum(0.0, neg - pos + 1.0)


def huber_loss(y_true: Any, y_pred: Any, delta: float = 1.0) -> Tensor:
    """``0.5 * e^2`` where the error is at most ``delta``, else ``0.5 * delta^2 + delta * (|e| - delta)``."""
    y_pred, y_true = casts.cast(y_pred, K.floatx()), casts.cast(y_true, K.floatx())
    error = arithmetic.subtract(y_pred, y_true)
    size = rounding.abs_(error)
    quadratic = arithmetic.minimum(size, delta)
    linear = arithmetic.subtract(size, quadratic)
    half = as_tensor(0.5, dtype=quadratic.dtype)
    return arithmetic.add(
        arithmetic.multiply(half, arithmetic.multiply(quadratic, quadratic)), arithmetic.multiply(delta, linear)
    )


def logcosh(y_true: Any, y_pred: Any) -> Tensor:
    """``mean(log(cosh(y_pred - y_true)))`` of each example."""
    y_true, y_pred = _alike(y_true, y_pred)
    x = y_pred - y_true
    grown = x + activations.softplus(-2.0 * x)
    return K.mean(grown - casts.cast(exponentials.log(2.0), x.dtype), axis=-1)


def categorical_crossentropy(y_true: Any, y_pred: Any, from_logits: bool = False, label_smoothing: Any = 0) -> Tensor:
    """``-sum(y_true * log(y_pred))`` of each example."""
    y_true, y_pred = _alike(y_true, y_pred)
    smoothing = as_tensor(label_smoothing, dtype=K.floatx())

    def smooth() -> Tensor:
        classes = casts.cast(arrays.shape(y_true)[1], y_pred.dtype)
        return y_true * (1.0 - smoothing) + (smoothing / classes)

    is_smooth = smoothing > 0 if isinstance(label_smoothing, Tensor) else bool(label_smoothing)
    y_true = conditions.smart_cond(is_smooth, smooth, lambda: y_true)
    return K.categorical_crossentropy(y_true, y_pred, from_logits=from_logits)


def sparse_categorical_crossentropy(y_true: Any, y_pred: Any, from_logits: bool = False, axis: int = -1) -> Tensor:
    """The negative logarithm of the probability of each class ``y_true``."""
    return K.sparse_categorical_crossentropy(y_true, y_pred, from_logits=from_logits, axis=axis)


def binary_crossentropy(y_true: Any, y_pred: Any, from_logits: bool = False, label_smoothing: Any = 0) -> Tensor:
    """``mean(-y_true * log(y_pred) - (1 - y_true) * log(1 - y_pred))`` of each example."""
    y_true, y_pred = _alike(y_true, y_pred)
    smoothing = as_tensor(label_smoothing, dtype=K.floatx())
    is_smooth = smoothing > 0 if isinstance(label_smoothing, Tensor) else bool(label_smoothing)
    y_true = conditions.smart_cond(is_smooth, lambda: y_true * (1.0 - smoothing) + 0.5 * smoothing, lambda: y_true)
    return K.mean(K.binary_crossentropy(y_true, y_pred, from_logits=from_logits), axis=-1)


def kullback_leibler_divergence(y_true: Any, y_pred: Any) -> Tensor:
    """``sum(y_true * log(y_true / y_pred))`` of each example."""
    y_true, y_pred = _alike(y_true, y_pred)
    y_true, y_pred = K.clip(y_true, K.epsilon(), 1), K.clip(y_pred, K.epsilon(), 1)
    return reductions.reduce_sum(y_true * exponentials.log(y_true / y_pred), axis=-1)


def poisson(y_true: Any, y_pred: Any) -> Tensor:
    """``mean(y_pred - y_true * log(y_pred))`` of each example."""
    y_true, y_pred = _alike(y_true, y_pred)
    return K.mean(y_pred - y_true * exponentials.log(y_pred + K.epsilon()), axis=-1)


def cosine_proximity(y_true: Any, y_pred: Any, axis: int = -1) -> Tensor:
    """The cosine of the angle between the two."""
    return reductions.reduce_sum(
        norms.l2_normalize(y_true, axis=axis) * norms.l2_normalize(y_pred, axis=axis), axis=axis
    )


mse = MSE = mean_squared_error
mae = MAE = mean_absolute_error
mape = MAPE = mean_absolute_percentage_error
msle = MSLE = mean_squared_logarithmic_error
kld = KLD = kullback_leibler_divergence
cosine = cosine_similarity = cosine_proximity

# -- objects -------------------------------------------------------------------------------------


class Loss:
    """A loss of targets and predictions: ``call`` gives one for each example, calling it adds them up."""

    def __init__(self, reduction: str = Reduction.AUTO, name: str | None = None) -> None:
        Reduction.validate(reduction)
        self.reduction, self.name = reduction, name

    def __call__(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Tensor:
        scope = "lambda" if self.name == "<lambda>" else self.name
        with name_scope(scope or type(self).__name__):
            losses = self.call(y_true, y_pred)
            return compute_weighted_loss(losses, sample_weight, reduction=self.reduction)

    def call(self, y_true: Any, y_pred: Any) -> Tensor:
        """One loss for each example."""
        raise NotImplementedError("Must be implemented in subclasses.")

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        """The loss with these arguments."""
        return cls(**config)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make the same loss."""
        return {"reduction": self.reduction, "name": self.name}


class LossFunctionWrapper(Loss):
    """A function as a loss."""

    def __init__(
        self, fn: Callable[..., Tensor], reduction: str = Reduction.AUTO, name: str | None = None, **kwargs: Any
    ) -> None:
        super().__init__(reduction=reduction, name=name)
        self.fn, self._fn_kwargs = fn, kwargs

    def call(self, y_true: Any, y_pred: Any) -> Tensor:
        if isinstance(y_pred, Tensor) and isinstance(y_true, Tensor):
            y_pred, y_true, _ = squeeze_or_expand(y_pred, y_true, None)
        return self.fn(y_true, y_pred, **self._fn_kwargs)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), **self._fn_kwargs}


class _Fixed(LossFunctionWrapper):
    """A loss of one of the functions above."""

    fn_: Callable[..., Tensor]
    name_: str

    def __init_subclass__(cls) -> None:
        if "name_" in vars(cls):
            taking(reduction=Reduction.AUTO, name=cls.name_, with_others=False)(cls)

    def __init__(self, reduction: str = Reduction.AUTO, name: str | None = None) -> None:
        super().__init__(type(self).fn_, name=name, reduction=reduction)


class MeanSquaredError(_Fixed):
    """The mean of squared errors."""

    fn_, name_ = staticmethod(mean_squared_error), "mean_squared_error"


class MeanAbsoluteError(_Fixed):
    """The mean of absolute errors."""

    fn_, name_ = staticmethod(mean_absolute_error), "mean_absolute_error"


class MeanAbsolutePercentageError(_Fixed):
    """The mean of errors, in percent of the targets."""

    fn_, name_ = staticmethod(mean_absolute_percentage_error), "mean_absolute_percentage_error"


class MeanSquaredLogarithmicError(_Fixed):
    """The mean of squared errors of logarithms."""

    fn_, name_ = staticmethod(mean_squared_logarithmic_error), "mean_squared_logarithmic_error"


class SquaredHinge(_Fixed):
    """The squared hinge loss."""

    fn_, name_ = staticmethod(squared_hinge), "squared_hinge"


class Hinge(_Fixed):
    """The hinge loss."""

    fn_, name_ = staticmethod(hinge), "hinge"


class CategoricalHinge(_Fixed):
    """The hinge loss of classes."""

    fn_, name_ = staticmethod(categorical_hinge), "categorical_hinge"


class Poisson(_Fixed):
    """The negative log-likelihood of counts."""

    fn_, name_ = staticmethod(poisson), "poisson"


class LogCosh(_Fixed):
    """The logarithm of the hyperbolic cosine of the error."""

    fn_, name_ = staticmethod(logcosh), "logcosh"


class KLDivergence(_Fixed):
    """The Kullback-Leibler divergence."""

    fn_, name_ = staticmethod(kullback_leibler_divergence), "kullback_leibler_divergence"


class BinaryCrossentropy(LossFunctionWrapper):
    """The cross-entropy of two classes."""

    def __init__(
        self, from_logits: bool = False, label_smoothing: Any = 0, reduction: str = Reduction.AUTO,
        name: str = "binary_crossentropy",
    ) -> None:  # fmt: skip
        super().__init__(
            binary_crossentropy, name=name, reduction=reduction, from_logits=from_logits,
            label_smoothing=label_smoothing,
        )  # fmt: skip
        self.from_logits = from_logits


class CategoricalCrossentropy(LossFunctionWrapper):
    """The cross-entropy of classes that are one-hot."""

    def __init__(
        self, from_logits: bool = False, label_smoothing: Any = 0, reduction: str = Reduction.AUTO,
        name: str = "categorical_crossentropy",
    ) -> None:  # fmt: skip
        super().__init__(
            categorical_crossentropy, name=name, reduction=reduction, from_logits=from_logits,
            label_smoothing=label_smoothing,
        )  # fmt: skip


class SparseCategoricalCrossentropy(LossFunctionWrapper):
    """The cross-entropy of classes that are integers."""

    def __init__(
        self, from_logits: bool = False, reduction: str = Reduction.AUTO, name: str = "sparse_categorical_crossentropy"
    ) -> None:
        super().__init__(sparse_categorical_crossentropy, name=name, reduction=reduction, from_logits=from_logits)


class Huber(LossFunctionWrapper):
    """Squared errors near 0, absolute ones beyond ``delta``."""

    def __init__(self, delta: float = 1.0, reduction: str = Reduction.AUTO, name: str = "huber_loss") -> None:
        super().__init__(huber_loss, name=name, reduction=reduction, delta=delta)


class CosineSimilarity(LossFunctionWrapper):
    """The cosine of the angle between targets and predictions."""

    def __init__(self, axis: int = -1, reduction: str = Reduction.AUTO, name: str = "cosine_similarity") -> None:
        super().__init__(cosine_proximity, reduction=reduction, name=name, axis=axis)


# -- by name -------------------------------------------------------------------------------------

_BY_NAME: dict[str, Any] = {
    **{name: value for name, value in list(globals().items())
       if callable(value) and not name.startswith("_") and getattr(value, "__module__", "") == __name__
       and name not in ("Loss", "LossFunctionWrapper", "Reduction", "reduced", "compute_weighted_loss",
                        "squeeze_or_expand")},
}  # fmt: skip


def get(identifier: Any) -> Any:
    """The loss of a name or a configuration, or the one given.

    Raises:
      ValueError: there is none of this name.
    """
    if identifier is None:
        return None
    if isinstance(identifier, str | dict):
        return deserialize(identifier)
    if callable(identifier):
        return identifier
    raise ValueError("Could not interpret loss function identifier:", identifier)


def deserialize(name: Any, custom_objects: Any = None) -> Any:
    """The loss of a name or a configuration."""
    from retrograd.keras.utils import get_custom_objects

    made = found(name, {**_BY_NAME, **get_custom_objects(), **(custom_objects or {})}, "loss function")
    return made() if isinstance(made, type) else made


def serialize(loss: Any) -> Any:
    """The name of a loss function, or the configuration of a loss."""
    return described(loss)
