"""The names of ``tensorflow.contrib.slim.python.slim.data.dataset_data_provider``."""

from retrograd.contrib.slim_data import DatasetDataProvider
from retrograd.faces import missing

__getattr__ = missing(__name__)
