"""``tf.contrib.predictor`` of estimators: what a model predicts, as a function with a session of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.estimator.estimator import Estimator
from retrograd.estimator.learn import BaseEstimator
from retrograd.estimator.older.exporting import (
    DEFAULT_INPUT_ALTERNATIVE_KEY,
    get_input_alternatives,
    get_output_alternatives,
)
from retrograd.graph.graph import Graph
from retrograd.io.checkpoint_files import latest_checkpoint
from retrograd.io.saved_model.loader import Predictor
from retrograd.io.saved_model.signature_constants import DEFAULT_SERVING_SIGNATURE_DEF_KEY
from retrograd.sessions.monitored import ChiefSessionCreator, MonitoredSession


class CoreEstimatorPredictor(Predictor):
    """The outputs that an estimator exports, from its last checkpoint.

    Raises:
      KeyError: the model exports nothing under ``output_key``.
    """

    def __init__(
        self,
        estimator: Estimator,
        serving_input_receiver_fn: Callable[[], Any],
        output_key: str | None = None,
        graph: Graph | None = None,
        config: Any = None,
    ) -> None:
        output_key = DEFAULT_SERVING_SIGNATURE_DEF_KEY if output_key is None else output_key
        self._graph = graph or Graph()
        with self._graph.as_default():
            receiver = serving_input_receiver_fn()
            spec = estimator.model_fn(receiver.features, None, "infer", estimator.config)
            output = spec.export_outputs.get(output_key)
            if output is None:
                raise KeyError(f"output_key must be one of {spec.export_outputs.keys()}; got {output_key}")
            signature = output.as_signature_def(receiver.receiver_tensors)
            creator = ChiefSessionCreator(config=config, checkpoint_dir=estimator.model_dir)
            self._session = MonitoredSession(session_creator=creator)
        tensors = self._graph.get_tensor_by_name
        self._feed_tensors = {key: tensors(info.name) for key, info in signature.inputs.items()}
        self._fetch_tensors = {key: tensors(info.name) for key, info in signature.outputs.items()}


def from_estimator(
    estimator: Any,
    serving_input_receiver_fn: Callable[[], Any],
    output_key: str | None = None,
    graph: Graph | None = None,
    config: Any = None,
) -> CoreEstimatorPredictor:
    """A ``tf.estimator.Estimator`` as a function of what it is served.

    Raises:
      TypeError: it is an estimator of ``tf.contrib.learn``.
    """
    if not isinstance(estimator, Estimator):
        raise TypeError(
            "Expected estimator to be of type tf.python.estimator.Estimator, but got type "
            "tf.contrib.learn.Estimator. You likely want to call from_contrib_estimator."
        )
    return CoreEstimatorPredictor(estimator, serving_input_receiver_fn, output_key, graph, config)


class ContribEstimatorPredictor(Predictor):
    """An answer of an estimator of ``tf.contrib.learn``, from its last checkpoint.

    Args:
      prediction_input_fn: gives ``InputFnOps``.
      input_alternative_key: by default what a request feeds.
      output_alternative_key: the head, of a model with several.
    """

    def __init__(
        self,
        estimator: BaseEstimator,
        prediction_input_fn: Callable[[], Any],
        input_alternative_key: str | None = None,
        output_alternative_key: str | None = None,
        graph: Graph | None = None,
        config: Any = None,
    ) -> None:
        self._graph = graph or Graph()
        with self._graph.as_default():
            inputs = prediction_input_fn()
            ops = estimator._get_predict_ops(inputs.features)
            creator = ChiefSessionCreator(
                config=config, checkpoint_filename_with_path=latest_checkpoint(estimator.model_dir)
            )
            self._session = MonitoredSession(session_creator=creator)
        alternatives, _ = get_input_alternatives(inputs)
        self._feed_tensors = alternatives[input_alternative_key or DEFAULT_INPUT_ALTERNATIVE_KEY]
        outputs, key = get_output_alternatives(ops, output_alternative_key)
        _, self._fetch_tensors = outputs[key]


def from_contrib_estimator(
    estimator: Any,
    prediction_input_fn: Callable[[], Any],
    input_alternative_key: str | None = None,
    output_alternative_key: str | None = None,
    graph: Graph | None = None,
    config: Any = None,
) -> ContribEstimatorPredictor:
    """An estimator of ``tf.contrib.learn`` as a function of what it is served.

    Raises:
      TypeError: it is a ``tf.estimator.Estimator``.
    """
    if isinstance(estimator, Estimator):
        raise TypeError(
            "Expected estimator to be of type tf.contrib.learn.Estimator, but got type "
            "tf.python.estimator.Estimator. You likely want to call from_estimator."
        )
    return ContribEstimatorPredictor(
        estimator, prediction_input_fn, input_alternative_key, output_alternative_key, graph, config
    )
