"""The names of ``tensorflow.contrib.slim.python.slim.data.dataset``."""

from retrograd.contrib.slim_data import Dataset
from retrograd.faces import missing

__getattr__ = missing(__name__)
