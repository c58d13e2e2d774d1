"""The names of ``tensorflow.sparse``."""

from retrograd.faces import missing
from retrograd.graph.sparse import SparseTensor
from retrograd.ops.accumulators import SparseConditionalAccumulator
from retrograd.ops.segments import (
    sparse_segment_mean as segment_mean,
)
from retrograd.ops.segments import (
    sparse_segment_sqrt_n as segment_sqrt_n,
)
from retrograd.ops.segments import (
    sparse_segment_sum as segment_sum,
)
from retrograd.ops.sparse import (
    from_dense,
)
from retrograd.ops.sparse import (
    sparse_expand_dims as expand_dims,
)
from retrograd.ops.sparse import (
    sparse_eye as eye,
)
from retrograd.ops.sparse import (
    sparse_mask as mask,
)
from retrograd.ops.sparse import (
    sparse_placeholder as placeholder,
)
from retrograd.ops.sparse import (
    sparse_reorder as reorder,
)
from retrograd.ops.sparse import (
    sparse_reset_shape as reset_shape,
)
from retrograd.ops.sparse import (
    sparse_reshape as reshape,
)
from retrograd.ops.sparse import (
    sparse_retain as retain,
)
from retrograd.ops.sparse import (
    sparse_tensor_to_dense as to_dense,
)
from retrograd.ops.sparse import (
    sparse_transpose as transpose,
)
from retrograd.ops.sparse_arithmetic import (
    sparse_add as add,
)
from retrograd.ops.sparse_arithmetic import (
    sparse_maximum as maximum,
)
from retrograd.ops.sparse_arithmetic import (
    sparse_minimum as minimum,
)
from retrograd.ops.sparse_arithmetic import (
    sparse_softmax as softmax,
)
from retrograd.ops.sparse_arithmetic import (
    sparse_tensor_dense_matmul as matmul,
)
from retrograd.ops.sparse_arithmetic import (
    sparse_tensor_dense_matmul as sparse_dense_matmul,
)
from retrograd.ops.sparse_crossing import sparse_cross as cross
from retrograd.ops.sparse_crossing import sparse_cross_hashed as cross_hashed
from retrograd.ops.sparse_joining import (
    sparse_concat as concat,
)
from retrograd.ops.sparse_joining import (
    sparse_fill_empty_rows as fill_empty_rows,
)
from retrograd.ops.sparse_joining import (
    sparse_merge as merge,
)
from retrograd.ops.sparse_joining import (
    sparse_slice as slice,
)
from retrograd.ops.sparse_joining import (
    sparse_split as split,
)
from retrograd.ops.sparse_joining import (
    sparse_to_indicator as to_indicator,
)
from retrograd.ops.sparse_reductions import (
    sparse_reduce_max as reduce_max,
)
from retrograd.ops.sparse_reductions import (
    sparse_reduce_max_sparse as reduce_max_sparse,
)
from retrograd.ops.sparse_reductions import (
    sparse_reduce_sum as reduce_sum,
)
from retrograd.ops.sparse_reductions import (
    sparse_reduce_sum_sparse as reduce_sum_sparse,
)

__getattr__ = missing(__name__)
