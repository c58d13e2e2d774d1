"""The names of ``tensorflow.contrib.sparsemax.python.ops.sparsemax_loss``."""

from retrograd.faces import missing
from retrograd.nn.contrib.sparsemax import sparsemax_loss

__getattr__ = missing(__name__)
