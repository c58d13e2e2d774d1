"""The names of ``tensorflow.contrib.slim.python.slim.data.data_decoder``."""

from retrograd.contrib.slim_data import DataDecoder
from retrograd.faces import missing

__getattr__ = missing(__name__)
