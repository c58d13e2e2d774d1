"""The names of ``tensorflow.python.platform.gfile``."""

from retrograd.faces import missing
from retrograd.graph.deprecation import deprecated

__getattr__ = missing(__name__)
