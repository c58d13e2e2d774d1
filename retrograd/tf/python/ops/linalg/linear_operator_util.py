"""The names of ``tensorflow.python.ops.linalg.linear_operator_util``."""

from retrograd.faces import missing
from retrograd.nn.linear_operators.broadcasting import (
    assert_compatible_matrix_dimensions,
    assert_is_batch_matrix,
    assert_no_entries_with_modulus_zero,
    assert_not_ref_type,
    assert_zero_imag_part,
    broadcast_matrix_batch_dims,
    cholesky_solve_with_broadcast,
    matrix_solve_with_broadcast,
    matrix_triangular_solve_with_broadcast,
    shape_tensor,
    use_operator_or_provided_hint_unless_contradicting,
)

__getattr__ = missing(__name__)
