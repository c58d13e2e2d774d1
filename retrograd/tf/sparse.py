"""The names of ``tensorflow.sparse``."""

from retrograd.faces import missing
from retrograd.graph.sparse import SparseTensor
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
    sparse_add as add,
)
from retrograd.ops.sparse import (
    sparse_concat as concat,
)
from retrograd.ops.sparse import (
    sparse_fill_empty_rows as fill_empty_rows,
)
from retrograd.ops.sparse import (
    sparse_placeholder as placeholder,
)
from retrograd.ops.sparse import (
    sparse_reduce_sum as reduce_sum,
)
from retrograd.ops.sparse import (
    sparse_reorder as reorder,
)
from retrograd.ops.sparse import (
    sparse_reshape as reshape,
)
from retrograd.ops.sparse import (
    sparse_retain as retain,
)
from retrograd.ops.sparse import (
    sparse_slice as slice,
)
from retrograd.ops.sparse import (
    sparse_tensor_dense_matmul as matmul,
)
from retrograd.ops.sparse import (
    sparse_tensor_dense_matmul as sparse_dense_matmul,
)
from retrograd.ops.sparse import (
    sparse_tensor_to_dense as to_dense,
)
from retrograd.ops.sparse import (
    sparse_transpose as transpose,
)

__getattr__ = missing(__name__)
