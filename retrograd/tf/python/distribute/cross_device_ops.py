"""The names of ``tensorflow.python.distribute.cross_device_ops``."""

from retrograd.distribute.kinds import (
    CrossDeviceOps,
    HierarchicalCopyAllReduce,
    NcclAllReduce,
    ReductionToOneDevice,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
