"""The names of ``tensorflow.contrib.distributions.python.ops.batch_reshape``."""

from retrograd.faces import missing
from retrograd.nn.distributions.batch_reshape import BatchReshape

__getattr__ = missing(__name__)
