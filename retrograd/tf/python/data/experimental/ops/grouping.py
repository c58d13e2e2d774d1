"""The names of ``tensorflow.python.data.experimental.ops.grouping``."""

from retrograd.data.experimental import (
    Reducer,
    bucket_by_sequence_length,
    group_by_reducer,
    group_by_window,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
