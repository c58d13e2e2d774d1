"""The names of ``tensorflow.python.training.optimizer``."""

from retrograd.faces import missing
from retrograd.train.optimizer import Optimizer, _deduplicate_indexed_slices, _get_processor, _var_key

__getattr__ = missing(__name__)
