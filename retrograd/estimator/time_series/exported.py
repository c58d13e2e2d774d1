"""Time series through exported models: ``tf.contrib.timeseries.saved_model_utils``.

Source: TensorFlow 1.15.5's functions, signatures and keys.
"""

from __future__ import annotations

from typing import Any

from retrograd.estimator.time_series.estimators import state_to_dictionary
from retrograd.estimator.time_series.keys import (
    FilteringResults,
    PredictionFeatures,
    PredictionResults,
    SavedModelLabels,
    TrainEvalFeatures,
)
from retrograd.estimator.time_series.reading import canonical, times_behind

Features = dict[str, Any]


def _run(session: Any, signature: Any, features: Features, continue_from: Features | None) -> Features:
    """What a signature gives for features, behind the state of an earlier result."""
    state = continue_from or {}
    if FilteringResults.STATE_TUPLE in state:
        state = state_to_dictionary(state[FilteringResults.STATE_TUPLE])
        fed = {**state, **features}
    else:
        fed = {**{key: value for key, value in state.items() if key in signature.inputs}, **features}
    element = session.graph.as_graph_element
    fetches = {key: element(info.name) for key, info in signature.outputs.items()}
    feeds = {element(signature.inputs[key].name): value for key, value in fed.items()}
    return session.run(fetches, feed_dict=feeds)  # type: ignore[no-any-return]


def predict_continuation(
    continue_from: Features, signatures: Any, session: Any, steps: int | None = None, times: Any = None,
    exogenous_features: Features | None = None,
) -> Features:  # fmt: skip
    """Predictions behind an evaluation or a filtering.

    Args:
      continue_from: what ``evaluate``, ``cold_start_filter`` or ``filter_continuation`` gave.
      signatures: the ``MetaGraphDef`` that ``tf.saved_model.loader.load`` gave, into the graph of ``session``.
      steps, times: how many steps, or at which times, [batch, window]; one of them.
      exogenous_features: arrays [batch, window, ...].

    Raises:
      ValueError: both or none of ``steps`` and ``times``; times that do not follow the evaluation's.
    """
    following = times_behind(times, steps, previous_model_output=continue_from)
    features = {PredictionFeatures.TIMES: following, **(exogenous_features or {})}
    signature = signatures.signature_def[SavedModelLabels.PREDICT]
    return {**_run(session, signature, features, continue_from), PredictionResults.TIMES: following}


def _filtered(session: Any, signature: Any, features: Features, continue_from: Features | None) -> Features:
    features = canonical(features, require_single_batch=False)
    found = _run(session, signature, features, continue_from)
    return {**found, FilteringResults.TIMES: features[TrainEvalFeatures.TIMES]}


def cold_start_filter(signatures: Any, session: Any, features: Features) -> Features:
    """The state of the model behind observations, from where it begins.

    Args:
      signatures: the ``MetaGraphDef`` that ``tf.saved_model.loader.load`` gave, into the graph of ``session``.
      features: times and values: of one observation, of a series [n, ...], or of several [batch, n, ...].
    """
    return _filtered(session, signatures.signature_def[SavedModelLabels.COLD_START_FILTER], features, None)


def filter_continuation(continue_from: Features, signatures: Any, session: Any, features: Features) -> Features:
    """The state of the model behind observations, from an earlier state; arguments as of ``cold_start_filter``."""
    return _filtered(session, signatures.signature_def[SavedModelLabels.FILTER], features, continue_from)
