"""The names of ``tensorflow.python.keras.datasets.imdb``."""

from retrograd.faces import missing
from retrograd.keras.datasets import imdb as _data
from retrograd.keras.utils import get_file

load_data = _data.load_data
get_word_index = _data.get_word_index

__getattr__ = missing(__name__)
