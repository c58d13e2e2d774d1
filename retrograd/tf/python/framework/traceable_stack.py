"""The names of ``tensorflow.python.framework.traceable_stack``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
