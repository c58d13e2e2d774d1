"""The names of ``tensorflow.python.ops.image_ops``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
