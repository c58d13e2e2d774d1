"""The names of ``tensorflow.compat.v2.distribute``."""

from retrograd.distribute.contexts import (
    ReduceOp,
    ReplicaContext,
    experimental_set_strategy,
    get_replica_context,
    get_strategy,
    has_strategy,
    in_cross_replica_context,
)
from retrograd.distribute.kinds import (
    CrossDeviceOps,
    HierarchicalCopyAllReduce,
    MirroredStrategy,
    NcclAllReduce,
    OneDeviceStrategy,
    ReductionToOneDevice,
)
from retrograd.distribute.strategies import InputContext, InputReplicationMode, Strategy, StrategyExtended
from retrograd.faces import missing
from retrograd.run.clusters import Server

__getattr__ = missing(__name__)
