"""The names of ``tensorflow.contrib.periodic_resample.python.ops``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
