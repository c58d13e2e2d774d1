"""The names of ``tensorflow.keras.optimizers.schedules``."""

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
