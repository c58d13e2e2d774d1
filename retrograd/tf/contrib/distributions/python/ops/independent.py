"""The names of ``tensorflow.contrib.distributions.python.ops.independent``."""

from retrograd.faces import missing
from retrograd.nn.distributions.independent import Independent

__getattr__ = missing(__name__)
