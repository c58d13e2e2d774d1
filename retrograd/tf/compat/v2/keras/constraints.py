"""The names of ``tensorflow.compat.v2.keras.constraints``."""

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
    serialize,
)
from retrograd.nn.keras.constraints import (
    MaxNorm as max_norm,
)
from retrograd.nn.keras.constraints import (
    MinMaxNorm as min_max_norm,
)
from retrograd.nn.keras.constraints import (
    NonNeg as non_neg,
)
from retrograd.nn.keras.constraints import (
    RadialConstraint as radial_constraint,
)
from retrograd.nn.keras.constraints import (
    UnitNorm as unit_norm,
)

__getattr__ = missing(__name__)
