"""The names of ``tensorflow.contrib.receptive_field.receptive_field_api``."""

from retrograd.contrib.receptive_fields import compute_receptive_field_from_graph_def, get_compute_order
from retrograd.faces import missing

__getattr__ = missing(__name__)
