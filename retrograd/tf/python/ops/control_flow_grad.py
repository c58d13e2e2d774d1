"""The names of ``tensorflow.python.ops.control_flow_grad``."""

from retrograd.faces import missing
from retrograd.ops.asserts import Assert
from retrograd.ops.control import group, no_op, with_dependencies
from retrograd.ops.control import tuple_ as tuple

__getattr__ = missing(__name__)
