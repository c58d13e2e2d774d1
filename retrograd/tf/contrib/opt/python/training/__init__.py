"""The names of ``tensorflow.contrib.opt.python.training``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
