"""The names of ``tensorflow.python.framework.op_def_library``."""

from retrograd.faces import missing
from retrograd.graph.raw import OpDefLibrary

__getattr__ = missing(__name__)
