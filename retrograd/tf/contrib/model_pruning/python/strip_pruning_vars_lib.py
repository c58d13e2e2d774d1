"""The names of ``tensorflow.contrib.model_pruning.python.strip_pruning_vars_lib``."""

from retrograd.contrib.pruned_graphs import graph_def_from_checkpoint, strip_pruning_vars_fn
from retrograd.faces import missing

__getattr__ = missing(__name__)
