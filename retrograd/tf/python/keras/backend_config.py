"""The names of ``tensorflow.python.keras.backend_config``."""

from retrograd.faces import missing
from retrograd.keras.backend_state import epsilon, image_data_format, set_epsilon, set_image_data_format
from retrograd.nn.layers.policies import floatx, set_floatx

__getattr__ = missing(__name__)
