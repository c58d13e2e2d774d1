"""The names of ``tensorflow.contrib.saved_model``."""

from retrograd.faces import missing
from retrograd.keras.exported_models import (
    export_saved_model as save_keras_model,
)
from retrograd.keras.exported_models import (
    load_from_saved_model as load_keras_model,
)

__getattr__ = missing(__name__)
