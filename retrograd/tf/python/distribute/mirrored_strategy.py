"""The names of ``tensorflow.python.distribute.mirrored_strategy``."""

from retrograd.distribute.kinds import (
    MirroredExtended,
    MirroredStrategy,
)
from retrograd.distribute.kinds import (
    MirroredStrategy as MirroredStrategyV1,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
