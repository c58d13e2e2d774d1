"""The names of ``tensorflow.keras.constraints``."""

from retrograd.faces import missing
from retrograd.nn.keras.constraints import (
    Constraint,
    MaxNorm,
    MinMaxNorm,
    NonNeg,
    UnitNorm,
    deserialize,
    get,
    max_norm,
    min_max_norm,
    non_neg,
    serialize,
    unit_norm,
)

__getattr__ = missing(__name__)
