"""The names of ``tensorflow.python.ops.sparse_ops``."""

from retrograd.faces import missing
from retrograd.ops.sparse import (
    from_dense,
    sparse_expand_dims,
    sparse_eye,
    sparse_reorder,
    sparse_reset_shape,
    sparse_reshape,
    sparse_retain,
    sparse_tensor_to_dense,
    sparse_to_dense,
    sparse_transpose,
)
from retrograd.ops.sparse_arithmetic import (
    sparse_add,
    sparse_dense_cwise_add,
    sparse_maximum,
    sparse_minimum,
    sparse_softmax,
    sparse_tensor_dense_matmul,
)
from retrograd.ops.sparse_crossing import (
    _DEFAULT_HASH_KEY,
    sparse_cross,
    sparse_cross_hashed,
)
from retrograd.ops.sparse_crossing import (
    sparse_cross as _sparse_cross,
)
from retrograd.ops.sparse_crossing import (
    sparse_cross_hashed as _sparse_cross_hashed,
)
from retrograd.ops.sparse_joining import (
    KeywordRequired,
    sparse_concat,
    sparse_fill_empty_rows,
    sparse_merge,
    sparse_slice,
    sparse_split,
    sparse_to_indicator,
)
from retrograd.ops.sparse_maps import (
    add_many_sparse_to_tensors_map as _add_many_sparse_to_tensors_map,
)
from retrograd.ops.sparse_maps import (
    add_sparse_to_tensors_map as _add_sparse_to_tensors_map,
)
from retrograd.ops.sparse_maps import (
    take_many_sparse_from_tensors_map as _take_many_sparse_from_tensors_map,
)
from retrograd.ops.sparse_reductions import (
    sparse_reduce_max,
    sparse_reduce_max_sparse,
    sparse_reduce_sum,
    sparse_reduce_sum_sparse,
)
from retrograd.ops.sparse_serialization import (
    deserialize_many_sparse,
    deserialize_sparse,
    serialize_many_sparse,
    serialize_sparse,
    serialize_sparse_v2,
)
from retrograd.ops.special import bessel_i1e as unary_op

__getattr__ = missing(__name__)
