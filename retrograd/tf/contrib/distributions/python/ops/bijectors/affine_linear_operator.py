"""The names of ``tensorflow.contrib.distributions.python.ops.bijectors.affine_linear_operator``."""

from retrograd.faces import missing
from retrograd.nn.distributions.normal_vectors import AffineLinearOperator

__getattr__ = missing(__name__)
