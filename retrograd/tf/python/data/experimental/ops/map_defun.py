"""The names of ``tensorflow.python.data.experimental.ops.map_defun``."""

from retrograd.data.dividing import map_defun
from retrograd.faces import missing

__getattr__ = missing(__name__)
