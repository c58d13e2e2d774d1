"""The names of ``tensorflow.contrib.metrics.python.ops.confusion_matrix_ops``."""

from retrograd.faces import missing
from retrograd.ops.confusion import confusion_matrix

__getattr__ = missing(__name__)
