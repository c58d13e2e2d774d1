"""The names of ``tensorflow.python.saved_model.save``."""

from retrograd.faces import missing
from retrograd.io.saved_model.saving import save

__getattr__ = missing(__name__)
