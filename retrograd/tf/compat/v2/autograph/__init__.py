"""The names of ``tensorflow.compat.v2.autograph``."""

from retrograd.autograph.converting import set_verbosity, to_code, to_graph, trace
from retrograd.faces import missing

__getattr__ = missing(__name__)
