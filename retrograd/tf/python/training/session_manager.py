"""The names of ``tensorflow.python.training.session_manager``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
