"""The names of ``tensorflow.python.training.device_setter``."""

from retrograd.faces import missing
from retrograd.train.device_setter import (
    STANDARD_PS_OPS,
    replica_device_setter,
)
from retrograd.train.device_setter import (
    RoundRobin as _RoundRobinStrategy,
)

__getattr__ = missing(__name__)
