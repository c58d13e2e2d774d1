"""The names of ``tensorflow.python.framework.load_library``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
