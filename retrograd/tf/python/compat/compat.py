"""The names of ``tensorflow.python.compat.compat``."""

from retrograd.faces import missing
from retrograd.graph.versions import forward_compatibility_horizon, forward_compatible

__getattr__ = missing(__name__)
