"""The names of ``tensorflow.python.framework.config``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
