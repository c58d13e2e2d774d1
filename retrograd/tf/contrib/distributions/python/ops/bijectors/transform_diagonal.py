"""The names of ``tensorflow.contrib.distributions.python.ops.bijectors.transform_diagonal``."""

from retrograd.faces import missing
from retrograd.nn.distributions.matrix_bijectors import TransformDiagonal

__getattr__ = missing(__name__)
