"""The names of ``tensorflow.contrib.checkpoint.python.python_state``."""

from retrograd.contrib.checkpoint_objects import NumpyState
from retrograd.faces import missing

__getattr__ = missing(__name__)
