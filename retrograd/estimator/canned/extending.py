"""An estimator from another: with more metrics, or with features among its predictions.

Source: ``tensorflow_estimator`` 1.15.1, ``extenders.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.estimator.estimator import Estimator
from retrograd.estimator.export_outputs import PredictOutput
from retrograd.estimator.specs import EstimatorSpec, ModeKeys, called_with, fn_args
from retrograd.graph.convert import convert_to_tensor_or_sparse_tensor
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.tensor import Tensor
from retrograd.ops.sparse import sparse_tensor_to_dense

_METRIC_ARGS = {"features", "labels", "predictions", "config"}


def add_metrics(estimator: Estimator, metric_fn: Callable[..., dict[str, Any]]) -> Estimator:
    """The same estimator with the metrics of ``metric_fn(features, labels, predictions, config)``, or some of these.

    Raises:
      ValueError: ``metric_fn`` takes other arguments.
    """
    unknown = list(set(fn_args(metric_fn)) - _METRIC_ARGS)
    if unknown:
        raise ValueError(f"metric_fn ({metric_fn}) has following not expected args: {unknown}")

    def model_fn(features: Any, labels: Any, mode: str, config: Any) -> EstimatorSpec:
        spec = estimator.model_fn(features, labels, mode, config)
        if mode != ModeKeys.EVAL:
            return spec
        given = called_with(metric_fn, features=features, labels=labels, predictions=spec.predictions, config=config)
        return spec._replace(eval_metric_ops={**(spec.eval_metric_ops or {}), **metric_fn(**given)})

    return Estimator(
        model_fn, model_dir=estimator.model_dir, config=estimator.config,
        warm_start_from=estimator._warm_start_settings,
    )  # fmt: skip


def forward_features(estimator: Estimator, keys: Any = None, sparse_default_values: Any = None) -> Estimator:
    """The same estimator with features among its predictions.

    Args:
      keys: which features; all by default.
      sparse_default_values: for keys of sparse features, what fills them up.

    Raises:
      TypeError: a key is no text.
    """
    wanted = [keys] if isinstance(keys, str) else keys
    if wanted is not None and not isinstance(wanted, list | tuple):
        raise TypeError(f"keys should be either a string or a list of strings. Given: {type(keys)}")
    for key in wanted or ():
        if not isinstance(key, str):
            raise TypeError(
                f"All items in the given keys list should be a string. There exist an item with type: {type(key)}"
            )

    def model_fn(features: Any, labels: Any, mode: str, config: Any) -> EstimatorSpec:
        spec = estimator.model_fn(features, labels, mode, config)
        found = {key: _forwarded(features, key, spec, sparse_default_values) for key in wanted or features}
        spec.predictions.update(found)
        for name in ("predict", "serving_default"):
            output = (spec.export_outputs or {}).get(name)
            if isinstance(output, PredictOutput):
                output.outputs.update(found)
        return spec

    return Estimator(model_fn, model_dir=estimator.model_dir, config=estimator.config)


def _forwarded(features: Any, key: str, spec: EstimatorSpec, sparse_default_values: Any) -> Tensor:
    if not isinstance(spec.predictions, dict):
        raise ValueError(
            f"Predictions should be a dict to be able to forward features. Given: {type(spec.predictions)}"
        )
    if key not in features:
        raise ValueError(
            f'keys should be exist in features. Key "{key}" is not in features dict. features dict has following keys: '
            f"{features.keys()}. Please check arguments of forward_features."
        )
    if key in spec.predictions:
        raise ValueError(
            f"Cannot forward feature key ({key}). Since it does exist in predictions. Existing prediction keys: "
            f"{spec.predictions.keys()}. Please check arguments of forward_features."
        )
    feature = convert_to_tensor_or_sparse_tensor(features[key])
    if sparse_default_values and key in sparse_default_values:
        if not isinstance(feature, SparseTensor):
            raise ValueError(f"Feature ({key}) is expected to be a `SparseTensor`.")
        feature = sparse_tensor_to_dense(feature, default_value=sparse_default_values[key])
    if not isinstance(feature, Tensor):
        raise ValueError(
            f"Feature ({key}) should be a Tensor. Please use `keys` argument of forward_features to filter unwanted "
            f"features, oradd key to argument `sparse_default_values`.Type of features[{key}] is {type(feature)}."
        )
    return feature
