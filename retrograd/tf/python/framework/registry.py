"""The names of ``tensorflow.python.framework.registry``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
