"""The names of ``tensorflow.contrib.receptive_field.python.util.parse_layer_parameters``."""

from retrograd.contrib.receptive_fields import get_layer_params
from retrograd.faces import missing

__getattr__ = missing(__name__)
