"""The names of ``tensorflow.python.distribute.all_reduce``."""

from retrograd.distribute.all_reduce import (
    build_nccl_all_reduce,
    build_nccl_then_recursive_hd,
    build_nccl_then_ring,
    build_nccl_then_shuffle,
    build_recursive_hd_all_reduce,
    build_ring_all_reduce,
    build_shuffle_all_reduce,
    build_shuffle_then_ring,
    build_shuffle_then_shuffle,
)
from retrograd.distribute.all_reduce import (
    flattened as _flatten_tensors,
)
from retrograd.distribute.all_reduce import (
    ring_gathered as _build_ring_gather,
)
from retrograd.distribute.all_reduce import (
    ring_permutations as _ring_permutations,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
