"""The names of ``tensorflow.python.training.server_lib``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
