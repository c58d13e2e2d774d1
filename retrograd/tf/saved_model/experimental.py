"""The names of ``tensorflow.saved_model.experimental``."""

from retrograd.faces import missing
from retrograd.io.saved_model.saving import save

__getattr__ = missing(__name__)
