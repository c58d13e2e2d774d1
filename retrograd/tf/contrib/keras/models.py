"""The names of ``tensorflow.contrib.keras.models``."""

from retrograd.faces import missing
from retrograd.keras.cloning import clone_model
from retrograd.keras.filed_models import (
    load_model,
    model_from_config,
    model_from_json,
    model_from_yaml,
    save_model,
)
from retrograd.keras.models import Model
from retrograd.keras.sequential import Sequential

__getattr__ = missing(__name__)
