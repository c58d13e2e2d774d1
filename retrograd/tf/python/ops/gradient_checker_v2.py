"""The names of ``tensorflow.python.ops.gradient_checker_v2``."""

from retrograd.faces import missing
from retrograd.grad.checker import jacobians_of as compute_gradient
from retrograd.grad.checker import max_error

__getattr__ = missing(__name__)
