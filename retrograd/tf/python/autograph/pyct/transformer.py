"""The names of ``tensorflow.python.autograph.pyct.transformer``."""

from retrograd.faces import missing
from retrograd.graph.inherited import Base

__getattr__ = missing(__name__)
