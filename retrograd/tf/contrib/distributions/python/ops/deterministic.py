"""The names of ``tensorflow.contrib.distributions.python.ops.deterministic``."""

from retrograd.faces import missing
from retrograd.nn.distributions.deterministic import Deterministic, VectorDeterministic

__getattr__ = missing(__name__)
