"""The names of ``tensorflow.python.ops.control_flow_util``."""

from retrograd.faces import missing
from retrograd.testing.modes import enable_control_flow_v2

__getattr__ = missing(__name__)
