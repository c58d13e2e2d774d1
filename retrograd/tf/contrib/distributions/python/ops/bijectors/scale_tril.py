"""The names of ``tensorflow.contrib.distributions.python.ops.bijectors.scale_tril``."""

from retrograd.faces import missing
from retrograd.nn.distributions.matrix_bijectors import ScaleTriL

__getattr__ = missing(__name__)
