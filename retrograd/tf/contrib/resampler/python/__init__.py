"""The names of ``tensorflow.contrib.resampler.python``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
