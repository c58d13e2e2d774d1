"""The names of ``tensorflow.python.framework.subscribe``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
