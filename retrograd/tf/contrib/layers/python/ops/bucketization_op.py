"""The names of ``tensorflow.contrib.layers.python.ops.bucketization_op``."""

from retrograd.faces import missing
from retrograd.nn.contrib.sparse_ids import bucketize

__getattr__ = missing(__name__)
