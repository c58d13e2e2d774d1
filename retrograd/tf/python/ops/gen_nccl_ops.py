"""The names of ``tensorflow.python.ops.gen_nccl_ops``."""

from retrograd.faces import missing
from retrograd.ops.collectives import nccl_all_reduce, nccl_broadcast, nccl_reduce

__getattr__ = missing(__name__, raw=True)
