"""The names of ``tensorflow.python.ops.gradient_checker_v2``."""

from retrograd.faces import missing
from retrograd.grad.checker import _to_numpy, max_error
from retrograd.grad.checker import jacobians_of as compute_gradient

__getattr__ = missing(__name__)
