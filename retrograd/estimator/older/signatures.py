"""What kinds of tensors the features are that an older estimator was trained on, and how examples hold them."""

from __future__ import annotations

from typing import Any, NamedTuple

from retrograd.graph import dtypes
from retrograd.graph.dtypes import DType
from retrograd.graph.shapes import TensorShape
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.tensor import Tensor
from retrograd.ops.casts import cast
from retrograd.ops.example_features import FixedLenFeature, VarLenFeature
from retrograd.ops.parsing import parse_example

_PARSED_AS = {dtypes.int32: dtypes.int64, dtypes.float64: dtypes.float32}
_ONLY = "feature"  # the name in examples of features that are one tensor


class Signature(NamedTuple):
    """A dtype, and the shape of a tensor that is not sparse."""

    dtype: DType
    shape: TensorShape | None

    def feature(self) -> Any:
        """How examples hold it."""
        dtype = _PARSED_AS.get(self.dtype, self.dtype)
        return VarLenFeature(dtype) if self.shape is None else FixedLenFeature(self.shape[1:], dtype)


def _signature(tensor: Tensor | SparseTensor) -> Signature:
    is_sparse = isinstance(tensor, SparseTensor)
    return Signature(tensor.dtype, None if is_sparse else tensor.get_shape())


def signatures_of(features: Any) -> Any:
    """The signatures of features, a dict or one tensor; None of none."""
    if isinstance(features, dict):
        return {name: _signature(tensor) for name, tensor in features.items()}
    return None if features is None else _signature(features)


def parsed(signatures: Any, examples: Tensor) -> Any:
    """Features of these signatures in serialized examples, [batch]."""
    named = signatures if isinstance(signatures, dict) else {_ONLY: signatures}
    found = parse_example(examples, {name: signature.feature() for name, signature in named.items()})
    cast_to = {name: tensor if tensor.dtype == named[name].dtype else cast(tensor, named[name].dtype)
               for name, tensor in found.items()}  # fmt: skip
    return cast_to if isinstance(signatures, dict) else cast_to[_ONLY]
