"""The names of ``tensorflow.contrib.framework.python.framework.experimental``."""

from retrograd.faces import missing
from retrograd.graph.deprecation import experimental

__getattr__ = missing(__name__)
