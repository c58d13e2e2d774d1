"""The names of ``tensorflow.estimator``."""

from retrograd.estimator.config import RunConfig
from retrograd.estimator.estimator import Estimator, WarmStartSettings
from retrograd.estimator.exporters import BestExporter, Exporter, FinalExporter, LatestExporter
from retrograd.estimator.specs import EstimatorSpec, ModeKeys
from retrograd.estimator.training import EvalSpec, TrainSpec, train_and_evaluate
from retrograd.estimator.warm_starting import VocabInfo
from retrograd.faces import missing
from retrograd.sessions.hooks import (
    FeedFnHook,
    FinalOpsHook,
    GlobalStepWaiterHook,
    LoggingTensorHook,
    NanLossDuringTrainingError,
    NanTensorHook,
    SecondOrStepTimer,
    SessionRunArgs,
    SessionRunContext,
    SessionRunHook,
    SessionRunValues,
    StopAtStepHook,
)
from retrograd.sessions.saving_hooks import (
    CheckpointSaverHook,
    CheckpointSaverListener,
    ProfilerHook,
    StepCounterHook,
    SummarySaverHook,
)

__getattr__ = missing(__name__)
