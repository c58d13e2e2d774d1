"""The names of ``tensorflow.contrib.data.python.ops.batching``."""

from retrograd.data.experimental import map_and_batch, unbatch
from retrograd.data.older import (
    assert_element_shape,
    batch_and_drop_remainder,
    padded_batch_and_drop_remainder,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
