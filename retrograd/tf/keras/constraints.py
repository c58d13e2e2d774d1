"""The names of ``tensorflow.keras.constraints``."""

from retrograd.faces import missing
from retrograd.nn.keras.constraints import (
    Constraint,
    MaxNorm,
    MinMaxNorm,
    NonNeg,
    RadialConstraint,
    UnitNorm,
    deserialize,
    get,
    max_norm,
    min_max_norm,
    non_neg,
    serialize,
    unit_norm,
)
from retrograd.nn.keras.constraints import (
    RadialConstraint as radial_constraint,
)

__getattr__ = missing(__name__)
