"""The names of ``tensorflow.python.estimator.head.multi_label_head``."""

from retrograd.estimator.class_heads import MultiLabelHead
from retrograd.faces import missing

__getattr__ = missing(__name__)
