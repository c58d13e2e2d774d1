"""The names of ``tensorflow.python.distribute.distribute_lib``."""

from retrograd.distribute.contexts import (
    ReplicaContext,
    UpdateContext,
    experimental_set_strategy,
    get_replica_context,
    get_strategy,
    get_update_device,
    has_strategy,
    in_cross_replica_context,
    require_replica_context,
)
from retrograd.distribute.strategies import (
    InputContext,
    InputReplicationMode,
    Strategy,
    StrategyExtended,
    get_loss_reduction,
)
from retrograd.distribute.strategies import (
    Strategy as StrategyV1,
)
from retrograd.distribute.strategies import (
    StrategyExtended as StrategyExtendedV1,
)
from retrograd.distribute.strategies import (
    StrategyExtended as StrategyExtendedV2,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
