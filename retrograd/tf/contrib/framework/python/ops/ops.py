"""The names of ``tensorflow.contrib.framework.python.ops.ops``."""

from retrograd.faces import missing
from retrograd.graph.convert import get_graph_from_inputs
from retrograd.nn.contrib.model_variables import get_name_scope

__getattr__ = missing(__name__)
