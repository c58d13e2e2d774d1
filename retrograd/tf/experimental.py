"""The names of ``tensorflow.experimental``."""

from retrograd.faces import missing
from retrograd.graph.modes import output_all_intermediates

__getattr__ = missing(__name__)
