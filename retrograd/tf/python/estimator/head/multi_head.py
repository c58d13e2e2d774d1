"""The names of ``tensorflow.python.estimator.head.multi_head``."""

from retrograd.estimator.number_heads import MultiHead
from retrograd.faces import missing

__getattr__ = missing(__name__)
