"""The names of ``tensorflow.python.user_ops``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
