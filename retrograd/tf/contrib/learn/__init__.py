"""The names of ``tensorflow.contrib.learn``."""

from retrograd.estimator.config import TaskType
from retrograd.estimator.learn import (
    Estimator,
    Experiment,
    InputFnOps,
    MetricSpec,
    ModelFnOps,
    RunConfig,
    SKCompat,
    build_parsing_serving_input_fn,
)
from retrograd.faces import missing
from retrograd.io.vocabularies import ModeKeys
from retrograd.sessions.hooks import NanLossDuringTrainingError

__getattr__ = missing(__name__)
