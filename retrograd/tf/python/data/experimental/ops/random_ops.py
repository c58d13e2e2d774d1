"""The names of ``tensorflow.python.data.experimental.ops.random_ops``."""

from retrograd.data.experimental import RandomDataset
from retrograd.data.experimental import RandomDataset as RandomDatasetV1
from retrograd.faces import missing

__getattr__ = missing(__name__)
