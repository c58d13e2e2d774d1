"""The names of ``tensorflow.python.ops.collective_ops``."""

from retrograd.faces import missing
from retrograd.ops.collectives import all_gather, all_reduce, broadcast_recv, broadcast_send

__getattr__ = missing(__name__)
