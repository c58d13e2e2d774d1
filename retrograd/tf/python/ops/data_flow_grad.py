"""The names of ``tensorflow.python.ops.data_flow_grad``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
