"""The names of ``tensorflow.contrib.distributions.python.ops.bijectors.batch_normalization``."""

from retrograd.faces import missing
from retrograd.nn.distributions.matrix_bijectors import BatchNormalization

__getattr__ = missing(__name__)
