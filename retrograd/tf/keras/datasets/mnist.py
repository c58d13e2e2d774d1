"""The names of ``tensorflow.keras.datasets.mnist``."""

from retrograd.faces import missing
from retrograd.keras.datasets import mnist as _data

load_data = _data.load_data

__getattr__ = missing(__name__)
