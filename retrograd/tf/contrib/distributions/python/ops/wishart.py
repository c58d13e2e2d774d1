"""The names of ``tensorflow.contrib.distributions.python.ops.wishart``."""

from retrograd.faces import missing
from retrograd.nn.distributions.wishart import WishartCholesky, WishartFull

__getattr__ = missing(__name__)
