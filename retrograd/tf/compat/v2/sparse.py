"""The names of ``tensorflow.compat.v2.sparse``."""

from retrograd.faces import missing
from retrograd.graph.sparse import SparseTensor
from retrograd.nn.second_sparse import (
    add,
    concat,
    reduce_max,
    reduce_sum,
    segment_mean,
    segment_sqrt_n,
    segment_sum,
    split,
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
    sparse_maximum as maximum,
)
from retrograd.ops.sparse_arithmetic import (
    sparse_minimum as minimum,
)
from retrograd.ops.sparse_arithmetic import (
    sparse_softmax as softmax,
)
from retrograd.ops.sparse_arithmetic import (
    sparse_tensor_dense_matmul as sparse_dense_matmul,
)
from retrograd.ops.sparse_crossing import sparse_cross as cross
from retrograd.ops.sparse_crossing import sparse_cross_hashed as cross_hashed
from retrograd.ops.sparse_joining import (
    sparse_fill_empty_rows as fill_empty_rows,
)
from retrograd.ops.sparse_joining import (
    sparse_slice as slice,
)
from retrograd.ops.sparse_joining import (
    sparse_to_indicator as to_indicator,
)

__getattr__ = missing(__name__)
