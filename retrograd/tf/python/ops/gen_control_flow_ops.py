"""The names of ``tensorflow.python.ops.gen_control_flow_ops``."""

from retrograd.faces import missing
from retrograd.ops.control import no_op
from retrograd.ops.dataflow import loop_cond, merge, next_iteration, ref_merge, ref_switch

__getattr__ = missing(__name__, raw=True)
