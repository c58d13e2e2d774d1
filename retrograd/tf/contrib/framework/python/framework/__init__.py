"""The names of ``tensorflow.contrib.framework.python.framework``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
