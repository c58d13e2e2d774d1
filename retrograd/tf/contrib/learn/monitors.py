"""The names of ``tensorflow.contrib.learn.monitors``."""

from retrograd.estimator.older.monitors import ValidationMonitor
from retrograd.estimator.older.step_monitors import (
    BaseMonitor,
    CaptureVariable,
    CheckpointSaver,
    EveryN,
    ExportMonitor,
    LoggingTrainable,
    NanLoss,
    PrintTensor,
    RunHookAdapterForMonitors,
    StepCounter,
    StopAtStep,
    SummarySaver,
    get_default_monitors,
    replace_monitors_with_hooks,
)
from retrograd.faces import missing
from retrograd.sessions.hooks import NanLossDuringTrainingError

__getattr__ = missing(__name__)
