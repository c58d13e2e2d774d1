"""The names of ``tensorflow.python.training.session_run_hook``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
