"""The names of ``tensorflow.python.ops.distributions.util``."""

from retrograd.faces import missing
from retrograd.nn.distributions.arguments import (
    assert_integer_form,
    assert_symmetric,
    embed_check_categorical_event_shape,
    embed_check_integer_casting_closed,
    embed_check_nonnegative_integer_form,
    gen_new_seed,
    get_logits_and_probs,
    log_combinations,
    parent_frame_arguments,
    reduce_weighted_logsumexp,
    softplus_inverse,
)
from retrograd.nn.distributions.vectors import (
    dimension_size,
    fill_triangular,
    fill_triangular_inverse,
    matrix_diag_transform,
    maybe_get_static_value,
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
