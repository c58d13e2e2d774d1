"""The names of ``tensorflow.contrib.receptive_field.python.util.receptive_field``."""

from retrograd.contrib.receptive_fields import ReceptiveField, compute_receptive_field_from_graph_def
from retrograd.faces import missing

__getattr__ = missing(__name__)
