"""The names of ``tensorflow.contrib.data.python.ops.readers``."""

from retrograd.data.older import read_batch_features
from retrograd.data.readers import LMDBDataset
from retrograd.faces import missing

__getattr__ = missing(__name__)
