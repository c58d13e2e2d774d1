"""The names of ``tensorflow.python.keras.constraints``."""

from retrograd.faces import missing
from retrograd.keras.utils import deserialize_keras_object, serialize_keras_object
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
from retrograd.nn.keras.constraints import (
    max_norm as maxnorm,
)
from retrograd.nn.keras.constraints import (
    non_neg as nonneg,
)
from retrograd.nn.keras.constraints import (
    unit_norm as unitnorm,
)

__getattr__ = missing(__name__)
