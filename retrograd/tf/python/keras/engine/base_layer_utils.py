"""The names of ``tensorflow.python.keras.engine.base_layer_utils``."""

from retrograd.faces import missing
from retrograd.io.saved_model.loader import from_saved_model

__getattr__ = missing(__name__)
