"""The names of ``tensorflow.python.ops.control_flow_util``."""

from retrograd.faces import missing
from retrograd.flow.kinds import (
    GetContainingCondContext,
    GetContainingWhileContext,
    GetContainingXLAContext,
    GetOutputContext,
    IsCondMerge,
    IsCondSwitch,
    IsContainingContext,
    IsInCond,
    IsInWhileLoop,
    IsInXLAContext,
    IsLoopConstantEnter,
    IsLoopEnter,
    IsLoopExit,
    IsLoopMerge,
    IsLoopSwitch,
    IsMerge,
    IsSwitch,
    OpInContext,
)
from retrograd.flow.kinds import (
    graph_or_parents_in_xla_context as GraphOrParentsInXlaContext,
)
from retrograd.graph.modes import enable_control_flow_v2

ENABLE_CONTROL_FLOW_V2 = False

__getattr__ = missing(__name__)
