"""The names of ``tensorflow.python.keras.datasets.cifar10``."""

from retrograd.faces import missing
from retrograd.keras.datasets import cifar10 as _data
from retrograd.keras.utils import get_file

load_data = _data.load_data

__getattr__ = missing(__name__)
