"""The names of ``tensorflow.python.autograph.utils.ag_logging``."""

from retrograd.autograph.converting import set_verbosity, trace
from retrograd.faces import missing

__getattr__ = missing(__name__)
