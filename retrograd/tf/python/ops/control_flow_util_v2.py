"""The names of ``tensorflow.python.ops.control_flow_util_v2``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
