"""The names of ``tensorflow.python.platform.resource_loader``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
