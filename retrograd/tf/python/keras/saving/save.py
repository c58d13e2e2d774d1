"""The names of ``tensorflow.python.keras.saving.save``."""

from retrograd.faces import missing
from retrograd.keras.filed_models import load_model, save_model

__getattr__ = missing(__name__)
