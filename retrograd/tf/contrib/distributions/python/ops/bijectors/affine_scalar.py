"""The names of ``tensorflow.contrib.distributions.python.ops.bijectors.affine_scalar``."""

from retrograd.faces import missing
from retrograd.nn.distributions.bijectors import AffineScalar

__getattr__ = missing(__name__)
