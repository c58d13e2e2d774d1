"""The names of ``tensorflow.python.saved_model.load``."""

from retrograd.faces import missing
from retrograd.io.saved_model.loading import load

__getattr__ = missing(__name__)
