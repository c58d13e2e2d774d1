"""The names of ``tensorflow.compat.v2.autograph``."""

from retrograd.autograph.converting import set_verbosity, trace
from retrograd.faces import missing

__getattr__ = missing(__name__)
