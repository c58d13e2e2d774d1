"""The names of ``tensorflow.python.profiler``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
