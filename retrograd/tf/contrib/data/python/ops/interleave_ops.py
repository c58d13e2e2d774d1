"""The names of ``tensorflow.contrib.data.python.ops.interleave_ops``."""

from retrograd.data.experimental import (
    choose_from_datasets,
    parallel_interleave,
    sample_from_datasets,
)
from retrograd.data.older import sloppy_interleave
from retrograd.faces import missing

__getattr__ = missing(__name__)
