"""The names of ``tensorflow.python.ops.control_flow_grad``."""

from retrograd.faces import missing
from retrograd.flow.contexts import WhileContext
from retrograd.flow.loops import while_loop
from retrograd.graph.context_protos import from_control_flow_context_def
from retrograd.graph.contexts import ControlFlowContext
from retrograd.graph.module_names import LazyLoader
from retrograd.ops.asserts import Assert
from retrograd.ops.cases import case, switch_case
from retrograd.ops.conditions import CondContext, cond
from retrograd.ops.control import group, no_op, with_dependencies
from retrograd.ops.control import tuple_ as tuple
from retrograd.ops.dataflow import (
    enter,
    exit,
    loop_cond,
    merge,
    next_iteration,
    ref_merge,
    ref_switch,
    switch,
)

__getattr__ = missing(__name__)
