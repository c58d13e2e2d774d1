"""The names of ``tensorflow.compat.v2.keras.callbacks``."""

from retrograd.faces import missing
from retrograd.keras.callbacks import (
    BaseLogger,
    Callback,
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

__getattr__ = missing(__name__)
