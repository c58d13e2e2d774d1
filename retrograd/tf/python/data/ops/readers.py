"""The names of ``tensorflow.python.data.ops.readers``."""

from retrograd.data.nodes import _TFRecordDataset
from retrograd.data.readers import (
    FixedLengthRecordDataset,
    TextLineDataset,
    TFRecordDataset,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
