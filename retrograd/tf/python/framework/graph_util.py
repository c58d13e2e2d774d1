"""The names of ``tensorflow.python.framework.graph_util``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
