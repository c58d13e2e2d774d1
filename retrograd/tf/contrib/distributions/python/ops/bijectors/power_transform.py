"""The names of ``tensorflow.contrib.distributions.python.ops.bijectors.power_transform``."""

from retrograd.faces import missing
from retrograd.nn.distributions.bijectors import PowerTransform

__getattr__ = missing(__name__)
