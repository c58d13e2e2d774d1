"""The names of ``tensorflow.contrib.checkpoint.python.visualize``."""

from retrograd.contrib.checkpoint_objects import dot_graph_from_checkpoint
from retrograd.faces import missing

__getattr__ = missing(__name__)
