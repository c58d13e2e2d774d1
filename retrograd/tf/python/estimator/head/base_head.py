"""The names of ``tensorflow.python.estimator.head.base_head``."""

from retrograd.estimator.heads import Head
from retrograd.faces import missing

__getattr__ = missing(__name__)
