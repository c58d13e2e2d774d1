"""The names of ``tensorflow.contrib.tensorboard``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
