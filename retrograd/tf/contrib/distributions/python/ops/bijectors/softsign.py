"""The names of ``tensorflow.contrib.distributions.python.ops.bijectors.softsign``."""

from retrograd.faces import missing
from retrograd.nn.distributions.more_bijectors import Softsign

__getattr__ = missing(__name__)
