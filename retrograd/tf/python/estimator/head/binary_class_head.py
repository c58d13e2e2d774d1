"""The names of ``tensorflow.python.estimator.head.binary_class_head``."""

from retrograd.estimator.class_heads import BinaryClassHead
from retrograd.faces import missing

__getattr__ = missing(__name__)
