"""The names of ``tensorflow.contrib.learn.python.learn.datasets.base``."""

from retrograd.io.mnist import Dataset, Datasets, maybe_download
