"""The names of ``tensorflow.core.profiler``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
