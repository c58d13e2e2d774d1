"""The names of ``tensorflow.python.data.experimental.ops.prefetching_ops``."""

from retrograd.data.experimental import (
    copy_to_device,
    prefetch_to_device,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
