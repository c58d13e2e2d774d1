"""The names of ``tensorflow.contrib.receptive_field.python.util``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
