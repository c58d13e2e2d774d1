"""The names of ``tensorflow.contrib.tensorboard.plugins``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
