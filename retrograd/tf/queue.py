"""The names of ``tensorflow.queue``."""

from retrograd.faces import missing
from retrograd.ops.queue_classes import (
    FIFOQueue,
    PaddingFIFOQueue,
    PriorityQueue,
    QueueBase,
    RandomShuffleQueue,
)

__getattr__ = missing(__name__)
