"""The names of ``tensorflow.python.keras.utils.io_utils``."""

from retrograd.faces import missing
from retrograd.keras.model_utils import HDF5Matrix
from retrograd.keras.overwriting import ask as ask_to_proceed_with_overwrite

__getattr__ = missing(__name__)
