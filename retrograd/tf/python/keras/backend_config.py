"""The names of ``tensorflow.python.keras.backend_config``."""

from retrograd.faces import missing
from retrograd.keras.backend_state import (
    epsilon,
    floatx,
    image_data_format,
    set_epsilon,
    set_floatx,
    set_image_data_format,
)

__getattr__ = missing(__name__)
