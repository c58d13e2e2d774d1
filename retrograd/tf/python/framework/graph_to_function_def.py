"""The names of ``tensorflow.python.framework.graph_to_function_def``."""

from retrograd.faces import missing
from retrograd.graph.functions import graph_to_function_def

__getattr__ = missing(__name__)
