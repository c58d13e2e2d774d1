"""The names of ``tensorflow.python.keras.saving.model_config``."""

from retrograd.faces import missing
from retrograd.keras.models import model_from_config, model_from_json

__getattr__ = missing(__name__)
