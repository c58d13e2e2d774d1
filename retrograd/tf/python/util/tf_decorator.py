"""The names of ``tensorflow.python.util.tf_decorator``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
