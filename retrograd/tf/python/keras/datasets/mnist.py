"""The names of ``tensorflow.python.keras.datasets.mnist``."""

from retrograd.faces import missing
from retrograd.keras.datasets import mnist as _data
from retrograd.keras.utils import get_file

load_data = _data.load_data

__getattr__ = missing(__name__)
