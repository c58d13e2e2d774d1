"""The names of features, results and signatures of time series.

Source: TensorFlow 1.15.5, ``tf.contrib.timeseries.python.timeseries.feature_keys``.
"""

from __future__ import annotations

from retrograd.io.saved_model.signature_constants import DEFAULT_SERVING_SIGNATURE_DEF_KEY


class State:
    """The state of a model: one nested tuple, or its parts under numbered names."""

    STATE_TUPLE = "start_tuple"
    STATE_PREFIX = "model_state"


class Times:
    """The times of observations or predictions: increasing integers."""

    TIMES = "times"


class Values:
    """The observed values, one or more for each time."""

    VALUES = "values"


class TrainEvalFeatures(Times, Values):
    """What training and evaluation read."""


class PredictionFeatures(Times, State):
    """What prediction reads."""


class FilteringFeatures(Times, Values, State):
    """What filtering reads."""


class PredictionResults(Times):
    """What prediction returns beside the model's own results."""


class FilteringResults(Times, State):
    """What evaluation returns beside the model's own results."""


class SavedModelLabels:
    """The signatures of an exported model."""

    PREDICT = DEFAULT_SERVING_SIGNATURE_DEF_KEY
    FILTER = "filter"
    COLD_START_FILTER = "cold_start_filter"
