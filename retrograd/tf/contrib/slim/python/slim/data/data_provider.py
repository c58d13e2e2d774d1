"""The names of ``tensorflow.contrib.slim.python.slim.data.data_provider``."""

from retrograd.contrib.slim_data import DataProvider
from retrograd.faces import missing

__getattr__ = missing(__name__)
