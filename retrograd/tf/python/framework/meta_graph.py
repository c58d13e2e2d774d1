"""The names of ``tensorflow.python.framework.meta_graph``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
