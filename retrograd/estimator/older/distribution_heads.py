"""``tf.contrib.distributions.estimator_head_distribution_regression``: what is predicted has a distribution.

Source: TensorFlow 1.15.5: names, arguments.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.estimator.older.head_losses import weighted_loss
from retrograd.estimator.older.heads import _RegressionHead
from retrograd.graph.scopes import name_scope
from retrograd.graph.tensor import Tensor
from retrograd.nn.distributions.quadratures import joined
from retrograd.ops import arrays


class DistributionRegressionHead(_RegressionHead):
    """Numbers whose distribution follows from the logits: the loss is ``-log p(label)``, the prediction its mean."""

    def __init__(
        self, make_distribution_fn: Callable[[Any], Any], label_dimension: int, logits_dimension: int | None,
        label_name: Any, weight_column_name: Any, enable_centered_bias: bool, head_name: str | None,
    ) -> None:  # fmt: skip
        if not callable(make_distribution_fn):
            raise TypeError("`make_distribution_fn` must be a callable function.")
        self._make_distribution_fn = make_distribution_fn
        self._distributions: dict[Any, Any] = {}
        super().__init__(
            logits_dimension or label_dimension, self._surprise, lambda logits: self.distribution(logits).mean(),
            label_name, weight_column_name, enable_centered_bias, head_name,
        )  # fmt: skip

    def _surprise(self, labels: Any, logits: Any, weights: Any = None) -> tuple[Tensor, Tensor]:
        distribution = self.distribution(logits)
        batch = labels.shape.with_rank_at_least(1)[:-1]
        shape = batch.as_list() if batch.is_fully_defined() else arrays.shape(labels)[:-1]
        labels = arrays.reshape(labels, joined(shape, distribution.event_shape_tensor()))
        return weighted_loss(-distribution.log_prob(labels), weights)

    @property
    def distributions(self) -> dict[Any, Any]:
        """The distributions that were made, by their logits."""
        return self._distributions

    def distribution(self, logits: Any, name: str | None = None) -> Any:
        """The distribution of these logits, which is made once."""
        with name_scope(name, "distribution", [logits]):
            if logits not in self._distributions:
                self._distributions[logits] = self._make_distribution_fn(logits)
            return self._distributions[logits]


def estimator_head_distribution_regression(
    make_distribution_fn: Callable[[Any], Any], label_dimension: int = 1, logits_dimension: int | None = None,
    label_name: Any = None, weight_column_name: Any = None, enable_centered_bias: bool = False,
    head_name: str | None = None,
) -> DistributionRegressionHead:  # fmt: skip
    """A head of ``tf.contrib.learn`` for numbers of any distribution.

    Args:
      make_distribution_fn: a function from logits, [batch, logits_dimension], to a distribution.
      label_dimension: the size of the labels' last axis; ``logits_dimension`` is the same unless it is given.

    Raises:
      TypeError: ``make_distribution_fn`` is no function.
    """
    return DistributionRegressionHead(
        make_distribution_fn, label_dimension, logits_dimension, label_name, weight_column_name, enable_centered_bias,
        head_name,
    )  # fmt: skip
