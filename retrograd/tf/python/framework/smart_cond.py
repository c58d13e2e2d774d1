"""The names of ``tensorflow.python.framework.smart_cond``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
