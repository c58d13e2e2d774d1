"""The names of ``tensorflow.python.ops.distributions.laplace``."""

from retrograd.faces import missing
from retrograd.nn.distributions.continuous import (
    Laplace,
    LaplaceWithSoftplusScale,
    StudentT,
    StudentTWithAbsDfSoftplusScale,
    Uniform,
)

__getattr__ = missing(__name__)
