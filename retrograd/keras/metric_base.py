"""What Keras' metrics stand on: ``Metric``, means and sums, and means of functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.graph.convert import as_tensor
from retrograd.graph.dtypes import as_dtype
from retrograd.graph.scopes import control_dependencies
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.keras import backend as K
from retrograd.keras.losses import squeeze_or_expand
from retrograd.keras.metric_parts import (
    flat_values,
    number_of,
)
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
    reductions,
)
from retrograd.state.initializers import Zeros
from retrograd.state.inlining import function
from retrograd.state.variables import VariableV1


def _mean_of(value: Any, name: str) -> Any:
    """The mean over batches of a tensor of a layer, as a metric."""
    metric = Mean(name=name)
    metric(value)
    return metric


added_losses.metric_makers.append(_mean_of)
_OURS = __name__.rpartition(".")[0] + "."  # where classes stand whose steps need no tracing


class Metric(Layer):
    """Variables that ``update_state`` changes and ``result`` reads; calling the metric does both."""

    def __init__(self, name: Any = None, dtype: Any = None, **kwargs: Any) -> None:
        super().__init__(name=name, dtype=dtype, **kwargs)
        self.stateful = self.built = True
        if not v2_dtype_behavior_enabled():
            self._dtype = K.floatx() if dtype is None else as_dtype(dtype).name
        update, result = self.update_state, self.result
        is_own = type(self).__module__.startswith(_OURS)
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
        synchronization: Any = None,
        initializer: Any = None,
        dtype: Any = None,
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


def fitted(values: Tensor, sample_weight: Any, reduce: Callable[..., Any] = K.mean) -> tuple[Tensor, Any]:
    """Values, and weights of their shape; values of more dimensions than weights are reduced."""
    if sample_weight is None:
        return values, None
    sample_weight = casts.cast(sample_weight, values.dtype)
    values, _, sample_weight = squeeze_or_expand(values, None, sample_weight)
    try:
        sample_weight = broadcast_weights(sample_weight, values)
    except ValueError:
        axes = list(range(sample_weight.rank or 0, values.rank or 0))
        values = reduce(values, axis=axes)
    return values, sample_weight


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
        values, weights = fitted(values, sample_weight, K.mean if self.is_mean else reductions.reduce_sum)
        if weights is not None:
            values = arithmetic.multiply(values, weights)
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


class FixedMetric(MeanMetricWrapper):
    """The mean of one of the functions."""

    fn_: Callable[..., Any]
    name_: str

    def __init_subclass__(cls) -> None:
        if "name_" in vars(cls):
            taking(name=cls.name_, dtype=None, with_others=False)(cls)

    def __init__(self, name: Any = None, dtype: Any = None) -> None:
        super().__init__(type(self).fn_, name, dtype=dtype)


def metric_of(function: Callable[..., Any], word: str, title: str, doc: str) -> type[FixedMetric]:
    """The class ``title`` of means of ``function``, whose objects are called ``word``."""
    return type(
        title,
        (FixedMetric,),
        {"fn_": staticmethod(function), "name_": word, "__doc__": doc, "__module__": f"{_OURS}metrics"},
    )
