"""The names of ``tensorflow.python.ops.gen_array_ops``."""

from retrograd.faces import missing
from retrograd.ops.arrays import (
    bitcast,
    guarantee_const,
    identity_n,
    prevent_gradient,
    ref_identity,
    snapshot,
    stop_gradient,
)
from retrograd.ops.asserts import check_numerics
from retrograd.ops.blocks import batch_to_space_nd, space_to_batch_nd
from retrograd.ops.diagonals import diag, diag_part, matrix_band_part
from retrograd.ops.fake_quantization import (
    fake_quant_with_min_max_args,
    fake_quant_with_min_max_args_gradient,
    fake_quant_with_min_max_vars,
    fake_quant_with_min_max_vars_gradient,
    fake_quant_with_min_max_vars_per_channel,
    fake_quant_with_min_max_vars_per_channel_gradient,
)
from retrograd.ops.inplace import empty
from retrograd.ops.patches import extract_volume_patches
from retrograd.ops.permuting import invert_permutation
from retrograd.ops.permuting import reverse as reverse_v2
from retrograd.ops.quantized import dequantize, quantized_concat
from retrograd.ops.repeating import broadcast_to, tile
from retrograd.ops.scattering import (
    scatter_nd,
    scatter_nd_non_aliasing_add,
    tensor_scatter_add,
    tensor_scatter_sub,
    tensor_scatter_update,
)
from retrograd.ops.slicing import strided_slice_assign, strided_slice_grad
from retrograd.ops.sorting import unravel_index
from retrograd.ops.uniqueness import unique_v2, unique_with_counts_v2

__getattr__ = missing(__name__, raw=True)
