"""The names of ``tensorflow.contrib.slim.data_decoder``."""

from retrograd.contrib.slim_data import DataDecoder
from retrograd.faces import missing

__getattr__ = missing(__name__)
