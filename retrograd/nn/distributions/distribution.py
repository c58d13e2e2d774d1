"""What all distributions share: public methods that open a name scope, shapes, and what follows from what."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from retrograd.graph import dtypes, tensor
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.static import constant_value
from retrograd.graph.tensor import Tensor
from retrograd.nn.distributions import divergences
from retrograd.nn.distributions.vectors import pick_vector
from retrograd.ops import arrays, comparison, constants, exponentials, joining, powers, reductions, repeating


class ReparameterizationType:
    """Whether gradients flow from samples back to the parameters."""

    def __init__(self, rep_type: str) -> None:
        self._rep_type = rep_type

    def __repr__(self) -> str:
        return f"<Reparameteriation Type: {self._rep_type}>"  # spelt so in TensorFlow


FULLY_REPARAMETERIZED = ReparameterizationType("FULLY_REPARAMETERIZED")
NOT_REPARAMETERIZED = ReparameterizationType("NOT_REPARAMETERIZED")


class Distribution:
    """A batch of independent distributions of one kind.

    A sample has the shape ``sample_shape + batch_shape + event_shape``. A kind defines the private methods
    (``_sample_n``, ``_log_prob``, ``_mean``, ...); the public ones build theirs under the distribution's name.

    Raises:
      NotImplementedError: by a method, where the kind has no rule for it.
    """

    _PARAMETERS: tuple[str, ...] = ()  # those that have the shape of a sample

    def __init__(
        self,
        dtype: Any,
        reparameterization_type: ReparameterizationType,
        validate_args: bool,
        allow_nan_stats: bool,
        parameters: dict[str, Any] | None = None,
        graph_parents: list[Any] | None = None,
        name: str | None = None,
    ) -> None:
        graph_parents = [] if graph_parents is None else graph_parents
        for i, t in enumerate(graph_parents):
            if t is None or not tensor.is_tensor(t):
                raise ValueError(f"Graph parent item {i} is not a Tensor; {t}.")
        if not name or name[-1] != "/":
            with name_scope(name or type(self).__name__) as name:
                pass
        self._dtype = dtype
        self._reparameterization_type = reparameterization_type
        self._allow_nan_stats = allow_nan_stats
        self._validate_args = validate_args
        self._parameters = parameters or {}
        self._graph_parents = graph_parents
        self._name: str = name

    @classmethod
    def param_shapes(cls, sample_shape: Any, name: str = "DistributionParamShapes") -> dict[str, Any]:
        """The shape of each parameter for samples of ``sample_shape``."""
        with name_scope(name, values=[sample_shape]):
            return cls._param_shapes(sample_shape)

    @classmethod
    def param_static_shapes(cls, sample_shape: Any) -> dict[str, TensorShape]:
        """The same as a ``TensorShape`` each.

        Raises:
          ValueError: ``sample_shape`` is not fully known.
        """
        if isinstance(sample_shape, TensorShape):
            if not sample_shape.is_fully_defined():
                raise ValueError("TensorShape sample_shape must be fully defined")
            sample_shape = sample_shape.as_list()
        shapes = {}
        for name, shape in cls.param_shapes(sample_shape).items():
            value = constant_value(shape)
            if value is None:
                raise ValueError("sample_shape must be a fully-defined TensorShape or list/tuple")
            shapes[name] = TensorShape(value)
        return shapes

    @classmethod
    def _param_shapes(cls, sample_shape: Any) -> dict[str, Any]:
        if not cls._PARAMETERS:
            raise NotImplementedError("_param_shapes not implemented")
        return dict.fromkeys(cls._PARAMETERS, as_tensor(sample_shape, dtype=dtypes.int32))

    @property
    def name(self) -> str:
        return self._name

    @property
    def dtype(self) -> Any:
        """The dtype of samples."""
        return self._dtype

    @property
    def parameters(self) -> dict[str, Any]:
        """What the distribution was made of."""
        return {k: v for k, v in self._parameters.items() if not k.startswith("__") and k != "self"}

    @property
    def reparameterization_type(self) -> ReparameterizationType:
        return self._reparameterization_type

    @property
    def allow_nan_stats(self) -> bool:
        """Whether an undefined statistic is NaN; else it fails."""
        return self._allow_nan_stats

    @property
    def validate_args(self) -> bool:
        return self._validate_args

    def copy(self, **override_parameters_kwargs: Any) -> Any:
        """Another distribution of the same kind, with some parameters changed."""
        return type(self)(**dict(self.parameters, **override_parameters_kwargs))

    # -- shapes --------------------------------------------------------------------------------

    def _batch_shape_tensor(self) -> Any:
        raise self._without("batch_shape_tensor")

    def batch_shape_tensor(self, name: str = "batch_shape_tensor") -> Any:
        """The shape of the batch, when it runs."""
        with self._name_scope(name):
            if self.batch_shape.is_fully_defined():
                return as_tensor(self.batch_shape.as_list(), dtype=dtypes.int32, name="batch_shape")
            return self._batch_shape_tensor()

    def _batch_shape(self) -> Any:
        return TensorShape(None)

    @property
    def batch_shape(self) -> TensorShape:
        """The shape of the batch, as far as it is known."""
        return TensorShape(self._batch_shape())

    def _event_shape_tensor(self) -> Any:
        raise self._without("event_shape_tensor")

    def event_shape_tensor(self, name: str = "event_shape_tensor") -> Any:
        """The shape of one draw, when it runs."""
        with self._name_scope(name):
            if self.event_shape.is_fully_defined():
                return as_tensor(self.event_shape.as_list(), dtype=dtypes.int32, name="event_shape")
            return self._event_shape_tensor()

    def _event_shape(self) -> Any:
        return TensorShape(None)

    @property
    def event_shape(self) -> TensorShape:
        """The shape of one draw, as far as it is known."""
        return TensorShape(self._event_shape())

    def is_scalar_event(self, name: str = "is_scalar_event") -> Tensor:
        """Whether a draw is one number."""
        with self._name_scope(name):
            return as_tensor(self._is_scalar_helper(self.event_shape, self.event_shape_tensor), name="is_scalar_event")

    def is_scalar_batch(self, name: str = "is_scalar_batch") -> Tensor:
        """Whether there is one distribution."""
        with self._name_scope(name):
            return as_tensor(self._is_scalar_helper(self.batch_shape, self.batch_shape_tensor), name="is_scalar_batch")

    def _is_scalar_helper(self, static_shape: TensorShape, dynamic_shape_fn: Callable[[], Any]) -> Any:
        """Whether a shape has no axes; distributions that hold others may answer for them."""
        if static_shape.ndims is not None:
            return static_shape.ndims == 0
        shape = dynamic_shape_fn()
        if shape.shape.ndims is not None and shape.shape[0].value is not None:
            return shape.shape.as_list() == [0]
        return comparison.equal(arrays.shape(shape)[0], 0)

    # -- draws ---------------------------------------------------------------------------------

    def _sample_n(self, n: Any, seed: int | None = None) -> Any:
        raise self._without("sample_n")

    def _call_sample_n(self, sample_shape: Any, seed: int | None, name: str, **kwargs: Any) -> Any:
        with self._name_scope(name, [sample_shape]):
            sample_shape = as_tensor(sample_shape, dtype=dtypes.int32, name="sample_shape")
            sample_shape, n = self._expand_sample_shape_to_vector(sample_shape, "sample_shape")
            samples = self._sample_n(n, seed, **kwargs)
            batch_event_shape = arrays.shape(samples)[1:]
            final_shape = joining.concat([sample_shape, batch_event_shape], 0)
            return self._set_sample_static_shape(arrays.reshape(samples, final_shape), sample_shape)

    def sample(self, sample_shape: Any = (), seed: int | None = None, name: str = "sample") -> Any:
        """Draws of shape ``sample_shape + batch_shape + event_shape``."""
        return self._call_sample_n(sample_shape, seed, name)

    # -- functions of a value ------------------------------------------------------------------

    def _at(self, value: Any, name: str, rule: Callable[[Any], Any], otherwise: Callable[[Any], Any]) -> Any:
        """``rule`` of the value; where the kind has none, ``otherwise``, which follows from another rule."""
        with self._name_scope(name, [value]):
            value = as_tensor(value, name="value", preferred_dtype=self.dtype)
            try:
                return rule(value)
            except NotImplementedError as missing:
                try:
                    return otherwise(value)
                except NotImplementedError:
                    raise missing from None

    def _log_prob(self, value: Any) -> Any:
        raise self._without("log_prob")

    def _call_log_prob(self, value: Any, name: str, **kwargs: Any) -> Any:
        return self._at(
            value, name, lambda x: self._log_prob(x, **kwargs), lambda x: exponentials.log(self._prob(x, **kwargs))
        )  # fmt: skip

    def log_prob(self, value: Any, name: str = "log_prob") -> Any:
        """The logarithm of the density, or of the probability where values are discrete."""
        return self._call_log_prob(value, name)

    def _prob(self, value: Any) -> Any:
        raise self._without("prob")

    def _call_prob(self, value: Any, name: str, **kwargs: Any) -> Any:
        return self._at(
            value, name, lambda x: self._prob(x, **kwargs), lambda x: exponentials.exp(self._log_prob(x, **kwargs))
        )  # fmt: skip

    def prob(self, value: Any, name: str = "prob") -> Any:
        """The density, or the probability where values are discrete."""
        return self._call_prob(value, name)

    def _log_cdf(self, value: Any) -> Any:
        raise self._without("log_cdf")

    def _call_log_cdf(self, value: Any, name: str, **kwargs: Any) -> Any:
        return self._at(
            value, name, lambda x: self._log_cdf(x, **kwargs), lambda x: exponentials.log(self._cdf(x, **kwargs))
        )  # fmt: skip

    def log_cdf(self, value: Any, name: str = "log_cdf") -> Any:
        """The logarithm of ``cdf``."""
        return self._call_log_cdf(value, name)

    def _cdf(self, value: Any) -> Any:
        raise self._without("cdf")

    def _call_cdf(self, value: Any, name: str, **kwargs: Any) -> Any:
        return self._at(
            value, name, lambda x: self._cdf(x, **kwargs), lambda x: exponentials.exp(self._log_cdf(x, **kwargs))
        )  # fmt: skip

    def cdf(self, value: Any, name: str = "cdf") -> Any:
        """``P[X <= value]``."""
        return self._call_cdf(value, name)

    def _log_survival_function(self, value: Any) -> Any:
        raise self._without("log_survival_function")

    def _call_log_survival_function(self, value: Any, name: str, **kwargs: Any) -> Any:
        return self._at(
            value, name,
            lambda x: self._log_survival_function(x, **kwargs), lambda x: exponentials.log1p(-self.cdf(x, **kwargs)),
        )  # fmt: skip

    def log_survival_function(self, value: Any, name: str = "log_survival_function") -> Any:
        """The logarithm of ``survival_function``."""
        return self._call_log_survival_function(value, name)

    def _survival_function(self, value: Any) -> Any:
        raise self._without("survival_function")

    def _call_survival_function(self, value: Any, name: str, **kwargs: Any) -> Any:
        return self._at(
            value, name, lambda x: self._survival_function(x, **kwargs), lambda x: 1.0 - self.cdf(x, **kwargs)
        )  # fmt: skip

    def survival_function(self, value: Any, name: str = "survival_function") -> Any:
        """``P[X > value]``."""
        return self._call_survival_function(value, name)

    def _quantile(self, value: Any) -> Any:
        raise self._without("quantile")

    def _call_quantile(self, value: Any, name: str, **kwargs: Any) -> Any:
        with self._name_scope(name, [value]):
            value = as_tensor(value, name="value", preferred_dtype=self.dtype)
            return self._quantile(value, **kwargs)

    def quantile(self, value: Any, name: str = "quantile") -> Any:
        """The inverse of ``cdf``."""
        return self._call_quantile(value, name)

    # -- statistics ----------------------------------------------------------------------------

    def _entropy(self) -> Any:
        raise self._without("entropy")

    def entropy(self, name: str = "entropy") -> Any:
        """Shannon's entropy, in nats."""
        with self._name_scope(name):
            return self._entropy()

    def _mean(self) -> Any:
        raise self._without("mean")

    def mean(self, name: str = "mean") -> Any:
        with self._name_scope(name):
            return self._mean()

    def _variance(self) -> Any:
        raise self._without("variance")

    def variance(self, name: str = "variance") -> Any:
        with self._name_scope(name):
            try:
                return self._variance()
            except NotImplementedError as missing:
                try:
                    return powers.square(self._stddev())
                except NotImplementedError:
                    raise missing from None

    def _stddev(self) -> Any:
        raise self._without("stddev")

    def stddev(self, name: str = "stddev") -> Any:
        """The root of ``variance``."""
        with self._name_scope(name):
            try:
                return self._stddev()
            except NotImplementedError as missing:
                try:
                    return powers.sqrt(self._variance())
                except NotImplementedError:
                    raise missing from None

    def _covariance(self) -> Any:
        raise self._without("covariance")

    def covariance(self, name: str = "covariance") -> Any:
        """The covariances between the parts of an event."""
        with self._name_scope(name):
            return self._covariance()

    def _mode(self) -> Any:
        raise self._without("mode")

    def mode(self, name: str = "mode") -> Any:
        """The most likely value."""
        with self._name_scope(name):
            return self._mode()

    def _cross_entropy(self, other: Any) -> Any:
        return divergences.cross_entropy(self, other, allow_nan_stats=self.allow_nan_stats)

    def cross_entropy(self, other: Any, name: str = "cross_entropy") -> Any:
        """``-E[log q(X)]`` for X of this distribution and q of the other one."""
        with self._name_scope(name):
            return self._cross_entropy(other)

    def _kl_divergence(self, other: Any) -> Any:
        return divergences.kl_divergence(self, other, allow_nan_stats=self.allow_nan_stats)

    def kl_divergence(self, other: Any, name: str = "kl_divergence") -> Any:
        """``E[log p(X) - log q(X)]`` for X of this distribution."""
        with self._name_scope(name):
            return self._kl_divergence(other)

    # -- what the methods stand on -------------------------------------------------------------

    def __str__(self) -> str:
        batch = f", batch_shape={self.batch_shape}" if self.batch_shape.ndims is not None else ""
        event = f", event_shape={self.event_shape}" if self.event_shape.ndims is not None else ""
        return f'tfp.distributions.{type(self).__name__}("{self.name}"{batch}{event}, dtype={self.dtype.name})'

    def __repr__(self) -> str:
        return (
            f"<tfp.distributions.{type(self).__name__} '{self.name}' batch_shape={self.batch_shape} "
            f"event_shape={self.event_shape} dtype={self.dtype.name}>"
        )

    def _without(self, method: str) -> NotImplementedError:
        return NotImplementedError(f"{method} is not implemented: {type(self).__name__}")

    @contextlib.contextmanager
    def _name_scope(self, name: str | None = None, values: list[Any] | None = None) -> Iterator[str]:
        with name_scope(self.name), name_scope(name, values=[*(values or []), *self._graph_parents]) as scope:
            yield scope

    def _expand_sample_shape_to_vector(self, x: Tensor, name: str) -> tuple[Any, Any]:
        """A sample shape as a vector, and the number of draws that it asks for."""
        value = constant_value(x)
        count = reductions.reduce_prod(x) if value is None else np.prod(value, dtype=x.dtype.as_numpy_dtype)
        rank = x.shape.ndims
        if rank is None:
            is_scalar = comparison.equal(arrays.rank(x), 0)
            vector = arrays.reshape(x, pick_vector(is_scalar, np.array([1], dtype=np.int32), arrays.shape(x)))
        elif rank == 0:
            if value is not None:
                vector = as_tensor(np.array([value], dtype=x.dtype.as_numpy_dtype), name=name)
            else:
                vector = arrays.reshape(x, [1])
        elif rank == 1:
            vector = x
        else:
            raise ValueError("Input is neither scalar nor vector.")
        return vector, count

    def _set_sample_static_shape(self, x: Tensor, sample_shape: Tensor) -> Tensor:
        """Tell the samples what is known of the three parts of their shape."""
        sample = TensorShape(constant_value(sample_shape))
        rank = x.shape.ndims
        ranks: list[Any] = [sample.ndims, self.batch_shape.ndims, self.event_shape.ndims]
        if rank is None and None not in ranks:
            rank = sum(ranks)
            x.set_shape([None] * rank)
        if rank is not None and ranks.count(None) == 1:
            ranks[ranks.index(None)] = rank - sum(n for n in ranks if n is not None)
        n_sample, _, n_event = ranks
        if rank is not None and sample.ndims is not None:
            x.set_shape(sample.concatenate([None] * (rank - sample.ndims)))
        if rank is not None and self.event_shape.ndims is not None:
            x.set_shape(TensorShape([None] * (rank - self.event_shape.ndims)).concatenate(self.event_shape))
        if None not in (self.batch_shape.ndims, n_sample, n_event):
            x.set_shape(TensorShape([None] * n_sample).concatenate(self.batch_shape).concatenate([None] * n_event))
        return x


class ScalarDistribution(Distribution):
    """A draw is one number."""

    def _event_shape_tensor(self) -> Tensor:
        return constants.constant([], dtype=dtypes.int32)

    def _event_shape(self) -> TensorShape:
        return TensorShape([])


class BroadcastDistribution(ScalarDistribution):
    """A draw is one number, and the shape of the batch is what two parameters broadcast to."""

    def _batch_shape_tensor(self) -> Tensor:
        a, b = (getattr(self, name) for name in self._PARAMETERS)
        return repeating.broadcast_dynamic_shape(arrays.shape(a), arrays.shape(b))

    def _batch_shape(self) -> TensorShape:
        a, b = (getattr(self, name) for name in self._PARAMETERS)
        return repeating.broadcast_static_shape(a.shape, b.shape)
