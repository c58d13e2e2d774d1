"""The names of ``tensorflow.core.lib``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
