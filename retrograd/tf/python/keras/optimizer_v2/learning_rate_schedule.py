"""The names of ``tensorflow.python.keras.optimizer_v2.learning_rate_schedule``."""

from retrograd.faces import missing
from retrograd.keras.schedules import (
    CosineDecay,
    CosineDecayRestarts,
    ExponentialDecay,
    InverseTimeDecay,
    LearningRateSchedule,
    LinearCosineDecay,
    NoisyLinearCosineDecay,
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
