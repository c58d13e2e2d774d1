"""The names of ``tensorflow.python.distribute.collective_all_reduce_strategy``."""

from retrograd.distribute.kinds import (
    MultiWorkerMirroredStrategy as CollectiveAllReduceStrategy,
)
from retrograd.distribute.kinds import (
    MultiWorkerMirroredStrategy as CollectiveAllReduceStrategyV1,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
