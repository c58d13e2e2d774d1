"""The names of ``tensorflow.contrib.learn.python.learn.learn_io``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
