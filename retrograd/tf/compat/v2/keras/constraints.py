"""The names of ``tensorflow.compat.v2.keras.constraints``."""

from retrograd.faces import missing
from retrograd.nn.keras.constraints import (
    Constraint,
    RadialConstraint,
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
from retrograd.nn.keras.constraints import (
    max_norm as MaxNorm,
)
from retrograd.nn.keras.constraints import (
    min_max_norm as MinMaxNorm,
)
from retrograd.nn.keras.constraints import (
    non_neg as NonNeg,
)
from retrograd.nn.keras.constraints import (
    unit_norm as UnitNorm,
)

__getattr__ = missing(__name__)
