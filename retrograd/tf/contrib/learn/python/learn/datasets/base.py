"""The names of ``tensorflow.contrib.learn.python.learn.datasets.base``."""

from retrograd.faces import missing
from retrograd.io.mnist import Dataset, Datasets, maybe_download

__getattr__ = missing(__name__)
