"""The names of ``tensorflow.python.keras.saving.saved_model.load``."""

from retrograd.faces import missing
from retrograd.keras.saved_models import load

__getattr__ = missing(__name__)
