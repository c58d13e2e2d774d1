"""The names of ``tensorflow.python.training.checkpoint_management``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
