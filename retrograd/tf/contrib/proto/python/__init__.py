"""The names of ``tensorflow.contrib.proto.python``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
