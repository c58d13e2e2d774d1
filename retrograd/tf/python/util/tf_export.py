"""The names of ``tensorflow.python.util.tf_export``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
