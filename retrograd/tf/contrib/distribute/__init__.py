"""The names of ``tensorflow.contrib.distribute``."""

from retrograd.distribute.contexts import (
    ReplicaContext,
    UpdateContext,
    get_cross_replica_context,
    get_replica_context,
    get_strategy,
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
    OneDeviceStrategy,
)
from retrograd.distribute.kinds import (
    ContribMirroredStrategy as MirroredStrategy,
)
from retrograd.distribute.kinds import (
    ContribParameterServerStrategy as ParameterServerStrategy,
)
from retrograd.distribute.steps import Monitor, StandardInputStep, StandardSingleLossStep, Step
from retrograd.distribute.strategies import Strategy as DistributionStrategy
from retrograd.distribute.strategies import get_loss_reduction
from retrograd.faces import missing

__getattr__ = missing(__name__)
