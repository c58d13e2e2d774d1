"""The names of ``tensorflow.contrib.nn``."""

from retrograd.faces import missing
from retrograd.nn.transposed import conv1d_transpose
from retrograd.ops.ranking import nth_element

__getattr__ = missing(__name__)
