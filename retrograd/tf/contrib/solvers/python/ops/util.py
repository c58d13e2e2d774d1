"""The names of ``tensorflow.contrib.solvers.python.ops.util``."""

from retrograd.contrib.solvers import (
    create_operator,
    dot,
    identity_operator,
    l2norm,
    l2norm_squared,
    l2normalize,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
