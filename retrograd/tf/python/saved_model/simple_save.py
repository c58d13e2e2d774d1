"""The names of ``tensorflow.python.saved_model.simple_save``."""

from retrograd.faces import missing
from retrograd.io.saved_model.builder import simple_save

__getattr__ = missing(__name__)
