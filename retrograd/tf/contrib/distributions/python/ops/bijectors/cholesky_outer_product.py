"""The names of ``tensorflow.contrib.distributions.python.ops.bijectors.cholesky_outer_product``."""

from retrograd.faces import missing
from retrograd.nn.distributions.matrix_bijectors import CholeskyOuterProduct

__getattr__ = missing(__name__)
