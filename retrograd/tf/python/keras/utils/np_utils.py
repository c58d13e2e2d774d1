"""The names of ``tensorflow.python.keras.utils.np_utils``."""

from retrograd.faces import missing
from retrograd.keras.utils import normalize, to_categorical

__getattr__ = missing(__name__)
