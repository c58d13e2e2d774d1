"""The names of ``tensorflow.contrib.copy_graph``."""

from retrograd.faces import missing
from retrograd.state.copies import copy_op_to_graph, copy_variable_to_graph, get_copied_op

__getattr__ = missing(__name__)
