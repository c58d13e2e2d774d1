"""The names of ``tensorflow.contrib.distributions.python.ops.bijectors.fill_triangular``."""

from retrograd.faces import missing
from retrograd.nn.distributions.matrix_bijectors import FillTriangular, vector_size_to_square_matrix_size

__getattr__ = missing(__name__)
