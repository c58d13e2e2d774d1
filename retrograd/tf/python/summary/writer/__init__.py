"""The names of ``tensorflow.python.summary.writer``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
