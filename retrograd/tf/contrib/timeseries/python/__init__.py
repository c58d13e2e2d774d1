"""The names of ``tensorflow.contrib.timeseries.python``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
