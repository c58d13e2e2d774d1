"""The names of ``tensorflow.python.keras.utils.losses_utils``."""

from retrograd.faces import missing
from retrograd.keras.losses import (
    Reduction as ReductionV2,
)
from retrograd.keras.losses import (
    compute_weighted_loss,
)
from retrograd.keras.losses import (
    squeeze_or_expand as squeeze_or_expand_dimensions,
)

__getattr__ = missing(__name__)
