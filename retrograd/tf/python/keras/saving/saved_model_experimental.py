"""The names of ``tensorflow.python.keras.saving.saved_model_experimental``."""

from retrograd.faces import missing
from retrograd.graph.module_names import LazyLoader
from retrograd.keras.models import model_from_json

__getattr__ = missing(__name__)
