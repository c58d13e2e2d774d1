"""The names of ``tensorflow.contrib.keras.api.keras.datasets.boston_housing``."""

from retrograd.faces import missing
from retrograd.keras.datasets import boston_housing as _data

load_data = _data.load_data

__getattr__ = missing(__name__)
