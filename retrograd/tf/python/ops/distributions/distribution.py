"""The names of ``tensorflow.python.ops.distributions.distribution``."""

from retrograd.faces import missing
from retrograd.nn.distributions.distribution import (
    FULLY_REPARAMETERIZED,
    NOT_REPARAMETERIZED,
    Distribution,
    ReparameterizationType,
)

__getattr__ = missing(__name__)
