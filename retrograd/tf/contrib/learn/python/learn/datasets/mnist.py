"""The names of ``tensorflow.contrib.learn.python.learn.datasets.mnist``."""

from retrograd.faces import missing
from retrograd.io.mnist import (
    DEFAULT_SOURCE_URL,
    DataSet,
    dense_to_one_hot,
    extract_images,
    extract_labels,
    load_mnist,
    read_data_sets,
)

__getattr__ = missing(__name__)
