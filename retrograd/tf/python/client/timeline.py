"""The names of ``tensorflow.python.client.timeline``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
