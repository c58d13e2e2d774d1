"""The names of ``tensorflow.contrib.distributions.python.ops.bijectors.real_nvp``."""

from retrograd.faces import missing
from retrograd.nn.distributions.flows import RealNVP, real_nvp_default_template

__getattr__ = missing(__name__)
