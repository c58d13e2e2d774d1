"""The names of ``tensorflow.contrib.learn.python.learn.utils``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
