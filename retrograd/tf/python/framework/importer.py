"""The names of ``tensorflow.python.framework.importer``."""

from retrograd.faces import missing
from retrograd.graph.deprecation import deprecated_args
from retrograd.io.importing import import_graph_def, import_graph_def_for_function

__getattr__ = missing(__name__)
