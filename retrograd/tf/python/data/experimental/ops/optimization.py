"""The names of ``tensorflow.python.data.experimental.ops.optimization``."""

from retrograd.data.optimization import (
    _ChooseFastestBranchDataset,
    _ChooseFastestDataset,
    assert_next,
    non_serializable,
    optimize,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
