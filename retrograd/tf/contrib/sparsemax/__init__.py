"""The names of ``tensorflow.contrib.sparsemax``."""

from retrograd.faces import missing
from retrograd.nn.contrib.sparsemax import sparsemax, sparsemax_loss

__getattr__ = missing(__name__)
