"""The names of ``tensorflow.python.data.experimental.ops.interleave_ops``."""

from retrograd.data.experimental import (
    choose_from_datasets,
    parallel_interleave,
    sample_from_datasets,
)
from retrograd.data.nodes import _DirectedInterleaveDataset
from retrograd.faces import missing

__getattr__ = missing(__name__)
