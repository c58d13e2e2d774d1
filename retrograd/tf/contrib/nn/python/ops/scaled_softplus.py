"""The names of ``tensorflow.contrib.nn.python.ops.scaled_softplus``."""

from retrograd.faces import missing
from retrograd.nn.contrib.functions import scaled_softplus

__getattr__ = missing(__name__)
