"""The names of ``tensorflow.contrib.receptive_field.python.util.graph_compute_order``."""

from retrograd.contrib.receptive_fields import get_compute_order, parse_graph_nodes
from retrograd.faces import missing

__getattr__ = missing(__name__)
