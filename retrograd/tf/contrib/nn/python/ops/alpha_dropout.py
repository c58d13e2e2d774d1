"""The names of ``tensorflow.contrib.nn.python.ops.alpha_dropout``."""

from retrograd.faces import missing
from retrograd.nn.contrib.functions import alpha_dropout

__getattr__ = missing(__name__)
