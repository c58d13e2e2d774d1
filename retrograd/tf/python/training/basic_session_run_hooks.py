"""The names of ``tensorflow.python.training.basic_session_run_hooks``."""

from retrograd.faces import missing
from retrograd.io.event_files import FileWriterCache as SummaryWriterCache
from retrograd.sessions.hooks import (
    FeedFnHook,
    FinalOpsHook,
    GlobalStepWaiterHook,
    LoggingTensorHook,
    NanLossDuringTrainingError,
    NanTensorHook,
    NeverTriggerTimer,
    SecondOrStepTimer,
    SessionRunArgs,
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
