"""The names of ``tensorflow.python.keras.saving``."""

from retrograd.faces import missing
from retrograd.keras.filed_models import model_from_config, model_from_json, model_from_yaml

__getattr__ = missing(__name__)
