"""The names of ``tensorflow.python.training.basic_session_run_hooks``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
