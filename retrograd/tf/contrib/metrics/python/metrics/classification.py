"""The names of ``tensorflow.contrib.metrics.python.metrics.classification``."""

from retrograd.faces import missing
from retrograd.nn.contrib.metrics import accuracy, f1_score

__getattr__ = missing(__name__)
