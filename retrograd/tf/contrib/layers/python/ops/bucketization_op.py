"""The names of ``tensorflow.contrib.layers.python.ops.bucketization_op``."""

from retrograd.faces import missing
from retrograd.ops.comparison import bucketize

__getattr__ = missing(__name__)
