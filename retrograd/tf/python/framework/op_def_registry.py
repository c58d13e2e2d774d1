"""The names of ``tensorflow.python.framework.op_def_registry``."""

from retrograd.faces import missing
from retrograd.graph.raw import get_registered_ops

__getattr__ = missing(__name__)
