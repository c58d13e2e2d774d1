"""The names of ``tensorflow.python.framework.convert_to_constants``."""

from retrograd.faces import missing
from retrograd.io.meta_graphs import export_meta_graph

__getattr__ = missing(__name__)
