"""The names of ``tensorflow.contrib.keras.api.keras.optimizers.schedules``."""

from retrograd.faces import missing
from retrograd.keras.schedules import (
    ExponentialDecay,
    InverseTimeDecay,
    LearningRateSchedule,
    PiecewiseConstantDecay,
    PolynomialDecay,
)
from retrograd.keras.schedules import (
    described_schedule as serialize,
)
from retrograd.keras.schedules import (
    schedule_of as deserialize,
)

__getattr__ = missing(__name__)
