"""Models that do not look at features: ``BaselineClassifier``, ``BaselineRegressor`` and ``BaselineEstimator``.

Source: ``tensorflow_estimator`` 1.15.1, ``canned/baseline.py``.
"""

from __future__ import annotations

from typing import Any

from retrograd.estimator.canned.heads import RegressionHead, binary_or_multi_class_head
from retrograd.estimator.canned.optimizers import get_optimizer_instance
from retrograd.estimator.estimator import Estimator
from retrograd.estimator.specs import EstimatorSpec
from retrograd.graph.scopes import control_dependencies
from retrograd.graph.tensor import Tensor
from retrograd.nn.losses import Reduction
from retrograd.ops import arithmetic, arrays, checks, constants
from retrograd.state.initializers import Zeros
from retrograd.state.scopes import get_variable, variable_scope
from retrograd.train.training_util import get_global_step

_LEARNING_RATE = 0.3


def constant_logits(
    features: dict[str, Any], dimension: int, weight_column: Any, use_resource: bool | None = None
) -> tuple[Any, Tensor]:
    """The variable of the logits, and these for each example, of which all features but weights must have as many."""
    if weight_column is not None and not isinstance(weight_column, str):
        raise TypeError(f"Weight column must be either a string or _NumericColumn. Given type: {type(weight_column)}.")
    batch_size: Any = None
    equal = []
    for key, feature in features.items():
        if key != weight_column:
            size = arrays.shape(feature)[0]
            if batch_size is None:
                batch_size = size
            else:
                equal.append(checks.assert_equal(batch_size, size))
    with control_dependencies(equal), variable_scope("baseline"):
        bias = get_variable("bias", shape=[dimension], initializer=Zeros, use_resource=use_resource)
        return bias, arithmetic.multiply(bias, constants.ones([batch_size, dimension]))


class _Baseline(Estimator):
    def __init__(self, head: Any, model_dir: Any, weight_column: Any, optimizer: Any, config: Any) -> None:
        def model_fn(features: Any, labels: Any, mode: str, config: Any) -> EstimatorSpec:
            def train_op_fn(loss: Any) -> Any:
                chosen = get_optimizer_instance(optimizer, learning_rate=_LEARNING_RATE)
                return chosen.minimize(loss, global_step=get_global_step())

            _, logits = constant_logits(features, head.logits_dimension, weight_column)
            return head.create_estimator_spec(  # type: ignore[no-any-return]
                features=features, mode=mode, logits=logits, labels=labels, train_op_fn=train_op_fn
            )

        super().__init__(model_fn, model_dir=model_dir, config=config)


class BaselineClassifier(_Baseline):
    """The frequencies of the classes, whatever the features."""

    def __init__(
        self, model_dir: Any = None, n_classes: int = 2, weight_column: Any = None, label_vocabulary: Any = None,
        optimizer: Any = "Ftrl", config: Any = None, loss_reduction: str = Reduction.SUM,
    ) -> None:  # fmt: skip
        head = binary_or_multi_class_head(n_classes, weight_column, label_vocabulary, loss_reduction)
        super().__init__(head, model_dir, weight_column, optimizer, config)


class BaselineRegressor(_Baseline):
    """The mean of the labels, whatever the features."""

    def __init__(
        self, model_dir: Any = None, label_dimension: int = 1, weight_column: Any = None, optimizer: Any = "Ftrl",
        config: Any = None, loss_reduction: str = Reduction.SUM,
    ) -> None:  # fmt: skip
        head = RegressionHead(weight_column, label_dimension, loss_reduction)
        super().__init__(head, model_dir, None, optimizer, config)


class BaselineEstimator(_Baseline):
    """The same logits for each example, under a head of the user."""

    def __init__(self, head: Any, model_dir: Any = None, optimizer: Any = "Ftrl", config: Any = None) -> None:
        super().__init__(head, model_dir, None, optimizer, config)
