"""The names of ``tensorflow.python.ops.control_flow_ops``."""

from retrograd.faces import missing
from retrograd.flow.contexts import WhileContext
from retrograd.flow.loops import while_loop
from retrograd.graph.context_protos import from_control_flow_context_def
from retrograd.graph.contexts import ControlFlowContext
from retrograd.graph.module_names import LazyLoader
from retrograd.nn.second import (
    case as case_v2,
)
from retrograd.nn.second import (
    cond as cond_for_tf_v2,
)
from retrograd.nn.second import (
    tuple_ as tuple_v2,
)
from retrograd.nn.second import (
    while_loop as while_loop_v2,
)
from retrograd.ops.asserts import Assert
from retrograd.ops.cases import case, switch_case
from retrograd.ops.cases import case_by as _case_helper
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
from retrograd.ops.dataflow import enter as _Enter
from retrograd.ops.dataflow import next_iteration as _NextIteration
from retrograd.ops.dataflow import passed as _Identity
from retrograd.ops.dataflow import switch_beside as _SwitchRefOrTensor

__getattr__ = missing(__name__)
