"""The names of ``tensorflow.python.keras.callbacks``."""

from retrograd.faces import missing
from retrograd.keras.callbacks import (
    BaseLogger,
    Callback,
    CallbackList,
    CSVLogger,
    EarlyStopping,
    History,
    LambdaCallback,
    LearningRateScheduler,
    ModelCheckpoint,
    ProgbarLogger,
    ReduceLROnPlateau,
    RemoteMonitor,
    TerminateOnNaN,
)
from retrograd.keras.second_tensorboard import TensorBoard
from retrograd.keras.utils import Progbar, Sequence

__getattr__ = missing(__name__)
