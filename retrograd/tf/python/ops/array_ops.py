"""The names of ``tensorflow.python.ops.array_ops``."""

from retrograd.faces import missing
from retrograd.nn.second import (
    boolean_mask as boolean_mask_v2,
)
from retrograd.nn.second import (
    expand_dims as expand_dims_v2,
)
from retrograd.nn.second import (
    gather as gather_v2,
)
from retrograd.nn.second import (
    gather_nd as gather_nd_v2,
)
from retrograd.nn.second import (
    ones_like as ones_like_v2,
)
from retrograd.nn.second import (
    pad as pad_v2,
)
from retrograd.nn.second import (
    reverse_sequence as reverse_sequence_v2,
)
from retrograd.nn.second import (
    shape as shape_v2,
)
from retrograd.nn.second import (
    size as size_v2,
)
from retrograd.nn.second import (
    squeeze as squeeze_v2,
)
from retrograd.nn.second import (
    transpose as transpose_v2,
)
from retrograd.nn.second import (
    zeros_like as zeros_like_v2,
)
from retrograd.ops.arrays import (
    bitcast,
    guarantee_const,
    identity_n,
    prevent_gradient,
    rank_internal,
    ref_identity,
    reshape,
    shape,
    shape_internal,
    shape_n,
    size_internal,
    snapshot,
    stop_gradient,
)
from retrograd.ops.blocks import (
    batch_to_space,
    batch_to_space_nd,
    depth_to_space,
    required_space_to_batch_paddings,
    space_to_batch,
    space_to_batch_nd,
    space_to_depth,
)
from retrograd.ops.comparison import where_v2
from retrograd.ops.constants import (
    constant_v2 as constant,
)
from retrograd.ops.constants import (
    fill,
    ones,
    placeholder,
    placeholder_with_default,
    zeros,
)
from retrograd.ops.diagonals import (
    diag,
    diag_part,
    matrix_band_part,
    matrix_diag,
    matrix_diag_part,
    matrix_set_diag,
)
from retrograd.ops.distances import edit_distance
from retrograd.ops.fake_quantization import (
    fake_quant_with_min_max_args,
    fake_quant_with_min_max_args_gradient,
    fake_quant_with_min_max_vars,
    fake_quant_with_min_max_vars_gradient,
    fake_quant_with_min_max_vars_per_channel,
    fake_quant_with_min_max_vars_per_channel_gradient,
    quantize_and_dequantize,
)
from retrograd.ops.fingerprints import fingerprint
from retrograd.ops.grids import meshgrid, sequence_mask
from retrograd.ops.indexing import batch_gather_nd, boolean_mask
from retrograd.ops.inplace import empty
from retrograd.ops.joining import parallel_stack, split, unstack
from retrograd.ops.padding import pad
from retrograd.ops.patches import extract_image_patches, extract_volume_patches
from retrograd.ops.permuting import (
    invert_permutation,
    matrix_transpose,
    reverse,
    reverse_sequence,
    transpose,
)
from retrograd.ops.permuting import (
    reverse as reverse_v2,
)
from retrograd.ops.quantized import dequantize, quantize, quantize_v2, quantized_concat
from retrograd.ops.repeating import (
    broadcast_dynamic_shape,
    broadcast_static_shape,
    broadcast_to,
    repeat,
    repeat_with_axis,
)
from retrograd.ops.scattering import (
    scatter_nd,
    scatter_nd_non_aliasing_add,
    tensor_scatter_add,
    tensor_scatter_sub,
    tensor_scatter_update,
)
from retrograd.ops.slicing import (
    SLICE_TYPE_ERROR as _SLICE_TYPE_ERROR,
)
from retrograd.ops.slicing import (
    newaxis,
    strided_slice,
    strided_slice_assign,
    strided_slice_grad,
)
from retrograd.ops.slicing import (
    slice_ as slice,
)
from retrograd.ops.sorting import searchsorted, unravel_index
from retrograd.ops.sparse import sparse_mask, sparse_placeholder
from retrograd.ops.uniqueness import (
    listdiff,
    setdiff1d,
    unique,
    unique_v2,
    unique_with_counts,
    unique_with_counts_v2,
)
from retrograd.ragged.dispatching import (
    batch_gather,
    check_numerics,
    concat,
    expand_dims,
    gather,
    gather_nd,
    identity,
    one_hot,
    ones_like,
    rank,
    size,
    squeeze,
    stack,
    tile,
    where,
    zeros_like,
)

__getattr__ = missing(__name__, raw=True)
