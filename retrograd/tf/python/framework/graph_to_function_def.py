"""The names of ``tensorflow.python.framework.graph_to_function_def``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
