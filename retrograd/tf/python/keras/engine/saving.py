"""The names of ``tensorflow.python.keras.engine.saving``."""

from retrograd.faces import missing
from retrograd.keras.exported_models import export_saved_model, load_from_saved_model
from retrograd.keras.filed_models import (
    load_model,
    model_from_config,
    model_from_json,
    model_from_yaml,
    save_model,
)

__getattr__ = missing(__name__)
