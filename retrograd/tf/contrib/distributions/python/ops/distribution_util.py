"""The names of ``tensorflow.contrib.distributions.python.ops.distribution_util``."""

from retrograd.faces import missing
from retrograd.nn.distributions.affine import make_tril_scale
from retrograd.nn.distributions.arguments import (
    assert_integer_form,
    get_logits_and_probs,
    log_combinations,
    reduce_weighted_logsumexp,
    softplus_inverse,
)
from retrograd.nn.distributions.mixtures import mixture_stddev, pad_mixture_dimensions
from retrograd.nn.distributions.normal_vectors import make_diag_scale, shapes_from_loc_and_scale
from retrograd.nn.distributions.skewed import broadcast_shape as get_broadcast_shape
from retrograd.nn.distributions.vectors import (
    dimension_size,
    fill_triangular,
    fill_triangular_inverse,
    matrix_diag_transform,
    move_dimension,
    pad,
    pick_vector,
    prefer_static_broadcast_shape,
    prefer_static_rank,
    prefer_static_shape,
    prefer_static_value,
    rotate_transpose,
    same_dynamic_shape,
    tridiag,
)

__getattr__ = missing(__name__)
