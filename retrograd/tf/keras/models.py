"""The names of ``tensorflow.keras.models``."""

from retrograd.faces import missing
from retrograd.keras.models import (
    Model,
    Sequential,
    clone_model,
    load_model,
    model_from_config,
    model_from_json,
    save_model,
)

__getattr__ = missing(__name__)
