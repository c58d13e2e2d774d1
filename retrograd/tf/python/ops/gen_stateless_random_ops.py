"""The names of ``tensorflow.python.ops.gen_stateless_random_ops``."""

from retrograd.faces import missing
from retrograd.ops.stateless import stateless_random_normal, stateless_random_uniform

__getattr__ = missing(__name__, raw=True)
