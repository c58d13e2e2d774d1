"""The names of ``tensorflow.python.framework.importer``."""

from retrograd.faces import missing
from retrograd.graph.deprecation import deprecated_args

__getattr__ = missing(__name__)
