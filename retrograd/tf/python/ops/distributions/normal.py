"""The names of ``tensorflow.python.ops.distributions.normal``."""

from retrograd.faces import missing
from retrograd.nn.distributions.normal import Normal, NormalWithSoftplusScale

__getattr__ = missing(__name__)
