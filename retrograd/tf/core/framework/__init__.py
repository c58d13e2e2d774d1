"""The names of ``tensorflow.core.framework``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
