"""The names of ``tensorflow.contrib.model_pruning.python.learning``."""

from retrograd.contrib.pruned_graphs import train
from retrograd.faces import missing

__getattr__ = missing(__name__)
