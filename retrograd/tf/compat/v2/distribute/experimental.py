"""The names of ``tensorflow.compat.v2.distribute.experimental``."""

from retrograd.distribute.kinds import (
    CentralStorageStrategy,
    CollectiveCommunication,
    MultiWorkerMirroredStrategy,
    ParameterServerStrategy,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
