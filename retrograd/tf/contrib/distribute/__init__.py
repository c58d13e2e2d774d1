"""The names of ``tensorflow.contrib.distribute``."""

from retrograd.distribute.contexts import (
    ReplicaContext,
    UpdateContext,
    experimental_set_strategy,
    get_cross_replica_context,
    get_replica_context,
    get_strategy,
    get_strategy_and_replica_context,
    has_strategy,
    in_cross_replica_context,
    require_replica_context,
)
from retrograd.distribute.contexts import (
    get_strategy as get_distribution_strategy,
)
from retrograd.distribute.contexts import (
    has_strategy as has_distribution_strategy,
)
from retrograd.distribute.kinds import (
    AllReduceCrossDeviceOps,
    CollectiveAllReduceStrategy,
    CrossDeviceOps,
    DistributeConfig,
    HierarchicalCopyAllReduce,
    NcclAllReduce,
    OneDeviceStrategy,
    ReductionToOneDevice,
)
from retrograd.distribute.kinds import (
    ContribMirroredStrategy as MirroredStrategy,
)
from retrograd.distribute.kinds import (
    ContribParameterServerStrategy as ParameterServerStrategy,
)
from retrograd.distribute.kinds import (
    ReductionToOneDevice as ReductionToOneDeviceCrossDeviceOps,
)
from retrograd.distribute.strategies import (
    InputContext,
    InputReplicationMode,
    Strategy,
    StrategyExtended,
    get_loss_reduction,
)
from retrograd.distribute.strategies import (
    Strategy as DistributionStrategy,
)
from retrograd.distribute.strategies import (
    StrategyExtended as DistributionStrategyExtended,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
