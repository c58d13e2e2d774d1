"""The names of ``tensorflow.core.protobuf.control_flow_pb2``."""

from retrograd.faces import missing
from retrograd.graph.context_protos import (
    CondContextDef,
    ControlFlowContextDef,
    ValuesDef,
    WhileContextDef,
)

__getattr__ = missing(__name__)
