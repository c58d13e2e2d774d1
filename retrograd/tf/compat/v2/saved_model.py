"""The names of ``tensorflow.compat.v2.saved_model``."""

from retrograd.faces import missing
from retrograd.io.saved_model.loading import load
from retrograd.io.saved_model.saving import save

__getattr__ = missing(__name__)
