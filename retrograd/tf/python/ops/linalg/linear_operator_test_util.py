"""The names of ``tensorflow.python.ops.linalg.linear_operator_test_util``."""

from retrograd.faces import missing
from retrograd.testing.linear_operators import (
    CheckTapeSafeSkipOptions,
    LinearOperatorDerivedClassTest,
    NonSquareLinearOperatorDerivedClassTest,
    OperatorShapesInfo,
    SquareLinearOperatorDerivedClassTest,
    add_tests,
    random_normal,
    random_normal_correlated_columns,
    random_positive_definite_matrix,
    random_sign_uniform,
    random_tril_matrix,
    random_uniform,
)

__getattr__ = missing(__name__)
