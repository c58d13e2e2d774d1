"""The names of ``tensorflow.python.ops.gen_control_flow_ops``."""

from retrograd.faces import missing
from retrograd.ops.control import no_op

__getattr__ = missing(__name__, raw=True)
