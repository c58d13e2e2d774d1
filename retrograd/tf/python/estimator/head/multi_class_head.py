"""The names of ``tensorflow.python.estimator.head.multi_class_head``."""

from retrograd.estimator.class_heads import MultiClassHead
from retrograd.faces import missing

__getattr__ = missing(__name__)
