"""The names of ``tensorflow.contrib.distributions.python.ops.bijectors.sinh_arcsinh``."""

from retrograd.faces import missing
from retrograd.nn.distributions.skewed import SinhArcsinhBijector as SinhArcsinh

__getattr__ = missing(__name__)
