"""``tf.contrib.eager.metrics``: metrics as objects, which keep the sums of all batches that they were called with."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from retrograd.eager import deferred
from retrograd.graph import dtypes
from retrograd.graph.collections import GraphKeys
from retrograd.graph.convert import as_tensor
from retrograd.graph.stack import default_graph
from retrograd.graph.untracked import hold
from retrograd.io import written_summaries
from retrograd.io.tracking import Trackable
from retrograd.ops import arrays, casts, checks, comparison, control, ranking, reductions, sums
from retrograd.ops.conditions import smart_cond
from retrograd.state import initializers
from retrograd.state.inlining import function
from retrograd.state.scopes import get_variable, variable_scope


class Metric(Trackable):
    """``build`` makes the variables, ``call`` adds a batch to them, ``result`` reads them.

    Where a graph is built, a call gives the ops that add the batch, and ``init_variables`` an op.
    """

    def __init__(self, name: str | None = None, use_global_variables: bool = False) -> None:
        self._built = False
        self._vars: list[Any] = []
        self._initial_values: list[Any] = []
        self._use_global_variables = use_global_variables
        name = name or type(self).__name__
        scope_name = re.sub(r"[^A-Za-z0-9_.\-/]", "_", name)
        with variable_scope(scope_name, use_resource=True, reuse=False) as scope:
            self._name = name + scope.name[scope.name.rfind(scope_name) + len(scope_name) :]
            self._scope = scope
        self._is_eager = default_graph().is_eager
        self._build: Callable[..., None] = self.build
        self.build = self._built_once  # type: ignore[method-assign]
        if not self._is_eager:
            self.call = function(self.call)  # type: ignore[method-assign]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Add a batch."""
        if not self._built:
            with variable_scope(self._scope):
                self.build(*args, **kwargs)
        return self.call(*args, **kwargs)

    def _built_once(self, *args: Any, **kwargs: Any) -> None:
        """``build``, after which no variables are added."""
        self._build(*args, **kwargs)
        self._built = True

    @property
    def name(self) -> str:
        """The name, that of its variables' scope."""
        return self._name

    @property
    def variables(self) -> list[Any]:
        """The variables."""
        return self._vars

    def init_variables(self) -> Any:
        """Forget all batches; where a graph is built, the op that does so."""
        if not self._is_eager:
            return control.group(*[v.initializer for v in self._vars])
        for variable, value in zip(self._vars, self._initial_values, strict=True):
            variable.assign(value)
        return None

    def build(self, *args: Any, **kwargs: Any) -> None:
        """Make the variables by ``add_variable``."""
        raise NotImplementedError("Metrics must define a build() member function")

    def call(self, *args: Any, **kwargs: Any) -> Any:
        """Add a batch to the variables."""
        raise NotImplementedError("Metrics must define a call() member function")

    def result(self) -> Any:
        """The value for all batches so far."""
        raise NotImplementedError("Metrics must define a result() member function")

    def value(self) -> Any:
        """The result as a tensor of a graph; a function that gives it where ops run at once."""
        return self.result if self._is_eager else self.result()

    def aggregate(self, metrics: Sequence[Any]) -> None:
        """Add the batches of others of the same class.

        Raises:
          TypeError: one is of another class.
          ValueError: one has other variables.
        """
        for other in metrics:
            if type(other) is not type(self):
                raise TypeError(f"All metrics must be the same type, '{type(self)}' != '{type(other)}'.")
        for i, variable in enumerate(self._vars):
            if any(other._vars[i].name != variable.name for other in metrics):
                raise ValueError("All metrics must have variables in the same order.")
            variable.assign_add(sums.add_n([as_tensor(other._vars[i]) for other in metrics]))

    def add_variable(self, name: str, shape: Any = None, dtype: Any = None, initializer: Any = None) -> Any:
        """A new variable of the metric, for ``build``.

        Raises:
          RuntimeError: the metric has been built.
        """
        if self._built:
            raise RuntimeError("Can't call add_variable() except in build().")
        kept = GraphKeys.GLOBAL_VARIABLES if self._use_global_variables else GraphKeys.LOCAL_VARIABLES
        variable = get_variable(
            name, shape=shape, dtype=dtype, initializer=initializer, trainable=False, use_resource=True,
            collections=[kept, GraphKeys.METRIC_VARIABLES],
        )  # fmt: skip
        self._vars.append(hold(self, variable, name))
        deferred.variables_made()
        if self._is_eager:
            self._initial_values.append(variable.value())
        return variable


class Mean(Metric):
    """sum(weights * values) / sum(weights), over all batches.

    >>> from retrograd.eager.context import eager_mode
    >>> with eager_mode():
    ...     m = Mean()
    ...     _ = m([1.0, 2.0]), m(6.0)
    ...     float(m.result())
    3.0
    """

    def __init__(
        self, name: str | None = None, dtype: Any = dtypes.float64, use_global_variables: bool = False
    ) -> None:
        super().__init__(name, use_global_variables)
        self.dtype = dtype

    def build(self, *args: Any, **kwargs: Any) -> None:
        zeros = initializers.zeros_initializer
        self.numer = self.add_variable("numer", shape=(), dtype=self.dtype, initializer=zeros)
        self.denom = self.add_variable("denom", shape=(), dtype=self.dtype, initializer=zeros)

    def call(self, values: Any, weights: Any = None) -> Any:
        """Add ``values``, each with its weight; gives the arguments back."""
        if weights is None:
            self.denom.assign_add(casts.cast(arrays.identity(arrays.size(values)), self.dtype))
            values = reductions.reduce_sum(values)
            self.numer.assign_add(casts.cast(values, self.dtype))
            return values
        weights = casts.cast(weights, self.dtype)
        self.denom.assign_add(reductions.reduce_sum(weights))
        values = casts.cast(values, self.dtype) * weights
        self.numer.assign_add(reductions.reduce_sum(values))
        return values, weights

    def result(self, write_summary: Any = True) -> Any:
        """The mean; a summary of it is written, unless ``write_summary``, which may be a tensor, is False."""
        mean = self.numer / self.denom

        def written() -> Any:
            written_summaries.scalar(self.name, mean)
            return mean

        return smart_cond(write_summary, written, lambda: mean, name="")

    def _count(self, matches: Any, labels: Any, predictions: Any, weights: Any) -> Any:
        """Add the mean of ``matches``; gives the arguments back."""
        Mean.call(self, casts.cast(matches, self.dtype), weights=weights)
        return (labels, predictions) if weights is None else (labels, predictions, weights)


def _check_alike(labels: Any, predictions: Any) -> None:
    checks.assert_equal(
        arrays.shape(labels), arrays.shape(predictions), message="Shapes of labels and predictions are unequal"
    )


class Accuracy(Mean):
    """The share of predictions that equal their labels."""

    def __init__(self, name: str | None = None, dtype: Any = dtypes.float64) -> None:
        super().__init__(name, dtype)

    def call(self, labels: Any, predictions: Any, weights: Any = None) -> Any:  # type: ignore[override]
        """Add a batch of labels and predictions of one shape."""
        _check_alike(labels, predictions)
        return self._count(comparison.equal(labels, predictions), labels, predictions, weights)


class CategoricalAccuracy(Accuracy):
    """The share of predictions, rows of probabilities, that are highest where the row of the label is."""

    def call(self, labels: Any, predictions: Any, weights: Any = None) -> Any:  # type: ignore[override]
        """Add a batch of rows."""
        _check_alike(labels, predictions)
        labels, predictions = ranking.argmax(labels, axis=-1), ranking.argmax(predictions, axis=-1)
        return self._count(comparison.equal(labels, predictions), labels, predictions, weights)


class BinaryAccuracy(Accuracy):
    """The share of predictions that are greater than ``threshold`` just where their label is true."""

    def __init__(self, threshold: float, name: str | None = None, dtype: Any = dtypes.float64) -> None:
        super().__init__(name, dtype)
        self.threshold = threshold

    def call(self, labels: Any, predictions: Any, weights: Any = None) -> Any:  # type: ignore[override]
        """Add a batch of labels and predictions of one shape."""
        _check_alike(labels, predictions)
        predictions, labels = as_tensor(predictions) > self.threshold, casts.cast(labels, dtypes.bool)
        return self._count(comparison.equal(labels, predictions), labels, predictions, weights)


class SparseAccuracy(Accuracy):
    """The share of predictions, rows of probabilities, that are highest at their label."""

    def call(self, labels: Any, predictions: Any, weights: Any = None) -> Any:  # type: ignore[override]
        """Add a batch: a label for each row."""
        checks.assert_equal(
            arrays.shape(labels), arrays.shape(predictions)[0],
            message="First axis of labels and predictions is unequal",
        )  # fmt: skip
        predictions, labels = ranking.argmax(predictions, axis=-1), casts.cast(labels, dtypes.int64)
        return self._count(comparison.equal(labels, predictions), labels, predictions, weights)
