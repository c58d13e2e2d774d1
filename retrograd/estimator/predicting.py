"""``tf.contrib.predictor`` of estimators: what a model predicts, as a function with a session of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.estimator.estimator import Estimator
from retrograd.graph.graph import Graph
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
