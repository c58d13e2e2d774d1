"""The names of ``tensorflow.python.training.monitored_session``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
