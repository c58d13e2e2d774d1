"""The names of ``tensorflow.python.keras.utils.io_utils``."""

from retrograd.faces import missing
from retrograd.keras.model_utils import HDF5Matrix

__getattr__ = missing(__name__)
