"""The names of ``tensorflow.contrib.memory_stats.python.ops``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
