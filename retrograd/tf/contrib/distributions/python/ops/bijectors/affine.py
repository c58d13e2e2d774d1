"""The names of ``tensorflow.contrib.distributions.python.ops.bijectors.affine``."""

from retrograd.faces import missing
from retrograd.nn.distributions.affine import Affine

__getattr__ = missing(__name__)
