"""The names of ``tensorflow.python.ops.ragged.ragged_tensor``."""

from retrograd.faces import missing
from retrograd.ragged.specs import RaggedTensorSpec, RaggedTensorType
from retrograd.ragged.tensor import (
    RaggedTensor,
    convert_to_tensor_or_ragged_tensor,
    is_ragged,
    match_row_splits_dtypes,
)

__getattr__ = missing(__name__)
