"""The names of ``tensorflow.python.keras.saving.saved_model_experimental``."""

from retrograd.faces import missing
from retrograd.graph.module_names import LazyLoader
from retrograd.keras.exported_models import export_saved_model, load_from_saved_model
from retrograd.keras.filed_models import model_from_json

__getattr__ = missing(__name__)
