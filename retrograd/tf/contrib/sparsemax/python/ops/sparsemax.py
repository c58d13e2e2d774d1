"""The names of ``tensorflow.contrib.sparsemax.python.ops.sparsemax``."""

from retrograd.faces import missing
from retrograd.nn.contrib.sparsemax import sparsemax

__getattr__ = missing(__name__)
