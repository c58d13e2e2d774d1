"""The names of ``tensorflow.python.ops.while_v2``."""

from retrograd.faces import missing
from retrograd.flow.loops import while_loop

__getattr__ = missing(__name__)
