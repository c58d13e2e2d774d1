"""The names of ``tensorflow.python.ops.numerics``."""

from retrograd.faces import missing
from retrograd.nn.second import assert_all_finite as verify_tensor_all_finite_v2
from retrograd.ops.asserts import add_check_numerics_ops, verify_tensor_all_finite

__getattr__ = missing(__name__)
