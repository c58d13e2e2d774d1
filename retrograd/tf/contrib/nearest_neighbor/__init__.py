"""The names of ``tensorflow.contrib.nearest_neighbor``."""

from retrograd.faces import missing
from retrograd.ops.hyperplanes import hyperplane_lsh_probes

__getattr__ = missing(__name__)
