"""The names of ``tensorflow.contrib.tensor_forest.python.ops.model_ops``."""

from retrograd.contrib.forests import tree_variable
from retrograd.faces import missing

__getattr__ = missing(__name__)
