"""The names of ``tensorflow.contrib.nearest_neighbor.python.ops.nearest_neighbor_ops``."""

from retrograd.faces import missing
from retrograd.ops.hyperplanes import hyperplane_lsh_probes

__getattr__ = missing(__name__)
