"""The names of ``tensorflow.python.keras.optimizer_v2.learning_rate_schedule``."""

from retrograd.faces import missing
from retrograd.keras.optimizers import (
    ExponentialDecay,
    InverseTimeDecay,
    LearningRateSchedule,
    PiecewiseConstantDecay,
    PolynomialDecay,
)
from retrograd.keras.optimizers import (
    described_schedule as serialize,
)
from retrograd.keras.optimizers import (
    schedule_of as deserialize,
)

__getattr__ = missing(__name__)
