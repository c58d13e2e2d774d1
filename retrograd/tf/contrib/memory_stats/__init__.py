"""The names of ``tensorflow.contrib.memory_stats``."""

from retrograd.faces import missing
from retrograd.ops.device_memory import BytesInUse, BytesLimit, MaxBytesInUse

__getattr__ = missing(__name__)
