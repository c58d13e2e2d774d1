"""The names of ``tensorflow.contrib.losses.python.losses``."""

from retrograd.faces import missing
from retrograd.nn.contrib.losses import mean_pairwise_squared_error

__getattr__ = missing(__name__)
