"""The names of ``tensorflow.python.util.serialization``."""

from retrograd.faces import missing
from retrograd.keras.places import plain as get_json_type

__getattr__ = missing(__name__)
