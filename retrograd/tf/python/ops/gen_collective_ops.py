"""The names of ``tensorflow.python.ops.gen_collective_ops``."""

from retrograd.faces import missing
from retrograd.ops.collectives import (
    collective_bcast_recv,
    collective_bcast_send,
    collective_gather,
    collective_reduce,
)

__getattr__ = missing(__name__, raw=True)
