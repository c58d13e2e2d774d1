"""The names of ``tensorflow.contrib.slim.python.slim.data.tfexample_decoder``."""

from retrograd.contrib.slim_data import (
    BackupHandler,
    BoundingBox,
    Image,
    ItemHandler,
    ItemHandlerCallback,
    LookupTensor,
    SparseTensor,
    Tensor,
    TFExampleDecoder,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
