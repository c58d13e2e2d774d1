"""The names of ``tensorflow.python.ops.manip_grad``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
