"""The names of ``tensorflow.contrib.layers.python.ops.sparse_feature_cross_op``."""

from retrograd.faces import missing
from retrograd.ops.sparse_crossing import (
    _DEFAULT_HASH_KEY as SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY,
)
from retrograd.ops.sparse_crossing import (
    sparse_feature_cross,
)

__getattr__ = missing(__name__)
