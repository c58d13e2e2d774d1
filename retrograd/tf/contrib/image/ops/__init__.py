"""The names of ``tensorflow.contrib.image.ops``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
