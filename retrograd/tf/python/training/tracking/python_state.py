"""The names of ``tensorflow.python.training.tracking.python_state``."""

from retrograd.faces import missing
from retrograd.io.tracking import PythonState

__getattr__ = missing(__name__)
