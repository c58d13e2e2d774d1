"""The names of ``tensorflow.contrib.distributions.python.ops.bijectors.matrix_inverse_tril``."""

from retrograd.faces import missing
from retrograd.nn.distributions.matrix_bijectors import MatrixInverseTriL

__getattr__ = missing(__name__)
