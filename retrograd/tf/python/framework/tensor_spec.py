"""The names of ``tensorflow.python.framework.tensor_spec``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
