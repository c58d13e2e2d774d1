"""The names of ``tensorflow.python.util.tf_contextlib``."""

from contextlib import contextmanager

from retrograd.faces import missing

__getattr__ = missing(__name__)
