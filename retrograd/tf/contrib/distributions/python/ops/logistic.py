"""The names of ``tensorflow.contrib.distributions.python.ops.logistic``."""

from retrograd.faces import missing
from retrograd.nn.distributions.location_scale import Cauchy, HalfNormal, Logistic

__getattr__ = missing(__name__)
