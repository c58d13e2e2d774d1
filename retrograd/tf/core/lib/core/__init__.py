"""The names of ``tensorflow.core.lib.core``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
