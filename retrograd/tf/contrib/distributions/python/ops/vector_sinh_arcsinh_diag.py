"""The names of ``tensorflow.contrib.distributions.python.ops.vector_sinh_arcsinh_diag``."""

from retrograd.faces import missing
from retrograd.nn.distributions.skewed import SinhArcsinh, VectorSinhArcsinhDiag

__getattr__ = missing(__name__)
