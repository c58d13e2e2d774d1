"""The names of ``tensorflow.python.ops.gen_random_ops``."""

from retrograd.faces import missing

__getattr__ = missing(__name__, raw=True)
