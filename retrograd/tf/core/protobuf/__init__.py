"""The names of ``tensorflow.core.protobuf``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
