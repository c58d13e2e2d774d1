"""The names of ``tensorflow.python.framework.composite_tensor``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
