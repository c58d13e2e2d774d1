"""The names of ``tensorflow.python.ops.op_selector``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
