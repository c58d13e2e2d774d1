"""The names of ``tensorflow.python.saved_model.loader``."""

from retrograd.faces import missing
from retrograd.io.saved_model.loader import load, maybe_saved_model_directory

__getattr__ = missing(__name__)
